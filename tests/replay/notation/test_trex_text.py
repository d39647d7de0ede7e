"""The `.trex` text: what it may look like, and every way in which it may be wrong."""

import io

import pytest

from scoring.replay.notation.trex_text import read, write
from scoring.replay.record import Capture, Pass, Play
from scoring.rules import Double

HEARTS = """\
% one deal of hearts; in the third trick South leads a heart too early
[Id "record-31"]
[System "barbu"]
[Deal "11"]
[Dealer "N"]
[Chooser "W"]
[Contract "hearts"]
[Hands "N:9.KT.AT97.K W:QJT.AJ8..J9 S:K8.Q7.K.AT7 E:A7.9.QJ8.Q8"]
[Leader "W"]
W 9C TC QC KC
N TD QS KD JD
S QH 9H TH JH
"""
KING = '[System "levant"]\n[Contract "king"]\n[Dealer "N"]\n'
TREX = '[System "levant"]\n[Contract "trex"]\n[Chooser "N"]\n'


def one(text):
    (record,) = read(text)
    return record


def good(text):
    record = one(text)
    assert record.errors == ()
    return record


def errors(text):
    return [(error.code, error.line, error.column, error.text) for error in one(text).errors]


# -- what is read


def test_the_tags_of_a_record():
    record = good(HEARTS)
    assert (record.id, record.system, record.deal_number) == ("record-31", "barbu", 11)
    assert (record.dealer, record.chooser, record.leader, record.forced) == (0, 1, 1, False)
    assert record.contract.key == "hearts"
    assert record.hands[1] == ("TS", "JS", "QS", "8H", "JH", "AH", "9C", "JC")


def test_a_line_is_a_trick():
    plays = good(HEARTS).plays
    assert plays[:5] == tuple(
        Play(*p) for p in [(1, "9C"), (2, "TC"), (3, "QC"), (0, "KC"), (0, "TD")]
    )


def test_turns_of_trex_with_passes():
    assert good(TREX + "N:JS W:-\nS:TS").plays == (Play(0, "JS"), Pass(1), Play(2, "TS"))


@pytest.mark.parametrize("word", ["KH", "HK", "kh", "hK", "♥K", "K♥", "K♥\ufe0f"])
def test_spellings_of_a_card(word):
    assert good(KING + f"W {word}").plays == (Play(1, "KH"),)


@pytest.mark.parametrize("word", ["TS", "10S", "s10", "♠10", "t♠"])
def test_spellings_of_a_ten(word):
    assert good(KING + f"W {word}").plays == (Play(1, "TS"),)


def test_tens_in_hands():
    assert good(KING + '[Hands "N:A10.10.2.t W:- S:... E:-"]').hands == (
        ("TS", "AS", "TH", "2D", "TC"),
        None,
        (),
        None,
    )


def test_clockwise_seats_are_north_east_south_west():
    record = good(KING + '[Options "direction=clockwise"]\n[Chooser "W"]\nE KH QH JH TH')
    assert record.chooser == 3
    assert [play.seat for play in record.plays] == [1, 2, 3, 0]
    assert one(write(record)).plays == record.plays


def test_options_of_every_kind():
    record = good(
        '[System "barbu"]\n[Contract "hearts"]\n[Chooser "N"]\n'
        '[Options "forced_factor=3 early_end=off cheat.multiplied=true '
        "hearts_lead.contracts=[king, hearts] "
        'fifty_one.values={A:1,K:4,Q:3,J:2,T:-1,9:0,8:8,7:7}"]'
    )
    assert record.options == {
        "forced_factor": 3,
        "early_end": "off",
        "cheat.multiplied": True,
        "hearts_lead.contracts": ["king", "hearts"],
        "fifty_one.values": {"A": 1, "K": 4, "Q": 3, "J": 2, "T": -1, "9": 0, "8": 8, "7": 7},
    }


def test_a_combined_contract_in_any_order():
    text = '[System "levant"]\n[Contract "queens+king"]\n[Dealer "N"]'
    assert good(text).contract.parts == ("king", "queens")


def test_lists_of_cards_with_their_seats():
    record = good(KING + '[Doubled "KH:S"]\n[Captured "QS:S 7D:N"]\n[Result "N:-75 W:0 S:−0 E:0"]')
    assert record.doubles == (Double("KH", 2),)
    assert record.captured == (Capture("QS", 2), Capture("7D", 0))
    assert record.claimed == (-75, 0, 0, 0)


