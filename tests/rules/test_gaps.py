"""Voided and corrected deals, and deals that use up no contract."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import preset, ruleset
from scoring.rules.schedule import check_turn, turn
from tests.support.matches import (
    BARBU,
    LEVANT,
    TRICK_CONTRACTS,
    as_played,
    codes,
    entry,
    keys,
    play_on,
    played,
    without,
)

# ---- Gaps and corrections


def test_lowest_missing_number_is_the_next():
    deals = play_on(LEVANT, most=12)
    now = turn(LEVANT, 0, None, without(deals, 4, 9))
    assert (now.deal_number, now.chooser, now.dealer) == (4, 0, deals[3].dealer)
    assert now.contracts == (deals[3].contract,)
    assert (now.kingdom, now.kingdom_deal, now.kingdom_deals) == (1, 4, 5)
    now = turn(LEVANT, 0, None, without(deals, 9))
    assert (now.deal_number, now.chooser, now.kingdom) == (9, 1, 2)


def test_voided_whole_kingdom_is_played_again_at_its_place():
    deals = play_on(LEVANT, most=15)
    now = turn(LEVANT, 0, None, without(deals, 6, 7, 8, 9, 10))
    assert (now.deal_number, now.chooser, now.kingdom, now.kingdom_deal) == (6, 1, 2, 1)
    assert len(now.contracts) == 5


def test_first_deal_voided_late_belongs_to_the_first_chooser():
    deals = play_on(BARBU, first_chooser=3)
    now = turn(BARBU, 3, None, without(deals, 1))
    assert (now.deal_number, now.chooser, now.dealer) == (1, 3, 2)


def test_correction_is_judged_against_the_other_deals_only():
    deals = play_on(LEVANT, most=3)
    now = turn(LEVANT, 0, None, deals, deal_number=2)
    assert (now.dealer, now.chooser) == (deals[1].dealer, deals[1].chooser)
    assert check_turn(entry("queens", 0), now) == []
    assert check_turn(entry("trex", 0), now) == []
    assert codes(check_turn(entry("king", 0), now)) == ["contract_used"]
    assert check_turn(entry("king", 1), now) == []


def test_deal_of_a_finished_match_can_be_corrected():
    now = turn(LEVANT, 0, None, play_on(LEVANT), deal_number=20)
    assert not now.over
    assert (keys(now.contracts), now.kingdom, now.kingdom_deal) == (["trex"], 4, 5)


@given(st.randoms(use_true_random=False), st.sampled_from(["levant", "kleshchi", "barbu"]))
def test_void_and_enter_again_is_as_if_it_never_happened(rng: Random, system):
    rules = ruleset(system, {"combo": rng.choice(["off", "free"])})
    deals = play_on(
        rules, first_chooser=rng.randrange(4), pick=lambda turn: rng.choice(turn.contracts)
    )
    first = deals[0].chooser
    for number in rng.sample(range(1, len(deals) + 1), 3):
        deal = deals[number - 1]
        again = turn(rules, first, None, without(deals, number))
        assert again.deals_total >= len(deals)
        assert deal.contract in again.contracts
        assert as_played(again, deal.contract) == deal
        assert turn(rules, first, None, deals).over


@given(st.randoms(use_true_random=False), st.integers(0, 3))
def test_turning_the_seats_turns_the_schedule(rng: Random, by):
    rules = ruleset(rng.choice(["levant", "kleshchi", "barbu"]))
    deals = play_on(rules, pick=lambda turn: rng.choice(turn.contracts), most=rng.randint(0, 31))
    turned = [
        replace(deal, dealer=(deal.dealer + by) % 4, chooser=(deal.chooser + by) % 4)
        for deal in deals
    ]
    now, other = turn(rules, 0, None, deals), turn(rules, by, None, turned)
    assert other.over == now.over
    if not now.over:
        assert (other.dealer, other.chooser) == ((now.dealer + by) % 4, (now.chooser + by) % 4)
        assert other.contracts == now.contracts


# ---- Deals that use up no contract


def test_extra_deal_is_due_between_the_tied_when_all_is_played():
    deals = play_on(LEVANT)
    now = turn(LEVANT, 0, None, deals, tied=(1, 2))
    assert (now.over, now.is_extra, now.extra, now.deal_number) == (False, True, (1, 2), 21)
    assert (now.chooser, now.dealer, now.kingdom) == (1, 3, None)
    assert keys(now.contracts) == [*TRICK_CONTRACTS, "trex"]
    assert check_turn(entry("king", 1), now) == []
    assert not now.uses_contract(entry("king", 1))
    assert not now.forced


def test_there_is_one_extra_deal_at_most():
    deals = play_on(LEVANT)
    deals.append(played(21, 1, "king", uses_contract=False))
    assert turn(LEVANT, 0, None, deals, tied=(1, 2)).over
    assert turn(LEVANT, 0, None, deals, deal_number=21).is_extra
    again = turn(LEVANT, 0, None, without(deals, 21), tied=(1, 2))
    assert again.deal_number == 21


def test_no_extra_deal_while_a_voided_one_is_missing():
    deals = play_on(LEVANT)
    deals.append(played(21, 1, "king", uses_contract=False))
    now = turn(LEVANT, 0, None, without(deals, 7), tied=(1, 2))
    assert (now.deal_number, now.is_extra, now.chooser, now.kingdom_deals) == (7, False, 1, 5)


def test_extra_deal_of_a_complex_match_takes_either_half():
    rules = preset("levant-complex")
    now = turn(rules, 0, None, play_on(rules), tied=(0, 3))
    assert keys(now.contracts) == ["king+queens+diamonds+tricks", "trex"]


@pytest.mark.parametrize("system", ["levant", "barbu"])
def test_deal_broken_off_by_a_cheat_is_played_again(system):
    rules = ruleset(system, {"cheat.amount": 400, "cheat.replay": True})
    deals = play_on(rules, most=2)
    cheated = turn(rules, 0, None, deals)
    cheat = entry(cheated.contracts[0].key, cheated.chooser, cheat_by=3)
    assert check_turn(cheat, cheated) == []
    assert not cheated.uses_contract(cheat)
    deals.append(as_played(cheated, cheat.contract, uses_contract=False, replayed=True))
    again = turn(rules, 0, None, deals)
    assert (again.dealer, again.chooser) == (cheated.dealer, cheated.chooser)
    assert again.contracts == cheated.contracts
    assert again.deals_total == cheated.deals_total + 1


def test_cheat_to_be_played_again_can_be_corrected_when_it_has_been():
    rules = ruleset("barbu", {"cheat.replay": True})
    broken_off = played(1, 0, "king", uses_contract=False, replayed=True)
    deals = play_on(rules, [broken_off, played(2, 0, "king")])
    now = turn(rules, 0, None, deals, deal_number=1)
    assert check_turn(entry("king", 0, cheat_by=1), now) == []
    assert codes(check_turn(entry("king", 0, king_taken_by=1), now)) == ["contract_used"]


def test_cheat_that_is_not_played_again_uses_up_the_contract():
    assert turn(BARBU, 0, None, []).uses_contract(entry("king", 0, cheat_by=1))
