"""`manage.py audit_records` on packed files, and what it writes beside its lines."""

import csv
import io
import json
import sys
from random import Random

import pytest
from django.core.management import CommandError, call_command

from scoring.management import record_work
from scoring.management.commands import audit_records
from scoring.replay.notation.trex_text import write
from scoring.spreadsheets import BOM
from tests.archive.making import careless_deal
from tests.replay.notation.test_trex_text import HEARTS


def called(*arguments):
    out = io.StringIO()
    status = 0
    try:
        call_command("audit_records", *map(str, arguments), stdout=out)
    except SystemExit as ended:
        status = ended.code
    return out.getvalue(), status


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "some.trex"
    tags = {"Club": "Sham", "North": "Badr", "West": "=1+1", "South": "Dalia", "East": "Esam"}
    deals = [careless_deal(Random(seed), id=f"deal {seed}", tags=tags) for seed in range(60)]
    path.write_text("\n".join([*map(write, deals), HEARTS.replace("TH", "1H")]))
    return path


@pytest.fixture
def packed(text, tmp_path):
    path = tmp_path / "packed" / "some.trexpack"
    path.parent.mkdir()
    out, status = called(text, "--pack", path)
    assert (out.split()[0], status) == ("61", 0)
    return path


def without_paths(out, *paths):
    for path in paths:
        out = out.replace(str(path), "")
    return out.splitlines()


@pytest.mark.parametrize("more", [(), ("--jobs", "2")])
def test_a_packed_file_is_audited_as_its_text(text, packed, more):
    by_text, status = called(text)
    by_block, same_status = called(packed, *more)
    one, other = without_paths(by_text, text), without_paths(by_block, packed)
    assert sorted(one) == sorted(other)
    assert status == same_status == 1


def test_folders_are_searched_for_packed_files(packed):
    assert "61 records in 1 files" in called(packed.parent)[0]


def test_the_summary_as_json_and_as_a_table(text, packed, tmp_path):
    by_text, by_block = tmp_path / "text.json", tmp_path / "block.json"
    called(text, "--summary", by_text)
    called(packed, "--summary", by_block)
    found = json.loads(by_block.read_text())
    assert found == json.loads(by_text.read_text())
    assert (found["records"], found["clubs"][0]["name"]) == (61, "Sham")
    table = tmp_path / "summary.csv"
    called(packed, "--summary", table)
    rows = list(csv.DictReader(io.StringIO(table.read_text().removeprefix(BOM))))
    assert rows[0]["records"] == "61"
    assert next(row["name"] for row in rows if row["group"] == "player") == "'=1+1"


class Stops:
    """Ctrl-C after some parts."""

    def __init__(self, after):
        self.left = after

    def __call__(self, part):
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return self.audit(part)

    audit = staticmethod(record_work.audited)


@pytest.mark.parametrize("kind", ["text", "packed"])
def test_an_audit_that_was_stopped_goes_on(kind, request, tmp_path, monkeypatch):
    path, state = request.getfixturevalue(kind), tmp_path / "state.json"
    monkeypatch.setattr(record_work, "BATCH", 10)
    whole, _ = called(path)
    monkeypatch.setattr(record_work, "audited", Stops(after=3))
    first, status = called(path, "--state", state)
    assert (first.splitlines()[-1], status) == ("stopped before the end", 130)
    monkeypatch.setattr(record_work, "audited", Stops.audit)
    rest, status = called(path, "--state", state)
    assert rest.splitlines()[-1] == whole.splitlines()[-1]
    assert status == 1
    names = {line for line in first.splitlines() + rest.splitlines() if "deal " in line}
    assert names == {line for line in whole.splitlines() if "deal " in line}


def test_the_state_of_other_files_is_refused(text, packed, tmp_path):
    state = tmp_path / "state.json"
    called(text, "--state", state)
    with pytest.raises(CommandError, match="other files"):
        called(packed, "--state", state)
    state.write_text("{")
    with pytest.raises(CommandError, match="not the state"):
        called(text, "--state", state)


def test_a_broken_block_is_named_and_the_end_is_not_well(packed):
    data = bytearray(packed.read_bytes())
    data[-1] ^= 1
    packed.write_bytes(data)
    out, status = called(packed)
    assert "is broken: its checksum or its head is wrong" in out
    assert status == 1


def test_without_numpy_the_command_says_how_to_get_it(text, packed, monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    for arguments in [(packed,), (text, "--pack", packed)]:
        with pytest.raises(CommandError, match="bin/setup --archive") as refused:
            called(*arguments)
        assert refused.value.returncode == 2
    assert "61 records in 1 files" in called(text)[0]


def test_progress_of_a_packed_file_ends_at_the_whole(packed):
    drawn = []
    progress = audit_records.ProgressLine([packed], lambda text, ending: drawn.append(text), True)
    for part in record_work.parts([packed]):
        progress.last = 0.0
        progress.show(part, record_work.Summary())
    assert "100%" in drawn[-1]