def test_unknown_tags_are_kept():
    record = good(KING + r'[Club "Café \"Nord\" \\ 100% {x}"]' + '\n[Wind "N"]')
    assert record.tags == {"Club": 'Café "Nord" \\ 100% {x}', "Wind": "N"}
    assert one(write(record)).tags == record.tags


def test_comments_blank_lines_and_foreign_line_ends():
    text = "\ufeff" + KING.replace("\n", "\r\n") + "\r\n  W {he hesitates} KH % oh\r\n\r\n"
    assert good(text).plays == (Play(1, "KH"),)
    assert good(io.BytesIO(text.encode())).plays == (Play(1, "KH"),)


def test_arabic_digits_are_numbers():
    assert good(KING + '[Deal "١٢"]').deal_number == 12


@pytest.mark.parametrize(
    ("tags", "name"), [('[Id "a"][Deal "7"]', "a"), ('[Deal "7"]', "7"), ("", "file#1")]
)
def test_what_a_record_is_called(tags, name):
    assert good(KING + tags).id == name


# -- where a record ends


def test_a_tag_behind_plays_begins_the_next():
    assert [r.id for r in read(f'[Id "a"]\n{KING}W KH\n[Id "b"]\n{KING}')] == ["a", "b"]


def test_a_repeated_tag_behind_a_blank_line_begins_the_next():
    captures = KING + '[Captured "KH:N"]\n'
    first, second = read(f'[Id "a"]\n{captures}\n[Club "X"]\n[Id "b"]\n{captures}')
    assert (first.id, first.tags) == ("a", {})
    assert (second.id, second.tags) == ("b", {"Club": "X"})


def test_tags_in_two_blocks_are_one_record():
    assert good(f'[Id "a"]\n\n{KING}').id == "a"


def test_a_repeated_tag_at_once_is_an_error():
    assert errors(KING + '[Dealer "W"]') == [("bad_tag", 4, 9, "Dealer")]


@pytest.mark.parametrize("text", ["", "\n\n", "% nothing\n", "{nothing}", "\ufeff"])
def test_a_text_without_records(text):
    assert list(read(text)) == []


@pytest.mark.parametrize(
    "broken",
    [
        "this is no record",
        '[Id "b',
        "[Id b]\nN KH",
        'Id "b"]\n[System "levant"]',
        "{ a comment that is not closed",
        '[Id "b"]\n[System "chess"]\n[Contract "mate"]\ne4 e5',
        "\0\0\ufffd\x1b[2J",
        "[",
        '"' * 99,
        "x" * 200_000,
    ],
)
def test_a_broken_record_hides_none_of_the_others(broken):
    text = f'[Id "a"]\n{KING}W KH\n\n{broken}\n\n[Id "c"]\n{KING}W QH\n'
    first, *middle, last = read(text)
    assert (first.id, first.plays, first.errors) == ("a", (Play(1, "KH"),), ())
    assert (last.id, last.plays, last.errors) == ("c", (Play(1, "QH"),), ())
    assert any(record.errors for record in middle)


# -- what cannot be read


def test_the_place_of_a_bad_card():
    assert errors(HEARTS.replace("TH JH", "1H JH")) == [("bad_card", 12, 8, "1H")]


def test_plays_end_before_what_cannot_be_read():
    assert len(one(HEARTS.replace("TD", "1D")).plays) == 4


def test_every_error_is_told():
    text = KING.replace("N", "X") + '[Forced "maybe"]\nQ 1H KH\nW 2H\nW 3H xx'
    assert [(code, line) for code, line, _, _ in errors(text)] == [
        ("bad_seat", 3),
        ("bad_tag", 4),
        ("bad_seat", 5),
        ("bad_card", 5),
        ("bad_card", 7),
    ]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("W KH -", ("bad_line", 4, 5, "-")),  # a pass
        ("W KH QH JH TH 9H", ("bad_line", 4, 14, "9H")),
        ("W", ("bad_line", 4, 0, "W")),
        ("W:KH", ("bad_line", 4, 0, "W:KH")),
        ("W KH E:QH", ("bad_line", 4, 5, "E:QH")),
        ("W KH\nS QH", ("bad_line", 5, 0, "S QH")),  # a card is missing, or a line was broken
        ("X KH", ("bad_seat", 4, 0, "X")),
        ("W KH {oh", ("bad_line", 4, 5, "{oh")),
    ],
)
def test_lines_that_are_no_trick(line, error):
    assert errors(KING + line) == [error]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("N KH", ("bad_line", 4, 0, "N")),
        ("N:JS X:TS", ("bad_seat", 4, 5, "X")),
        ("N:JS W:1S", ("bad_card", 4, 7, "1S")),
        ("N:JS W:", ("bad_card", 4, 6, "W:")),
    ],
)
def test_words_that_are_no_turn(line, error):
    assert errors(TREX + line)[0] == error


