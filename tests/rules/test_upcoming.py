"""What a phone without a network goes by: who chooses in the deals to come, and what is offered."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.rules import ruleset
from scoring.rules.course import Played, contracts_left
from scoring.rules.rulesets.offers import offers, prerequisites
from scoring.rules.schedule import turn
from scoring.rules.upcoming import upcoming_choosers

TABLES = [
    ("levant", {}),
    ("levant", {"combo": "complex"}),
    ("levant", {"combo": "free"}),
    ("levant", {"contract_order": "fixed"}),
    ("levant", {"kingdom_pass": "seven_each_kingdom"}),
    ("kleshchi", {}),
    ("kleshchi", {"contract_order": "fixed", "combo": "free"}),
    ("barbu", {}),
    ("barbu", {"contract_order": "drawn", "general_last": True}),
    ("barbu", {"contract_order": "fixed_reversed"}),
    ("barbu", {"contracts_scope": "game"}),
]


def coming(rules, played=(), first=0):
    now = turn(rules, first, first, played)
    return list(upcoming_choosers(now, first, first, played))


def test_a_kingdom_goes_to_its_end_and_then_to_the_right():
    numbers, choosers = zip(*coming(ruleset("levant", {}), first=2), strict=True)
    assert numbers == tuple(range(1, 21))
    assert choosers == (2,) * 5 + (3,) * 5 + (0,) * 5 + (1,) * 5


def test_choosers_rotate():
    choosers = [seat for _, seat in coming(ruleset("kleshchi", {}), first=1)]
    assert choosers == [1, 2, 3, 0] * 5


def test_what_hangs_on_the_seven_of_hearts_is_left_open():
    rules = ruleset("levant", {"kingdom_pass": "seven_each_kingdom"})
    assert coming(rules) == [(number, 0) for number in range(1, 6)]
    assert coming(rules, first=None) == []


def test_a_deal_that_is_missing_comes_first():
    rules = ruleset("levant", {})
    played = [
        Played(number, 3, 0, contract)
        for number, (contract, _) in enumerate(prerequisites(rules), start=1)
        if number in (1, 3)
    ]
    assert [number for number, _ in coming(rules, played)][:3] == [2, 4, 5]


# Along any way through the match: the first of what was foretold is what the schedule says, and
# what may be tapped without a network is what the page would offer.
@pytest.mark.parametrize(("system", "options"), TABLES)
@settings(max_examples=30)
@given(data=st.data())
def test_what_was_foretold_comes_true(system, options, data):
    rules = ruleset(system, options)
    played: list[Played] = []
    told, place = [seat for _, seat in coming(rules)], 0
    while told:
        now = turn(rules, 0, 0, played)
        if now.over or now.chooser is None:
            break
        while place < len(told) and not now.left[told[place]]:
            place += 1
        if place == len(told):
            break
        assert told[place] == now.chooser
        left = now.left[now.chooser]
        alone = [
            contract
            for contract in offers(rules, left)
            if not contract.is_combined or rules.combo == "complex"
        ]
        tappable = [
            contract
            for contract, before in prerequisites(rules)
            if set(contract.parts) <= set(left) and not before & set(left)
        ]
        assert tappable == alone
        chosen = data.draw(st.sampled_from(list(offers(rules, left))))
        dealer = 0 if now.dealer is None else now.dealer
        played.append(Played(now.deal_number, dealer, now.chooser, chosen))
        place += 1
    if told and rules.kingdom_pass == "right":
        assert not any(contracts_left(rules, played))
