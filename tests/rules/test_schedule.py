"""Who deals, chooses and leads, what is left, and when it is over."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import Contract, Entry, Tally, preset, ruleset
from scoring.rules.schedule import Played, check_turn, turn

CASES = Path(__file__).parents[1] / "cases"
EVENINGS = json.loads((CASES / "evenings.json").read_text(encoding="utf-8"))
LEVANT, KLESHCHI, BARBU = ruleset("levant"), ruleset("kleshchi"), ruleset("barbu")
TRICK_CONTRACTS = ["king", "queens", "diamonds", "tricks"]


def entry(contract, chooser=None, **facts):
    return Entry(Contract.read(contract), chooser, False, Tally(**facts))


def played(number, chooser, contract, dealer=None, **more):
    dealer = (chooser - 1) % 4 if dealer is None else dealer
    return Played(number, dealer, chooser, Contract.read(contract), **more)


def keys(contracts):
    return [contract.key for contract in contracts]


def codes(found):
    return [problem.code for problem in found]


def play_on(rules, deals=(), first_chooser=0, pick=lambda turn: turn.contracts[0], most=99, **more):
    """Plays the proposals until the match is over, or for so many deals."""
    deals = list(deals)
    for _ in range(most):
        now = turn(rules, first_chooser, None, deals, **more)
        if now.over:
            break
        deals.append(as_played(now, pick(now)))
    return deals


def as_played(now, contract, **more):
    forced = now.is_forced(contract)
    return Played(now.deal_number, now.dealer, now.chooser, contract, forced, **more)


def without(deals, *numbers):
    return [deal for deal in deals if deal.deal_number not in numbers]


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


# ---- Which contracts


def test_contract_can_be_played_once_by_a_chooser():
    deals = [played(1, 0, "king")]
    found = check_turn(entry("king", 0), turn(LEVANT, 0, None, deals))
    assert codes(found) == ["contract_used"]
    assert (found[0].field, found[0].numbers) == ("contract", {"seat": 0, "contracts": ["king"]})
    assert check_turn(entry("king", 1), turn(LEVANT, 0, None, deals)) == []


def test_one_set_of_contracts_for_the_whole_game():
    rules = ruleset("barbu", {"contracts_scope": "game"})
    deals = play_on(rules, first_chooser=2, most=7)
    assert [deal.chooser for deal in deals] == [2, 3, 0, 1, 2, 3, 0]
    assert not any(deal.forced for deal in deals)
    now = turn(rules, 2, None, deals)
    assert (now.chooser, now.forced, len(now.done)) == (1, True, 7)
    assert codes(check_turn(entry(deals[0].contract.key, 1), now)) == ["contract_used"]


FIXED = {
    "levant": ["king", "queens", "diamonds", "tricks", "trex"],
    "kleshchi": ["king", "diamonds", "queens", "tricks", "trex"],
    "barbu": [
        *("tricks", "last_trick", "hearts", "queens"),
        *("king", "trex", "fifty_one", "general"),
    ],
}


@pytest.mark.parametrize("system", FIXED)
@pytest.mark.parametrize("order", ["fixed", "fixed_reversed"])
def test_fixed_order_offers_the_next_contract_only(system, order):
    rules = ruleset(system, {"contract_order": order})
    own = [deal.contract.key for deal in play_on(rules) if deal.chooser == 0]
    assert own == FIXED[system][:: 1 if order == "fixed" else -1]
    now = turn(rules, 0, None, [])
    assert keys(now.contracts) == own[:1]
    assert codes(check_turn(entry(own[1], 0), now)) == ["not_this_contract"]


def test_general_is_last_in_a_reversed_order_too():
    rules = ruleset("barbu", {"contract_order": "fixed_reversed", "general_last": True})
    own = [deal.contract.key for deal in play_on(rules) if deal.chooser == 0]
    assert (own[0], own[-1]) == ("fifty_one", "general")


def test_drawn_order_gives_all_that_may_be_drawn():
    rules = preset("barbu-drawn")
    now = turn(rules, 0, None, [])
    assert set(keys(now.contracts)) == set(BARBU.contracts) - {"general"}
    assert codes(check_turn(entry("general", 0), now)) == ["not_this_contract"]
    deals = play_on(rules, most=28)
    assert keys(turn(rules, 0, None, deals).contracts) == ["general"]


def test_drawn_order_without_general_last_may_draw_it_first():
    now = turn(ruleset("barbu", {"contract_order": "drawn"}), 0, None, [])
    assert "general" in keys(now.contracts)


def test_combined_deal_is_refused_where_nothing_is_combined():
    now = turn(LEVANT, 0, None, [])
    assert codes(check_turn(entry(["king", "queens"], 0), now)) == ["not_this_contract"]


def test_complex_plays_all_trick_contracts_and_then_trex():
    rules = preset("levant-complex")
    now = turn(rules, 1, None, [])
    assert keys(now.contracts) == ["king+queens+diamonds+tricks"]
    assert (now.kingdom_deal, now.kingdom_deals) == (1, 2)
    assert codes(check_turn(entry("trex", 1), now)) == ["not_this_contract"]
    assert codes(check_turn(entry("king", 1), now)) == ["not_this_contract"]
    now = turn(rules, 1, None, [played(1, 1, TRICK_CONTRACTS)])
    assert (keys(now.contracts), now.chooser, now.kingdom_deal) == (["trex"], 1, 2)
    assert [deal.chooser for deal in play_on(rules, first_chooser=1)] == [1, 1, 2, 2, 3, 3, 0, 0]


def test_free_combinations_offer_one_to_four_trick_contracts():
    now = turn(ruleset("levant", {"combo": "free"}), 0, None, [])
    assert len(now.contracts) == 15 + 1
    assert keys(now.contracts)[:5] == FIXED["levant"]
    assert not any("trex" in key and "+" in key for key in keys(now.contracts))


def test_free_combination_uses_up_all_its_parts():
    rules = ruleset("levant", {"combo": "free"})
    now = turn(rules, 0, None, [played(1, 0, ["king", "diamonds"])])
    assert keys(now.contracts) == ["queens", "tricks", "trex", "queens+tricks"]
    assert codes(check_turn(entry(["king", "tricks"], 0), now)) == ["contract_used"]
    assert (now.deals_total, now.kingdom_deal, now.kingdom_deals) == (19, 2, 4)


def test_seat_with_nothing_left_is_skipped():
    rules = ruleset("kleshchi", {"combo": "free"})
    deals = [played(1, 0, TRICK_CONTRACTS), *(played(n + 2, n + 1, "king") for n in range(3))]
    deals.append(played(5, 0, "trex"))
    deals = play_on(rules, deals, most=4)
    assert [deal.chooser for deal in deals[5:]] == [1, 2, 3, 1]
    assert turn(rules, 0, None, deals).deals_total == 5 + 3 * 4


def test_free_combination_of_the_last_contracts_is_forced():
    rules = ruleset("barbu", {"combo": "free"})
    first = ["king", "queens", "hearts", "tricks"]
    deals = [played(1, 0, first), played(2, 0, "trex"), played(3, 0, "fifty_one")]
    now = turn(rules, 0, None, deals, deal_number=4)
    assert not now.is_forced(Contract.read("general"), chooser=0)
    deals.append(played(4, 0, "last_trick"))
    assert turn(rules, 0, None, deals).is_forced(Contract.read("general"), chooser=0)
    # Two left, taken together: that is the last choice.
    two_left = [played(1, 0, ["king", "queens", "hearts"])]
    two_left += [played(n, 0, name) for n, name in enumerate(["trex", "fifty_one", "general"], 2)]
    now = turn(rules, 0, None, two_left)
    assert now.is_forced(Contract.read(["tricks", "last_trick"]), chooser=0)
    assert not now.is_forced(Contract.read("tricks"), chooser=0)


def test_dealer_beside_the_chooser_skips_with_him():
    rules = ruleset("barbu", {"combo": "free"})
    done = [played(1, 0, ["king", "queens", "hearts", "tricks"])]
    done += [played(n, 0, name) for n, name in enumerate(["last_trick", "trex", "general"], 2)]
    done += [played(5, 0, "fifty_one"), played(6, 3, "king")]
    now = turn(rules, 0, None, done)
    assert (now.chooser, now.dealer) == (1, 0)


# ---- Forced contracts


def test_only_the_eighth_contract_is_forced():
    deals = play_on(BARBU)
    assert [deal.deal_number for deal in deals if deal.forced] == [29, 30, 31, 32]
    assert turn(BARBU, 0, None, deals[:28]).forced


def test_nothing_is_forced_without_a_factor_for_it():
    assert not any(deal.forced for deal in play_on(LEVANT))


def test_early_deal_entered_again_late_is_not_forced():
    deals = play_on(BARBU)
    now = turn(BARBU, 0, None, without(deals, 5))
    assert (now.deal_number, now.contracts, now.forced) == (5, (deals[4].contract,), False)
    now = turn(BARBU, 0, None, without(deals, 5, 29))
    assert not any(map(now.is_forced, now.contracts))


# ---- Trex without a jack


def test_trex_needs_jack_is_a_question_until_the_hand_is_known():
    rules = ruleset("barbu", {"trex_needs_jack": True})
    now = turn(rules, 0, None, [])
    assert now.jack_question
    assert check_turn(entry("trex", 0), now) == []
    assert check_turn(entry("trex", 0), now, hand=["JS", "7D"]) == []
    assert codes(check_turn(entry("trex", 0), now, hand=["AS", "7D"])) == ["not_this_contract"]
    assert check_turn(entry("king", 0), now, hand=["AS", "7D"]) == []


def test_last_trex_needs_no_jack():
    rules = ruleset("barbu", {"trex_needs_jack": True})
    names = [name for name in rules.contracts if name != "trex"]
    deals = [played(number, 0, name) for number, name in enumerate(names, 1)]
    now = turn(rules, 0, None, deals, deal_number=9)
    assert check_turn(entry("trex", 0), now, hand=["AS"]) == []
    assert not turn(BARBU, 0, None, []).jack_question


# ---- Forfeits


FORFEITS = {"contract_order": "fixed", "forfeit_first_three": True}


def test_forfeit_uses_up_the_contract_that_is_due():
    rules = ruleset("kleshchi", FORFEITS)
    now = turn(rules, 2, None, [])
    assert check_turn(entry("king", 2, forfeited=True), now) == []
    assert check_turn(entry(["king", "diamonds"], 2, forfeited=True), now) == []
    assert check_turn(entry(["queens", "king", "diamonds"], 2, forfeited=True), now) == []
    assert codes(check_turn(entry("diamonds", 2, forfeited=True), now)) == ["not_this_contract"]
    assert codes(check_turn(entry(["king", "diamonds"], 2), now)) == ["not_this_contract"]


def test_one_who_forfeits_three_together_has_fewer_deals():
    rules = ruleset("kleshchi", FORFEITS)
    deals = play_on(rules, [played(1, 0, ["king", "diamonds", "queens"])])
    assert len(deals) == 18
    assert [deal.chooser for deal in deals[-6:]] == [1, 2, 3, 1, 2, 3]
    own = [deal.contract.key for deal in deals if deal.chooser == 0]
    assert own == ["king+queens+diamonds", "tricks", "trex"]


def test_tricks_and_trex_cannot_be_forfeited():
    rules = ruleset("kleshchi", FORFEITS)
    now = turn(rules, 0, None, [played(1, 0, ["king", "diamonds", "queens"])], deal_number=5)
    assert codes(check_turn(entry("tricks", 0, forfeited=True), now)) == ["not_this_contract"]
    assert check_turn(entry("tricks", 0), now) == []


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
    assert keys(now.contracts) == FIXED["levant"]
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