def test_nobody_passes_in_fifty_one():
    text = '[System "barbu"]\n[Contract "fifty_one"]\n[Chooser "N"]\nN:-'
    assert errors(text) == [("bad_line", 4, 0, "N:-")]


@pytest.mark.parametrize(
    ("tag", "error"),
    [
        ('[Hands "N:AKQ.J.T"]', ("bad_tag", 4, 9, "AKQ.J.T")),
        ('[Hands "N:AX..."]', ("bad_card", 4, 11, "X")),
        ('[Hands "Q:A..."]', ("bad_seat", 4, 8, "Q")),
        ('[Hands "N:A... N:K..."]', ("bad_tag", 4, 15, "N:K...")),
        ('[Doubled "KH"]', ("bad_tag", 4, 10, "KH")),
        ('[Doubled "KH:"]', ("bad_seat", 4, 12, "KH:")),
        ('[Doubled "1H:N"]', ("bad_card", 4, 10, "1H")),
        ('[Captured "KH:Q"]', ("bad_seat", 4, 14, "Q")),
        ('[Result "N:1 W:2 S:3"]', ("bad_tag", 4, 9, "N:1 W:2 S:3")),
        ('[Result "N:1 W:x S:3 E:4"]', ("bad_tag", 4, 13, "W:x")),
        ('[Deal "eleven"]', ("bad_tag", 4, 7, "eleven")),
        ('[Leader ""]', ("bad_seat", 4, 9, "")),
        ('[Options "x=1"]', ("unknown_option", 4, 10, "x=1")),
        ('[Options "early_end=off combo=7"]', ("bad_option_value", 4, 24, "combo=7")),
        ('[Options "general_last=true"]', ("bad_option_value", 4, 10, "general_last=true")),
        ('[Club "a\x07b"]', ("bad_tag", 4, 7, "a\x07b")),
        ('[Club  b"]', ("bad_tag", 4, 0, '[Club  b"]')),
    ],
)
def test_tags_that_cannot_be_read(tag, error):
    assert errors(KING + tag) == [error]


def test_systems_and_contracts_that_do_not_exist():
    assert errors('[System "chess"]\n[Contract "mate"]') == [
        ("unknown_system", 1, 9, "chess"),
        ("unknown_contract", 2, 11, "mate"),
    ]


@pytest.mark.parametrize("contract", ["hearts", "trex+king", "king+king", ""])
def test_contracts_that_the_system_has_not(contract):
    text = f'[System "levant"]\n[Contract "{contract}"]\n[Dealer "N"]'
    assert [code for code, *_ in errors(text)] == ["unknown_contract"]


PLAIN_FACTOR = '[System "barbu"]\n[Options "chooser_factor=1 first_lead=dealer_right"]\n'


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("W KH", ["System", "Contract"]),
        ('[Contract "king"]', ["System"]),
        ('[System "levant"]', ["Contract"]),
        ('[SYSTEM "levant"]', ["Contract"]),
        ('[System "levant"]\n[Contract "king"]\nW KH', ["Dealer"]),
        ('[System "levant"]\n[Contract "king"]\n[Leader "W"]\nW KH', []),
        ('[System "levant"]\n[Contract "king"]\n[Captured "KH:N"]', []),
        ('[System "levant"]\n[Contract "trex"]\nW:JS', ["Chooser"]),
        ('[System "kleshchi"]\n[Contract "trex"]\nW:JS', ["Dealer"]),
        ('[System "barbu"]\n[Contract "king"]\n[Leader "W"]\nW KH', ["Chooser"]),
        (PLAIN_FACTOR + '[Contract "king"]\nW KH', ["Dealer"]),
        (PLAIN_FACTOR + '[Contract "fifty_one"]\nW:8H', ["Chooser"]),
    ],
)
def test_what_a_record_must_say(text, names):
    assert [error.text for error in one(text).errors] == names
    assert {error.code for error in one(text).errors} <= {"missing_tag"}


def test_bytes_that_are_no_utf8_are_an_error_where_they_matter():
    text = (KING + '[Club "caf\xe9"]\n% caf\xe9\nW KH').encode("latin-1")
    assert errors(io.BytesIO(text)) == [("bad_tag", 4, 7, "caf?")]
