"""Every disputed reading of the points, and the lines that explain them."""

from itertools import product

import pytest

from scoring.rules import Item, points, preset, read_entry, ruleset, trex_worth, worth

BY_PAIRS = {"teams": "opposite"}
WHOLE = {"doubling.queens_unit": "whole_contract"}


def scored(system, contract, facts, options=None, **frame):
    rules = ruleset(system, options)
    reading = read_entry({"chooser": 0} | frame | {"contract": contract, "input": facts}, rules)
    assert reading.problems == ()
    return points(reading.entry, rules)


def scores(*args, **frame):
    return list(scored(*args, **frame).scores)


def king(taker, doubler, leader=None):
    facts = {"king_taken_by": taker, "doubles": [{"card": "KH", "by": doubler}]}
    return facts | ({} if leader is None else {"trick_leader": {"KH": leader}})


def queens(*takers, doubles="", by=0):
    names = [suit + letter for suit, letter in zip("QQQQ", "SHDC", strict=True)]
    rows = [{"card": card, "by": by} for card in doubles.split()]
    return {"queens_taken_by": dict(zip(names, takers, strict=True)), "doubles": rows}


OWN = [
    ("single", None, [0, -75, 0, 0]),
    ("double", None, [0, -150, 0, 0]),
    ("quadruple", None, [0, -300, 0, 0]),
    ("leader_gains", 0, [75, -150, 0, 0]),
    ("leader_gains", 3, [0, -150, 0, 75]),
    ("leader_gains", 1, [0, -75, 0, 0]),
]


@pytest.mark.parametrize(("rule", "leader", "expected"), OWN)
def test_doubler_who_takes_his_own_king(rule, leader, expected):
    facts = king(1, 1, leader)
    assert scores("levant", "king", facts, {"doubling.self_capture": rule}) == expected


PARTNER = [
    ("as_opponent", None, [0, 75, 0, -150]),
    ("no_bonus", None, [0, 0, 0, -150]),
    ("normal_value", None, [0, 0, 0, -75]),
    ("opponents_gain", 0, [75, 0, 0, -150]),
    ("opponents_gain", 2, [0, 0, 75, -150]),
    ("opponents_gain", 1, [0, 0, 0, -150]),
    ("opponents_gain", 3, [0, 0, 0, -150]),
]


@pytest.mark.parametrize(("rule", "leader", "expected"), PARTNER)
def test_partner_who_takes_the_doubled_king(rule, leader, expected):
    options = BY_PAIRS | {"doubling.partner_capture": rule}
    assert scores("levant", "king", king(3, 1, leader), options) == expected


def test_opponent_of_a_team_pays_as_ever():
    options = BY_PAIRS | {"doubling.partner_capture": "no_bonus"}
    assert scores("levant", "king", king(2, 1), options) == [0, 75, -150, 0]


def test_announcer_of_all_queens_keeps_single_value_whatever_self_capture_says():
    facts = queens(0, 0, 1, 3, doubles="QH")
    options = WHOLE | {"doubling.self_capture": "quadruple"}
    assert scores("levant", "queens", facts, options) == [0, -50, 0, -50]
    assert scores("kleshchi", "queens", facts, options) == [-50, -50, 0, -50]


def test_king_follows_self_capture_under_whole_contract_too():
    facts = queens(1, 1, 1, 1, doubles="QS") | king(0, 0)
    facts["doubles"] += [{"card": "QD", "by": 2}]
    options = WHOLE | {"doubling.self_capture": "double"}
    assert scores("levant", ["king", "queens"], facts, options) == [-150, -200, 100, 0]


def test_doubling_in_barbu_comes_before_the_factor():
    options = {"doubling.king": True, "doubling.queens": True}
    assert scores("barbu", "king", king(1, 0), options) == [-160, 160, 0, 0]
    general = queens(1, 1, 1, 1, doubles="QH", by=2) | {
        "tricks": [1, 7, 0, 0],
        "hearts": [0, 8, 0, 0],
        "king_taken_by": 1,
        "last_trick_by": 0,
    }
    assert scores("barbu", "general", general, options) == [180, 330, -20, 0]


REVOKES = [
    # what was taken, the remaining, the total
    ("diamonds", {"diamonds": [2, 1, 0, 3]}, [-20, -80, 0, -30], [0, -130, 0, 0]),
    ("diamonds", {"diamonds": [13, 0, 0, 0]}, [-130, 0, 0, 0], [0, -130, 0, 0]),
    ("queens", {"queens": [2, 0, 0, 0]}, [-50, -50, 0, 0], [0, -100, 0, 0]),
    ("queens", queens(0, None, None, 2), [-25, -50, -25, 0], [0, -100, 0, 0]),
    ("queens", queens(0, None, 1, 1, doubles="QS QH"), [0, -100, 0, 0], [50, -150, 0, 0]),
    ("queens", queens(0, None, 2, 2, doubles="QD", by=1), [-25, 0, -75, 0], [0, -100, 0, 0]),
    ("king", {"king_taken_by": 3}, [0, 0, 0, -75], [0, -75, 0, 0]),
    ("king", king(3, 0), [75, 0, 0, -150], [75, -150, 0, 0]),
]


