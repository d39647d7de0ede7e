"""A table copied from somewhere: each line four numbers, or eight with the totals after it.

A line may begin with the number of its deal and the name of its contract. A first line of four
names is read as such, one that is called a total as the totals of the whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext, pgettext

from scoring.common import words
from scoring.common.numbers import MINUSES, read

LONGEST_TEXT = 20_000
CUTS = ("\t", ";", "|")
TOTALS = {"total", "totals", "sum", "σ"}


@dataclass
class PastedSheet:
    """What was read: lines as (contract, numbers), names, totals, and the places (line, found) of
    those that have another count of numbers."""

    lines: list[tuple[str, list[str]]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    totals: list[str] = field(default_factory=list)
    unread: list[tuple[int, int]] = field(default_factory=list)


def pasted(text: str, contracts: Sequence[str]) -> PastedSheet:
    """Reads a table; `contracts` are the keys that the table plays."""
    found, known = PastedSheet(), _known(contracts)
    for place, line in enumerate(text.splitlines(), start=1):
        parts = [part.strip() for part in _cut(line)]
        numbers = [_figure(part) for part in parts if _is_figure(part)]
        texts = [part for part in parts if part and not _is_figure(part)]
        if len(numbers) in (5, 9):
            numbers = numbers[1:]  # the first counts the deals
        if not numbers and len(texts) >= 4 and not found.lines:
            found.names = texts[-4:]
        elif len(numbers) in (4, 8):
            if any(text.casefold() in _totals() for text in texts):
                found.totals = numbers[:4]
            else:
                found.lines.append((_contract(texts, known), numbers))
        elif numbers or texts:
            found.unread.append((place, len(numbers)))
    return found


def _cut(line: str) -> list[str]:
    cut = next((each for each in CUTS if each in line), None)
    return line.split(cut) if cut else line.split()


def _is_figure(part: str) -> bool:
    """A number, or the dash that people write for none."""
    return bool(part) and (part in MINUSES or read(part)[1] is not None)


def _figure(part: str) -> str:
    return "0" if part in MINUSES else part


def _totals() -> set[str]:
    return TOTALS | {pgettext("scoresheet", "Total").casefold(), gettext("together").casefold()}


def _known(contracts: Sequence[str]) -> dict[str, str]:
    """What a contract may be called, to its key."""
    return dict(_called(contracts))


def _called(contracts: Sequence[str]) -> Iterator[tuple[str, str]]:
    for key in contracts:
        for name in (key, words.contract(key), words.contract(key, short=True)):
            yield _plain(name), key


def _contract(texts: Sequence[str], known: dict[str, str]) -> str:
    """The key of the contract that the texts of a line name, or nothing."""
    candidates = [*texts, " ".join(texts)]
    return next((known[_plain(each)] for each in candidates if _plain(each) in known), "")


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold())
