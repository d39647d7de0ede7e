"""The finder says what trying everything says."""

from random import Random

import pytest

from scoring.finder import Entered, WrittenSheet, WrittenTotal, find
from scoring.finder.single import after, is_possible, steps
from scoring.rules import Double, points, ruleset
from tests import chance
from tests.finder import brute
from tests.finder.evenings import WRITTEN, some_deal, some_evening

EVENINGS = chance.seeds(20)


@pytest.fixture(scope="module")
def evenings():
    return [some_evening(seed) for seed in EVENINGS]


@pytest.mark.parametrize("seed", EVENINGS)
def test_changes_are_those_of_trying_everything(evenings, seed):
    evening = evenings[seed]
    near = brute.remembered()
    for written in WRITTEN:
        sheet = evening.sheet(written)
        found = find(sheet, evening.ruleset)
        assert brute.marks_of(found) == brute.mending(sheet, evening.ruleset, near), written


def test_planted_change_is_among_the_first_three_of_nineteen_in_twenty(evenings):
    first = []
    for evening in evenings:
        for written in ("running", "kingdom"):
            changes = find(evening.sheet(written), evening.ruleset).changes[:3]
            first.append(evening.slip in [brute.mark_of(change) for change in changes])
    assert sum(first) >= 0.95 * len(first)


def test_planted_change_is_always_in_the_list(evenings):
    for evening in evenings:
        for written in WRITTEN:
            assert evening.slip in brute.marks_of(find(evening.sheet(written), evening.ruleset))


def test_changes_of_equal_cost_stand_in_one_group(evenings):
    for evening in evenings:
        groups = find(evening.sheet("match"), evening.ruleset).groups
        costs = [{change.cost for change in group} for group in groups]
        assert all(len(each) == 1 for each in costs)
        assert sorted(costs, key=min) == costs
        assert len(set().union(*costs)) == len(costs)


HOUSES = [
    ("levant", {"doubling.self_capture": "leader_gains"}),
    ("levant", {"doubling.self_capture": "quadruple", "combo": "free"}),
    ("levant", {"teams": "opposite", "doubling.partner_capture": "opponents_gain"}),
    ("barbu", {"doubling.king": True, "doubling.queens": True}),
    ("barbu", {"kabbout.contracts": ["queens", "tricks"], "kabbout.multiplied": False}),
]


@pytest.mark.parametrize(("system", "options"), HOUSES)
def test_neighbours_are_the_same_under_house_rules(system, options):
    rules = ruleset(system, options)
    rng = Random(system)
    for _ in range(6):
        entry = some_deal(rng, rules)
        now = points(entry, rules).scores
        mine = {
            brute.canonical(after(entry, step))
            for step in steps(entry, rules)
            if is_possible(after(entry, step), rules)
            and not (step.frame and points(after(entry, step), rules).scores == now)
        }
        mine -= {brute.canonical(entry)}
        assert mine == {brute.canonical(near) for _, near in brute.neighbours(entry, rules)} | {
            brute.canonical(each) for each in brute.other_leaders(entry, rules)
        }


def test_what_is_left_after_a_revoke_may_be_somebodys_after_all():
    rules = ruleset("levant")
    entry = brute.entry_of("diamonds", diamonds=(3, 2, 1, 0), revoke_by=3)
    changed = brute.entry_of("diamonds", diamonds=(4, 2, 1, 0), revoke_by=3)
    sheet = WrittenSheet(
        [Entered.of(entry, rules)], [WrittenTotal("match", (0,), points(changed, rules).scores)]
    )
    assert [change.corrected for change in find(sheet, rules).changes] == [changed]


def test_one_announcement_speaks_for_all_queens():
    rules = ruleset("kleshchi", {"doubling.queens_unit": "whole_contract"})
    takers = {"QS": 0, "QH": 0, "QD": 1, "QC": 1}
    entry = brute.entry_of("queens", queens_taken_by=takers)
    doubled = brute.entry_of("queens", queens_taken_by=takers, doubles=(Double("QS", 3),))
    total = WrittenTotal("match", (0,), points(doubled, rules).scores)
    changes = find(WrittenSheet([Entered.of(entry, rules)], [total]), rules).changes
    assert [(each.kind, each.step.target) for each in changes if each.step] == [
        ("double_missing", 2),  # whoever took none of them: the points are the same
        ("double_missing", 3),
    ]
