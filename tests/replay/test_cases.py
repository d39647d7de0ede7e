"""Every record that came with the rules book, and every deal of its evenings."""

import pytest

from scoring.replay.engine import replay
from scoring.replay.play.layout import SinglePile, SuitRows
from scoring.replay.report import to_json
from tests.replay.making import make, record_of, tricks
from tests.support.worked import ids, load

BREACH_KEYS = ("code", "play", "seat", "card")
DEALS = [
    (f"{evening['external_id']}-{deal['deal_number']}", deal)
    for evening in load("evenings")
    for deal in evening["deals"]
    if deal.get("record")
]


@pytest.mark.parametrize("case", load("records"), ids=ids)
def test_record_replays_as_expected(case):
    record = record_of(case["record"])
    report = to_json(replay(record, record.ruleset()))
    expected = dict(case["expected"])
    breaches = [{key: each.get(key) for key in BREACH_KEYS} for each in expected.pop("breaches")]
    assert [{key: each[key] for key in BREACH_KEYS} for each in report["breaches"]] == breaches
    assert {key: report[key] for key in expected} == expected


@pytest.mark.parametrize(("name", "deal"), DEALS, ids=[name for name, _ in DEALS])
def test_deal_of_an_evening_replays_to_its_entry(name, deal):
    record = record_of(deal["record"])
    report = to_json(replay(record, record.ruleset()))
    assert report["breaches"] == []
    assert report["complete"]
    assert report["scores"] == deal["scores"]
    assert {key: report["tally"][key] for key in deal["input"]} == deal["input"]


@pytest.mark.parametrize(
    "case", [case for case in load("legal") if case["question"] == "layout"], ids=ids
)
def test_layout_allows_what_the_rules_book_says(case):
    if "rows" in case:
        layout = SuitRows.from_ends(case["rows"], case.get("rank_order", "natural"))
    else:
        layout = SinglePile("23456789TJQKA", wrap=case["wrap"], top=case["top"])
    assert layout.layable(case["hand"]) == case["legal"]
    fitting = [card for card in case["hand"] if layout.fits(card, case["hand"])]
    assert fitting == case["legal"]


def test_report_is_the_one_of_the_notation():
    """The worked example of the notation, key for key."""
    plays = tricks(
        """
        W 9C TC QC KC
        N TD QS KD JD
        S QH 9H TH JH
        S 8S AS 9S JS
        E QD 9D TS 7C
        E 8D 7D 8H AC
        E 7S AD AH KS
        S 7H 8C KH JC
        """
    )
    given = [[], [], [], []]
    for seat, card in plays:
        given[seat].append(card)
    record = make(
        "hearts", plays, system="barbu", chooser=1, leader=1, hands=tuple(map(tuple, given))
    )
    report = to_json(replay(record, record.ruleset()))
    assert report == {
        "id": "made",
        "complete": True,
        "stopped_at": None,
        "breaches": [
            {
                "code": "heart_lead",
                "play": 8,
                "trick": 2,
                "seat": 2,
                "card": "QH",
                "legal": ["7C", "8S", "AC", "KS"],
            }
        ],
        "tricks": [
            {"leader": 1, "cards": ["9C", "TC", "QC", "KC"], "winner": 0},
            {"leader": 0, "cards": ["TD", "QS", "KD", "JD"], "winner": 2},
            {"leader": 2, "cards": ["QH", "9H", "TH", "JH"], "winner": 2},
            {"leader": 2, "cards": ["8S", "AS", "9S", "JS"], "winner": 3},
            {"leader": 3, "cards": ["QD", "9D", "TS", "7C"], "winner": 3},
            {"leader": 3, "cards": ["8D", "7D", "8H", "AC"], "winner": 3},
            {"leader": 3, "cards": ["7S", "AD", "AH", "KS"], "winner": 2},
            {"leader": 2, "cards": ["7H", "8C", "KH", "JC"], "winner": 0},
        ],
        "finish_order": None,
        "tally": {
            "tricks": [2, 0, 3, 3],
            "diamonds": [0, 0, 4, 4],
            "hearts": [2, 0, 5, 1],
            "queens": [1, 0, 2, 1],
            "queens_taken_by": {"QC": 0, "QS": 2, "QH": 2, "QD": 3},
            "king_taken_by": 0,
            "last_trick_by": 0,
            "doubles": [],
            "trick_leader": {"QC": 1, "QS": 0, "QH": 2, "QD": 3, "KH": 2},
        },
        "scores": [20, 0, 50, 10],
        "claimed": None,
        "claimed_ok": None,
        "errors": [],
    }
