"""Names that say of nobody who it was."""

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


def is_nobody(name: str) -> bool:
    """Whether it stands where a name should be: Guest, N.N., ? Whoever has a number is somebody."""
    return bool(_NOBODY.fullmatch(" ".join(same_text(name.replace(".", " ")).split())))
