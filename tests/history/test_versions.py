"""What one version of a deal says otherwise than the one before, in words."""

import re

import pytest

from scoring.history.presenters.versions import changes
from scoring.models import Deal
from scoring.rules import Contract, Entry, Tally, ruleset

LEVANT, BARBU = ruleset("levant"), ruleset("barbu")
NAMES = ["Amal", "Badr", "Carmen", "Dima"]


def version(contract, *, dealer=3, chooser=0, leader=0, forced=False, **facts):
    entry = Entry(Contract.read(contract), chooser, forced, Tally.from_json(facts))
    seats = {"dealer": dealer, "chooser": chooser, "leader": leader}
    return Deal(contract=contract, forced=forced, payload=entry.to_json(), **seats)


def told(before, now, rules=LEVANT):
    return [re.sub(r"<[^>]*>", "", text) for text in changes(before, now, NAMES, rules)]


SWITCHED = [
    ({"king_taken_by": 2}, {"king_taken_by": 0}, ["K♥: Amal instead of Carmen"]),
    (
        {"king_taken_by": 2},
        {"king_taken_by": 2, "doubles": [{"card": "KH", "by": 1}]},
        ["Double of K♥: Badr instead of nobody"],
    ),
    (
        {"king_taken_by": 2, "doubles": [{"card": "KH", "by": 1}]},
        {"king_taken_by": 2, "trick_leader": {"KH": 3}},
        [
            "Double of K♥: nobody instead of Badr",
            "Lead of the trick with K♥: Dima instead of nobody",
        ],
    ),
    (
        {"king_taken_by": 2},
        {"revoke_by": 1},
        ["K♥: nobody instead of Carmen", "Revoke: Badr instead of nobody"],
    ),
    ({"king_taken_by": 2}, {"king_taken_by": 2}, []),
]


@pytest.mark.parametrize(("before", "now", "said"), SWITCHED)
def test_facts_of_a_king(before, now, said):
    assert told(version("king", **before), version("king", **now)) == said


def test_counts_are_told_where_they_differ():
    before, now = version("tricks", tricks=[4, 3, 3, 3]), version("tricks", tricks=[4, 3, 5, 1])
    assert told(before, now) == [
        "5 tricks for Carmen instead of 3",
        "1 trick for Dima instead of 3",
    ]


def test_queens_are_told_by_card_where_both_say_which_and_else_as_counts():
    first = version("queens", queens_taken_by={"QS": 0, "QH": 1, "QD": 1, "QC": 3})
    other = version("queens", queens_taken_by={"QS": 2, "QH": 1, "QD": 1, "QC": 3})
    counted = version("queens", queens=[0, 2, 0, 2])
    assert told(first, other) == ["Q♠: Carmen instead of Amal"]
    assert told(first, counted) == [
        "0 queens for Amal instead of 1",
        "2 queens for Dima instead of 1",
    ]


def test_an_order_is_told_as_a_whole():
    before, now = (
        version("trex", finish_order=[0, 1, 2, 3]),
        version("trex", finish_order=[0, 2, 1, 3]),
    )
    assert told(before, now) == [
        "Went out: Amal, Carmen, Badr, Dima; before: Amal, Badr, Carmen, Dima"
    ]


def test_another_contract_is_told_with_all_its_facts():
    before, now = version("king", king_taken_by=2), version("trex", finish_order=[0, 1, 2, 3])
    assert told(before, now) == [
        "Trex instead of King of hearts",
        "Went out: Amal, Badr, Carmen, Dima",
    ]


def test_roles_and_what_follows_from_them():
    before = version("king", king_taken_by=2)
    now = version("king", king_taken_by=2, dealer=0, chooser=1, leader=None, forced=True)
    assert told(before, now) == [
        "Chooser: Badr instead of Amal",
        "Dealer: Amal instead of Dima",
        "First lead: nobody instead of Amal",
        "It counts as forced.",
    ]


def test_cards_of_fifty_one():
    before = version("fifty_one", loser=1)
    now = version("fifty_one", loser=2, plays=["KH", "QS"])
    assert told(before, now, BARBU) == [
        "Over the top: Carmen instead of Badr",
        "The cards in their order were told otherwise.",
    ]


def test_what_is_kept_outside_the_chain_runs_nothing():
    names = ["<img src=x onerror=alert(1)>", *NAMES[1:]]
    before, now = version("king", king_taken_by=2), version("king", king_taken_by=0)
    assert "<img" not in "".join(changes(before, now, names, LEVANT))
