"""What is said of a sheet of points, and of totals that do not agree."""

from dataclasses import replace
from random import Random

import pytest

from scoring.finder import (
    Effort,
    Entered,
    Fixed,
    PossibleFacts,
    WrittenLine,
    WrittenSheet,
    WrittenTotal,
    find,
)
from scoring.finder.search import by_explanation
from scoring.rules import Contract, Double, points, preset, ruleset
from scoring.rules.seats import SEATS
from tests.finder import brute
from tests.finder.evenings import whole_match

LEVANT = ruleset("levant")
PLAIN = ruleset("levant", {"doubling.queens": False})


def line(contract, *scores):
    return WrittenLine(scores, Contract.read(contract))


def match_total(*scores, rows=1):
    return WrittenTotal("match", tuple(range(rows)), scores)


def test_sheet_that_agrees_has_nothing_to_mend():
    found = find(
        WrittenSheet([line("diamonds", -30, -40, -60, 0)], [match_total(-30, -40, -60, 0)]), PLAIN
    )
    assert found.agrees
    assert found.groups == ()


def test_number_that_breaks_the_sum_of_a_line_is_found_without_totals():
    found = find(WrittenSheet([line("diamonds", -30, -40, -30, -20)]), PLAIN)
    assert found.impossible == (0,)
    assert {change.after for change in found.changes} == {
        (-40, -40, -30, -20),
        (-30, -50, -30, -20),
        (-30, -40, -40, -20),
        (-30, -40, -30, -30),
    }
    assert len(found.groups) == 1  # equally likely, and it says so


def test_total_tells_which_number_it_was():
    total = match_total(-30, -40, -30, -30)
    (change,) = find(WrittenSheet([line("diamonds", -30, -40, -30, -20)], [total]), PLAIN).changes
    assert (change.kind, change.after, change.seats) == ("line_number", (-30, -40, -30, -30), (3,))


def test_columns_that_were_mistaken():
    total = match_total(-75, 0, 0, 0)
    found = find(WrittenSheet([line("king", 0, -75, 0, 0)], [total]), PLAIN)
    kinds = [change.kind for change in found.changes]
    assert kinds == ["totals_exchanged", "taker", "line_exchanged"]


def test_two_impossible_lines_cannot_be_mended_by_one_change():
    lines = [line("diamonds", -30, -40, -30, -20), line("tricks", -15, 0, 0, 0)]
    found = find(WrittenSheet(lines), PLAIN)
    assert found.impossible == (0, 1)
    assert found.changes == ()


def test_disagreement_that_nothing_explains():
    total = match_total(-31, -42, -33, 7)
    found = find(WrittenSheet([line("diamonds", -30, -40, -60, 0)], [total]), PLAIN)
    assert [each.off_by for each in found.disagreements] == [-1, -2, 27, 7]
    assert found.changes == ()


def test_slip_in_adding_is_carried_on():
    lines = [line("diamonds", -30, -40, -60, 0), line("king", 0, -75, 0, 0)] * 2
    sums = [(-30, -40, -60, 0), (-30, -115, -60, 0), (-60, -155, -120, 0), (-60, -230, -120, 0)]
    for row in (2, 3):
        sums[row] = (-60, sums[row][1], -110, 0)
    totals = [WrittenTotal("running", tuple(range(row + 1)), sums[row]) for row in range(4)]
    (change,) = find(WrittenSheet(lines, totals), PLAIN).changes
    assert (change.kind, change.total, change.seats) == ("total_carried", 2, (2,))
    assert (change.before[2], change.after[2]) == (-110, -120)


def test_single_wrong_total_is_a_number_and_not_carried():
    lines = [line("king", 0, -75, 0, 0)] * 3
    sums = [(0, -75, 0, 0), (0, -105, 0, 0), (0, -225, 0, 0)]
    totals = [WrittenTotal("running", tuple(range(row + 1)), sums[row]) for row in range(3)]
    kinds = [change.kind for change in find(WrittenSheet(lines, totals), PLAIN).changes]
    assert kinds == ["total_number"]


def test_penalty_counts_in_totals_and_is_never_doubted():
    king = brute.entry_of("king", king_taken_by=1)
    sheet = WrittenSheet(
        [Entered.of(king, LEVANT), Fixed((0, 0, -50, 0))],
        [match_total(-75, 0, -50, 0, rows=2)],
    )
    (change,) = [each for each in find(sheet, LEVANT).changes if each.row is not None]
    assert change.row == 0
    assert change.corrected.tally.king_taken_by == 0


