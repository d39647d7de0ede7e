"""Records as JSON: every way in which one may be wrong, each with its place."""

import io
import json

import pytest

from scoring.replay.notation.json_records import read_json
from scoring.replay.record import Capture, Pass, Play

KING = {"system": "levant", "contract": "king", "dealer": 0, "leader": 1}
TREX = {"system": "levant", "contract": "trex", "chooser": 0}


def one(data):
    (record,) = read_json(data if isinstance(data, str) else json.dumps(data))
    return record


def errors(data):
    """Code and what stands in the source at the place of the error."""
    text = json.dumps(data)
    return [(error.code, text[error.column :]) for error in one(text).errors]


def begins(found, expected):
    assert [code for code, _ in found] == [code for code, _ in expected]
    for (_, text), (_, start) in zip(found, expected, strict=True):
        assert text.startswith(start)


# -- what is read


def test_what_is_absent_or_null_has_its_default():
    assert one(KING) == one(KING | dict.fromkeys(["options", "hands", "doubles", "forced"]))


@pytest.mark.parametrize(
    ("names", "called"),
    [({"id": "a"}, "a"), ({"id": 7}, "7"), ({"deal_number": 0}, "0"), ({}, "file#1")],
)
def test_what_a_record_is_called(names, called):
    assert one(KING | names).id == called


def test_passes_and_captures():
    record = one(TREX | {"plays": [{"seat": 0, "card": "JS"}, {"seat": 1, "pass": True}]})
    assert record.plays == (Play(0, "JS"), Pass(1))
    record = one(KING | {"captured": [{"card": "KH", "seat": 3}]})
    assert record.captured == (Capture("KH", 3),)


def test_some_hands_may_be_unknown():
    assert one(KING | {"hands": [["KH", "2S"], None, [], None]}).hands == (
        ("2S", "KH"),
        None,
        (),
        None,
    )


@pytest.mark.parametrize(
    "text",
    [
        "[{0}, {1}]",
        "\ufeff[\n{0}\n,\n{1}\n]\n",
        "{0}\n{1}\n",
        "{0}\r\n\r\n{1}",
        "{0}{1}",
        "[{0}]\n[{1}]",
    ],
)
def test_arrays_and_lines(text):
    records = [json.dumps(KING | {"id": name}) for name in "ab"]
    whole = text.replace("{0}", records[0]).replace("{1}", records[1])
    assert [r.id for r in read_json(whole) if not r.errors] == ["a", "b"]
    assert [r.id for r in read_json(io.BytesIO(whole.encode()))] == ["a", "b"]


@pytest.mark.parametrize("text", ["", " \n", "[]", "\ufeff", "[ ] [\n]"])
def test_a_text_without_records(text):
    assert list(read_json(text)) == []


# -- what cannot be read


@pytest.mark.parametrize(
    "text", ["hello", "{", "[1", '{"a": NaN}', "[" * 100_000, '"', "{}}", '{"id": "\n"}', "nul"]
)
def test_what_is_no_json(text):
    *_, last = read_json(text)
    (error,) = last.errors[-1:]
    assert error.code == "bad_json" or last.errors[0].code == "missing_tag"
    assert error.column < len(text.split("\n")[error.line - 1])


def test_an_error_quotes_the_whole_value_and_no_more():
    (record,) = read_json(json.dumps(KING | {"claimed": [1, [2], 3], "forced": "so"}))
    assert {error.text for error in record.errors} == {"[1, [2], 3]", "so"}


def test_the_place_of_a_fault():
    text = f'[{json.dumps(KING)},\n {{"id": "b", "dealer" 0}}]'
    _, broken = read_json(text)
    assert [tuple(error)[:3] for error in broken.errors] == [("bad_json", 2, 22)]


