"""The audit of a packed file, a block at a time."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from scoring.archive.card_bytes import Bytes, Flags
from scoring.archive.columns import Columns
from scoring.archive.judging import judged
from scoring.archive.packed_file import (
    Block,
    BlockFault,
    blocks,
    columns_of,
    load,
    mapped,
    records_of,
    unread_of,
)
from scoring.archive.summary import BadRecord, Summary, add_record, audited_records

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of mallopt(3)
KEPT = 1 << 26  # bytes


class AuditedBlock(NamedTuple):
    """What was found in a block: totals, the bad records, how many deals the explaining engine
    judged, and the fault of a block that cannot be read."""

    summary: Summary
    named: list[BadRecord]
    explained: int
    fault: BlockFault | None = None


def parts_of(path: Path) -> Iterator[tuple[int, int] | BlockFault]:
    """Where each block of a file begins and ends; what cannot be read comes as a fault."""
    for found in blocks(mapped(path)):
        yield (found.offset, found.end) if isinstance(found, Block) else found


def audited_block(path: str, offset: int) -> AuditedBlock:
    """The audit of the block that begins here."""
    keep_freed_memory()
    data = _mapped(path)
    block = next(blocks(data[offset:]))
    arrays = load(data[offset:], block) if isinstance(block, Block) else None
    if not isinstance(block, Block) or arrays is None:
        return AuditedBlock(Summary(), [], 0, BlockFault(offset, "broken", block.deals))
    if block.kind == "deals":
        return audited_columns(columns_of(block, arrays))
    records = records_of(arrays) if block.kind == "records" else unread_of(block)
    summary, named = audited_records(records)
    return AuditedBlock(summary, named, summary.records)


def audited_columns(columns: Columns) -> AuditedBlock:
    """The audit of a block of deals: those without fault are counted, the others explained."""
    summary, named = Summary(), []
    is_good = np.concatenate([each.is_good for each in judged(columns)])
    _count_good(summary, columns, is_good)
    bad = np.flatnonzero(~is_good).tolist()
    for deal in bad:
        verdict = add_record(summary, columns.record(deal))
        if verdict.marks:
            named.append(BadRecord(verdict, int(columns.number[deal])))
    return AuditedBlock(summary, named, len(bad))


def _count_good(summary: Summary, columns: Columns, is_good: Flags) -> None:
    """Counts the deals without fault, by table and so by name."""
    tables = columns.people.shape[1]
    deals = np.bincount(columns.table[is_good], minlength=tables)
    summary.add_good({"contract": [columns.contract.key]}, int(deals.sum()))
    for group, rows in (("club", columns.people[:1]), ("player", columns.people[1:])):
        counts = np.zeros(len(columns.names) + 1, np.int64)
        np.add.at(counts, rows, deals)  # -1, nobody, is the last
        for place in np.flatnonzero(counts[:-1]).tolist():
            summary.add_named(group, columns.names[place], int(counts[place]))


@lru_cache(maxsize=4)
def _mapped(path: str) -> Bytes:
    return mapped(Path(path))


@cache
def keep_freed_memory() -> None:
    """Ask the C library not to give memory back between two array operations.

    Else the pages of every intermediate result are fetched anew from the kernel, which takes
    longer than the operation. Where the library has no such switch nothing happens."""
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):
        library.mallopt(M_TRIM_THRESHOLD, KEPT)
        library.mallopt(M_MMAP_THRESHOLD, KEPT)
