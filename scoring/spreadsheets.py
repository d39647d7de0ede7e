"""Tables for spreadsheet programs: what somebody typed is never taken for a formula."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from scoring.importing.own_tables import AS_TEXT, BEGINS_A_FORMULA

BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""Spreadsheet programs take a file for UTF-8 only with this mark before it."""
ROWS = 1_048_576
"""As many fit into one sheet."""
LONGEST = 32_767
NAMED = ("name", "partner", "player")
"""Columns with names in them, which are wide enough for long ones; also with a number behind."""

type Cell = str | int | float | bool | datetime | None


def harmless(cell: Cell) -> Cell:
    """Text that a program would work out when it opens a table gets a mark that says it is text,
    and so does text that looks as if it had one; numbers stay numbers. `scoring.importing` takes
    the mark off again."""
    if isinstance(cell, str) and cell.lstrip(AS_TEXT).startswith(BEGINS_A_FORMULA):
        return f"{AS_TEXT}{cell}"
    return cell


def csv_lines(rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """The rows as lines of a table of values."""
    text = StringIO(newline="")
    writer = csv.writer(text)
    for row in rows:
        writer.writerow([harmless(cell) for cell in row])
        yield text.getvalue()
        text.seek(0)
        text.truncate()


class Book:
    """A workbook that is written row by row and never held in memory as a whole."""

    def __init__(self, *, right_to_left: bool = False) -> None:
        self.book = Workbook(write_only=True)
        self.right_to_left = right_to_left

    def add(
        self,
        title: str,
        columns: Sequence[str],
        rows: Iterable[Sequence[Cell]],
        most: int = ROWS,
    ) -> Iterator[None]:
        """A sheet with these headings; what does not fit goes on in the next one. Says after each
        row that it lives."""
        sheet, used, number = self._sheet(title, columns), 1, 1
        for row in rows:
            if used >= most:
                number, used = number + 1, 1
                sheet = self._sheet(f"{title} {number}", columns)
            sheet.append([_cell(sheet, cell) for cell in row])
            used += 1
            yield

    def save(self, path: Path) -> None:
        self.book.save(path)

    def _sheet(self, title: str, columns: Sequence[str]) -> Any:
        sheet = self.book.create_sheet(title)
        sheet.sheet_view.rightToLeft = self.right_to_left
        sheet.freeze_panes = "A2"
        heads = [WriteOnlyCell(sheet, value=name) for name in columns]
        for place, head in enumerate(heads, start=1):
            head.font = Font(name="Calibri", bold=True)
            is_name = head.value.rstrip("_1234") in NAMED
            sheet.column_dimensions[get_column_letter(place)].width = 44 if is_name else 14
        sheet.append(heads)
        return sheet


def _cell(sheet: Any, cell: Cell) -> object:
    """Text stays text, whatever it begins with, and also once somebody has edited it."""
    if not isinstance(cell, str):
        return cell
    made = WriteOnlyCell(sheet, value="")
    made.value = ILLEGAL_CHARACTERS_RE.sub("", cell)[:LONGEST]
    made.data_type = "s"
    made.quotePrefix = cell.startswith(BEGINS_A_FORMULA)
    return made
