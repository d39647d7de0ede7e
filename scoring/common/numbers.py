"""Points typed by people: digits of any script (C14), the sign chosen beside them and never asked
to be typed (C13). One that is typed all the same is read, and counts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.rules.seats import SEATS

type Raw = Mapping[str, str]

MOST_DIGITS = 5
# Three noughts may be thousands: 1.000 is refused rather than read as one.
WHOLE = re.compile(rf"(\d{{1,{MOST_DIGITS}}})(?:[.,٫][0٠۰]{{1,2}})?")
MINUSES = "-−–‒﹣－"
MOST_QUOTED = 20
LONGEST = 40
"""The longest text a message quotes back; a radio input sends one or two characters."""


def whole(text: str) -> int | str | None:
    """A number in any digits (٣, ۳, 3), None when blank, any other text as it is.

    >>> whole(" ٣ "), whole(""), whole("3 diamonds")
    (3, None, '3 diamonds')
    """
    text = text.strip()
    if not text:
        return None
    # Longer is no number of this game, and int() is slow on thousands of digits.
    return int(text) if text.isdecimal() and len(text) <= 4 else text[:LONGEST]


def whole_number(text: str) -> int | None:
    """Return a number in any digits, None for anything else."""
    found = whole(text)
    return found if isinstance(found, int) else None


@dataclass(frozen=True)
class Cell:
    """One number: what was typed, which sign was chosen (`-`, `+`, or none: as usual), and what it
    comes to (None: nothing was typed). `wrong`: no number."""

    name: str
    typed: str
    sign: str
    value: int | None
    wrong: bool

    @property
    def sign_name(self) -> str:
        return f"{self.name}.sign"


type Cells = tuple[Cell, ...]


def cells(name: str, raw: Raw, usual: Sequence[str] = ("", "", "", "")) -> Cells:
    """The four numbers `name.0` to `name.3`. `usual` is the sign that is chosen until somebody
    chooses another."""
    return tuple(_cell(f"{name}.{seat}", raw, usual[seat]) for seat in SEATS)


def _cell(name: str, raw: Raw, usual: str) -> Cell:
    typed = raw.get(name, "").strip()[:MOST_QUOTED]
    sign = raw.get(f"{name}.sign", usual)
    sign = sign if sign in ("+", "-") else ""
    own, number = read(typed)
    value = None if number is None else -number if (own or sign) == "-" else number
    return Cell(name, typed, own or sign, value, wrong=bool(typed) and number is None)


def read(typed: str) -> tuple[str, int | None]:
    """The sign and the number of a text: −٧٥, 75-, (75), +75, 75.0. None where it is none.

    >>> read("−75"), read("٧٥"), read("seven")
    (('-', 75), ('', 75), ('', None))
    """
    text = typed.strip()
    sign = ""
    if text.startswith("(") and text.endswith(")"):
        sign, text = "-", text[1:-1]
    for mark in (text[:1], text[-1:]):
        if mark and mark in MINUSES + "+":
            sign = "+" if mark == "+" else "-"
    whole = WHOLE.fullmatch(text.strip(MINUSES + "+ \u200e\u200f\u061c"))
    return (sign, int(whole[1])) if whole else ("", None)


def values(four: Cells) -> tuple[int | None, ...]:
    """What the four come to."""
    return tuple(cell.value for cell in four)


def is_blank(four: Iterable[Cell]) -> bool:
    """Nothing was typed."""
    return not any(cell.typed for cell in four)


def sign_of(number: int) -> str:
    """The sign that a number is drawn with."""
    return "-" if number < 0 else "+"
