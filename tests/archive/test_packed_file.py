"""Packed files: what is written is read, and what is broken is named beside the rest."""

from io import BytesIO
from random import Random

import numpy as np
import pytest

from scoring.archive import packed_file
from scoring.archive.auditing import audited_block, parts_of
from scoring.archive.packed_file import Block, BlockFault, PackedWriter, blocks, load, mapped
from scoring.replay.record import NotationError, Record
from tests.archive.making import careless_deal
from tests.support.players import any_legal_deal


def written(records):
    stream = BytesIO()
    writer = PackedWriter(stream)
    for record in records:
        writer.add(record)
    writer.close()
    return stream.getvalue()


def read_back(path):
    """The records of a file, in the order of its blocks."""
    data = mapped(path)
    for block in blocks(data):
        arrays = load(data, block)
        if block.kind == "deals":
            columns = packed_file.columns_of(block, arrays)
            yield from (columns.record(deal) for deal in range(len(columns)))
        elif block.kind == "records":
            yield from packed_file.records_of(arrays)
        else:
            yield from packed_file.unread_of(block)


@pytest.fixture
def records():
    deals = [any_legal_deal(Random(seed), id=f"deal {seed}") for seed in range(12)]
    deals += [careless_deal(Random(seed)) for seed in range(12)]
    return [*deals, Record("unread", errors=(NotationError("bad_card", 3, 4, "1H"),))]


@pytest.fixture
def path(tmp_path, records):
    path = tmp_path / "some.trexpack"
    path.write_bytes(written(records))
    return path


def test_every_record_is_there_again(path, records):
    assert sorted(map(repr, read_back(path))) == sorted(map(repr, records))


def test_numpy_alone_reads_the_arrays(path):
    with path.open("rb") as stream:
        head = np.load(stream).tobytes()
        cards = np.load(stream)
    assert b'"trexscore packed deals"' in head
    assert cards.shape[0] in (32, 52)


def test_an_empty_file_has_no_blocks(tmp_path):
    (tmp_path / "none.trexpack").touch()
    assert list(blocks(mapped(tmp_path / "none.trexpack"))) == []


def audited(path):
    """How many records were audited, and the faults."""
    records, faults = 0, []
    for part in parts_of(path):
        if isinstance(part, BlockFault):
            faults.append(part)
            continue
        found = audited_block(str(path), part[0])
        records += found.summary.records
        faults += [found.fault] if found.fault else []
    return records, faults


def block_of(path, kind="deals"):
    return next(each for each in blocks(mapped(path)) if each.kind == kind)


def test_a_block_with_a_changed_byte_is_named_and_the_rest_audited(path, records):
    block = block_of(path)
    data = bytearray(path.read_bytes())
    data[block.start + 200] ^= 1
    path.write_bytes(data)
    count, faults = audited(path)
    assert faults == [BlockFault(block.offset, "broken", block.deals)]
    assert count == len(records) - block.deals


def test_a_broken_head_is_named_and_the_next_block_found(path, records):
    block = block_of(path)
    data = bytearray(path.read_bytes())
    data[block.offset + 160] ^= 1
    path.write_bytes(data)
    count, faults = audited(path)
    assert faults == [BlockFault(block.offset, "broken", None)]
    assert count == len(records) - block.deals


@pytest.mark.parametrize("cut", [1, 5, 300, 4_000])
def test_a_cut_file_is_audited_as_far_as_it_goes(path, records, cut):
    data = path.read_bytes()
    path.write_bytes(data[:-cut])
    whole = [each for each in blocks(mapped(path)) if isinstance(each, Block)]
    count, (fault,) = audited(path)
    assert fault.reason == "cut"
    assert count == sum(block.deals for block in whole) < len(records)


def test_a_later_version_is_named_and_the_rest_audited(path, records, monkeypatch, tmp_path):
    monkeypatch.setattr(packed_file, "VERSION", 2)
    later = written(records[:1])
    monkeypatch.undo()
    path.write_bytes(later + path.read_bytes() + later)
    count, faults = audited(path)
    assert [fault.reason for fault in faults] == ["later", "later"]
    assert [fault.deals for fault in faults] == [1, 1]
    assert count == len(records)


def test_a_long_archive_has_several_blocks(tmp_path, records, monkeypatch):
    monkeypatch.setattr(packed_file, "DEALS_A_BLOCK", 2)
    path = tmp_path / "long.trexpack"
    path.write_bytes(written(records * 3))
    assert len(list(blocks(mapped(path)))) > 10
    assert audited(path) == (len(records) * 3, [])
