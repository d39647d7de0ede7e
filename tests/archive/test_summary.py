"""What an audit says of records, and the totals by code, club, player and contract."""

import json
from random import Random

import pytest

from scoring.archive.summary import Summary, add_record, audited_records
from scoring.replay.archive import RecordMark, read_all
from tests.replay.notation.test_trex_text import HEARTS, KING

NAMED = '[Club "Sham"]\n[North "Badr"]\n[South "Dalia"]\n'


def marks(text):
    (record,) = read_all(text, "text")
    return add_record(Summary(), record).marks


def test_breaches_are_marked_with_their_play():
    assert marks(HEARTS) == (RecordMark("heart_lead", 8), RecordMark("unfinished"))


def test_errors_of_writing_are_marked_with_their_line():
    assert marks(HEARTS.replace("TH JH", "1H JH")) == (RecordMark("bad_card", 12),)


def test_a_claim_that_is_not_what_the_cards_say():
    early = KING + "W KH QH JH TH\n"  # K♥ is taken: no points are open
    right = '[Result "N:0 W:-75 S:0 E:0"]\n'
    assert RecordMark("wrong_claim") not in marks(right + early)
    assert RecordMark("wrong_claim") in marks(right.replace("-75", "-57") + early)


def summary_of(*texts):
    found, _ = audited_records(read_all("\n".join(texts), "text"))
    return found


def test_a_code_is_counted_once_a_record():
    found = summary_of(HEARTS, HEARTS.replace("TD", "1D").replace("TH", "1H"))
    assert (found.records, found.bad) == (2, 2)
    assert dict(found.codes) == {"heart_lead": 1, "unfinished": 1, "bad_card": 1}


def test_totals_by_club_player_and_contract():
    found = summary_of(NAMED + HEARTS, HEARTS).to_json()
    both = {"heart_lead": 2, "unfinished": 2}
    one = {"heart_lead": 1, "unfinished": 1}
    assert found == {
        "records": 2,
        "bad": 2,
        "codes": both,
        "clubs": [{"name": "Sham", "records": 1, "bad": 1, "codes": one}],
        "players": [
            {"name": "Badr", "records": 1, "bad": 0, "codes": {}},
            {"name": "Dalia", "records": 1, "bad": 1, "codes": {"heart_lead": 1}},
        ],
        "contracts": [{"name": "hearts", "records": 2, "bad": 2, "codes": both}],
    }


def test_the_table_has_a_row_for_each_name():
    assert list(summary_of(NAMED + HEARTS).rows()) == [
        ["group", "name", "records", "bad", "heart_lead", "unfinished"],
        ["all", "", 1, 1, 1, 1],
        ["club", "Sham", 1, 1, 1, 1],
        ["player", "Badr", 1, 0, 0, 0],
        ["player", "Dalia", 1, 1, 1, 0],
        ["contract", "hearts", 1, 1, 1, 1],
    ]


@pytest.mark.parametrize("seed", range(5))
def test_summaries_of_parts_add_up(seed):
    texts = [NAMED + HEARTS, HEARTS, KING, NAMED.replace("Badr", "Esam") + HEARTS]
    Random(seed).shuffle(texts)
    whole = summary_of(*texts)
    parts = Summary()
    for text in texts:
        parts.merge(Summary.from_json(json.loads(json.dumps(summary_of(text).to_json()))))
    assert parts.to_json() == whole.to_json()
