"""Placeholders that people write instead of a name."""

from __future__ import annotations

import re

from scoring.importing.values import same_text

_WORDS = (
    *("guest", "visitor", "unknown", "anonymous", "nobody", "somebody", "nn", "n n"),
    *("invité", "invitée", "inconnu", "inconnue", "anonyme"),
    *("ضيف", "ضيفة", "مجهول", "مجهولة"),
    *("invitado", "invitada", "гость", "гостья"),
)
_NOBODY = re.compile(rf"(?:{'|'.join(_WORDS)}|[?؟]+|[-–—])")


def is_placeholder(name: str) -> bool:
    """Return whether a text is a placeholder such as Guest, N.N. or ?.

    A name with a number is somebody."""
    return bool(_NOBODY.fullmatch(" ".join(same_text(name.replace(".", " ")).split())))