def test_penalty_that_paper_may_not_have_is_told():
    king = brute.entry_of("king", king_taken_by=1)
    penalty = Fixed((0, -40, -40, 0), beside=True)
    lines = [Entered.of(king, LEVANT), penalty]
    (change,) = find(WrittenSheet(lines, [match_total(0, -75, 0, 0, rows=2)]), LEVANT).changes
    assert (change.kind, change.row, change.after) == ("left_out", 1, (0, 0, 0, 0))
    # Not where only a part of it is missing, nor what stands beside no deal.
    assert not find(WrittenSheet(lines, [match_total(0, -75, -40, 7, rows=2)]), LEVANT).changes
    kept = [lines[0], replace(penalty, beside=False)]
    assert not find(WrittenSheet(kept, [match_total(0, -75, 0, 0, rows=2)]), LEVANT).changes


def test_numbers_that_nobody_wrote_ask_nothing():
    king = brute.entry_of("king", king_taken_by=1)
    sheet = WrittenSheet([Entered.of(king, LEVANT)], [match_total(None, 0, None, None)])
    changes = find(sheet, LEVANT).changes
    assert {change.corrected.tally.king_taken_by for change in changes if change.row == 0} == {
        *(0, 2, 3)
    }


def test_queens_that_no_sheet_tells_apart_are_one_change():
    entry = brute.entry_of("queens", queens_taken_by={"QS": 0, "QH": 0, "QD": 1, "QC": 2})
    sheet = WrittenSheet([Entered.of(entry, PLAIN)], [match_total(-25, -50, -25, 0)])
    (change,) = [each for each in find(sheet, PLAIN).changes if each.row is not None]
    assert change.kind == "moved"
    both = [change.corrected, *change.others]
    assert [each.tally.queens_taken_by["QH"] for each in both] == [0, 1]


# ---- A sheet of points against trying everything


def everything(rules, contract):
    """All facts of a contract with unnamed queens and without doubles, by their points."""
    found = {}
    for entry in all_facts(contract, rules):
        found.setdefault(brute.scores(entry, rules), []).append(entry)
    return found


def all_facts(contract, rules):
    if contract == "trex":
        return [brute.entry_of(contract, finish_order=order) for order in brute.orders()]
    if contract == "king":
        return [brute.entry_of(contract, king_taken_by=seat) for seat in SEATS]
    counts = brute.compositions(4 if contract == "queens" else 13)
    return [brute.entry_of(contract, **{contract: each}) for each in counts]


def written_mending(sheet, known):
    """(kind, row, points) of every change of a line of points that mends everything."""
    wrong = [n for n, each in enumerate(sheet.lines) if each.points not in known[key(each)]]
    for row, each in enumerate(sheet.lines):
        if [n for n in wrong if n != row]:
            continue
        possible = known[key(each)]
        for scores in possible:
            if scores == each.points or not brute.agrees(
                brute.with_line(sheet, row, WrittenLine(scores))
            ):
                continue
            different = [s for s in SEATS if scores[s] != each.points[s]]
            if len(different) == 1:
                yield "line_number", row, scores
            if len(different) == 2 and sorted(scores) == sorted(each.points):
                yield "line_exchanged", row, scores
            if one_slip(possible.get(each.points, ()), possible[scores]):
                yield "facts", row, scores


def one_slip(before, after):
    wanted = [brute.canonical(entry) for entry in after]
    return any(
        brute.canonical(near) in wanted
        for entry in before
        for _, near in brute.neighbours(entry, NO_DOUBLES)
    )


def key(line):
    return line.contract.key


NO_DOUBLES = ruleset("levant", {"doubling.queens": False, "doubling.king": False})


@pytest.mark.parametrize("seed", range(12))
def test_changes_of_a_sheet_of_points_are_those_of_trying_everything(seed):
    rng = Random(seed)
    _, entries = whole_match(rng, NO_DOUBLES)
    entries = entries[:8]
    known = {name: everything(NO_DOUBLES, name) for name in NO_DOUBLES.contracts}
    true = [points(entry, NO_DOUBLES).scores for entry in entries]
    lines = [WrittenLine(scores, e.contract) for scores, e in zip(true, entries, strict=True)]
    sums = tuple(sum(scores[seat] for scores in true) for seat in SEATS)
    row = rng.randrange(len(lines))
    lines[row] = replace(lines[row], points=slipped(rng, known[key(lines[row])], true[row]))
    running = [
        WrittenTotal("running", tuple(range(n)), tuple(sum(t[s] for t in true[:n]) for s in SEATS))
        for n in range(1, len(true) + 1)
    ]
    for totals in ([match_total(*sums, rows=len(lines))], running):
        sheet = WrittenSheet(lines, totals)
        found = {
            ("facts" if change.guessed else change.kind, change.row, change.after)
            for change in find(sheet, NO_DOUBLES).changes
            if change.row is not None
        }
        assert found == set(written_mending(sheet, known))


