"""One match: rows, running totals, kingdoms and rounds, zero checks."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import preset, ruleset
from scoring.rules.scoresheet import SheetAdjustment, scoresheet
from tests.naive import naive_scores
from tests.support.matches import (
    BARBU,
    KLESHCHI,
    LEVANT,
    deal,
    evening_deals,
    match,
    read_deal,
    trex,
)
from tests.support.worked import load

EVENINGS, SEQUENCES = load("evenings"), load("sequences")
SCORING = {case["id"]: case for case in load("scoring")}


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


@pytest.mark.parametrize(
    ("options", "orders", "leaders"),
    [
        ({}, [], ()),  # four at 0
        ({}, [(2, 0, 3, 1)], (2,)),
        ({}, [(2, 0, 3, 1), (0, 2, 3, 1)], ()),
        ({"teams": "opposite"}, [(2, 0, 3, 1)], (0, 2)),
        ({"teams": "opposite"}, [(0, 1, 3, 2)], ()),
    ],
)
def test_only_who_leads_alone_is_a_leader(options, orders, leaders):
    deals = [deal(at, at, "trex", **trex(*order)) for at, order in enumerate(orders)]
    assert scoresheet(ruleset("levant", options), deals).leaders == leaders


def test_evenings_name_their_winners():
    levant, kleshchi, barbu = (
        scoresheet(rules, evening_deals(evening, rules))
        for evening, rules in zip(EVENINGS, (LEVANT, KLESHCHI, BARBU), strict=True)
    )
    assert (levant.places, levant.winners, levant.positives) == ((1, 3, 2, 4), (0,), (0, 2))
    assert (kleshchi.places, kleshchi.winners, kleshchi.positives) == ((4, 2, 3, 1), (3,), ())
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
    penalty = SheetAdjustment(1, (0, 0, -40, 0), "late")
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
    sheet = scoresheet(LEVANT, match(LEVANT), [SheetAdjustment(3, (-50, 0, 0, 0), "late")])
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
