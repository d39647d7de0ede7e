"""Read the file of an export: a zip with `club.json` in it, line by line."""

import json
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import IO, Any, NamedTuple

from scoring.models.export_schema import OF_CLUB
from scoring.transfer.services.club_export.document import FIRST, FORMAT, MATCHES

DOCUMENT = "club.json"
HEADS = "heads.txt"
MAX_LINE = 50_000_000
"""Bytes in one line: one match with all its rows."""
ESCAPES = re.compile(r"\\u(?:0000|d[89a-f])", re.IGNORECASE)
"""Escapes of characters in `UNSTORABLE`."""
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
BROKEN = (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, NotImplementedError, EOFError)


class ClubFileRefused(Exception):
    """The file is refused as a whole; `place` is a line or the name of a part."""

    def __init__(self, code: str, place: str = "", detail: str = "") -> None:
        super().__init__(f"{code} {place} {detail}".strip())
        self.code, self.place, self.detail = code, place, detail

    def to_json(self) -> dict[str, str]:
        return {"code": self.code, "place": self.place, "detail": self.detail}


class ArchiveLine(NamedTuple):
    """One row of the file: its list, its line number, its values."""

    list: str
    number: int
    data: dict[str, Any]

    @property
    def place(self) -> str:
        return f"{DOCUMENT}:{self.number} ({self.list})"


@contextmanager
def open_archive(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open the archive; raise `ClubFileRefused` whenever it turns out to be unreadable."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except BROKEN as error:
        raise ClubFileRefused("not_a_zip", detail=type(error).__name__) from None


def read_lines(archive: zipfile.ZipFile) -> Iterator[ArchiveLine]:
    """Yield the rows in the order of the file; every list must be in its place."""
    try:
        file = archive.open(DOCUMENT)
    except KeyError:
        raise ClubFileRefused("no_document", DOCUMENT) from None
    with file:
        text = _Text(file)
        _read_first(text)
        for name in (*(facts.name for facts in OF_CLUB), MATCHES):
            if text.line() != f'"{name}":[':
                raise ClubFileRefused("missing_list", text.place, name)
            yield from _rows(text, name)
        if text.line():
            raise ClubFileRefused("unreadable", text.place)


def count_matches(archive: zipfile.ZipFile) -> int:
    """Return about how many matches there are, to show progress."""
    try:
        with archive.open(HEADS) as file:
            return sum(1 for _ in file)
    except KeyError:
        return 0


class _Text:
    """Lines with their numbers; none may be longer than MAX_LINE."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file, self.number = file, 0

    @property
    def place(self) -> str:
        return f"{DOCUMENT}:{self.number}"

    def line(self) -> str:
        self.number += 1
        data = self.file.readline(MAX_LINE + 1)
        if len(data) > MAX_LINE:
            raise ClubFileRefused("too_long", self.place)
        try:
            return data.decode().removesuffix("\n")
        except UnicodeDecodeError:
            raise ClubFileRefused("unreadable", self.place) from None


def _read_first(text: _Text) -> None:
    first = text.line()
    if first != FIRST:
        known = first.startswith(f'{{"format":"{FORMAT}"')
        raise ClubFileRefused("other_version" if known else "no_document", text.place, first[:80])


def _rows(text: _Text, name: str) -> Iterator[ArchiveLine]:
    end = "]}" if name == MATCHES else "],"
    goes_on = True
    while (line := text.line()) != end:
        if not goes_on:
            raise ClubFileRefused("unreadable", text.place)
        goes_on = line.endswith(",")
        yield ArchiveLine(name, text.number, _row(line.removesuffix(","), text.place))


def _row(line: str, place: str) -> dict[str, Any]:
    try:
        found = json.loads(
            line, parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_unique_keys
        )
        if ESCAPES.search(line):
            _refuse_unstorable(found)
    except (ValueError, RecursionError):
        raise ClubFileRefused("unreadable", place) from None
    if not isinstance(found, dict):
        raise ClubFileRefused("unreadable", place)
    return found


def _refuse(word: str) -> None:
    raise ValueError(word)  # NaN and Infinity are no JSON


def _finite(digits: str) -> float:
    """Parse a fraction; refuse one that is too large."""
    if not isfinite(found := float(digits)):
        raise ValueError(digits)
    return found


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object; refuse a repeated key."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(pairs)
    return found


def _refuse_unstorable(value: Any) -> None:
    """Refuse text that not every database can store, at any depth."""
    if isinstance(value, str):
        if UNSTORABLE.search(value):
            raise ValueError(value)
    elif isinstance(value, dict):
        for name, inner in value.items():
            _refuse_unstorable(name)
            _refuse_unstorable(inner)
    elif isinstance(value, list):
        for inner in value:
            _refuse_unstorable(inner)
