"""Places, winners, and what breaks a tie at the top (C-L16, C-L17)."""

import pytest

from scoring.rules import preset, ruleset
from scoring.rules.schedule import turn
from scoring.rules.scoresheet import SheetAdjustment, scoresheet
from tests.support.matches import BARBU, KLESHCHI, LEVANT, deal, match

# ---- Places


@pytest.mark.parametrize(
    ("points", "places"),
    [
        ((10, 20, 30, 40), (4, 3, 2, 1)),
        ((10, 10, 30, 30), (3, 3, 1, 1)),
        ((30, 10, 10, 10), (1, 2, 2, 2)),
        ((30, 30, 30, 10), (1, 1, 1, 4)),
        ((30, 10, 10, 5), (1, 2, 2, 4)),
    ],
)
def test_running_match_ranks_by_totals_alone(points, places):
    sheet = scoresheet(LEVANT, [], [SheetAdjustment(0, points, "paper")])
    assert sheet.places == places
    assert sheet.winners == tuple(seat for seat in range(4) if places[seat] == 1)
    low = scoresheet(BARBU, [], [SheetAdjustment(0, tuple(-each for each in points), "paper")])
    assert low.places == places


@pytest.mark.parametrize(
    ("system", "options", "positives"),
    [
        ("levant", {}, (0, 1)),
        ("levant", {"positive_wins": False}, ()),
        ("levant", {"win": "low"}, (3,)),
        ("levant", {"teams": "opposite"}, (0, 2)),
        ("kleshchi", {}, ()),
        ("kleshchi", {"positive_wins": True}, (0, 1)),
        ("barbu", {}, ()),
        ("barbu", {"positive_wins": True}, (3,)),
    ],
)
def test_totals_beyond_zero_win_too_where_the_rules_say_so(system, options, positives):
    rules = ruleset(system, options)
    sheet = scoresheet(rules, [], [SheetAdjustment(0, (10, 20, 0, -30), "paper")])
    assert sheet.positives == positives


def test_highest_total_wins_even_below_zero():
    rules = preset("levant-inverted")
    sheet = scoresheet(rules, [], [SheetAdjustment(0, (-10, -20, -30, -40), "paper")])
    assert (sheet.winners, sheet.positives) == ((0,), ())


def test_swapped_signs_turn_the_winner_round():
    rules = preset("kleshchi-swapped")
    sheet = scoresheet(rules, [deal(1, 0, "king", king_taken_by=2)])
    assert (sheet.totals, sheet.places) == ((0, 0, 75, 0), (1, 1, 4, 1))


def test_partners_share_their_place():
    rules = preset("levant-partners")
    sheet = scoresheet(rules, [deal(1, 0, "trex", finish_order=(1, 0, 2, 3))])
    assert (sheet.totals, sheet.team_totals) == ((150, 200, 100, 50), (250, 250))
    assert sheet.places == (1, 1, 1, 1)
    sheet = scoresheet(rules, [deal(1, 0, "trex", finish_order=(3, 1, 0, 2))])
    assert (sheet.places, sheet.winners, sheet.team_totals) == ((2, 1, 2, 1), (1, 3), (150, 350))
    assert scoresheet(LEVANT, []).team_totals is None


# ---- Ties at the top


def finished(rules, top, firsts=(4, 0, 0, 0), extra=None):
    """A finished match with these totals and Trex first places, the rest put right by the arbiter;
    `extra` is who took the king in an extra deal."""
    deals = match(rules)
    winners = [seat for seat in range(4) for _ in range(firsts[seat])]
    for place, each in enumerate(deals):
        if each.entry.contract.key == "trex":
            first = winners.pop()
            order = (first, *(seat for seat in range(4) if seat != first))
            deals[place] = deal(each.deal_number, each.chooser, "trex", finish_order=order)
    totals = scoresheet(rules, deals).totals
    wanted = tuple(want - have for want, have in zip(top, totals, strict=True))
    if extra is not None:
        deals.append(deal(21, 0, "king", uses_contract=False, king_taken_by=extra))
    return scoresheet(rules, deals, [SheetAdjustment(20, wanted, "paper")])


def test_more_trex_first_places_break_a_tie_at_the_top():
    sheet = finished(LEVANT, (50, 50, 10, -110), firsts=(1, 2, 0, 1))
    assert (sheet.places, sheet.winners) == ((2, 1, 3, 4), (1,))
    tie = sheet.tie_break
    assert (tie.kind, tie.seats, tie.contenders) == ("trex_firsts", (0, 1), (1,))
    assert (tie.total, tie.firsts, tie.extra) == (50, (1, 2, 0, 1), None)
    assert sheet.extra_due == ()


