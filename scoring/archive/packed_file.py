"""A packed file: blocks of deals, each a run of arrays in NumPy's own format.

The first array of a block is its head, JSON in bytes: what it holds, of which version, and size and
checksum of each array that follows. Several `numpy.load` on one open file read the same. A block
that is broken, cut off or of a later version is named and left out; the blocks around it stand by
themselves.

kind      what follows the head
deals     the arrays of `columns.Columns`; the head has system, options, contract and names
records   one array: `.trex` text of records that do not fit into columns
unread    nothing: the head has what is known of records that could not be read, and their errors
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from math import prod
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.archive import MAGIC
from scoring.archive.card_bytes import Bytes
from scoring.archive.columns import ARRAYS, Columns, Packer
from scoring.replay.notation import trex_text
from scoring.replay.record import NotationError, Record
from scoring.rules import Contract

FORMAT = "trexscore packed deals"
VERSION = 1
DEALS_A_BLOCK = 20_000
RECORDS_A_BLOCK = 500
HEADER_START = 10
"""Bytes of the magic string, the version and the length of a header."""
LONGEST_HEADER = 256
"""Of one array: name of its type and its size."""

type Reason = Literal["broken", "cut", "later"]


class BlockFault(NamedTuple):
    """A block that cannot be read: `broken`, `cut` off by the end of the file, or of a `later`
    version. `deals` is how many it says it has, None where that is not known."""

    offset: int
    reason: Reason
    deals: int | None


@dataclass(frozen=True)
class Block:
    """Where a block lies and what its head says."""

    offset: int
    end: int
    start: int
    """Where its first array begins."""
    head: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """`deals`, `records` or `unread`."""
        return str(self.head["kind"])

    @property
    def deals(self) -> int:
        """How many records it holds."""
        return int(self.head["deals"])


class PackedWriter:
    """Writes records to a packed file as they come; `close` writes what is still held back."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.number = self.in_columns = 0
        self._packers: dict[tuple[str, str, str], Packer] = {}
        self._records: list[Record] = []
        self._unread: list[Record] = []

    def add(self, record: Record) -> None:
        """Takes one record."""
        number, self.number = self.number, self.number + 1
        if record.errors or record.contract is None:
            self._unread.append(record)
        elif self._pack(record, number):
            self.in_columns += 1
        else:
            self._records.append(record)
        if len(self._records) >= RECORDS_A_BLOCK or len(self._unread) >= RECORDS_A_BLOCK:
            self._write_others()

    def close(self) -> None:
        """Writes the blocks that are not full."""
        for packer in self._packers.values():
            self._write_deals(packer)
        self._write_others()

    def _pack(self, record: Record, number: int) -> bool:
        assert record.contract is not None
        options = json.dumps(record.options, sort_keys=True)
        key = (record.system, options, record.contract.key)
        packer = self._packers.get(key)
        if packer is None:
            packer = Packer(record.system, record.options, record.contract, record.ruleset())
            self._packers[key] = packer
        fits = packer.add(record, number)
        if len(packer) >= DEALS_A_BLOCK:
            self._write_deals(packer)
        return fits

    def _write_deals(self, packer: Packer) -> None:
        if len(packer):
            write_deals(self.stream, packer.take())

    def _write_others(self) -> None:
        if self._records:
            text = "\n".join(map(trex_text.write, self._records)).encode()
            arrays = [np.frombuffer(text, np.uint8)]
            write_block(self.stream, {"kind": "records", "deals": len(self._records)}, arrays)
        if self._unread:
            found = list(map(_unread, self._unread))
            head = {"kind": "unread", "deals": len(found), "records": found}
            write_block(self.stream, head, [])
        self._records, self._unread = [], []


def write_deals(stream: IO[bytes], columns: Columns) -> None:
    """Writes a block of deals."""
    head = {
        "kind": "deals",
        "deals": len(columns),
        "system": columns.system,
        "options": dict(columns.options),
        "contract": columns.contract.to_json(),
        "names": list(columns.names),
    }
    write_block(stream, head, [getattr(columns, name) for name in ARRAYS])


def write_block(
    stream: IO[bytes], head: Mapping[str, Any], arrays: Iterable[npt.NDArray[Any]]
) -> None:
    """Writes a head and its arrays."""
    bodies = [_in_npy(each) for each in arrays]
    sizes = [[len(body), zlib.crc32(body)] for body in bodies]
    text = json.dumps(
        {"format": FORMAT, "version": VERSION, **head, "arrays": sizes}, ensure_ascii=False
    ).encode()
    line = b"%08x\n" % zlib.crc32(text)
    stream.write(_in_npy(np.frombuffer(line + text, np.uint8)))
    for body in bodies:
        stream.write(body)


