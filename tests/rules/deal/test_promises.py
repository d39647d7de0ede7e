"""Sums are promised where they must hold, and only there."""

from itertools import product

import pytest

from scoring.rules import (
    PRESETS,
    Contract,
    Double,
    Entry,
    Tally,
    base_total,
    deal_sum,
    points,
    preset,
    promised_sum,
    ruleset,
    zero_sum,
)
from scoring.rules.seats import SEATS

KING = Contract.read("king")
QUEENS = Contract.read("queens")
TOTALS = {
    "levant": {"king": -75, "queens": -100, "diamonds": -130, "tricks": -195, "trex": 500},
    "kleshchi-fifteens": {"diamonds": -195, "tricks": -130},
    "kleshchi-swapped": {"king": 75, "trex": -500},
    "levant-inverted": {"trex": 100},
    "barbu": {
        **dict.fromkeys(("tricks", "last_trick", "hearts", "queens", "king", "fifty_one"), 80),
        "general": 400,
        "trex": -150,
    },
}


@pytest.mark.parametrize("name", TOTALS)
def test_total_of_each_contract(name):
    for contract, total in TOTALS[name].items():
        assert base_total(Contract.read(contract), preset(name)) == total


def test_complex_deal_costs_five_hundred():
    four = Contract.read(["king", "queens", "diamonds", "tricks"])
    assert deal_sum(four, preset("levant-complex")) == -500


DOUBLINGS = [
    {
        "doubling.owner_bonus": bonus,
        "doubling.self_capture": own,
        "doubling.queens_unit": unit,
        "teams": "opposite" if partner else "none",
        "doubling.partner_capture": partner or "as_opponent",
    }
    for bonus, own, unit, partner in product(
        (True, False),
        ("single", "double", "quadruple", "leader_gains"),
        ("per_queen", "whole_contract"),
        (None, "as_opponent", "no_bonus", "normal_value", "opponents_gain"),
    )
]


def sums(contract, rules, tallies):
    return {sum(points(Entry(contract, tally=tally), rules).scores) for tally in tallies}


@pytest.mark.parametrize(
    "options", DOUBLINGS, ids=lambda options: "-".join(map(str, options.values()))
)
def test_sum_is_promised_exactly_where_every_deal_has_it(options):
    """Every way in which one doubled card can fall, under every reading of doubling."""
    rules = ruleset("levant", options)
    ways = list(product(SEATS, SEATS, SEATS))
    kings = [
        Tally(king_taken_by=taker, doubles=(Double("KH", by),), trick_leader={"KH": leader})
        for taker, by, leader in ways
    ]
    queens = [
        Tally(
            queens_taken_by={"QS": taker, "QH": 0, "QD": 0, "QC": 0},
            doubles=(Double("QS", by),),
            trick_leader=dict.fromkeys(("QS", "QH", "QD", "QC"), leader),
        )
        for taker, by, leader in ways
    ]
    for contract, tallies, total in ((KING, kings, -75), (QUEENS, queens, -100)):
        found = sums(contract, rules, tallies)
        assert deal_sum(contract, rules) == (total if found == {total} else None)
        assert deal_sum(contract, rules, doubled=False) == total


ZERO = {"levant", "levant-complex", "levant-partners"}


@pytest.mark.parametrize("name", PRESETS)
def test_presets_that_sum_to_zero(name):
    assert zero_sum(preset(name)) == (name in ZERO)


SUMMING = [
    ("levant", {"doubling.self_capture": "leader_gains"}, True),
    ("levant", {"signs": "swapped"}, True),
    ("levant", {"values.diamond": 15, "values.trick": 10}, True),
    ("levant", {"revoke": "total"}, True),
    ("kleshchi", {"doubling.owner_bonus": True}, True),
    ("kleshchi", {"doubling.king": False, "doubling.queens": False}, True),
    ("levant", {"values.king": 80}, False),
    ("levant", {"doubling.self_capture": "double"}, False),
    ("levant", {"doubling.owner_bonus": False}, False),
    ("levant", {"chooser_factor": 2}, False),
    ("levant", {"forced_factor": 2}, False),
    ("levant", {"kabbout.contracts": ["tricks"]}, False),
    ("levant", {"cheat.amount": 100}, False),
    ("levant", {"teams": "opposite", "doubling.partner_capture": "normal_value"}, True),
    ("levant", {"teams": "opposite", "doubling.partner_capture": "no_bonus"}, False),
    ("levant", {"teams": "opposite", "doubling.partner_capture": "opponents_gain"}, False),
]


@pytest.mark.parametrize(("system", "options", "promised"), SUMMING)
def test_zero_is_promised_only_where_the_options_guarantee_it(system, options, promised):
    assert zero_sum(ruleset(system, options)) == promised


def test_forced_deal_multiplies_the_sum_of_a_table_without_chooser_factor():
    rules = ruleset("barbu", {"chooser_factor": 1, "forced_applies_to_trex": False})
    assert deal_sum(KING, rules, forced=True) == 160
    assert deal_sum(Contract.read("trex"), rules, forced=True) == -150
    assert deal_sum(Contract.read("tricks"), rules) is None
    assert deal_sum(Contract.read("fifty_one"), rules) == 80


def test_nothing_is_promised_of_a_deal_outside_the_rule():
    levant = preset("levant")
    leader = ruleset("levant", {"doubling.self_capture": "leader_gains"})
    cheats = ruleset("levant", {"cheat.amount": 100})
    unpaid = Tally(doubles=(Double("KH", 1),), revoke_by=1)
    assert promised_sum(Entry(KING, tally=Tally(king_taken_by=1)), levant) == -75
    assert promised_sum(Entry(KING, tally=unpaid), levant) == -75
    assert promised_sum(Entry(KING, tally=unpaid), leader) is None
    assert promised_sum(Entry(KING, tally=Tally(cheat_by=1)), cheats) is None


def test_undoubled_deal_has_its_sum_where_doubling_would_break_it():
    kleshchi = preset("kleshchi")
    plain = Tally(king_taken_by=1)
    doubled = Tally(king_taken_by=1, doubles=(Double("KH", 0),))
    assert promised_sum(Entry(KING, tally=plain), kleshchi) == -75
    assert promised_sum(Entry(KING, tally=doubled), kleshchi) is None
