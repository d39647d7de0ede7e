"""Records beside the text of their audit.

After a change that is meant to change the text: ACCEPT=1 bin/test tests/replay/test_golden.py, and
look at what git says has changed."""

import difflib
import json
import os
from pathlib import Path

import pytest

from scoring.replay.audit import audit
from scoring.replay.breaches import BreachCode
from scoring.replay.engine import replay
from scoring.replay.notation.trex_text import read, write
from scoring.replay.words import audit_text
from scoring.rules import read_entry

RECORDS = sorted((Path(__file__).parents[1] / "card_records").glob("*.trex"))
ACCEPT = os.environ.get("ACCEPT") == "1"


def entries_of(path, rules):
    """The entry beside a record, where there is one."""
    beside = path.with_suffix(".entry.json")
    if not beside.exists():
        return []
    reading = read_entry(json.loads(beside.read_text(encoding="utf-8")), rules)
    assert not reading.problems
    return [reading.entry]


def audited(path):
    texts = []
    for record in read(path.read_text(encoding="utf-8")):
        rules = record.ruleset()
        report = audit(record, replay(record, rules), entries_of(path, rules), rules)
        texts.append(audit_text(record, report))
    return "\n".join(texts)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_audit_reads_as_before(path):
    golden = path.with_suffix(".audit.txt")
    now = audited(path)
    if ACCEPT:
        golden.write_text(now, encoding="utf-8")
    before = golden.read_text(encoding="utf-8") if golden.exists() else ""
    diff = difflib.unified_diff(
        before.splitlines(), now.splitlines(), str(golden.name), "now", lineterm=""
    )
    assert now == before, "\n".join([*diff, "", (__doc__ or "").splitlines()[2]])


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_record_is_written_as_it_stands(path):
    text = path.read_text(encoding="utf-8")
    record = next(iter(read(text)))
    assert next(iter(read(write(record)))) == record


def test_every_code_has_a_record():
    codes = set()
    for path in RECORDS:
        for record in read(path.read_text(encoding="utf-8")):
            codes |= {breach.code for breach in replay(record, record.ruleset()).breaches}
    assert codes == set(BreachCode)
