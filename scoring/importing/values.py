"""Values of a table as people type them: digits of any script, a true minus, names for seats."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from scoring.rules.seats import SEATS

type Cell = str | int | float | bool | date | datetime | time | timedelta | None

LONGEST_NUMBER = 9
YES = frozenset({"yes", "true", "1", "x", "y", "oui", "نعم"})
NO = frozenset({"no", "false", "0", "n", "non", "لا"})

_MINUS = str.maketrans("−–﹣－", "----")
# Three noughts may be thousands: 1.000 is refused rather than read as one.
_NUMBER = re.compile(r"([+-]?\d+)(?:[.,٫](?:00?|0{4,}))?")
# Spreadsheets that run from right to left put these beside numbers and names; nobody sees them.
_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_BETWEEN = re.compile(r"[\s_.\-]+")


def as_text(cell: Cell) -> str:
    """Return a cell as one line of text, numbers without a needless fraction."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return " ".join(_TURNING.sub("", str(cell)).split())


def plain_digits(text: str) -> str:
    """Return all decimal digits as 0 to 9, and every minus as a hyphen."""
    digits = (str(unicodedata.digit(c)) if c.isdecimal() and c > "9" else c for c in text)
    return "".join(digits).translate(_MINUS)


def heading(cell: Cell) -> str:
    """Return a heading as columns are named: `Played at`, `played-at` and `PLAYED_AT` are one."""
    text = unicodedata.normalize("NFKC", plain_digits(as_text(cell)))
    return _BETWEEN.sub("_", text.strip()).casefold().strip("_")


def same_text(text: str) -> str:
    """Return a key that is equal for texts that mean the same name."""
    return " ".join(unicodedata.normalize("NFKC", text).split()).casefold()


def whole_number(cell: Cell) -> int:
    """Return a whole number, with or without a sign and `.0`; raises ValueError otherwise."""
    if isinstance(cell, bool | date | time | timedelta):
        raise ValueError(cell)
    text = plain_digits(as_text(cell))
    found = _NUMBER.fullmatch(text) if len(text) <= LONGEST_NUMBER else None
    if not found:
        raise ValueError(text)
    return int(found[1])


def yes_or_no(cell: Cell) -> bool:
    """Return a boolean; raises ValueError for what is neither yes nor no."""
    text = same_text(plain_digits(as_text(cell)))
    if text in YES or text in NO:
        return text in YES
    raise ValueError(text)


class TwoOfOneName(ValueError):
    """Raised for a name that two players of a match have."""


def seat_named(cell: Cell, names: Sequence[str | None]) -> int:
    """Return the seat of a player's name, or of the numbers 1 to 4.

    Raises ValueError for an unknown name."""
    text = as_text(cell)
    found = [seat for seat, name in enumerate(names) if same_text(name or "") == same_text(text)]
    if len(found) > 1:
        raise TwoOfOneName(text)
    if found:
        return found[0]
    number = whole_number(cell)
    if number - 1 not in SEATS:
        raise ValueError(text)
    return number - 1
