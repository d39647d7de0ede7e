"""What is so improbable that the page asks "really?"."""

from random import Random

import pytest

from scoring.replay.engine import card_by_card
from scoring.rules import (
    Contract,
    Double,
    Entry,
    Item,
    UnlikelyOutcome,
    check,
    preset,
    ruleset,
    unlikely_outcomes,
)
from tests.support.matches import entry
from tests.support.players import legal_deal

COMPLEX = ["king", "queens", "diamonds", "tricks"]
ALL_TO_TWO = dict.fromkeys(("QS", "QH", "QD", "QC"), 2)

Unlikely = UnlikelyOutcome


def asked(system, contract, options=None, **facts):
    """Of an entry that is otherwise in order."""
    rules = ruleset(system, options)
    told = entry(contract, 0, **facts)
    assert check(told, rules) == []
    return unlikely_outcomes(told, rules)


@pytest.mark.parametrize(
    ("system", "contract", "facts", "item", "count"),
    [
        ("levant", "diamonds", {"diamonds": (0, 0, 13, 0)}, Item.DIAMONDS, 13),
        ("levant", "tricks", {"tricks": (0, 0, 13, 0)}, Item.TRICKS, 13),
        ("levant", "queens", {"queens": (0, 0, 4, 0)}, Item.QUEENS, 4),
        ("levant", "queens", {"queens_taken_by": ALL_TO_TWO}, Item.QUEENS, 4),
        ("barbu", "hearts", {"hearts": (0, 0, 8, 0)}, Item.HEARTS, 8),
        ("barbu", "tricks", {"tricks": (0, 0, 8, 0)}, Item.TRICKS, 8),
    ],
)
def test_all_of_one_thing_to_one_seat(system, contract, facts, item, count):
    assert asked(system, contract, **facts) == (Unlikely("all_of_item", 2, item, count),)


@pytest.mark.parametrize(
    ("system", "contract", "facts"),
    [
        ("levant", "diamonds", {"diamonds": (0, 1, 12, 0)}),
        ("levant", "king", {"king_taken_by": 2}),
        ("levant", "trex", {"finish_order": (0, 1, 2, 3)}),
        ("barbu", "last_trick", {"last_trick_by": 2}),
        ("barbu", "fifty_one", {"loser": 2}),
        # In a combined deal of two single things one seat often has both.
        ("barbu", ["king", "last_trick"], {"king_taken_by": 1, "last_trick_by": 1}),
    ],
)
def test_what_comes_up_every_evening_is_not_asked_about(system, contract, facts):
    assert asked(system, contract, **facts) == ()


def combined(tricks, diamonds, queens):
    return {"king_taken_by": 0, "queens": queens, "diamonds": diamonds, "tricks": tricks}


def test_nothing_at_all_in_a_combined_deal_is_common():
    facts = combined((7, 6, 0, 0), (7, 6, 0, 0), (2, 2, 0, 0))
    assert asked("levant", COMPLEX, {"combo": "complex"}, **facts) == ()


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        (
            combined((13, 0, 0, 0), (13, 0, 0, 0), (4, 0, 0, 0)),
            Unlikely("everything", 0, None, 31),
        ),
        (
            combined((11, 2, 0, 0), (12, 1, 0, 0), (4, 0, 0, 0)),
            Unlikely("nearly_everything", 0, None, 28),
        ),
        (
            combined((10, 3, 0, 0), (12, 1, 0, 0), (4, 0, 0, 0)),
            Unlikely("all_of_item", 0, Item.QUEENS, 4),
        ),
    ],
)
def test_nearly_everything_in_a_combined_deal_is_one_question(facts, found):
    assert asked("levant", COMPLEX, {"combo": "complex"}, **facts) == (found,)


def test_nearly_everything_in_general():
    facts = {
        "tricks": (0, 0, 1, 7),
        "hearts": (0, 0, 0, 8),
        "queens": (0, 0, 1, 3),
        "king_taken_by": 3,
        "last_trick_by": 3,
    }
    assert asked("barbu", "general", **facts) == (Unlikely("nearly_everything", 3, None, 20),)


def test_doubled_card_caught_by_its_own_doubler():
    doubles = (Double("KH", 1),)
    assert asked("levant", "king", king_taken_by=1, doubles=doubles) == (
        Unlikely("own_double", 1, Item.KING, 1),
    )
    assert asked("levant", "king", king_taken_by=2, doubles=doubles) == ()


def test_own_doubled_queens_are_one_question_a_seat():
    facts = {
        "queens_taken_by": {"QS": 1, "QH": 1, "QD": 3, "QC": 0},
        "doubles": (Double("QS", 1), Double("QH", 1), Double("QD", 3), Double("QC", 2)),
    }
    assert asked("levant", "queens", **facts) == (
        Unlikely("own_double", 1, Item.QUEENS, 2),
        Unlikely("own_double", 3, Item.QUEENS, 1),
    )


def test_announcer_of_all_queens_takes_some_as_anybody_does():
    facts = {
        "queens_taken_by": {"QS": 1, "QH": 1, "QD": 3, "QC": 0},
        "doubles": (Double("QS", 1),),
    }
    whole = {"doubling.queens_unit": "whole_contract"}
    assert asked("levant", "queens", whole, **facts) == ()


def test_one_seat_that_doubles_all_four_queens():
    doubles = tuple(Double(card, 1) for card in ALL_TO_TWO)
    facts = {"queens_taken_by": {"QS": 0, "QH": 2, "QD": 3, "QC": 0}, "doubles": doubles}
    assert asked("levant", "queens", **facts) == (Unlikely("doubled_all", 1, Item.QUEENS, 4),)


def test_what_a_revoke_lays_on_somebody_is_not_asked_about():
    facts = {"revoke_by": 1, "doubles": (Double("KH", 1),)}
    assert asked("levant", "king", **facts) == ()
    assert asked("levant", "diamonds", revoke_by=1, diamonds=(0, 2, 0, 0)) == ()


def test_deal_broken_off_or_not_played_is_not_asked_about():
    assert asked("barbu", "hearts", cheat_by=1, hearts=(8, 0, 0, 0)) == ()
    forfeit = {"contract_order": "fixed", "forfeit_first_three": True}
    assert asked("kleshchi", "diamonds", forfeit, forfeited=True) == ()


@pytest.mark.parametrize("name", ["levant", "kleshchi", "barbu"])
@pytest.mark.parametrize("part", range(5))
def test_one_deal_in_ten_at_most_where_any_legal_card_is_laid(name, part):
    rules = preset(name)
    contract = Contract.read([c for c in rules.contracts if c != "fifty_one"][part])
    asked = 0
    for seed in range(100):
        record = legal_deal(Random(seed), name, contract=contract, doubles=())
        tally = card_by_card(record, rules).tally
        asked += bool(unlikely_outcomes(Entry(contract, record.chooser, tally=tally), rules))
    assert asked <= 12
