"""A file of any kind to its matches, one after the other, each checked by its rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import IO

from scoring.importing import csv_rows, json_matches, sheets, xlsx_rows
from scoring.importing.dates import Dates, Order
from scoring.importing.faults import Fault, FaultCode, Note, Raw, Unreadable, file_fault
from scoring.importing.judging import FoundMatch, checked_match
from scoring.importing.limits import Limits
from scoring.importing.sources import kind_of


def read_file(
    stream: IO[bytes],
    limits: Limits,
    end: datetime | None = None,
    order: Order | None = None,
) -> Iterator[FoundMatch | Fault | Note]:
    """Yield the matches of a seekable file, its faults, and notes of what was ignored.

    After a fault that `ends_file` there is nothing more. What was played at `end` or later is
    refused. `order` is that of day and month, where the file does not decide it."""
    is_empty = True
    dates = Dates(order, lambda: _moments(stream, limits))
    try:
        for each in _raw(stream, limits):
            is_empty &= isinstance(each, Note)
            yield checked_match(each, dates, end) if isinstance(each, Raw) else each
        if is_empty:
            yield file_fault(FaultCode.NO_MATCHES)
    except Unreadable as end:
        yield end.fault


def _moments(stream: IO[bytes], limits: Limits) -> Iterator[object]:
    """Yield the dates of all matches, unread; keeps the position of the stream."""
    at = stream.tell()
    try:
        for each in _raw(stream, limits):
            if isinstance(each, Raw):
                yield each.data.get("played_at")
    except Unreadable:
        pass  # it will be met again
    finally:
        stream.seek(at)


def _raw(stream: IO[bytes], limits: Limits) -> Iterable[Raw | Fault | Note]:
    kind = kind_of(stream, limits)
    if kind == "json":
        return json_matches.raw_matches(stream, limits)
    if kind == "csv":
        return sheets.raw_matches(csv_rows.csv_rows(stream, limits), limits)
    return sheets.raw_matches(xlsx_rows.xlsx_rows(stream, limits), limits)
