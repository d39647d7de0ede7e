"""Who deals, chooses and leads, and when it is over."""

import pytest

from scoring.rules import Contract, preset, ruleset
from scoring.rules.course import Played
from scoring.rules.schedule import check_turn, turn
from tests.support.matches import (
    BARBU,
    KLESHCHI,
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
from tests.support.worked import load

EVENINGS = load("evenings")


# ---- The three evenings


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening["external_id"])
def test_evening_is_proposed_as_it_was_played(evening):
    rules = ruleset(evening["system"], evening["options"])
    deals = []
    for deal in evening["deals"]:
        now = turn(rules, evening["first_chooser"], None, deals)
        contract = Contract.read(deal["contract"])
        assert (now.deal_number, now.deals_total) == (deal["deal_number"], len(evening["deals"]))
        assert (now.dealer, now.chooser) == (deal["dealer"], deal["chooser"])
        assert now.is_forced(contract) == deal["forced"]
        assert check_turn(entry(contract.key, deal["chooser"]), now) == []
        if contract.special != "fifty_one":
            assert now.leader(contract) == deal["record"]["leader"]
        deals.append(as_played(now, contract))
    assert turn(rules, evening["first_chooser"], None, deals).over


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening["external_id"])
def test_voided_deal_of_an_evening_comes_back_at_its_place(evening):
    rules = ruleset(evening["system"], evening["options"])
    deals = [
        Played(
            deal["deal_number"],
            deal["dealer"],
            deal["chooser"],
            Contract.read(deal["contract"]),
            deal["forced"],
        )
        for deal in evening["deals"]
    ]
    for deal in deals:
        now = turn(rules, evening["first_chooser"], None, without(deals, deal.deal_number))
        assert now.contracts == (deal.contract,)
        assert as_played(now, deal.contract) == deal


# ---- How many deals


@pytest.mark.parametrize(
    ("name", "options", "deals"),
    [
        ("levant", {}, 20),
        ("levant-complex", {}, 8),
        ("levant-partners", {}, 20),
        ("kleshchi", {}, 20),
        ("kleshchi-jordan", {}, 20),
        ("barbu", {}, 32),
        ("barbu-fixed", {}, 32),
        ("barbu-drawn", {}, 32),
        ("barbu", {"contracts_scope": "game"}, 8),
        ("kleshchi", {"contracts_scope": "game"}, 5),
        ("levant", {"combo": "free"}, 20),
        ("barbu", {"combo": "complex"}, 16),
    ],
)
def test_match_has_as_many_deals_as_its_rules_say(name, options, deals):
    rules = ruleset(preset(name).system, preset(name).options() | options)
    assert turn(rules, 0, None, []).deals_total == deals
    assert len(play_on(rules)) == deals


def test_every_seat_chooses_every_contract_once():
    for rules in (LEVANT, KLESHCHI, BARBU):
        chosen = {(deal.chooser, deal.contract.key) for deal in play_on(rules)}
        assert chosen == {(seat, name) for seat in range(4) for name in rules.contracts}


def test_match_is_never_over_early_and_then_refuses_more():
    deals = play_on(LEVANT)
    assert not turn(LEVANT, 0, None, deals[:-1]).over
    now = turn(LEVANT, 0, None, deals)
    assert now.over
    assert (now.contracts, now.needs_first_chooser) == ((), False)
    assert codes(check_turn(entry("king", 0), now)) == ["match_over"]


# ---- Who begins


def test_first_chooser_is_asked_for():
    now = turn(LEVANT, None, None, [])
    assert now.needs_first_chooser
    assert now.choosers == (0, 1, 2, 3)
    assert (now.dealer, now.chooser, now.contracts) == (None, None, ())
    assert codes(check_turn(entry("king"), now)) == ["chooser_missing"]
    assert check_turn(entry("king", 2), now) == []


@pytest.mark.parametrize(
    ("options", "dealer"),
    [
        ({}, 1),
        ({"chooser_first": "dealer"}, 2),
        ({"dealer_rule": "owner_deals"}, 2),
        ({"dealer_rule": "owner_left"}, 1),
        ({"dealer_rule": "owner_left", "chooser_first": "dealer"}, 1),
    ],
)
def test_first_dealer_sits_where_the_options_put_him(options, dealer):
    assert turn(ruleset("levant", options), 2, None, []).dealer == dealer