@pytest.mark.parametrize(("contract", "facts", "remaining", "total"), REVOKES)
def test_revoker_takes_what_remains_or_everything(contract, facts, remaining, total):
    facts = facts | {"revoke_by": 1}
    assert scores("levant", contract, facts) == remaining
    assert scores("levant", contract, facts, {"revoke": "total"}) == total


def test_own_untaken_double_of_the_revoker_pays_no_leader():
    options = {"doubling.self_capture": "leader_gains"}
    facts = king(None, 1) | {"revoke_by": 1}
    assert scores("levant", "king", facts, options) == [0, -150, 0, 0]
    taken = king(3, 1, leader=2) | {"revoke_by": 1}
    assert scores("levant", "king", taken, options | {"revoke": "total"}) == [0, -150, 75, 0]


def test_partners_untaken_double_pays_no_opponent():
    options = BY_PAIRS | {"doubling.partner_capture": "opponents_gain"}
    facts = king(None, 1) | {"revoke_by": 3}
    assert scores("levant", "king", facts, options) == [0, 0, 0, -150]


KABBOUT = {"kabbout.contracts": ["diamonds", "queens", "tricks"]}


def test_kabbout_outside_barbu_costs_the_others():
    facts = {"diamonds": [0, 13, 0, 0]}
    assert scores("levant", "diamonds", facts, KABBOUT) == [-400, 0, -400, -400]
    swapped = KABBOUT | {"signs": "swapped", "kabbout.amount": 100}
    assert scores("levant", "diamonds", facts, swapped) == [100, 0, 100, 100]
    all_queens = {"queens": [4, 0, 0, 0]}
    assert scores("levant", "queens", all_queens, KABBOUT) == [0, -400, -400, -400]


def test_no_kabbout_in_a_combination():
    facts = {"diamonds": [0, 13, 0, 0], "tricks": [0, 13, 0, 0]}
    assert scores("levant", ["diamonds", "tricks"], facts, KABBOUT) == [0, -325, 0, 0]


def test_a_revoke_wins_no_kabbout():
    facts = {"diamonds": [0, 5, 0, 0], "revoke_by": 1}
    assert scores("levant", "diamonds", facts, KABBOUT) == [0, -130, 0, 0]
    total = KABBOUT | {"revoke": "total"}
    assert scores("levant", "diamonds", facts, total) == [0, -130, 0, 0]
    everything = {"diamonds": [13, 0, 0, 0], "revoke_by": 1}
    assert scores("levant", "diamonds", everything, KABBOUT) == [0, -400, -400, -400]
    assert scores("levant", "diamonds", everything, total) == [0, -130, 0, 0]


def test_all_hearts_without_all_tricks_are_no_kabbout_in_general():
    facts = {
        "tricks": [7, 1, 0, 0],
        "hearts": [8, 0, 0, 0],
        "queens": [4, 0, 0, 0],
        "king_taken_by": 0,
        "last_trick_by": 0,
    }
    assert scores("barbu", "general", facts, chooser=3) == [390, 10, 0, 0]


def test_cheat_is_multiplied_only_where_the_table_says_so():
    assert scores("barbu", "king", {"cheat_by": 0}, forced=True) == [400, 0, 0, 0]
    options = {"cheat.multiplied": True}
    assert scores("barbu", "king", {"cheat_by": 0}, options, forced=True) == [1600, 0, 0, 0]
    assert scores("barbu", "king", {"cheat_by": 2}, options, forced=True) == [0, 0, 800, 0]
    assert scores("levant", "trex", {"cheat_by": 2}, {"cheat.amount": 50}) == [0, 0, -50, 0]


TREX = [
    ("none", True, [-200, -100, 0, 0]),
    ("first", True, [-400, -100, 0, 0]),
    ("both", True, [-400, -100, 0, 0]),
    ("both", False, [-200, -50, 0, 0]),
    ("none", False, [-100, -50, 0, 0]),
]


@pytest.mark.parametrize(("double", "forced_applies", "expected"), TREX)
def test_factors_of_trex_are_its_own(double, forced_applies, expected):
    options = {"trex_chooser_double": double, "forced_applies_to_trex": forced_applies}
    order = {"finish_order": [0, 1, 2, 3]}
    assert scores("barbu", "trex", order, options, forced=True) == expected


