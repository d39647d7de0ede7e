"""What was written is read again, as text and as JSON, and both say the same."""

import json
from pathlib import Path

import pytest
from hypothesis import given

from scoring.replay.notation.json_records import read_json, to_json, write_json
from scoring.replay.notation.trex_text import read, write
from tests.replay.records import records

CASES = Path(__file__).parents[2] / "cases"
RECORDS = [row["record"] for row in json.loads((CASES / "records.json").read_text())]
EVENINGS = [
    deal["record"]
    for match in json.loads((CASES / "evenings.json").read_text())
    for deal in match["deals"]
]


@given(records())
def test_text_is_read_as_it_was_written(record):
    assert list(read(write(record))) == [record]


@given(records())
def test_json_is_read_as_it_was_written(record):
    assert list(read_json(write_json(record))) == [record]


@given(records(), records())
def test_two_records_in_one_text(one, two):
    assert list(read(f"{write(one)}\n{write(two)}")) == [one, two]


@pytest.mark.parametrize("data", RECORDS, ids=lambda data: data["id"])
def test_text_and_json_of_a_case_say_the_same(data):
    (record,) = read_json(json.dumps(data))
    assert record.errors == ()
    assert list(read(write(record))) == [record]
    assert list(read_json(write_json(record))) == [record]


@pytest.mark.parametrize("data", RECORDS, ids=lambda data: data["id"])
def test_json_keeps_every_value_of_a_case(data):
    (record,) = read_json(json.dumps(data))
    written = to_json(record)
    hands = data["hands"] and [sorted(hand) for hand in data["hands"]]
    assert {key: written[key] for key in data} == data | {"hands": hands}


@pytest.mark.parametrize("indent", [None, 1])
def test_a_whole_evening_in_one_array(indent):
    assert [
        to_json(record)["plays"] for record in read_json(json.dumps(EVENINGS, indent=indent))
    ] == [data["plays"] for data in EVENINGS]


def test_a_line_for_each_record():
    lines = "\n".join(map(json.dumps, EVENINGS))
    assert list(read_json(lines)) == list(read_json(json.dumps(EVENINGS)))