def test_stored_first_dealer_wins_over_the_usual_place():
    assert turn(KLESHCHI, 0, 2, []).dealer == 2
    assert turn(ruleset("levant", {"dealer_rule": "owner_deals"}), 0, 2, []).dealer == 2


@pytest.mark.parametrize(
    ("chooser_first", "chooser"), [("dealer_right", 3), ("dealer", 2), ("seven_of_hearts", None)]
)
def test_first_chooser_follows_from_the_dealer_where_he_sits_beside_him(chooser_first, chooser):
    rules = ruleset("barbu", {"chooser_first": chooser_first})
    assert turn(rules, None, 2, []).chooser == chooser


# ---- Who deals


def test_dealer_goes_on_from_the_one_who_really_dealt():
    deals = [played(1, 0, "king", dealer=3), played(2, 0, "queens", dealer=2)]
    assert turn(LEVANT, 0, None, deals).dealer == 3


@pytest.mark.parametrize(("rule", "shift"), [("owner_deals", 0), ("owner_left", -1)])
def test_dealer_stays_beside_the_owner(rule, shift):
    deals = play_on(ruleset("levant", {"dealer_rule": rule}), first_chooser=3)
    assert all(deal.dealer == (deal.chooser + shift) % 4 for deal in deals)
    assert [deal.chooser for deal in deals] == [3] * 5 + [0] * 5 + [1] * 5 + [2] * 5


def test_misdeal_is_dealt_again_by_the_same_seat():
    deals = play_on(LEVANT, most=6)
    now = turn(LEVANT, 0, None, without(deals, 6))
    assert (now.deal_number, now.dealer, now.chooser) == (6, deals[5].dealer, deals[5].chooser)


# ---- Who leads


@pytest.mark.parametrize(
    ("options", "contract", "leader"),
    [
        ({}, "king", 1),
        ({"first_lead": "chooser"}, "king", 3),
        ({"first_lead": "chooser"}, ["king", "queens"], 3),
        ({}, "trex", 3),
        ({"trex_start": "dealer"}, "trex", 0),
        ({"trex_start": "dealer_right"}, "trex", 1),
    ],
)
def test_leader_follows_first_lead_and_trex_start(options, contract, leader):
    now = turn(ruleset("levant", options), 3, 0, [])
    assert now.leader(Contract.read(contract)) == leader


def test_fifty_one_is_opened_by_the_chooser():
    now = turn(ruleset("barbu", {"first_lead": "dealer_right"}), 3, 0, [])
    assert now.leader(Contract.read("fifty_one")) == 3


def test_leader_can_be_asked_for_another_dealer_and_chooser():
    now = turn(LEVANT, 3, 0, [])
    assert now.leader(Contract.read("king"), dealer=2) == 3
    assert now.leader(Contract.read("trex"), chooser=2) == 2


def test_leader_is_unknown_with_the_chooser():
    now = turn(LEVANT, None, None, [])
    assert now.leader(Contract.read("trex")) is None
    assert now.leader(Contract.read("king")) is None


# ---- Kingdoms


def test_kingdom_is_counted_with_its_deals():
    now = turn(LEVANT, 1, None, play_on(LEVANT, first_chooser=1, most=7))
    assert (now.kingdom, now.kingdom_deal, now.kingdom_deals) == (2, 3, 5)
    assert now.chooser == 2
    assert keys(now.done) == ["king", "queens"]
    assert keys(now.contracts) == ["diamonds", "tricks", "trex"]


def test_rotating_choosers_have_no_kingdom():
    now = turn(KLESHCHI, 1, None, [])
    assert (now.kingdom, now.kingdom_deal, now.kingdom_deals) == (None, None, None)


def test_seven_each_kingdom_asks_before_every_kingdom_but_the_last():
    rules = ruleset("levant", {"kingdom_pass": "seven_each_kingdom"})
    deals = play_on(rules, first_chooser=1, most=5)
    asked = turn(rules, 1, None, deals)
    assert asked.needs_first_chooser
    assert (asked.choosers, asked.kingdom, asked.kingdom_deal) == ((0, 2, 3), 2, 1)
    assert asked.kingdom_deals == 5
    assert turn(rules, 1, None, deals, seven_holder=3).chooser == 3
    # Its holder has owned one: the first seat to the right that has not (C-L11).
    assert turn(rules, 1, None, deals, seven_holder=1).chooser == 2
    assert [asked.chooser_if(seat) for seat in range(4)] == [0, 2, 2, 3]

    deals = play_on(rules, deals, first_chooser=1, most=5, seven_holder=3)
    deals = play_on(rules, deals, first_chooser=1, most=5, seven_holder=3)
    assert [deal.chooser for deal in deals] == [1] * 5 + [3] * 5 + [0] * 5
    last = turn(rules, 1, None, deals)
    assert (last.needs_first_chooser, last.chooser, last.kingdom) == (False, 2, 4)


