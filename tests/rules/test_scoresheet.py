"""One match: running totals, kingdoms, checks, places and what breaks a tie."""

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import Contract, Entry, Tally, preset, ruleset
from scoring.rules.reading import read_entry
from scoring.rules.schedule import turn
from scoring.rules.scoresheet import Adjustment, SheetDeal, scoresheet
from tests.naive import naive_scores

CASES = Path(__file__).parents[1] / "cases"
EVENINGS = json.loads((CASES / "evenings.json").read_text(encoding="utf-8"))
SCORING = {
    case["id"]: case for case in json.loads((CASES / "scoring.json").read_text(encoding="utf-8"))
}
SEQUENCES = json.loads((CASES / "sequences.json").read_text(encoding="utf-8"))
LEVANT, KLESHCHI, BARBU = ruleset("levant"), ruleset("kleshchi"), ruleset("barbu")


def deal(number, chooser, contract, uses_contract=True, **facts):
    entry = Entry(Contract.read(contract), chooser, False, Tally(**facts))
    return SheetDeal(number, (chooser - 1) % 4, chooser, entry, uses_contract=uses_contract)


def read_deal(data, rules, number):
    entry = read_entry(data, rules).entry
    return SheetDeal(number, data.get("dealer", 0), data.get("chooser", 0), entry)


def evening_deals(evening, rules):
    return [read_deal(data, rules, data["deal_number"]) for data in evening["deals"]]


def match(rules, rng=None, first_chooser=0, **facts):
    """A whole match of the proposed contracts in which seat 0 takes everything and the Trex goes
    out 0 1 2 3, unless the facts of a contract are given by its name."""
    deals = []
    while not (now := turn(rules, first_chooser, None, [d.played(rules) for d in deals])).over:
        contract = rng.choice(now.contracts) if rng else now.contracts[0]
        tally = {}
        for part in contract.parts:
            tally |= facts.get(part, TAKEN_BY_ZERO[part])
        forced = now.is_forced(contract)
        entry = Entry(contract, now.chooser, forced, Tally(**tally))
        deals.append(SheetDeal(now.deal_number, now.dealer, now.chooser, entry))
    return deals


TAKEN_BY_ZERO = {
    "king": {"king_taken_by": 0},
    "queens": {"queens": (4, 0, 0, 0)},
    "diamonds": {"diamonds": (13, 0, 0, 0)},
    "tricks": {"tricks": (13, 0, 0, 0)},
    "trex": {"finish_order": (0, 1, 2, 3)},
}


def trex(*order):
    return {"finish_order": order}


# ---- Points and totals


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening["external_id"])
def test_every_running_total_of_the_evening_is_right(evening):
    rules = ruleset(evening["system"], evening["options"])
    sheet = scoresheet(rules, evening_deals(evening, rules))
    assert [list(row.points) for row in sheet.rows] == [row["scores"] for row in evening["deals"]]
    assert [list(row.totals) for row in sheet.rows] == [row["totals"] for row in evening["deals"]]
    assert list(sheet.totals) == evening["totals"]
    assert sheet.complete
    assert all(sum(line.points for line in row.lines) == sum(row.points) for row in sheet.rows)


def test_evenings_name_their_winners():
    levant, kleshchi, barbu = (
        scoresheet(rules, evening_deals(evening, rules))
        for evening, rules in zip(EVENINGS, (LEVANT, KLESHCHI, BARBU), strict=True)
    )
    assert (levant.places, levant.winners, levant.positives) == ((1, 3, 2, 4), (0,), (0, 2))
    assert (kleshchi.places, kleshchi.winners) == ((4, 2, 3, 1), (3,))
    assert (barbu.places, barbu.winners, barbu.positives) == ((2, 4, 1, 3), (2,), ())
    assert (levant.tie_break, levant.extra_due) == (None, ())


@pytest.mark.parametrize("chain", SEQUENCES, ids=lambda chain: chain["id"])
def test_sequence_adds_up_to_its_totals(chain):
    cases = [SCORING[name] for name in chain["deals"]]
    options = {name: value for case in cases for name, value in case["options"].items()}
    rules = ruleset(cases[0]["system"], options)
    deals = [read_deal(case, rules, number) for number, case in enumerate(cases, 1)]
    sheet = scoresheet(rules, deals)
    assert list(sheet.totals) == chain["totals"]


