"""The file of an export: a zip with `club.json` in it, which is read line by line."""

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
LONGEST = 50_000_000
"""Bytes in one line: one match with everything that was ever written in it."""
ESCAPED = re.compile(r"\\u(?:0000|d[89a-f])", re.IGNORECASE)
"""Such a line may hold `UNKEPT` text: no end of a text, and halves of characters."""
UNKEPT = re.compile("[\0\ud800-\udfff]")
BROKEN = (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, NotImplementedError, EOFError)


class ClubFileRefused(Exception):
    """Nothing of the file is taken. `place` says where in it: a line, or the name of a part."""

    def __init__(self, code: str, place: str = "", detail: str = "") -> None:
        super().__init__(f"{code} {place} {detail}".strip())
        self.code, self.place, self.detail = code, place, detail

    def to_json(self) -> dict[str, str]:
        return {"code": self.code, "place": self.place, "detail": self.detail}


class ArchiveLine(NamedTuple):
    """One row: in which list, in which line, and what it says."""

    list: str
    number: int
    data: dict[str, Any]

    @property
    def place(self) -> str:
        return f"{DOCUMENT}:{self.number} ({self.list})"


@contextmanager
def opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """The archive; what cannot be read in it is refused, whenever that shows."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except BROKEN as error:
        raise ClubFileRefused("not_a_zip", detail=type(error).__name__) from None


def lines(archive: zipfile.ZipFile) -> Iterator[ArchiveLine]:
    """The rows in the order of the file, every list in its place."""
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


def count(archive: zipfile.ZipFile) -> int:
    """How many matches there are about, to show how far it is."""
    try:
        with archive.open(HEADS) as file:
            return sum(1 for _ in file)
    except KeyError:
        return 0


class _Text:
    """Lines with their numbers, none of them longer than what is allowed."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file, self.number = file, 0

    @property
    def place(self) -> str:
        return f"{DOCUMENT}:{self.number}"

    def line(self) -> str:
        self.number += 1
        data = self.file.readline(LONGEST + 1)
        if len(data) > LONGEST:
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
            line, parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_each_once
        )
        if ESCAPED.search(line):
            _refuse_unkept(found)
    except (ValueError, RecursionError):
        raise ClubFileRefused("unreadable", place) from None
    if not isinstance(found, dict):
        raise ClubFileRefused("unreadable", place)
    return found


def _refuse(word: str) -> None:
    raise ValueError(word)  # NaN and Infinity are no JSON


def _finite(digits: str) -> float:
    """A fraction that is not too large to be one."""
    if not isfinite(found := float(digits)):
        raise ValueError(digits)
    return found


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object that says nothing twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(pairs)
    return found


def _refuse_unkept(value: Any) -> None:
    """Text that not every database can keep, however deep it stands."""
    if isinstance(value, str):
        if UNKEPT.search(value):
            raise ValueError(value)
    elif isinstance(value, dict):
        for name, inner in value.items():
            _refuse_unkept(name)
            _refuse_unkept(inner)
    elif isinstance(value, list):
        for inner in value:
            _refuse_unkept(inner)