def mapped(path: Path) -> Bytes:
    """The bytes of a file, read when they are looked at."""
    if not path.stat().st_size:
        return np.zeros(0, np.uint8)
    return np.asarray(np.memmap(path, np.uint8, "r"))


def blocks(data: Bytes) -> Iterator[Block | BlockFault]:
    """The blocks of a file in order. Only heads are read."""
    offset = 0
    while offset < len(data):
        found = _block(data, offset)
        yield found
        offset = found.end if isinstance(found, Block) else _next_head(data, offset)


def load(data: Bytes, block: Block) -> list[npt.NDArray[Any]] | None:
    """The arrays of a block; None if a checksum says that they are broken."""
    start, found = block.start, []
    for size, checksum in block.head["arrays"]:
        body = data[start : start + size]
        if zlib.crc32(body) != checksum:
            return None
        array, _ = _array(data, start)
        found.append(array)
        start += size
    return found


def columns_of(block: Block, arrays: Sequence[npt.NDArray[Any]]) -> Columns:
    """The deals of a block."""
    head = block.head
    return Columns(
        system=head["system"],
        options=head["options"],
        contract=Contract.read(head["contract"]),
        names=head["names"],
        **dict(zip(ARRAYS, arrays, strict=True)),
    )


def records_of(arrays: Sequence[npt.NDArray[Any]]) -> Iterator[Record]:
    """The records of a block that has them as text."""
    return trex_text.read(arrays[0].tobytes().decode())


def unread_of(block: Block) -> Iterator[Record]:
    """The records of a block that could not be read: what is known of them, and the errors."""
    for each in block.head["records"]:
        yield Record(
            each["id"],
            contract=Contract.from_key(each["contract"]) if each["contract"] else None,
            tags=each["tags"],
            errors=tuple(NotationError(**error) for error in each["errors"]),
        )


def _unread(record: Record) -> dict[str, Any]:
    return {
        "id": record.id,
        "contract": record.contract.key if record.contract else "",
        "tags": dict(record.tags),
        "errors": [error.to_json() for error in record.errors],
    }


def _in_npy(array: npt.NDArray[Any]) -> bytes:
    stream = BytesIO()
    np.lib.format.write_array(
        stream, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False
    )
    return stream.getvalue()


def _array(data: Bytes, offset: int) -> tuple[npt.NDArray[Any], int]:
    """The array that begins here, not copied, and where it ends. ValueError if there is none."""
    dtype, shape, length = _header(data[offset : offset + LONGEST_HEADER].tobytes())
    start = offset + length
    end = start + dtype.itemsize * prod(shape)
    if end > len(data):
        raise EOFError
    return data[start:end].view(dtype).reshape(shape), end


def _header(start: bytes) -> tuple[np.dtype[Any], tuple[int, ...], int]:
    """Type, size and length of the header of an array that begins so."""
    length = HEADER_START + int.from_bytes(start[len(MAGIC) + 2 : HEADER_START], "little")
    return _parsed(start[:length])


@lru_cache(maxsize=1024)
def _parsed(header: bytes) -> tuple[np.dtype[Any], tuple[int, ...], int]:
    stream = BytesIO(header)
    np.lib.format.read_magic(stream)
    shape, is_fortran, dtype = np.lib.format.read_array_header_1_0(stream)
    if is_fortran or dtype.hasobject:
        raise ValueError("not an array of this format")
    return dtype, shape, stream.tell()


def _block(data: Bytes, offset: int) -> Block | BlockFault:
    try:
        array, start = _array(data, offset)
        checksum, _, text = array.tobytes().partition(b"\n")
        if int(checksum, 16) != zlib.crc32(text):
            return BlockFault(offset, "broken", None)
        head = json.loads(text)
        if head["format"] != FORMAT:
            return BlockFault(offset, "broken", None)
        deals, version = head["deals"], head["version"]
        end = start + sum(size for size, _ in head["arrays"])
    except EOFError:
        return BlockFault(offset, "cut", None)
    except (ValueError, KeyError, TypeError):
        rest = len(data) - offset
        return BlockFault(offset, "cut" if rest < LONGEST_HEADER else "broken", None)
    if version > VERSION:
        return BlockFault(offset, "later", deals)
    if end > len(data):
        return BlockFault(offset, "cut", deals)
    return Block(offset, end, start, head)


def _next_head(data: Bytes, offset: int) -> int:
    """Where the next array begins that is the head of a block; the end of the file without one."""
    offset += 1
    window = 1 << 20
    mark = f'"{FORMAT}"'.encode()
    while offset < len(data):
        part = data[offset : offset + window + LONGEST_HEADER].tobytes()
        at = part.find(MAGIC)
        while 0 <= at < window:
            if mark in part[at : at + LONGEST_HEADER]:
                return offset + at
            at = part.find(MAGIC, at + 1)
        offset += window
    return len(data)
