"""Rows of a CSV file; the separator is found from the headings."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import IO, NamedTuple

from scoring.importing.columns import BY_NAME
from scoring.importing.faults import FaultCode, Place, Unreadable, file_fault
from scoring.importing.limits import Limits
from scoring.importing.values import Cell, heading

SEPARATORS = ",;\t"
NAMED_SEPARATOR = re.compile(r'"?sep=([^"\s\w]|\t|)"?', re.IGNORECASE)
LONGEST_CELL = 10_000
FIRST_LINES = 50
"""Among these are the headings."""


class TableRow(NamedTuple):
    """A row of a table: its line, its values, and which of them are formulas or errors."""

    line: int
    cells: list[Cell]
    is_workbook: bool = False
    spoilt: dict[int, FaultCode] = {}  # never written to

    def place(self, column: int, heading: str = "") -> Place:
        """Return where a value of this row is; columns are counted from 0 here."""
        cell = f"{column_letters(column)}{self.line}" if self.is_workbook else ""
        return Place(self.line, column + 1, heading, cell)


def column_letters(column: int) -> str:
    """Return the letters of a column: 0 is A, 26 is AA."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def csv_rows(stream: IO[bytes], limits: Limits) -> Iterator[TableRow]:
    """Yield the rows that are not blank; expects text that is known to be UTF-8."""
    text = io.TextIOWrapper(stream, "utf-8-sig", newline="")
    try:
        yield from _rows(text, limits)
    finally:
        text.detach()


def _rows(text: io.TextIOWrapper, limits: Limits) -> Iterator[TableRow]:
    lines = list(islice(text, FIRST_LINES))
    skipped, separator = _named_separator(lines)
    csv.field_size_limit(LONGEST_CELL)
    reader = csv.reader(
        chain(lines[skipped:], text), delimiter=separator or _separator(lines), strict=True
    )
    begun = 1
    try:
        for cells in reader:
            if len(cells) > limits.columns:
                place = Place(begun + skipped, limits.columns + 1)
                raise Unreadable(
                    file_fault(FaultCode.TOO_MANY_COLUMNS, place, limit=limits.columns)
                )
            if any(cell.strip() for cell in cells):
                yield TableRow(begun + skipped, list(cells))
            begun = reader.line_num + 1
    except csv.Error as error:
        code = FaultCode.LONG_CELL if "field larger" in str(error) else FaultCode.BROKEN_QUOTES
        raise Unreadable(file_fault(code, Place(begun + skipped))) from None


def _named_separator(lines: Sequence[str]) -> tuple[int, str]:
    """Return how many lines are skipped, and the separator that the last of them names, if any."""
    for number, line in enumerate(lines, start=1):
        if named := NAMED_SEPARATOR.fullmatch(line.rstrip("\r\n")):
            return number, named[1]
        if line.strip():
            break
    return 0, ""


def _separator(lines: Sequence[str]) -> str:
    """Return the separator that splits a line into the most known headings.

    Without headings the one that is most frequent in the first line, outside quotes."""
    headings = {each: max(_headings(line, each) for line in lines) for each in SEPARATORS}
    first = next((line for line in lines if line.strip()), "")
    outside = "".join(first.split('"')[::2])
    return max(SEPARATORS, key=lambda each: (headings[each], outside.count(each)))


def _headings(line: str, separator: str) -> int:
    """Count the known headings in the beginning of a line."""
    names = (heading(part.strip(' "')) for part in line[:LONGEST_CELL].split(separator))
    return sum(name in BY_NAME for name in names)
