"""Points typed by people, in digits of any script (C14), with the sign chosen separately (C13).

A sign that is typed all the same is read, and counts.
"""

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
    """Return a number in any digits (٣, ۳, 3), None when blank, any other text as it is.

    >>> whole(" ٣ "), whole(""), whole("3 diamonds")
    (3, None, '3 diamonds')"""
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
class TypedNumber:
    """One number of four: as typed, its sign, and its value.

    `sign`: `-`, `+`, or "" for the usual one. `value` None: nothing was typed. `wrong`: no number.
    """

    name: str
    typed: str
    sign: str
    value: int | None
    wrong: bool

    @property
    def sign_name(self) -> str:
        return f"{self.name}.sign"


type Cells = tuple[TypedNumber, ...]


def cells(name: str, raw: Raw, usual: Sequence[str] = ("", "", "", "")) -> Cells:
    """Return the four numbers `name.0` to `name.3`.

    `usual` is the sign until another is chosen."""
    return tuple(_cell(f"{name}.{seat}", raw, usual[seat]) for seat in SEATS)


def _cell(name: str, raw: Raw, usual: str) -> TypedNumber:
    typed = raw.get(name, "").strip()[:MOST_QUOTED]
    sign = raw.get(f"{name}.sign", usual)
    sign = sign if sign in ("+", "-") else ""
    own, number = read(typed)
    value = None if number is None else -number if (own or sign) == "-" else number
    return TypedNumber(name, typed, own or sign, value, wrong=bool(typed) and number is None)


def read(typed: str) -> tuple[str, int | None]:
    """Return the sign and the number of a text, None where there is none.

    −٧٥, 75-, (75), +75, 75.0.

    >>> read("−75"), read("٧٥"), read("seven")
    (('-', 75), ('', 75), ('', None))"""
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
    """Return the values of the four."""
    return tuple(cell.value for cell in four)


def is_blank(four: Iterable[TypedNumber]) -> bool:
    """Return whether nothing was typed."""
    return not any(cell.typed for cell in four)


def sign_of(number: int) -> str:
    """Return the sign that a number is shown with."""
    return "-" if number < 0 else "+"
