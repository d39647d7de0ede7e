"""What people and phones write in place of the notation: read where it can mean one thing only,
else named with the tag that was probably wanted."""

import json

import pytest

from scoring.replay.archive import replayed
from scoring.replay.notation.json_records import read_json
from scoring.replay.notation.trex_text import read
from scoring.replay.report import to_json

TEXT = """\
[Id "r1"]
[System "barbu"]
[Contract "hearts"]
[Chooser "W"]
[Leader "W"]
[Doubled "KH:S"]
W 9C TC 10H KC
"""
(RIGHT,) = read(TEXT)


def same(text):
    (found,) = read(text)
    return found == RIGHT and not found.errors and not found.unknown


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ("[Doubled", "[doubled"),
        ("[System", "[SYSTEM"),
        ('"barbu"', '"Barbu "'),
        ('"hearts"', '"HEARTS"'),
        ("KH:S", "KH: S"),
        ("W 9C", "\u200eW 9C\u200f"),
        ("W 9C", "W \u20669C\u2069"),
        ('[Leader "W"]', '\u200f[Leader\u200e "\u200eW"]'),
        ("10H", "10♡"),
        ("10H", "١٠♥"),
        ("10H", "۱۰H"),
        ("9C TC", "９Ｃ ＴＣ"),
        ('"KH:S"', '"ＫＨ：Ｓ"'),
        ('[Id "r1"]', "[Id {r1}]"),
        ('[Id "r1"]', "[Id “r1”]"),
        ('[Id "r1"]', "[Id „r1“]"),
        ('[Id "r1"]', "[Id «\u00a0r1\u202f»]"),
        ('[Id "r1"]', "[Id ‘r1’]"),
        ('[Id "r1"]', "[Id 'r1']"),
        ('[Id "r1"]', "［Id ＂r1＂］"),
        ('[Id "r1"]', '[Id "r1”]'),
        ('[Id "r1"]', "\u200f[Id\u200e “r1”]"),
        ('"r1"]\n', "“r1”] {of the ”club”} "),
        ('[Doubled "KH:S"]', "[doubled {KH:S}]"),
        ("W 9C", "W 9С"),  # the С of a Russian keyboard
        ("KC", "КС"),
        ("\n", "\r"),
        ("\n", "\r\n"),
    ],
)
def test_another_spelling_reads_the_same(written, instead):
    assert written in TEXT
    assert same(TEXT.replace(written, instead))


def test_id_may_hold_braces():
    (found,) = read(TEXT.replace('"r1"', '"{r1}"'))
    assert (found.id, found.errors) == ("{r1}", ())


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("[Club “L’As de Trex”]", "L’As de Trex"),
        ("[Club ‘L’As de Trex’]", "L’As de Trex"),
        ("[Club “a [b] c”]", "a [b] c"),
        ("[Club “Ah\u200fmad”]", "Ah\u200fmad"),
        ('[Club "the “old” one"]', "the “old” one"),
        ('[Club "{x} ‘y’]"]', "{x} ‘y’]"),
        ("[Club {}]", ""),
    ],
)
def test_what_stands_inside_of_quotes_stays(written, value):
    (found,) = read(f"{written}\n{TEXT}")
    assert (found.tags, found.errors) == ({"Club": value}, ())


def test_tag_in_quotes_that_do_not_close_is_an_error_at_its_place():
    (found,) = read(TEXT.replace('[Id "r1"]', "[Id “r1]"))
    assert [(each.code, each.line, each.text) for each in found.errors] == [
        ("bad_tag", 1, "[Id “r1]")
    ]


def test_value_in_braces_keeps_its_columns():
    (found,) = read(TEXT.replace('[Doubled "KH:S"]', "[Doubled {KH:X}]"))
    assert [(each.code, each.line, each.column) for each in found.errors] == [("bad_seat", 6, 13)]


@pytest.mark.parametrize("dash", ["-", "−", "–", "—", "－"])
def test_every_dash_is_a_pass_and_a_minus(dash):
    (found,) = read(
        f'[Id "1"]\n[System "levant"]\n[Contract "trex"]\n[Chooser "N"]\n'
        f'[Hands "N:- W:{dash} S:- E:-"]\n[Result "N:{dash}25 W:0 S:0 E:0"]\nN:{dash} W:JS'
    )
    assert (found.errors, found.claimed) == ((), (-25, 0, 0, 0))
    assert [type(each).__name__ for each in found.plays] == ["Pass", "Play"]


