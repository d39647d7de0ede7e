"""A table of separated values, row by row. The separator is found from the headings."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from itertools import chain
from typing import IO, NamedTuple

from scoring.importing.faults import Place, Unreadable, file_fault
from scoring.importing.limits import Limits
from scoring.importing.values import Cell

SEPARATORS = ",;\t"
NAMED_SEPARATOR = re.compile(r'"?sep=([^"\s\w]|\t|)"?', re.IGNORECASE)
LONGEST_CELL = 10_000


class Row(NamedTuple):
    """A row of a table: where it begins, its values, and which of them are formulas or errors."""

    line: int
    cells: list[Cell]
    is_workbook: bool = False
    spoilt: dict[int, str] = {}  # never written to

    def place(self, column: int, heading: str = "") -> Place:
        """Where a value of this row stands; columns are counted from 0 here."""
        cell = f"{column_letters(column)}{self.line}" if self.is_workbook else ""
        return Place(self.line, column + 1, heading, cell)


def column_letters(column: int) -> str:
    """0 is A, 26 is AA."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def csv_rows(stream: IO[bytes], limits: Limits) -> Iterator[Row]:
    """The rows that say something. The text was found to be UTF-8 before."""
    text = io.TextIOWrapper(stream, "utf-8-sig", newline="")
    try:
        yield from _rows(text, limits)
    finally:
        text.detach()


def _rows(text: io.TextIOWrapper, limits: Limits) -> Iterator[Row]:
    first, skipped = _line_that_says_something(text, 0)
    separator = ""
    if named := NAMED_SEPARATOR.fullmatch(first.rstrip("\r\n")):
        separator = named[1]
        first, skipped = _line_that_says_something(text, skipped + 1)
    separator = separator or _separator(first)
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.reader(chain([first], text), delimiter=separator, strict=True)
    begun = 1
    try:
        for cells in reader:
            if len(cells) > limits.columns:
                place = Place(begun + skipped, limits.columns + 1)
                raise Unreadable(file_fault("too_many_columns", place, limit=limits.columns))
            if any(cell.strip() for cell in cells):
                yield Row(begun + skipped, list(cells))
            begun = reader.line_num + 1
    except csv.Error as error:
        code = "long_cell" if "field larger" in str(error) else "broken_quotes"
        raise Unreadable(file_fault(code, Place(begun + skipped))) from None


def _line_that_says_something(text: io.TextIOWrapper, skipped: int) -> tuple[str, int]:
    """The next line that is not blank, and how many lines lie before it."""
    line = text.readline()
    while line and not line.strip():
        line, skipped = text.readline(), skipped + 1
    return line, skipped


def _separator(line: str) -> str:
    """The one that is most often between headings, quoted ones left out."""
    outside = "".join(line.split('"')[::2])
    return max(SEPARATORS, key=outside.count)