def test_rows_stand_in_the_order_of_their_numbers():
    deals = [deal(2, 1, "king", king_taken_by=2), deal(1, 0, "king", king_taken_by=1)]
    sheet = scoresheet(LEVANT, deals)
    assert [row.deal.deal_number for row in sheet.rows] == [1, 2]
    assert sheet.rows[-1].totals == (0, -75, -75, 0)


def test_empty_sheet_has_everybody_first():
    sheet = scoresheet(LEVANT, [])
    assert (sheet.totals, sheet.places, sheet.rows) == ((0, 0, 0, 0), (1, 1, 1, 1), ())
    assert (sheet.complete, sheet.zero, sheet.tie_break) == (False, None, None)


def test_adjustment_is_a_row_of_its_own_after_its_deal():
    deals = [deal(1, 0, "king", king_taken_by=1), deal(2, 0, "trex", finish_order=(0, 1, 2, 3))]
    penalty = Adjustment(1, (0, 0, -40, 0), "late")
    sheet = scoresheet(LEVANT, deals, [penalty])
    assert [row.adjustment for row in sheet.rows] == [None, penalty, None]
    assert sheet.rows[1].totals == (0, -75, -40, 0)
    assert sheet.totals == (200, 75, 60, 50)
    assert sheet.kingdoms[0].subtotal == (200, 75, 100, 50)


# ---- Kingdoms and rounds


def test_kingdoms_have_subtotals_and_sum_to_zero():
    sheet = scoresheet(LEVANT, evening_deals(EVENINGS[0], LEVANT))
    assert [kingdom.chooser for kingdom in sheet.kingdoms] == [1, 2, 3, 0]
    assert [len(kingdom.rows) for kingdom in sheet.kingdoms] == [5] * 4
    assert sheet.kingdoms[0].subtotal == (100, -10, 5, -95)
    assert all(kingdom.complete and kingdom.zero is True for kingdom in sheet.kingdoms)
    assert sheet.zero is True


def test_unfinished_kingdom_promises_nothing_yet():
    deals = evening_deals(EVENINGS[0], LEVANT)
    sheet = scoresheet(LEVANT, deals[:7])
    assert [(kingdom.complete, kingdom.zero) for kingdom in sheet.kingdoms] == [
        (True, True),
        (False, None),
    ]
    sheet = scoresheet(LEVANT, deals[:2] + deals[3:7])
    assert not sheet.kingdoms[0].complete


@pytest.mark.parametrize(
    "options",
    [
        {"doubling.owner_bonus": False},
        {"doubling.self_capture": "double"},
        {"values.trex": [100, 50, 0, -50]},
        {"cheat.amount": 400},
        {"kabbout.contracts": ["tricks"]},
    ],
)
def test_no_check_where_the_rules_promise_no_zero(options):
    rules = ruleset("levant", options)
    sheet = scoresheet(rules, match(rules))
    assert {kingdom.zero for kingdom in sheet.kingdoms} == {None}
    assert sheet.zero is None


@given(st.randoms(use_true_random=False))
def test_kingdoms_of_complex_and_free_combinations_sum_to_zero(rng: Random):
    for rules in (preset("levant-complex"), ruleset("levant", {"combo": "free"})):
        sheet = scoresheet(rules, match(rules, rng))
        assert [kingdom.zero for kingdom in sheet.kingdoms] == [True] * 4


def test_penalty_of_the_arbiter_leaves_the_checks_alone():
    sheet = scoresheet(LEVANT, match(LEVANT), [Adjustment(3, (-50, 0, 0, 0), "late")])
    assert sheet.zero is True
    assert sum(sheet.totals) == -50


def test_rotating_choosers_make_rounds():
    sheet = scoresheet(KLESHCHI, evening_deals(EVENINGS[1], KLESHCHI))
    assert [len(part.rows) for part in sheet.kingdoms] == [4] * 5
    assert {(part.chooser, part.zero, part.complete) for part in sheet.kingdoms} == {
        (None, None, True)
    }
    assert list(sheet.kingdoms[0].rows[-1].totals) == EVENINGS[1]["deals"][3]["totals"]


