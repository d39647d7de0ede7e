"""A match as a story: curve, lead, turning points, costs, pace."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from scoring.rules import ruleset
from scoring.rules.scoresheet import SheetAdjustment, scoresheet
from scoring.rules.statistics.match_statistics import (
    best_part,
    contract_of,
    costliest_part,
    curve,
    decisive_lead,
    kingdom_of,
    lead_changes,
    leads,
    pace,
    points_by_part,
    swing,
)
from tests.support.matches import LEVANT, TAKEN_BY_ZERO, deal, trex

NOW = datetime(2026, 11, 12, 20, 0)
LOW = ruleset("kleshchi", {"win": "low", "signs": "swapped"})


def people(number):
    return ("Amal", "Badr", "Carmen", "Dima")


# Seat 0 takes the king (-75), seat 1 five diamonds of it all (-130); then the Trex.
DEALS = [
    deal(1, 0, "king", king_taken_by=0),
    deal(2, 0, "diamonds", diamonds=(0, 13, 0, 0)),
    deal(3, 0, "trex", **trex(0, 1, 2, 3)),
]


def test_curve_begins_at_nothing_and_ends_at_the_totals():
    sheet = scoresheet(LEVANT, DEALS)
    assert curve(LEVANT, sheet) == (
        (0, -75, -75, 125),
        (0, 0, -130, 20),
        (0, 0, 0, 100),
        (0, 0, 0, 50),
    )


def test_curve_of_teams_has_two_lines():
    rules = ruleset("levant", {"teams": "opposite"})
    sheet = scoresheet(rules, DEALS)
    assert curve(rules, sheet) == ((0, -75, -75, 225), (0, 0, -130, 70))
    assert leads(rules, sheet)[-1].now == ((0, 2),)


def test_lead_changes_are_told_with_who_was_there_before():
    found = leads(LEVANT, scoresheet(LEVANT, DEALS))
    assert [(each.row.number, each.before, each.now) for each in found] == [
        (1, (), ((1,), (2,), (3,))),
        (2, ((1,), (2,), (3,)), ((2,), (3,))),
        (3, ((2,), (3,)), ((0,),)),
    ]
    assert [each.row.number for each in lead_changes(found)] == [3]
    assert decisive_lead(found, (0,)).row.number == 3
    assert decisive_lead(found, (2,)) is None  # the tie-break, not the totals, made them first
    assert decisive_lead(found[:2], (2, 3)) is None


def test_lead_that_is_shared_for_a_while_and_kept_was_not_taken():
    deals = [
        deal(1, 0, "king", king_taken_by=0),
        deal(2, 1, "king", king_taken_by=1),
        deal(3, 2, "king", king_taken_by=2),
        deal(4, 3, "king", king_taken_by=3),
    ]
    found = leads(LEVANT, scoresheet(LEVANT, deals))
    assert [len(each.now) for each in found] == [3, 2, 1, 0]  # all level: nobody leads
    assert [(each.row.number, each.now) for each in lead_changes(found)] == [(3, ((3,),))]


def test_lowest_total_leads_where_it_wins():
    sheet = scoresheet(LOW, DEALS[:1])
    assert leads(LOW, sheet)[0].now == ((1,), (2,), (3,))
    assert curve(LOW, sheet)[0][1] > 0


def test_biggest_swing_is_the_deal_that_parted_two_sides_most():
    found = swing(LEVANT, scoresheet(LEVANT, DEALS))
    assert (found.row.number, found.best, found.worst, found.points) == (3, (0,), (3,), 150)
    assert swing(LEVANT, scoresheet(LEVANT, [])) is None
    penalty = [SheetAdjustment(1, (-10_000, 0, 0, 0), "penalty")]
    assert swing(LEVANT, scoresheet(LEVANT, DEALS, penalty)).points == 150


def test_sums_follow_contract_and_kingdom_and_person():
    adjustments = [SheetAdjustment(2, (0, 0, -40, 0), "penalty")]
    sheet = scoresheet(LEVANT, DEALS, adjustments)
    by_contract = points_by_part(sheet, people, contract_of)
    assert by_contract["Amal"] == {"king": -75, "diamonds": 0, "trex": 200}
    assert by_contract["Carmen"] == {"king": 0, "diamonds": 0, "trex": 100}  # no penalty in it
    assert costliest_part(LEVANT, by_contract["Amal"]).part == "king"
    assert best_part(LEVANT, by_contract["Amal"]).points == 200
    assert costliest_part(LEVANT, by_contract["Carmen"]) is None
    assert points_by_part(sheet, people, kingdom_of(sheet))["Badr"] == {0: 20}

    def changed(number):  # Esam sits down for Amal from the second deal on (C75)
        return people(number) if number < 2 else ("Esam", *people(number)[1:])

    assert points_by_part(sheet, changed, contract_of)["Esam"] == {"diamonds": 0, "trex": 200}


def test_dearest_is_the_highest_sum_where_the_lowest_wins():
    own = {"king": 40, "trex": -20}
    assert costliest_part(LOW, own).part == "king"
    assert best_part(LOW, own).part == "trex"


def at(*minutes):
    return {number: NOW + timedelta(minutes=each) for number, each in enumerate(minutes, start=1)}


def test_pace_is_told_from_the_moments_of_the_entries():
    found = pace(at(0, 5, 19, 25), [1, 2, 3, 4])
    assert found.span == timedelta(minutes=25)
    assert found.average == timedelta(minutes=25) / 3
    assert (found.slowest, found.slowest_took) == (3, timedelta(minutes=14))
    assert pace(at(0, 5, 10), [1, 2, 3]).slowest is None


@pytest.mark.parametrize(
    ("entered", "deals"),
    [
        (at(0, 5), 2),
        (at(0, 0.1, 0.2, 0.3), 4),
        (at(0, 9, 5, 12), 4),
        (at(0, 5, 300, 310), 4),
        (at(0, 5, 10), 4),
    ],
    ids=["too few", "typed at once", "out of order", "another evening", "one is missing"],
)
def test_pace_says_nothing_that_it_cannot_know(entered, deals):
    assert pace(entered, range(1, deals + 1)) is None


def test_whole_match_has_its_story():
    deals = [
        replace(deal(number, (number - 1) // 5, name, **TAKEN_BY_ZERO[name]), id=number)
        for number, name in enumerate([*TAKEN_BY_ZERO] * 4, start=1)
    ]
    sheet = scoresheet(LEVANT, deals)
    assert [line[-1] for line in curve(LEVANT, sheet)] == list(sheet.totals)
    kingdoms = points_by_part(sheet, people, kingdom_of(sheet))
    assert sum(kingdoms["Amal"].values()) == sheet.totals[0]
    assert len(kingdoms["Amal"]) == 4
