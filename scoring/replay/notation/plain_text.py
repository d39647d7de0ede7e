"""Characters as phones and chats write them, replaced by those of the notation."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_SUITS = {"\u2664": "\u2660", "\u2661": "\u2665", "\u2662": "\u2666", "\u2667": "\u2663"}
_DASHES = dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
_CYRILLIC = dict(zip("АКТСНЕЅЈасеѕј", "AKTCHESJacesj", strict=True))
_ALIKE = _SUITS | _DASHES | _CYRILLIC


def plain(text: str) -> str:
    """Return the text in the characters of the notation, never longer than before.

    Without invisible direction marks and surrounding blanks; digits of any script as 0 to 9, wide
    letters narrow, white suits black, every dash a hyphen, Cyrillic letters that look like those of
    cards and seats as these."""
    return text.strip() if text.isascii() else "".join(map(_plain, text)).strip()


def visible(text: str) -> str:
    """Return the text without invisible characters."""
    if text.isascii():
        return text
    return "".join(char for char in text if not _is_mark(char))


@lru_cache(maxsize=1024)
def _plain(char: str) -> str:
    if _is_mark(char):
        return ""
    if char in _ALIKE:
        return _ALIKE[char]
    if char.isdecimal():
        return str(int(char))
    found = unicodedata.normalize("NFKC", char)
    return found if len(found) == 1 else char


def _is_mark(char: str) -> bool:
    """Return whether a character is invisible.

    It sets direction, joins others or asks for a coloured picture."""
    return unicodedata.category(char) == "Cf" or char in "\ufe0e\ufe0f"
