"""Check of the parts of a workbook before it is opened.

A few kilobytes of a file can hold a row of ten million cells.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from xml.parsers import expat

from scoring.importing.faults import FaultCode, Unreadable, file_fault
from scoring.importing.limits import Limits

CHUNK = 1 << 16
DEEPEST = 50
ROW_DEPTH = 3
MOST_IN_A_ROW = 60_000
"""Elements and attributes. A row of a sheet, or one shared text, is let go once it was read."""

MOST_OF_THE_REST = 100_000
"""Styles and the like are kept as a whole."""

STARTS = tuple("<".encode(each) for each in ("utf-8", "utf-16-le", "utf-16-be"))
BLANKS = b"\xef\xbb\xbf\xff\xfe \t\r\n"


class _Harm(Exception):
    """Raised inside a part, with the code of the fault."""

    def __init__(self, code: FaultCode) -> None:
        self.code = code
        super().__init__(code)


def refuse_harmful_parts(archive: zipfile.ZipFile, limits: Limits) -> None:
    """Raise `Unreadable` where a part costs too much memory or defines entities."""
    marks = 0
    for part in archive.infolist():
        try:
            marks += _marks(archive, part, limits.marks - marks)
        except _Harm as harm:
            raise Unreadable(file_fault(harm.code)) from None
        except expat.ExpatError:
            raise Unreadable(file_fault(FaultCode.BROKEN_FILE)) from None


def _marks(archive: zipfile.ZipFile, part: zipfile.ZipInfo, room: int) -> int:
    """Return how many elements and attributes a part has; 0 where it is no XML."""
    with archive.open(part) as opened:
        chunk = opened.read(CHUNK)
        if not chunk.lstrip(BLANKS).startswith(STARTS):
            return 0
        counter = _Counter(room if _is_let_go(part.filename) else min(room, MOST_OF_THE_REST))
        while chunk:
            # Without a tag it is one endless text or one endless list of attributes.
            if len(chunk) == CHUNK and b"<" not in chunk:
                raise _Harm(FaultCode.LONG_CELL)
            counter.parser.Parse(chunk, False)
            chunk = opened.read(CHUNK)
        counter.parser.Parse(b"", True)
    return counter.marks


def _is_let_go(name: str) -> bool:
    return name.casefold().startswith(("xl/worksheets/", "xl/sharedstrings"))


class _Counter:
    """Counter of what a part makes a reader build."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.marks = self.depth = self.in_row = 0
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._refuse
        self.parser.StartCdataSectionHandler = self._refuse  # in it a text may be endless

    def _start(self, _name: str, attributes: Mapping[str, str]) -> None:
        self.depth += 1
        cost = 1 + len(attributes)
        self.in_row = cost if self.depth <= ROW_DEPTH else self.in_row + cost
        self.marks += cost
        if self.marks > self.room or self.in_row > MOST_IN_A_ROW or self.depth > DEEPEST:
            raise _Harm(FaultCode.TOO_MANY_CELLS)

    def _end(self, _name: str) -> None:
        self.depth -= 1

    def _refuse(self, *_declared: object) -> None:
        raise _Harm(FaultCode.BROKEN_FILE)
