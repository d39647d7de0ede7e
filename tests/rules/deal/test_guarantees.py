"""What an option set does to the sums of a match: named, with the numbers, and true."""

from random import Random

import pytest
from hypothesis import given

from scoring.rules import (
    PRESETS,
    Guarantee,
    guarantees,
    points,
    preset,
    promised_sum,
    ruleset,
    zero_sum,
)
from scoring.rules.deal.promises import base_total
from tests.support.evenings import TABLES, played_evening
from tests.support.strategies import rulesets


def codes(rules):
    return [each.code for each in guarantees(rules)]


def broken(system, options):
    return list(guarantees(ruleset(system, options))[1:])


@pytest.mark.parametrize(
    ("name", "found", "match"),
    [
        ("levant", ["always_sums"], 0),
        ("levant-complex", ["always_sums"], 0),
        ("levant-partners", ["always_sums"], 0),
        ("levant-inverted", ["always_sums"], -1600),
        ("kleshchi", ["usually_sums", "doubled_costs_more", "doubled_costs_more"], 0),
        ("kleshchi-swapped", ["usually_sums", "doubled_costs_more", "doubled_costs_more"], 0),
        ("barbu", ["never_sums", "chooser_counts", "forced_counts", "kabbout", "cheat"], 2920),
    ],
)
def test_presets(name, found, match):
    assert codes(preset(name)) == found
    assert guarantees(preset(name))[0].numbers["match"] == match


def test_halves_of_a_kingdom_are_told():
    assert guarantees(preset("levant-inverted"))[0].numbers == {
        "kingdom": -400,
        "trex": 100,
        "penalties": -500,
        "match": -1600,
    }
    one_set = ruleset("kleshchi", {"contracts_scope": "game", "values.king": 100})
    assert guarantees(one_set)[0].numbers["match"] == -25


KING, QUEEN = {"item": "king"}, {"item": "queens"}


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (
            {"doubling.owner_bonus": False},
            [
                Guarantee("doubled_costs_more", KING | {"points": 75}),
                Guarantee("doubled_costs_more", QUEEN | {"points": 25}),
            ],
        ),
        (
            {"doubling.self_capture": "quadruple", "doubling.queens": False},
            [Guarantee("own_double_costs_more", KING | {"points": 225})],
        ),
        (
            {"doubling.self_capture": "double", "doubling.queens_unit": "whole_contract"},
            [Guarantee("own_double_costs_more", KING | {"points": 75})],
        ),
        (
            {"doubling.self_capture": "leader_gains", "doubling.king": False},
            [Guarantee("revoked_double_costs_more", QUEEN | {"points": 25})],
        ),
        ({"doubling.self_capture": "leader_gains", "revoke": "off"}, []),
        (
            {"teams": "opposite", "doubling.partner_capture": "no_bonus", "doubling.king": False},
            [Guarantee("partner_double_costs_more", QUEEN | {"points": 25})],
        ),
        (
            {
                "teams": "opposite",
                "doubling.partner_capture": "opponents_gain",
                "values.queen": 0,
            },
            [
                Guarantee("own_side_led_costs_more", KING | {"points": 75}),
                Guarantee("partner_revoke_costs_more", KING | {"points": 75}),
            ],
        ),
        ({"teams": "opposite", "doubling.partner_capture": "normal_value"}, []),
        (
            {"kabbout.contracts": ["tricks", "general"], "kabbout.amount": 300},
            [Guarantee("kabbout", {"contracts": ["tricks"], "amount": 300})],
        ),
        ({"cheat.amount": 400}, [Guarantee("cheat", {"amount": 400})]),
        ({"chooser_factor": 3}, [Guarantee("chooser_counts", {"factor": 3})]),
        # Nothing is doubled, and nothing played alone, where all is one deal.
        ({"combo": "complex", "doubling.owner_bonus": False, "doubling.in_combo": False}, []),
        ({"combo": "complex", "kabbout.contracts": ["tricks"]}, []),
    ],
)
def test_what_breaks_the_sum(options, found):
    assert broken("levant", options) == found


def test_fifty_one_that_nobody_need_lose():
    assert Guarantee("fifty_one_unlost", {"target": 96}) not in broken(
        "barbu", {"fifty_one.target": 96}
    )
    values = dict.fromkeys("AKQJT987", 1)
    assert Guarantee("fifty_one_unlost", {"target": 51}) in broken(
        "barbu", {"fifty_one.values": values}
    )


@pytest.mark.parametrize("name", PRESETS)
def test_zero_is_promised_of_a_preset_that_always_sums_to_it(name):
    first = guarantees(preset(name))[0]
    assert zero_sum(preset(name)) == (first.code == "always_sums" and not first.numbers["match"])


@given(rulesets())
def test_zero_is_promised_where_nothing_but_an_unpaid_revoke_breaks_it(rules):
    first, *breaks = guarantees(rules)
    serious = [each for each in breaks if each.code != "revoked_double_costs_more"]
    assert zero_sum(rules) == (not serious and not first.numbers["kingdom"])


def sums(table, seed):
    """The deals of an evening from players who lay any card that is legal, each with its sum."""
    evening = played_evening(Random(seed), *table)
    rules = evening.rules
    return [(deal.entry, sum(points(deal.entry, rules).scores)) for deal in evening.deals]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_match_has_the_sum_that_is_promised(table):
    rules = ruleset(*table)
    first, *breaks = guarantees(rules)
    for seed in range(6):
        deals = sums(table, seed)
        for entry, total in deals:
            assert promised_sum(entry, rules) in (None, total)
        if not breaks:
            assert sum(total for _, total in deals) == first.numbers["match"]


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_what_is_said_to_break_the_sum_does(table):
    """No scare without a cause, and no cause unsaid."""
    rules = ruleset(*table)
    deals = (deal for seed in range(12) for deal in sums(table, seed))
    is_off = any(total != base_total(entry.contract, rules) for entry, total in deals)
    assert bool(guarantees(rules)[1:]) == is_off