def test_ties_below_the_top_are_shared():
    sheet = finished(LEVANT, (50, 10, 10, -70), firsts=(0, 3, 1, 0))
    assert (sheet.places, sheet.tie_break) == ((1, 2, 2, 4), None)


def test_losers_of_a_tie_at_the_top_share_the_second_place():
    sheet = finished(LEVANT, (50, 50, 50, -150), firsts=(2, 1, 0, 1))
    assert sheet.places == (1, 2, 2, 4)
    assert sheet.tie_break.seats == (0, 1, 2)


@pytest.mark.parametrize(
    ("totals", "firsts", "due", "places"),
    [
        ((50, 50, 0, -100), (2, 2, 0, 0), (0, 1), (1, 1, 3, 4)),
        ((50, 50, 50, -150), (1, 1, 1, 1), (0, 1, 2), (1, 1, 1, 4)),
        ((50, 50, 50, -150), (2, 2, 0, 0), (0, 1), (1, 1, 3, 4)),
        ((0, 0, 0, 0), (1, 1, 1, 1), (0, 1, 2, 3), (1, 1, 1, 1)),
    ],
)
def test_extra_deal_is_due_between_those_with_equal_firsts(totals, firsts, due, places):
    sheet = finished(LEVANT, totals, firsts)
    assert (sheet.tie_break.kind, sheet.extra_due, sheet.places) == ("extra_due", due, places)
    played = [row.played for row in sheet.rows if row.played]
    assert turn(LEVANT, 0, None, played, tied=sheet.extra_due).extra == due


def test_extra_deal_decides_between_the_tied():
    sheet = finished(LEVANT, (50, 50, 0, -100), (2, 2, 0, 0), extra=0)
    assert sheet.totals == (-25, 50, 0, -100)
    # Only the tied compete: seat 2 has more now than seat 0, and stays behind him.
    assert (sheet.places, sheet.winners) == ((2, 1, 3, 4), (1,))
    assert (sheet.tie_break.kind, sheet.tie_break.extra) == ("extra_deal", (-75, 0, 0, 0))
    assert (sheet.tie_break.total, sheet.extra_due) == (50, ())


def test_extra_deal_that_leaves_them_equal_is_shared():
    sheet = finished(LEVANT, (50, 50, 0, -100), (2, 2, 0, 0), extra=3)
    assert (sheet.places, sheet.tie_break.kind) == ((1, 1, 3, 4), "shared")
    assert sheet.extra_due == ()


def test_extra_deal_stands_outside_kingdoms_and_checks():
    sheet = finished(LEVANT, (50, 50, 0, -100), (2, 2, 0, 0), extra=0)
    assert sum(len(kingdom.rows) for kingdom in sheet.kingdoms) == 20
    assert sheet.zero is True


def test_trex_of_the_extra_deal_is_no_first_place():
    deals = match(LEVANT)
    extra = deal(21, 0, "trex", uses_contract=False, finish_order=(1, 0, 2, 3))
    totals = scoresheet(LEVANT, deals).totals
    level = SheetAdjustment(20, tuple(-each for each in totals), "paper")
    sheet = scoresheet(LEVANT, [*deals, extra], [level])
    assert sheet.tie_break.firsts == (4, 0, 0, 0)
    assert sheet.tie_break.kind == "trex_firsts"


@pytest.mark.parametrize("rules", [KLESHCHI, ruleset("levant", {"tie_break": "shared"})])
def test_tie_is_shared_where_the_rules_say_so(rules):
    sheet = finished(rules, (50, 50, 0, -100), (3, 1, 0, 0))
    assert (sheet.places, sheet.winners) == ((1, 1, 3, 4), (0, 1))
    assert (sheet.tie_break.kind, sheet.tie_break.firsts) == ("shared", None)


def test_teams_add_their_first_places():
    rules = preset("levant-partners")
    sheet = finished(rules, (30, 10, 0, 20), (1, 3, 0, 0))
    assert (sheet.places, sheet.winners) == ((2, 1, 2, 1), (1, 3))
    assert (sheet.tie_break.kind, sheet.tie_break.seats) == ("trex_firsts", (0, 1, 2, 3))
    assert (sheet.tie_break.total, sheet.tie_break.firsts) == (30, (1, 3, 1, 3))
    sheet = finished(rules, (30, 10, 0, 20), (1, 2, 1, 0))
    assert sheet.extra_due == (0, 1, 2, 3)


def test_no_tie_is_broken_before_the_end():
    deals = match(LEVANT)[:-1]
    level = tuple(-each for each in scoresheet(LEVANT, deals).totals)
    sheet = scoresheet(LEVANT, deals, [SheetAdjustment(1, level, "paper")])
    assert (sheet.places, sheet.tie_break, sheet.complete) == ((1, 1, 1, 1), None, False)