def test_second_place_of_the_chooser_is_doubled_only_under_both():
    order = {"finish_order": [1, 0, 2, 3]}
    assert scores("barbu", "trex", order) == [-100, -100, 0, 0]
    assert scores("barbu", "trex", order, {"trex_chooser_double": "first"}) == [-50, -100, 0, 0]


def test_third_place_of_the_chooser_is_never_doubled():
    order = {"finish_order": [1, 2, 0, 3]}
    assert scores("levant", "trex", order, {"chooser_factor": 2}) == [100, 200, 150, 50]


def test_forfeit_counts_as_if_the_chooser_had_taken_everything():
    options = {"contract_order": "fixed", "forfeit_first_three": True}
    facts = {"forfeited": True}
    three = ["king", "diamonds", "queens"]
    assert scores("kleshchi", three, facts, options, chooser=2) == [0, 0, -305, 0]
    swapped = options | {"signs": "swapped"}
    assert scores("kleshchi", "king", facts, swapped, chooser=2) == [0, 0, 75, 0]


def test_nobody_need_lose_fifty_one_where_the_values_do_not_reach():
    options = {"fifty_one.values": dict.fromkeys("AKQJT987", 1)}
    assert scores("barbu", "fifty_one", {"loser": None}, options) == [0, 0, 0, 0]


def test_lines_say_why_in_any_language():
    result = scored("barbu", "hearts", {"hearts": [2, 6, 0, 0]}, forced=True)
    first, second = result.lines
    assert (first.seat, first.kind, first.item) == (0, "capture", Item.HEARTS)
    assert (first.count, first.value, first.points) == (2, 10, 80)
    assert [tuple(factor) for factor in first.factors] == [("chooser", 2), ("forced", 2)]
    assert [tuple(factor) for factor in second.factors] == [("forced", 2)]


def test_doubled_card_has_a_line_for_taker_and_doubler():
    facts = queens(1, 1, 2, 3, doubles="QS")
    told = [
        (line.seat, line.kind, line.card, line.by, line.points)
        for line in scored("levant", "queens", facts).lines
        if line.card
    ]
    assert told == [(1, "doubled_capture", "QS", 0, -50), (0, "double_bonus", "QS", 1, 25)]


KINDS = [
    ({"king_taken_by": 1}, {}, ["capture"]),
    (king(1, 1), {}, ["own_capture"]),
    (king(1, 1, 2), {"doubling.self_capture": "leader_gains"}, ["own_capture", "leader_bonus"]),
    (king(1, 3), BY_PAIRS | {"doubling.partner_capture": "no_bonus"}, ["partner_capture"]),
    ({"revoke_by": 2}, {}, ["revoke_rest"]),
    (king(None, 0) | {"revoke_by": 2}, {}, ["revoke_rest", "double_bonus"]),
    ({"king_taken_by": 1, "revoke_by": 2}, {"revoke": "total"}, ["revoke_all"]),
    ({"cheat_by": 2}, {"cheat.amount": 1}, ["cheat"]),
]


@pytest.mark.parametrize(("facts", "options", "kinds"), KINDS)
def test_kind_of_each_line(facts, options, kinds):
    assert [line.kind for line in scored("levant", "king", facts, options).lines] == kinds


def test_place_and_winner_stand_in_their_lines():
    trex = scored("levant", "trex", {"finish_order": [2, 0, 3, 1]}).lines
    assert [(line.seat, line.place) for line in trex] == [(2, 1), (0, 2), (3, 3), (1, 4)]
    kabbout = scored("barbu", "tricks", {"tricks": [0, 8, 0, 0]}).lines
    assert [(line.seat, line.kind, line.by) for line in kabbout] == [
        (1, "kabbout_won", None),
        *((seat, "kabbout", 1) for seat in (0, 2, 3)),
    ]


def test_chips_show_signed_points():
    assert worth(preset("levant"), Item.DIAMONDS, 3) == -30
    assert worth(preset("barbu"), Item.HEARTS, 3) == 30
    assert worth(preset("kleshchi-swapped"), Item.KING, 1) == 75
    assert [trex_worth(preset("levant"), place) for place in (1, 2, 3, 4)] == [200, 150, 100, 50]


def test_no_bonus_without_a_loss():
    """rules.md 3.1: in king and queens gains are at most half the losses."""
    for takers in product(range(3), repeat=4):
        facts = queens(*takers, doubles="QS QH QD QC", by=3)
        result = scores("levant", "queens", facts)
        gained = sum(score for score in result if score > 0)
        lost = -sum(score for score in result if score < 0)
        assert 2 * gained <= lost