@pytest.mark.parametrize("written", ["True", "TRUE", "ＴＲＵＥ"])
def test_options_are_true_in_any_case(written):
    (found,) = read(TEXT.replace("[Leader", f'[Options "doubling.king={written}"]\n[Leader'))
    assert (found.options, found.errors) == ({"doubling.king": True}, ())


@pytest.mark.parametrize("ten", ["10", "١٠", "۱۰", "T", "Ｔ"])
def test_hands_with_a_ten_of_any_script(ten):
    (found,) = read(TEXT.replace("[Leader", f'[Hands "N:A9{ten}.98..K W:-"]\n[Leader'))
    assert found.hands[0] == ("9S", "TS", "AS", "8H", "9H", "KC")
    assert found.errors == ()


@pytest.mark.parametrize(
    ("name", "likely"), [("Doubles", "Doubled"), ("Conttract", "Contract"), ("Weather", "")]
)
def test_unknown_tag_is_kept_and_named_with_the_likely_one(name, likely):
    (found,) = read(TEXT.replace('[Doubled "KH:S"]', f'[{name} "KH:S"]'))
    assert (found.doubles, found.tags, found.errors) == ((), {name: "KH:S"}, ())
    assert to_json(replayed(found))["unknown"] == [
        {"code": "unknown_tag", "line": 6, "column": 1, "text": name, "likely": likely}
    ]


def test_known_tags_are_not_called_unknown():
    (found,) = read('[Club "c"]\n[north "Farah"]\n' + TEXT)
    assert (found.unknown, found.tags) == ((), {"Club": "c", "North": "Farah"})
    assert "unknown" not in to_json(replayed(found))


DATA = {
    "id": "r1",
    "system": "barbu",
    "contract": "hearts",
    "chooser": 1,
    "leader": 1,
    "doubles": [{"card": "KH", "by": 2}],
    "plays": [{"seat": 1, "card": "9C"}],
}


def test_unknown_key_of_json_is_named_with_the_likely_one():
    data = {key: value for key, value in DATA.items() if key != "doubles"}
    text = json.dumps(data | {"double": DATA["doubles"], "tags": {"Result_": "1", "Club": "c"}})
    (found,) = read_json(text)
    assert found.errors == ()
    assert [(each.text, each.likely) for each in found.unknown] == [
        ("double", "doubles"),
        ("Result_", "Result"),
    ]


def test_unknown_key_of_a_row_is_named_with_the_likely_one():
    doubles = [{"card": "KH", "by": 2, "seats": 2}]
    plays = [*DATA["plays"], {"seat": 2, "card": "TC", "passed": True}]
    (found,) = read_json(json.dumps(DATA | {"doubles": doubles, "plays": plays}))
    assert found.errors == ()
    assert [(each.text, each.likely) for each in found.unknown] == [
        ("seats", ""),
        ("passed", "pass"),
    ]


@pytest.mark.parametrize(
    ("written", "instead", "name"),
    [
        ('"chooser": 1', '"chooser": 1, "chooser": 2', "chooser"),
        ('"doubles": ', '"doubles": [], "doubles": ', "doubles"),
        ('{"seat": 1, ', '{"seat": 0, "seat": 1, ', "seat"),
        ('"chooser": 1', '"chooser": 1, "chooser" :2', "chooser"),
    ],
)
def test_key_that_stands_twice_is_an_error(written, instead, name):
    text = json.dumps(DATA)
    assert written in text
    (found,) = read_json(text.replace(written, instead))
    assert [(error.code, error.text) for error in found.errors] == [("bad_tag", name)]


def test_a_text_with_quotes_and_colons_is_no_key_that_stands_twice():
    (found,) = read_json(json.dumps(DATA | {"id": 'a ":b'}))
    assert (found.id, found.errors) == ('a ":b', ())


def test_json_is_read_in_any_case_and_width():
    data = DATA | {"system": " Barbu", "contract": "Hearts"}
    data["plays"] = [{"seat": 1, "card": "\u200e９♧"}]
    (found,) = read_json(json.dumps(data))
    (right,) = read_json(json.dumps(DATA))
    assert (found, found.errors) == (right, ())


def test_error_quotes_nothing_that_cannot_be_seen():
    (found,) = read(TEXT.replace("TC", "\u200e1\u200fX"))
    assert [(error.code, error.text) for error in found.errors] == [("bad_card", "1X")]
