"""The kind of a file, found from its first bytes, and whether it can be read."""

from __future__ import annotations

import codecs
import io
from typing import IO, Literal

from scoring.importing.faults import FaultCode, Place, Unreadable, file_fault
from scoring.importing.limits import Limits

type Kind = Literal["json", "csv", "xlsx"]

CHUNK = 1 << 16
LOOKED_AT = 4_096
ZIP = b"PK\x03\x04"
EMPTY_ZIP = b"PK\x05\x06"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
WRONG_KINDS = {
    b"%PDF": "PDF",
    b"\x89PNG": "PNG",
    b"\xff\xd8\xff": "JPEG",
    b"GIF8": "GIF",
    b"\x1f\x8b": "gzip",
    b"Rar!": "RAR",
    b"7z\xbc\xaf": "7z",
    b"SQLite format 3": "SQLite",
}
ENCODINGS = {codecs.BOM_UTF16_LE: "UTF-16", codecs.BOM_UTF16_BE: "UTF-16"}


def kind_of(stream: IO[bytes], limits: Limits) -> Kind:
    """Return the kind of a seekable file.

    Raises `Unreadable` for what is empty, too big, of another kind, or text that is not UTF-8."""
    size = stream.seek(0, io.SEEK_END)
    stream.seek(0)
    start = stream.read(LOOKED_AT)
    stream.seek(0)
    if size > limits.size:
        raise Unreadable(file_fault(FaultCode.TOO_BIG, bytes=size, limit=limits.size))
    if start.startswith((ZIP, EMPTY_ZIP)):
        return "xlsx"
    _refuse_wrong_kind(start, stream)
    _refuse_other_encoding(start, stream)
    text = start.decode(errors="ignore").removeprefix("\ufeff").lstrip()
    if not text:
        raise Unreadable(file_fault(FaultCode.EMPTY_FILE))
    return "json" if text[0] in "[{" else "csv"


def _refuse_wrong_kind(start: bytes, stream: IO[bytes]) -> None:
    if start.startswith(OLE):
        has_password = ENCRYPTED in start + stream.read(CHUNK)
        raise Unreadable(file_fault(FaultCode.PASSWORD if has_password else FaultCode.OLD_WORKBOOK))
    for magic, name in WRONG_KINDS.items():
        if start.startswith(magic):
            raise Unreadable(file_fault(FaultCode.WRONG_KIND, found=name))


def _refuse_other_encoding(start: bytes, stream: IO[bytes]) -> None:
    """Read all of a text once, so that nothing later meets an invalid byte."""
    for mark, name in ENCODINGS.items():
        if start.startswith(mark):
            raise Unreadable(file_fault(FaultCode.WRONG_ENCODING, found=name))
    if _is_wide(start):
        raise Unreadable(file_fault(FaultCode.WRONG_ENCODING, found="UTF-16"))
    decoder = codecs.getincrementaldecoder("utf-8")()
    ends = {"\n": 0, "\r": 0}
    stream.seek(0)
    while True:
        chunk = stream.read(CHUNK)
        try:
            text = decoder.decode(chunk, final=not chunk)
        except UnicodeDecodeError as error:
            text = error.object[: error.start].decode()
            line = 1 + max(ends[end] + text.count(end) for end in ends)
            raise Unreadable(file_fault(FaultCode.WRONG_ENCODING, Place(line))) from None
        if "\0" in text:
            raise Unreadable(file_fault(FaultCode.WRONG_KIND, found="binary"))
        for end in ends:
            ends[end] += text.count(end)
        if not chunk:
            break
    stream.seek(0)


def _is_wide(start: bytes) -> bool:
    """Return whether text has two bytes a letter without a mark: every second byte is 0."""
    even, odd = start[::2].count(0), start[1::2].count(0)
    return min(even, odd) == 0 and max(even, odd) > len(start) // 8
