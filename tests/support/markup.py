"""Pages as one line, since where a template breaks its lines means nothing."""

import re


def flat(page) -> str:
    """The text of a page or response: no break between tags, one blank between attributes."""
    text = page if isinstance(page, str) else page.text
    text = re.sub(r"<[^<>]*>", lambda tag: re.sub(r"\s+", " ", tag[0]).replace(" >", ">"), text)
    return re.sub(r"\s*\n\s*", " ", re.sub(r">\s*\n\s*<", "><", text))
