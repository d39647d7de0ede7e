"""Faults of a file or a match in it: their codes, positions and numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.rules.problems import Code, Detail, Problem

type Path = tuple[str | int, ...]
"""The way to a value of a match: `("deals", 3, "input", "tricks")`."""


class Place(NamedTuple):
    """Line and column, counted from 1; 0 for the file as a whole.

    In a table also the heading of the column, and in a workbook the cell (C7)."""

    line: int = 0
    column: int = 0
    heading: str = ""
    cell: str = ""


NOWHERE = Place()


class FaultCode(Code):
    """What can be wrong with a file of matches, besides what the rules find in its deals."""

    # the file
    EMPTY_FILE = "empty_file"
    NO_MATCHES = "no_matches"
    NO_ROWS = "no_rows"
    WRONG_KIND = "wrong_kind"
    OLD_WORKBOOK = "old_workbook"
    PASSWORD = "password"
    MACROS = "macros"
    BROKEN_FILE = "broken_file"
    WRONG_ENCODING = "wrong_encoding"
    NOT_JSON = "not_json"
    KEY_TWICE = "key_twice"
    NOT_A_MATCH = "not_a_match"
    BROKEN_QUOTES = "broken_quotes"
    LONG_CELL = "long_cell"
    MISSING_COLUMN = "missing_column"
    COLUMN_TWICE = "column_twice"
    TOO_BIG = "too_big"
    TOO_BIG_UNPACKED = "too_big_unpacked"
    TOO_MANY_COLUMNS = "too_many_columns"
    TOO_MANY_SHEETS = "too_many_sheets"
    TOO_MANY_CELLS = "too_many_cells"
    TOO_MANY_ROWS = "too_many_rows"
    TOO_MANY_DEALS = "too_many_deals"
    ONLY_IN_CLUB_FILE = "only_in_club_file"
    # a cell
    FORMULA = "formula"
    CELL_ERROR = "cell_error"
    BAD_NUMBER = "bad_number"
    BAD_POINTS = "bad_points"
    BAD_DATE = "bad_date"
    TWO_DATES = "two_dates"
    OTHER_ORDER = "other_order"
    IN_THE_FUTURE = "in_the_future"
    BAD_OPTIONS = "bad_options"
    BAD_TEXT = "bad_text"
    NOT_YES_OR_NO = "not_yes_or_no"
    CELLS_WITHOUT_HEADING = "cells_without_heading"
    CELL_WITHOUT_HEADING = "cell_without_heading"
    DIFFERS = "differs"
    # the match
    FOUR_PLAYERS = "four_players"
    NO_DEALS = "no_deals"
    NO_DEAL = "no_deal"
    UNKNOWN_PRESET = "unknown_preset"
    DEAL_TWICE = "deal_twice"
    ID_TWICE = "id_twice"
    ID_TAKEN = "id_taken"
    UNKNOWN_CLUB = "unknown_club"
    NO_CLUB = "no_club"
    # people
    SAME_PERSON = "same_person"
    TWO_OF_ONE_NAME = "two_of_one_name"
    NAMESAKES = "namesakes"
    TOO_LONG = "too_long"
    # a deal and its points
    UNKNOWN_FACT = "unknown_fact"
    WRONG_POINTS = "wrong_points"
    WRONG_RUNNING = "wrong_running"
    WRONG_MATCH_TOTAL = "wrong_match_total"


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a file.

    `deal` is its number in the match. `ends_file`: nothing of the file can be imported, not even
    what was read before."""

    problem: Problem
    place: Place = NOWHERE
    deal: int | None = None
    ends_file: bool = False

    @property
    def code(self) -> Code:
        return self.problem.code


def file_fault(code: Code, place: Place = NOWHERE, field: str = "", **numbers: Detail) -> Fault:
    """Return a fault because of which nothing of the file can be imported."""
    return Fault(Problem(code, field, numbers), place, ends_file=True)


class Unreadable(Exception):
    """Raised where the rest of the file cannot be read."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault.code)


@dataclass(frozen=True)
class Raw:
    """A match as it is in a file, unchecked, under the names of `cases/evenings.json`.

    `places` finds where values stand; `problems` were found while reading, each with the way to
    what it is about."""

    data: Mapping[str, Any]
    places: Callable[[Collection[Path]], Mapping[Path, Place]]
    problems: tuple[tuple[Path, Problem], ...] = ()


@dataclass(frozen=True)
class Note:
    """Something of a file that is ignored, or worth checking.

    Ignored: `ignored_columns`, `ignored_names`, `other_sheets`, `other_club`; worth checking:
    `alike`."""

    code: str
    names: tuple[str, ...]