def test_seven_each_kingdom_gives_back_a_voided_first_deal_to_its_owner():
    rules = ruleset("levant", {"kingdom_pass": "seven_each_kingdom"})
    deals = play_on(rules, first_chooser=1, most=5)
    deals = play_on(rules, deals, first_chooser=1, most=3, seven_holder=3)
    now = turn(rules, 1, None, without(deals, 6))
    assert (now.deal_number, now.chooser, now.kingdom, now.kingdom_deal) == (6, 3, 2, 1)


def test_another_chooser_than_the_proposed_one_may_have_chosen():
    deals = play_on(LEVANT, most=2)
    now = turn(LEVANT, 0, None, deals)
    assert now.chooser == 0
    assert check_turn(entry("king", 1), now) == []
    deals.append(played(3, 1, "king"))
    assert turn(LEVANT, 0, None, deals).chooser == 1


# ---- Seats that have played all


def test_dealer_beside_the_chooser_skips_with_him():
    rules = ruleset("barbu", {"combo": "free"})
    done = [played(1, 0, ["king", "queens", "hearts", "tricks"])]
    done += [played(n, 0, name) for n, name in enumerate(["last_trick", "trex", "general"], 2)]
    done += [played(5, 0, "fifty_one"), played(6, 3, "king")]
    now = turn(rules, 0, None, done)
    assert (now.chooser, now.dealer) == (1, 0)


# ---- A contract that stays after the cards were dealt again


KEEPS = ruleset("levant", {"redeal.keeps_contract": True})
TREX = Contract.read("trex")


def test_kept_contract_is_all_that_may_be_played():
    now = turn(KEEPS, 2, 1, [], kept=TREX)
    assert (now.chooser, now.contracts) == (2, (TREX,))
    assert check_turn(entry("trex", 2), now) == []
    found = check_turn(entry("king", 2), now)
    assert codes(found) == ["not_this_contract"]  # C-L15
    assert found[0].numbers == {"seat": 2, "contracts": ["trex"]}


def test_chooser_chooses_anew_where_the_table_keeps_no_contract():
    now = turn(LEVANT, 2, 1, [], kept=TREX)
    assert (now.kept, now.contracts) == (None, turn(LEVANT, 2, 1, []).contracts)
    assert check_turn(entry("king", 2), now) == []


def test_contract_cannot_stay_with_one_who_has_played_it():
    deals = [played(1, 2, "trex")]
    now = turn(KEEPS, 2, None, deals, kept=TREX)
    assert keys(now.contracts) == TRICK_CONTRACTS
    assert check_turn(entry("king", 2), now) == []


def test_kept_contract_stays_in_a_combined_form_and_asks_for_no_jack():
    rules = ruleset("levant", {"redeal.keeps_contract": True, "combo": "free"})
    four = Contract.read(TRICK_CONTRACTS)
    assert turn(rules, 2, 1, [], kept=four).contracts == (four,)
    rules = ruleset("levant", {"redeal.keeps_contract": True, "trex_needs_jack": True})
    now = turn(rules, 2, 1, [], kept=TREX)
    assert not now.jack_question
    assert check_turn(entry("trex", 2), now, hand=["2S", "2H", "2D", "2C"]) == []


def test_kept_contract_may_be_the_forced_one():
    rules = ruleset("barbu", {"redeal.keeps_contract": True, "redeal.twos": "on_trex"})
    deals = play_on(rules, first_chooser=0, most=28, pick=lambda now: now.contracts[-1])
    now = turn(rules, 0, None, deals)
    last = now.contracts[0]
    assert len(now.contracts) == 1
    assert turn(rules, 0, None, deals, kept=last).is_forced(last)


def test_kept_contract_stays_in_the_extra_deal_of_a_tie():
    deals = play_on(KEEPS)
    now = turn(KEEPS, 0, None, deals, tied=[0, 2], kept=TREX)
    assert (now.is_extra, now.contracts) == (True, (TREX,))
    assert codes(check_turn(entry("king", now.chooser), now)) == ["not_this_contract"]
