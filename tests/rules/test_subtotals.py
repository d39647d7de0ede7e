"""Kingdoms and rounds that a paper sheet knows as sums, filled in later deal by deal."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import Contract, points, ruleset
from scoring.rules.course import Played
from scoring.rules.scoresheet import SheetSubtotal, scoresheet
from scoring.rules.seats import SEATS
from scoring.rules.subtotals import check_subtotal, is_off_paper, possible_range, promised_total
from tests.support.matches import BARBU, KLESHCHI, LEVANT, codes, evening_deals, match
from tests.support.strategies import entries, rulesets
from tests.support.worked import load

EVENINGS = load("evenings")


def subtotal_of(deals, rules, points_=None):
    """What paper says of these deals: their sums, or these."""
    played = tuple(one.played(rules) for one in deals)
    return SheetSubtotal(deals[0].deal_number, played, points_ or sums(deals, rules))


def sums(deals, rules):
    scores = [points(one.entry, rules).scores for one in deals]
    return tuple(sum(column) for column in zip(*scores, strict=True))


def summed(rules, deals, first, last):
    """Deals of a match, those from `first` to `last` known by their sums only."""
    inside = [one for one in deals if first <= one.deal_number <= last]
    outside = [one for one in deals if one not in inside]
    return outside, inside, subtotal_of(inside, rules)


# After a crash nothing is retyped: the sums of a kingdom count as they stand on paper. C67
@pytest.mark.parametrize("rules", [LEVANT, KLESHCHI, BARBU], ids=lambda rules: rules.system)
def test_sheet_with_sums_has_the_totals_of_the_deals(rules):
    evening = next(one for one in EVENINGS if one["system"] == rules.system)
    deals, size = evening_deals(evening, rules), 5 if rules is LEVANT else 4
    outside, _, paper = summed(rules, deals, 1, size)
    whole, short = scoresheet(rules, deals), scoresheet(rules, outside, (), [paper])
    assert short.totals == whole.totals
    assert (short.places, short.winners, short.complete) == (
        whole.places,
        whole.winners,
        whole.complete,
    )
    assert [k.subtotal for k in short.kingdoms] == [k.subtotal for k in whole.kingdoms]
    assert [(k.complete, k.zero) for k in short.kingdoms] == [
        (k.complete, k.zero) for k in whole.kingdoms
    ]
    assert short.rows[0].paper.subtotal == paper
    assert (short.rows[0].number, short.rows[0].deals) == (size, size)


# Whatever is filled in already, in whatever order, the kingdom stays what paper says. C67
@given(filled=st.sets(st.integers(6, 10)), number=st.integers(0, 999))
def test_filled_deal_takes_its_share(filled, number):
    deals = match(LEVANT, rng=Random(number))
    outside, inside, paper = summed(LEVANT, deals, 6, 10)
    known = [one for one in inside if one.deal_number in filled]
    sheet = scoresheet(LEVANT, [*outside, *known], (), [paper])
    assert sheet.totals == scoresheet(LEVANT, deals).totals
    (found,) = sheet.papers
    assert [one.deal_number for one in found.still_open] == sorted({6, 7, 8, 9, 10} - filled)
    assert found.difference == ((0, 0, 0, 0) if len(filled) == 5 else None)
    assert [row.paper for row in sheet.rows if row.paper] == [found] * (len(filled) < 5)
    assert sheet.kingdoms[1].zero


def test_when_all_are_filled_the_deals_count_and_the_difference_is_told():
    deals = match(LEVANT)[:5]
    wrong = (sums(deals, LEVANT)[0] - 15, *sums(deals, LEVANT)[1:3], 15)
    paper = subtotal_of(deals, LEVANT, wrong)
    sheet = scoresheet(LEVANT, deals, (), [paper])
    assert sheet.totals == sums(deals, LEVANT)
    (found,) = sheet.papers
    assert found.difference == tuple(
        said - counted for said, counted in zip(wrong, sheet.totals, strict=True)
    )


def test_deals_on_paper_stand_behind_the_last_that_is_open():
    deals = match(LEVANT)[:7]
    outside, inside, paper = summed(LEVANT, deals, 1, 5)
    sheet = scoresheet(LEVANT, [*inside[3:], *outside], (), [paper])
    assert [row.number for row in sheet.rows] == [3, 4, 5, 6, 7]
    assert sheet.rows[2].totals == sums(inside, LEVANT)


def test_round_with_sums_is_one_round():
    deals = evening_deals(EVENINGS[1], KLESHCHI)[:9]
    outside, _, paper = summed(KLESHCHI, deals, 5, 8)
    sheet = scoresheet(KLESHCHI, outside, (), [paper])
    assert [len(one.rows) for one in sheet.kingdoms] == [4, 1, 1]
    assert [one.complete for one in sheet.kingdoms] == [True, True, False]


# ---- Which deals are still open


def kingdom(first=1, chooser=0, names=("king", "queens", "diamonds", "tricks", "trex")):
    return SheetSubtotal(
        first,
        tuple(
            Played(number, (number + 2) % 4, chooser, Contract.read(name))
            for number, name in enumerate(names, first)
        ),
        (0, 0, 0, 0),
    )


def open_keys(subtotal, *standing):
    found = subtotal.still_open(standing)
    return [(one.deal_number, one.dealer, one.contract.key) for one in found]


def stands(number, name, chooser=0):
    return Played(number, 3, chooser, Contract.read(name))


def test_number_keeps_its_contract_while_that_is_open():
    assert open_keys(kingdom(), stands(2, "queens"), stands(9, "king")) == [
        (1, 3, "king"),
        (3, 1, "diamonds"),
        (4, 2, "tricks"),
        (5, 3, "trex"),
    ]


def test_contract_filled_in_elsewhere_leaves_its_number_to_another():
    assert open_keys(kingdom(), stands(1, "trex")) == [
        (2, 0, "queens"),
        (3, 1, "diamonds"),
        (4, 2, "tricks"),
        (5, 3, "king"),
    ]


def test_deal_that_paper_does_not_have_takes_its_own_number():
    found = open_keys(kingdom(), stands(3, "king", chooser=2))
    assert [key for *_, key in found] == ["king", "queens", "tricks", "trex"]


def test_only_the_last_may_be_another_than_on_paper():
    paper = kingdom(names=("king", "queens"))
    assert is_off_paper(paper, [], stands(1, "tricks"))
    assert is_off_paper(paper, [], stands(1, "queens", chooser=1))
    assert not is_off_paper(paper, [], stands(1, "queens"))
    assert not is_off_paper(paper, [], stands(3, "tricks"))
    assert not is_off_paper(paper, [stands(1, "king")], stands(2, "tricks"))


# ---- What the sums can be


def test_sum_that_the_rules_promise_is_insisted_on():
    paper = SheetSubtotal(1, kingdom().played, (100, -50, -60, 20))
    (problem,) = check_subtotal(paper, LEVANT)
    assert (problem.code, problem.numbers) == ("wrong_sum", {"expected": 0, "found": 10})


def test_no_sum_is_promised_where_the_options_do_not():
    for rules in (BARBU, ruleset("levant", {"doubling.owner_bonus": False})):
        assert promised_total(kingdom().played[:1], rules) is None
    assert promised_total(kingdom().played[2:], LEVANT) == 175


def test_sum_out_of_reach_names_the_seat():
    paper = SheetSubtotal(1, kingdom().played, (900, -500, -200, -200))
    (problem,) = check_subtotal(paper, LEVANT)
    assert (problem.code, problem.field) == ("out_of_reach", "points.0")
    assert problem.numbers == {"seat": 0, "low": -625, "high": 375}


def test_paper_of_every_evening_passes():
    for evening in EVENINGS:
        rules = ruleset(evening["system"], evening["options"])
        deals = evening_deals(evening, rules)
        assert codes(check_subtotal(subtotal_of(deals, rules), rules)) == []


# No sum of a real table is refused, whatever its rules.
@given(data=st.data(), rules=rulesets())
def test_no_deal_is_out_of_reach(data, rules):
    entry = data.draw(entries(rules))
    place = Played(1, 0, entry.chooser, entry.contract, entry.forced)
    bounds = possible_range([place], rules)
    scores = points(entry, rules).scores
    assert all(bounds[seat][0] <= scores[seat] <= bounds[seat][1] for seat in SEATS)


def test_reach_of_a_trex_is_its_best_and_its_worst_place():
    assert possible_range([stands(1, "trex")], LEVANT) == [(50, 200)] * 4