def slipped(rng, known, scores):
    """Another line: of facts, or with one number wrong."""
    if rng.random() < 0.5:
        return rng.choice([each for each in known if each != scores])
    changed = list(scores)
    changed[rng.randrange(4)] += rng.choice([-10, 10, -30, 25, 100])
    return tuple(changed)


# -- how much is tried


COMPLEX = preset("levant-complex")
HARD = {
    "many facts": [WrittenLine((-525 + 5 * n, -75 - 5 * n, 50, 50)) for n in range(40)],
    "none": [WrittenLine((-501 - n, 1 + n, 0, 0)) for n in range(40)],
}


@pytest.mark.parametrize("lines", HARD.values(), ids=HARD)
def test_search_ends_where_it_is_told_to(lines):
    effort, tried = Effort(300_000), []
    spend = effort.spend
    effort.spend = lambda tries=1: (tried.append(tries), spend(tries))
    sheet = WrittenSheet(lines, [WrittenTotal("match", tuple(range(40)), (None, 0, None, None))])
    found = find(sheet, COMPLEX, PossibleFacts(COMPLEX, effort))
    assert not found.whole
    assert not found.agrees
    assert sum(tried) < 310_000
    for meaning in found.meanings:
        assert [bool(meaning.facts), meaning.impossible, meaning.open].count(True) == 1
    assert found.meanings[-1].open


def test_search_that_ends_early_says_nothing_wrong():
    sheet = WrittenSheet(
        [line("diamonds", -30, -40, -30, -30), line("king", 0, -75, 0, 0)],
        [match_total(-30, -115, -20, -30, rows=2)],
    )
    every = find(sheet, PLAIN)
    assert every.whole
    for most in range(0, 4000, 40):
        found = find(sheet, PLAIN, PossibleFacts(PLAIN, Effort(most)))
        assert set(found.impossible) == set()
        marks = {brute.mark_of(change) for change in every.changes}
        assert {brute.mark_of(change) for change in found.changes} <= marks


# -- changes that no total tells apart


def doubled(by):
    """The queens to 0, 1, 2, 3, the spade doubled by this seat."""
    facts = {"queens_taken_by": {"QS": 0, "QH": 1, "QD": 2, "QC": 3}}
    doubles = () if by is None else (Double("QS", by),)
    return brute.entry_of("queens", chooser=0, **facts, doubles=doubles)


def test_doubles_that_no_total_tells_apart_are_one_explanation():
    right = points(doubled(None), LEVANT).scores
    found = find(WrittenSheet([Entered.of(doubled(1), LEVANT)], [match_total(*right)]), LEVANT)
    explained = [[change.kind for change in each] for each in found.explanations]
    # Doubled by its taker it counts as if it were not; his double of another's queen gives back.
    assert explained == [["doubler", "double_extra", "double_missing"], ["exchanged"]]
    assert [kind for each in explained for kind in each] == [c.kind for c in found.changes]
    assert found.explanations[0][0].row == 0


def test_same_kind_of_slip_in_another_line_is_another_explanation():
    wrong = Entered.of(doubled(1), LEVANT)
    right = [2 * point for point in wrong.points]
    once = points(doubled(None), LEVANT).scores
    total = match_total(
        *(a - b + c for a, b, c in zip(right, wrong.points, once, strict=True)), rows=2
    )
    found = find(WrittenSheet([wrong, wrong], [total]), LEVANT)
    rows = [[change.row for change in each] for each in found.explanations]
    assert rows == [[0, 0, 0], [1, 1, 1], [0], [1]]


def test_of_equal_cost_what_has_more_ways_comes_first():
    wrong = Entered.of(doubled(1), LEVANT)
    total = match_total(*points(doubled(None), LEVANT).scores)
    for group in find(WrittenSheet([wrong], [total]), LEVANT).groups:
        ways = [len(each) for each in by_explanation(group)]
        assert ways == sorted(ways, reverse=True)