def test_an_array_that_is_not_closed():
    first, second = read_json(f"[{json.dumps(KING)}\n\n")
    assert first.errors == ()
    assert second.errors[0][:3] == ("bad_json", 1, len(json.dumps(KING)))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"system": None}, [("missing_tag", "{")]),
        ({"system": "chess"}, [("unknown_system", '"chess"')]),
        ({"system": ["levant"]}, [("unknown_system", "[")]),
        ({"contract": "mate"}, [("unknown_contract", '"mate"')]),
        ({"contract": ["king", "trex"]}, [("unknown_contract", "[")]),
        ({"contract": 5}, [("unknown_contract", "5")]),
        ({"options": 5}, [("bad_option_value", "5")]),
        ({"options": {"x": 1}}, [("unknown_option", "1")]),
        ({"options": {"combo": [[]]}}, [("bad_option_value", "[[]]")]),
        ({"dealer": 4}, [("bad_seat", "4")]),
        ({"leader": "W"}, [("bad_seat", '"W"')]),
        ({"chooser": True}, [("bad_seat", "true")]),
        ({"forced": 1}, [("bad_tag", "1")]),
        ({"deal_number": -1}, [("bad_tag", "-1")]),
        ({"id": ""}, []),
        ({"id": "a\nb"}, [("bad_tag", '"a\\nb"')]),
        ({"tags": {"Club": 5}}, [("bad_tag", "5")]),
        ({"tags": {"System": "levant"}}, [("bad_tag", '"levant"')]),
        ({"tags": {"Mein Club": "x"}}, [("bad_tag", '"x"')]),
        ({"tags": {"Club": "\ud800"}}, [("bad_tag", '"\\ud800"')]),
        ({"hands": []}, [("bad_json", "[]")]),
        ({"hands": [None, None, None, ["1H"]]}, [("bad_card", '"1H"')]),
        ({"hands": [None, None, None, "KH"]}, [("bad_json", '"KH"')]),
        ({"doubles": [{"card": "KH"}]}, [("bad_seat", "{")]),
        ({"doubles": [{"card": "1H", "by": 4}]}, [("bad_card", '"1H"'), ("bad_seat", "4")]),
        ({"captured": [7]}, [("bad_json", "7")]),
        ({"claimed": [1, 2, 3]}, [("bad_tag", "[")]),
        ({"plays": {"seat": 1}}, [("bad_json", "{")]),
        ({"plays": ["KH"]}, [("bad_json", '"KH"')]),
        ({"plays": [{"seat": 1}]}, [("bad_card", "{")]),
        ({"plays": [{"card": "KH"}]}, [("bad_seat", "{")]),
        ({"plays": [{"seat": 1, "pass": True}]}, [("bad_line", "{")]),
        (
            {"plays": [{"seat": 1, "card": "1H"}, {"seat": 1, "card": "2H"}, {"seat": 5}]},
            [("bad_card", '"1H"'), ("bad_seat", "5"), ("bad_card", "{")],
        ),
    ],
)
def test_values_that_cannot_be_read(change, expected):
    found = errors(KING | change)
    begins(sorted(found), sorted(expected))


def test_plays_end_before_what_cannot_be_read():
    plays = [{"seat": 1, "card": card} for card in ("KH", "1H", "QH")]
    assert one(KING | {"plays": plays}).plays == (Play(1, "KH"),)


def test_places_in_a_text_of_many_lines():
    text = json.dumps([KING, KING | {"plays": [{"seat": 1, "card": "1H"}]}], indent=1)
    _, broken = read_json("\n" + text)
    (error,) = broken.errors
    line = ("\n" + text).split("\n")[error.line - 1]
    assert line[error.column :] == '"1H"'
    assert error.text == "1H"


BROKEN = [
    '{"id": "b", "plays": [',
    '{"id": "b", "plays": [{"seat": 1, "card": "KH"},',
    '{"id": "b"',
    '{"id": "b',
    '"id": "b"}',
    '{"id": "b"}}',
    '{"id": "b"}]',
    '{"id": {"x": [{"seat": [',
    "nonsense",
    "5",
    "\0",
    "[" * 5_000,
    '{"tags": {"X": "' + "x" * 600_000 + '"}}',
]


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("text", ["[{0},\n{x},\n{1}]", "{0}\n{x}\n{1}\n"])
def test_a_broken_record_hides_none_of_the_others(text, broken):
    records = [json.dumps(KING | {"id": name}) for name in "ac"]
    text = text.replace("{0}", records[0]).replace("{1}", records[1]).replace("{x}", broken)
    first, *middle, last = (record for record in read_json(text) if record.id != "")
    assert (first.id, first.errors) == ("a", ())
    found = [record for record in [*middle, last] if record.id == "c"]
    assert [record.errors for record in found] == [()]
    assert any(record.errors for record in [*middle, last])
