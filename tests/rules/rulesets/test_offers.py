"""Which contracts a chooser may play now, combined, forced, forfeited."""

import pytest

from scoring.rules import Contract, preset, ruleset
from scoring.rules.schedule import check_turn, turn
from tests.support.matches import (
    BARBU,
    LEVANT,
    TRICK_CONTRACTS,
    codes,
    entry,
    keys,
    play_on,
    played,
    without,
)

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