def test_rounds_keep_the_place_of_missing_deals():
    deals = evening_deals(EVENINGS[1], KLESHCHI)
    sheet = scoresheet(KLESHCHI, [each for each in deals[:14] if each.deal_number not in (4, 5)])
    numbers = [[row.deal.deal_number for row in part.rows] for part in sheet.kingdoms]
    assert numbers == [[1, 2, 3], [6, 7, 8], [9, 10, 11, 12], [13, 14]]
    assert [part.complete for part in sheet.kingdoms] == [False, False, True, False]


def test_round_has_its_replayed_deal_too():
    rules = ruleset("barbu", {"cheat.replay": True})
    deals = [
        deal(1, 0, "king", king_taken_by=1),
        deal(2, 1, "king", uses_contract=False, cheat_by=2),
        deal(3, 1, "king", king_taken_by=1),
        deal(4, 2, "king", king_taken_by=1),
        deal(5, 3, "king", king_taken_by=1),
        deal(6, 0, "last_trick", last_trick_by=1),
    ]
    sheet = scoresheet(rules, deals)
    assert [len(part.rows) for part in sheet.kingdoms] == [5, 1]
    assert [part.complete for part in sheet.kingdoms] == [True, False]
    assert sheet.rows[1].points == (0, 0, 400, 0)


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
    sheet = scoresheet(LEVANT, [], [Adjustment(0, points, "paper")])
    assert sheet.places == places
    assert sheet.winners == tuple(seat for seat in range(4) if places[seat] == 1)
    low = scoresheet(BARBU, [], [Adjustment(0, tuple(-each for each in points), "paper")])
    assert low.places == places


def test_every_positive_total_wins_beside_the_champion_where_high_wins():
    sheet = scoresheet(LEVANT, [], [Adjustment(0, (10, 20, 0, -30), "paper")])
    assert (sheet.winners, sheet.positives) == ((1,), (0, 1))
    assert scoresheet(BARBU, [], [Adjustment(0, (10, 20, 0, -30), "paper")]).positives == ()


def test_highest_total_wins_even_below_zero():
    rules = preset("levant-inverted")
    sheet = scoresheet(rules, [], [Adjustment(0, (-10, -20, -30, -40), "paper")])
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
    return scoresheet(rules, deals, [Adjustment(20, wanted, "paper")])


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
    level = Adjustment(20, tuple(-each for each in totals), "paper")
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
    sheet = scoresheet(LEVANT, deals, [Adjustment(1, level, "paper")])
    assert (sheet.places, sheet.tie_break, sheet.complete) == ((1, 1, 1, 1), None, False)


# ---- Laws


@given(st.randoms(use_true_random=False), st.integers(0, 3))
def test_turning_the_seats_turns_the_sheet(rng: Random, by):
    order = rng.sample(range(4), 4)
    deals = match(LEVANT, rng, trex=trex(*order))
    turned = match(
        LEVANT,
        Random(0),
        first_chooser=by,
        king={"king_taken_by": by},
        trex=trex(*((seat + by) % 4 for seat in order)),
        queens={"queens": tuple(4 * (seat == by) for seat in range(4))},
        diamonds={"diamonds": tuple(13 * (seat == by) for seat in range(4))},
        tricks={"tricks": tuple(13 * (seat == by) for seat in range(4))},
    )
    sheet, other = scoresheet(LEVANT, deals), scoresheet(LEVANT, turned)
    assert [other.totals[(seat + by) % 4] for seat in range(4)] == list(sheet.totals)
    assert [other.places[(seat + by) % 4] for seat in range(4)] == list(sheet.places)


@given(st.integers(0, 2), st.randoms(use_true_random=False))
def test_void_and_enter_again_is_as_if_it_never_happened(which, rng: Random):
    rules = (LEVANT, KLESHCHI, BARBU)[which]
    deals = evening_deals(EVENINGS[which], rules)
    again = rng.sample(deals, 3)
    voided = [each for each in deals if each not in again]
    assert not scoresheet(rules, voided).complete
    assert scoresheet(rules, voided + again) == scoresheet(rules, deals)


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening["external_id"])
def test_sheet_agrees_with_the_naive_scorer(evening):
    rules = ruleset(evening["system"], evening["options"])
    sheet = scoresheet(rules, evening_deals(evening, rules))
    for row, data in zip(sheet.rows, evening["deals"], strict=True):
        case = {"system": evening["system"], "options": evening["options"], **data}
        assert list(row.points) == naive_scores(case)
