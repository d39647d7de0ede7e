"""Rows of a workbook's sheet.

What would cost memory or execute code is refused before the workbook is opened.
"""

from __future__ import annotations

import warnings
import zipfile
import zlib
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, time
from typing import IO, Any

from openpyxl import load_workbook
from openpyxl.styles.numbers import is_datetime

from scoring.importing.csv_rows import TableRow
from scoring.importing.faults import FaultCode, Note, Place, Unreadable, file_fault
from scoring.importing.limits import Limits
from scoring.importing.xlsx_parts import refuse_harmful_parts

SHEET = "deals"
"""The name of the sheet that is read; without one the first is that is not hidden."""

MIDNIGHT = time()
MOST_PARTS = 2_000
LAST_ROW = 1_048_576
IS_ENCRYPTED = 0x1
BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    OSError,
    ValueError,
    RuntimeError,
    EOFError,
)


def xlsx_rows(stream: IO[bytes], limits: Limits) -> Iterator[TableRow | Note]:
    """Yield the rows that are not blank; formulas and errors are named, not evaluated."""
    _refuse_what_harms(stream, limits)
    try:
        with warnings.catch_warnings(action="ignore"):
            yield from _rows(stream, limits)
    except Unreadable:
        raise
    # A workbook that was tampered with makes the library raise anything.
    except Exception:
        raise Unreadable(file_fault(FaultCode.BROKEN_FILE)) from None


def _rows(stream: IO[bytes], limits: Limits) -> Iterator[TableRow | Note]:
    book = load_workbook(stream, read_only=True, keep_links=False)
    try:
        sheets = book.worksheets
        if not sheets:
            raise Unreadable(file_fault(FaultCode.EMPTY_FILE))
        if len(sheets) > limits.sheets:
            raise Unreadable(
                file_fault(FaultCode.TOO_MANY_SHEETS, found=len(sheets), limit=limits.sheets)
            )
        named = [each for each in sheets if each.title.strip().casefold() == SHEET]
        shown = [each for each in sheets if each.sheet_state == "visible"]
        sheet = (named or shown or sheets)[0]
        others = tuple(each.title for each in sheets if each is not sheet)
        if others:
            yield Note("other_sheets", others)
        sheet.reset_dimensions()
        before: Sequence[Any] = ()
        for line, cells in enumerate(sheet.iter_rows(max_col=limits.columns + 1), start=1):
            if line > LAST_ROW:
                raise Unreadable(file_fault(FaultCode.TOO_MANY_ROWS, limit=LAST_ROW))
            # Rows that are not there are one and the same, and there may be a million of them.
            if cells is not before and (row := _row(line, cells, limits)):
                yield row
            before = cells
    finally:
        book.close()


def _row(line: int, cells: Sequence[Any], limits: Limits) -> TableRow | None:
    spoilt = {
        column: FaultCode.FORMULA if cell.data_type == "f" else FaultCode.CELL_ERROR
        for column, cell in enumerate(cells)
        if cell.data_type in "fe" and cell.value is not None
    }
    values = [_value(cell) for cell in cells]
    while values and (values[-1] is None or values[-1] == ""):
        values.pop()
    if len(values) > limits.columns:
        place = Place(line, limits.columns + 1)
        raise Unreadable(file_fault(FaultCode.TOO_MANY_COLUMNS, place, limit=limits.columns))
    if not any(value is not None and str(value).strip() for value in values):
        return None
    return TableRow(line, values, is_workbook=True, spoilt=spoilt)


def _value(cell: Any) -> Any:
    """What the cell holds; a day without a time of day is not its midnight."""
    value = cell.value
    if isinstance(value, datetime) and value.time() == MIDNIGHT:
        return value.date() if is_datetime(cell.number_format) == "date" else value
    return value


def _refuse_what_harms(stream: IO[bytes], limits: Limits) -> None:
    try:
        with zipfile.ZipFile(stream) as archive:
            parts = archive.infolist()
            _refuse_parts(parts, limits)
            refuse_harmful_parts(archive, limits)
    except BROKEN:
        raise Unreadable(file_fault(FaultCode.BROKEN_FILE)) from None
    finally:
        stream.seek(0)


def _refuse_parts(parts: Sequence[zipfile.ZipInfo], limits: Limits) -> None:
    names = {part.filename.casefold() for part in parts}
    unpacked = sum(part.file_size for part in parts)
    if any(part.flag_bits & IS_ENCRYPTED for part in parts):
        raise Unreadable(file_fault(FaultCode.PASSWORD))
    if unpacked > limits.unpacked or len(parts) > MOST_PARTS:
        raise Unreadable(
            file_fault(FaultCode.TOO_BIG_UNPACKED, bytes=unpacked, limit=limits.unpacked)
        )
    if any(name.endswith("vbaproject.bin") for name in names):
        raise Unreadable(file_fault(FaultCode.MACROS))
    if "xl/workbook.bin" in names or not any(name.startswith("xl/") for name in names):
        raise Unreadable(file_fault(FaultCode.WRONG_KIND, found=_other_kind(names)))


def _other_kind(names: Collection[str]) -> str:
    if "xl/workbook.bin" in names:
        return "XLSB"
    return "ODF" if "content.xml" in names else "ZIP"
