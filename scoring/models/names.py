"""How a typed name or text is kept: one spelling, nothing invisible that turns or breaks a page."""

import unicodedata

# Marks that turn the direction of everything after them: no name needs one.
TURNING = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def clean_name(text: str) -> str:
    """Composed letters, single blanks, no control characters: what is kept of a typed name."""
    spaced = unicodedata.normalize("NFC", text)
    shown = (_kept(character) for character in spaced)
    return " ".join("".join(shown).split())


def same_name(text: str) -> str:
    """Two names with the same result are the same to a reader."""
    return unicodedata.normalize("NFKC", clean_name(text)).casefold()


def _kept(character: str) -> str:
    if character in TURNING:
        return ""
    return " " if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") else character
