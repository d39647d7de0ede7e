"""Every kind of slip that people make on paper is found."""

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from scoring.finder import Entered, TotalsRun, WrittenLine, WrittenSheet, WrittenTotal, find
from scoring.rules import Contract, points, ruleset
from tests.finder import brute
from tests.finder.evenings import WRITTEN, some_evening
from tests.finder.slips import FORMS, planted

KLESHCHI, LEVANT, BARBU = ruleset("kleshchi"), ruleset("levant"), ruleset("barbu")
SEEDS = (0, 4, 8)  # levant, kleshchi, barbu


@pytest.fixture(scope="module")
def evenings():
    return {seed: (beginning(some_evening(seed)), brute.remembered()) for seed in SEEDS}


def beginning(evening):
    """The first deals, which are enough for every kind."""
    return replace(evening, truth=evening.truth[:6], played=evening.played[:6])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", SEEDS)
def test_slip_of_every_kind_is_found(evenings, seed, form):
    evening, near = evenings[seed]
    for written in WRITTEN:
        for slip in planted(evening, written, form, Random(seed), near):
            changes = find(slip.sheet, evening.ruleset).changes
            assert any(map(slip.is_right, changes)), (written, slip.kind)


@pytest.mark.parametrize("seed", SEEDS)
def test_slips_in_adding_are_those_of_trying_everything(evenings, seed):
    evening, near = evenings[seed]
    for written in WRITTEN:
        for slip in planted(evening, written, "entered", Random(seed), near):
            if slip.row is None:
                found = brute.marks_of(find(slip.sheet, evening.ruleset))
                assert found == brute.mending(slip.sheet, evening.ruleset, near), slip.kind


def test_double_that_changes_no_number_may_explain_it():
    """Who doubled K♥ and took it himself pays once; another taker pays twice."""
    line = WrittenLine((0, -75, 0, 0), Contract.read("king"))
    found = find(WrittenSheet([line], [WrittenTotal("match", (0,), (0, 0, -150, 0))]), KLESHCHI)
    (change,) = [each for each in found.changes if each.kind == "taker"]
    assert (change.after, change.guessed) == ((0, 0, -150, 0), True)
    assert [(d.card, d.by) for d in change.entry.tally.doubles] == [("KH", 1)]
    assert change.corrected.tally.king_taken_by == 2


def test_unseen_doubles_of_queens_are_those_of_trying_everything():
    line = WrittenLine((-50, -25, -25, 0), Contract.read("queens"))
    every = [
        brute.entry_of("queens", queens_taken_by=dict(zip(brute.QUEENS, takers, strict=True)))
        for takers in set(permutations((0, 0, 1, 2)))
    ]
    behind = [entry for entry in every if brute.scores(entry, KLESHCHI) == line.points]
    doubled = {
        brute.canonical(near): near
        for entry in behind
        for kind, near in brute.neighbours(entry, KLESHCHI)
        if kind == "missing" and brute.scores(near, KLESHCHI) == line.points
    }
    wanted = {
        brute.scores(near, KLESHCHI)
        for entry in doubled.values()
        for kind, near in brute.neighbours(entry, KLESHCHI)
        if kind in ("queens", "exchanged")
    } - {line.points}
    assert wanted
    for scores in wanted:
        found = find(WrittenSheet([line], [WrittenTotal("match", (0,), scores)]), KLESHCHI)
        assert any(change.guessed and change.after == scores for change in found.changes), scores


def test_one_slip_in_running_totals_is_one_run():
    lines = [
        WrittenLine((0, -75, 0, 0)),
        WrittenLine((-75, 0, 0, 0)),
        WrittenLine((0, 0, 0, -75)),
    ] * 2
    sums = [brute.summed(WrittenSheet(lines), range(row + 1)) for row in range(6)]
    wrong = [(a + 10 * (row >= 2), b, c, d) for row, (a, b, c, d) in enumerate(sums)]
    totals = [
        WrittenTotal("running", tuple(range(row + 1)), four) for row, four in enumerate(wrong)
    ]
    totals.append(WrittenTotal("match", tuple(range(6)), wrong[-1]))
    found = find(WrittenSheet(lines, totals), LEVANT)
    assert found.runs == (TotalsRun((2, 3, 4, 5, 6), ((0, 10),), True),)
    assert [(each.kind, each.total) for each in found.changes][:1] == [("total_carried", 2)]
    # What is off in one total alone is a run of its own.
    alone = list(sums)
    alone[3] = (sums[3][0], sums[3][1] + 75, sums[3][2] - 5, sums[3][3])
    totals = [
        WrittenTotal("running", tuple(range(row + 1)), four) for row, four in enumerate(alone)
    ]
    by_seat = (TotalsRun((3,), ((1, 75), (2, -5)), False),)
    assert WrittenSheet(lines, totals).runs == by_seat


def test_line_skipped_is_not_late_where_it_is_new():
    lines = [
        WrittenLine((0, -75, 0, 0)),
        WrittenLine((-40, -30, -60, 0)),
        WrittenLine((0, 0, 0, -75)),
    ]
    sums = [(0, -75, 0, 0), (0, -75, 0, 0), (0, -75, 0, -75)]
    totals = [WrittenTotal("running", tuple(range(row + 1)), four) for row, four in enumerate(sums)]
    first = find(WrittenSheet(lines, totals), LEVANT).changes[0]
    assert (first.kind, first.total, first.slip.line) == ("line_skipped", 1, 1)
    assert (first.slip.totals, first.slip.late) == ((1, 2), False)


def test_factor_and_chooser_of_barbu():
    facts = {"tricks": (4, 2, 1, 1)}
    entry = brute.entry_of("tricks", chooser=1, **facts)
    for kind, truth in [
        ("forced_missing", brute.entry_of("tricks", chooser=1, forced=True, **facts)),
        ("chooser", brute.entry_of("tricks", chooser=2, **facts)),
    ]:
        total = WrittenTotal("match", (0,), points(truth, BARBU).scores)
        changes = find(WrittenSheet([Entered.of(entry, BARBU)], [total]), BARBU).changes
        assert [each.corrected for each in changes if each.kind == kind] == [truth]


def test_nobody_chooses_a_contract_twice():
    deals = [brute.entry_of(key, **{key: (4, 4, 4, 1)}) for key in ("diamonds", "tricks")]
    lines = [Entered.of(entry, LEVANT) for entry in deals]
    as_tricks = points(brute.entry_of("tricks", tricks=(4, 4, 4, 1)), LEVANT).scores
    total = WrittenTotal("match", (0, 1), tuple(2 * each for each in as_tricks))
    assert "contract" not in {
        each.kind for each in find(WrittenSheet(lines, [total]), LEVANT).changes
    }
    alone = WrittenSheet(lines[:1], [WrittenTotal("match", (0,), as_tricks)])
    (change,) = [each for each in find(alone, LEVANT).changes if each.kind == "contract"]
    assert change.corrected == deals[1]
