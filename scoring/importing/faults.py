"""What is wrong with a file or a match in it: a code, a place, and the numbers that explain it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.rules.problems import Detail, Problem

type Path = tuple[str | int, ...]
"""The way to a value of a match: `("deals", 3, "input", "tricks")`."""


class Place(NamedTuple):
    """Line and column, counted from 1; 0: the file as a whole. In a table also the heading of the
    column, and in a workbook the cell (C7)."""

    line: int = 0
    column: int = 0
    heading: str = ""
    cell: str = ""


NOWHERE = Place()


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong. `deal` is its number in the match. `ends_file`: nothing of the file
    can be taken, not even what was read before."""

    problem: Problem
    place: Place = NOWHERE
    deal: int | None = None
    ends_file: bool = False

    @property
    def code(self) -> str:
        return self.problem.code


def file_fault(code: str, place: Place = NOWHERE, field: str = "", **numbers: Detail) -> Fault:
    """A fault because of which nothing of the file can be taken."""
    return Fault(Problem(code, field, numbers), place, ends_file=True)


class Unreadable(Exception):
    """The file ends here: the rest of it cannot be read."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault.code)


@dataclass(frozen=True)
class Raw:
    """A match as it stands in a file, under the names of `cases/evenings.json`, unjudged.

    `places` finds where values stand; `problems` were found while reading, each with the way to
    what it is about."""

    data: Mapping[str, Any]
    places: Callable[[Collection[Path]], Mapping[Path, Place]]
    problems: tuple[tuple[Path, Problem], ...] = ()


@dataclass(frozen=True)
class Note:
    """Something of a file that is passed over: `ignored_columns`, `ignored_names`,
    `other_sheets`, `other_club`; or worth a look: `alike`."""

    code: str
    names: tuple[str, ...]
