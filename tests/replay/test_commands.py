"""`manage.py replay` and `manage.py audit_records`, as somebody at a terminal meets them."""

import io
import json
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command

from scoring.archive.summary import Summary
from scoring.management import record_work
from scoring.management.commands import audit_records
from scoring.replay.archive import replayed
from scoring.replay.notation.trex_text import write
from scoring.replay.report import to_json
from scoring.rules import Contract
from tests.replay.mutations import samples
from tests.replay.notation.test_trex_text import HEARTS
from tests.replay.partial.test_alternatives import revoked
from tests.support.players import legal_deal

ROOT = Path(__file__).parents[2]
RECORDS = [record for record in samples() if not replayed(record).breaches][:6]
TEXT = "\n".join(write(record) for record in RECORDS)
REPORTS = [to_json(replayed(record)) for record in RECORDS]


def run(*arguments, given=""):
    return subprocess.run(
        [sys.executable, "manage.py", *map(str, arguments)],
        cwd=ROOT,
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )


def called(command, *arguments):
    """What it prints, and the status it ends with."""
    out = io.StringIO()
    try:
        call_command(command, *map(str, arguments), stdout=out)
    except SystemExit as end:
        return out.getvalue(), end.code
    return out.getvalue(), 0


# -- replay


def test_a_report_line_for_each_record(tmp_path):
    path = tmp_path / "evening.trex"
    path.write_text(TEXT)
    out, status = called("replay", path)
    assert [json.loads(line) for line in out.splitlines()] == json.loads(json.dumps(REPORTS))
    assert status == 0


def test_records_from_standard_input():
    answer = run("replay", given=TEXT)
    assert [json.loads(line)["id"] for line in answer.stdout.splitlines()] == [
        record.id for record in RECORDS
    ]
    assert answer.returncode == 0


@pytest.mark.parametrize("name", ["records.json", "records"])
def test_records_as_json(tmp_path, name):
    path = tmp_path / name
    rows = json.loads((ROOT / "tests/cases/records.json").read_text())
    path.write_text(json.dumps([row["record"] for row in rows]))
    out, _ = called("replay", path)
    assert [json.loads(line)["scores"] for line in out.splitlines()] == [
        row["expected"]["scores"] for row in rows
    ]


def test_a_record_with_errors_of_writing_ends_with_1(tmp_path):
    path = tmp_path / "bad.trex"
    path.write_text(HEARTS.replace("TH", "1H") + "\n" + TEXT)
    out, status = called("replay", path)
    first, *others = map(json.loads, out.splitlines())
    assert first["errors"] == [{"code": "bad_card", "line": 12, "column": 8, "text": "1H"}]
    assert (first["scores"], len(others), status) == (None, 6, 1)


def test_no_such_file_ends_with_2():
    with pytest.raises(CommandError) as refused:
        call_command("replay", "/no/such/file")
    assert refused.value.returncode == 2


def test_a_reader_that_goes_away_is_no_error(tmp_path):
    path = tmp_path / "long.trex"
    path.write_text(f"{TEXT}\n" * 500)
    answer = subprocess.run(
        f"{sys.executable} manage.py replay {path} | head -1",
        shell=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert len(answer.stdout.splitlines()) == 1
    assert answer.stderr == ""


# -- replay --what-if


def what_if(tmp_path, record, *claims):
    path = tmp_path / "open.trex"
    path.write_text(write(record))
    out, status = called("replay", path, "--what-if", *(f"--claim={each}" for each in claims))
    assert status == 0
    return json.loads(out)


def test_what_an_incomplete_record_allows(tmp_path):
    whole = legal_deal(Random(3), "levant", {}, Contract.read("queens"), doubles=())
    taken = replayed(whole).tally.queens_taken_by["QH"]
    other = "NWSE"[(taken + 1) % 4]
    found = what_if(tmp_path, replace(whole, plays=whole.plays[:44]), f"QH:{other}")["what_if"]
    assert found["ways"] > 0
    (claim,) = found["claims"]
    assert (claim["card"], claim["possible"]) == ("QH", False)
    assert claim["reason"]["seat"] == taken
    assert found["together"] == []
    assert what_if(tmp_path, whole)["what_if"] is None


def test_what_a_revoke_cost(tmp_path):
    found = what_if(tmp_path, revoked(4, "diamonds", 9))["revoke_cost"]
    assert len(found["happened"]) == 4
    assert set(found["alternatives"][0]["seats"][0]) == {"lowest", "low", "high", "highest"}


def test_a_claim_that_is_none_is_refused(tmp_path):
    path = tmp_path / "some.trex"
    path.write_text(TEXT)
    with pytest.raises(CommandError, match="'KC:N' is no claim"):
        call_command("replay", path, "--what-if", "--claim=KC:N")


# -- audit_records


@pytest.fixture
def archive(tmp_path):
    (tmp_path / "2026").mkdir()
    (tmp_path / "2026" / "good.trex").write_text(TEXT)
    (tmp_path / "bad.trex").write_text(f"{HEARTS}\n{HEARTS.replace('TH', '1H')}")
    (tmp_path / "notes.txt").write_text("no record at all")
    return tmp_path


@pytest.mark.parametrize("jobs", [1, 2])
def test_totals_and_the_bad_ones_by_name(archive, jobs):
    out, status = called("audit_records", archive, "--jobs", jobs)
    assert f"{archive}/bad.trex  record-31  heart_lead 8, unfinished" in out
    assert f"{archive}/bad.trex  record-31  bad_card 25" in out
    assert "        1  bad_card\n" in out
    assert out.endswith("8 records in 2 files, 2 bad\n")
    assert status == 1


def test_a_faultless_archive_ends_with_0(archive):
    assert called("audit_records", archive / "2026") == ("6 records in 1 files, 0 bad\n", 0)


def test_a_path_that_is_not_there_ends_with_2(archive):
    with pytest.raises(CommandError) as refused:
        call_command("audit_records", archive, "/no/such/path")
    assert refused.value.returncode == 2


def test_a_number_of_processes_must_be_one():
    assert run("audit_records", ".", "--jobs", "none").returncode == 2


def heed_ctrl_c():
    """As at a terminal: what a script starts in the background is born deaf to it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_stops_and_tells_what_was_found(tmp_path, jobs):
    path = tmp_path / "long.trex"
    path.write_text(f"{HEARTS}\n" * 20_000)
    running = subprocess.Popen(
        [sys.executable, "manage.py", "audit_records", str(path), "--jobs", jobs],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_ctrl_c,
    )
    assert "heart_lead" in running.stdout.readline()
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=120)
    assert out.endswith("stopped before the end\n")
    assert "records in 1 files" in out
    assert (running.returncode, err) == (130, "")


def test_progress_is_drawn_over_itself_and_makes_room(archive):
    drawn = []
    files = list(record_work.found_files([str(archive)]))
    progress = audit_records.ProgressLine(files, lambda text, ending: drawn.append(text), True)
    for part in record_work.parts(files):
        progress.last = 0.0
        progress.show(part, Summary(Counter(records=8, bad=2)))
        progress.clear()
    assert drawn[-2] == "\r\x1b[K" + "#" * 20 + " 100%  8 records, 2 bad"
    assert drawn[-1] == "\r\x1b[K"
