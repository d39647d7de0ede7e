"""The lines of every deal: they make its points, and nothing else does."""

from math import prod
from random import Random

import pytest

from scoring.rules import PRESETS, points
from scoring.rules.deal.points import PointsLine
from tests.support.evenings import TABLES, played_evening

KINDS = {
    *("capture", "doubled_capture", "own_capture", "partner_capture"),
    *("double_bonus", "leader_bonus", "revoke_rest", "revoke_all"),
    *("trex_place", "fifty_one", "kabbout", "kabbout_won", "cheat", "forfeit"),
}


def worth_of(system, options, seeds=range(3)):
    """The points of all deals of a few evenings."""
    for seed in seeds:
        evening = played_evening(Random(seed), system, options)
        for deal in evening.deals:
            yield points(deal.entry, evening.rules)


@pytest.mark.parametrize("name", PRESETS)
def test_lines_sum_to_the_points(name):
    for worth in worth_of(PRESETS[name].system, dict(PRESETS[name].options), range(10)):
        for seat, score in enumerate(worth.scores):
            assert sum(line.points for line in worth.lines if line.seat == seat) == score


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_line_is_count_times_value_times_factors(table):
    for worth in worth_of(*TABLES[table]):
        for line in worth.lines:
            times = prod(factor.times for factor in line.factors)
            assert line.points == line.count * line.value * times
            assert {factor.because for factor in line.factors} <= {"doubled", "chooser", "forced"}
        assert tuple(map(sum, zip(*map(_by_seat, worth.lines), strict=True))) == worth.scores


def _by_seat(line):
    return [line.points if seat == line.seat else 0 for seat in range(4)]


def test_every_kind_of_line_occurs():
    worths = [worth for table in TABLES for worth in worth_of(*table)]
    assert {line.kind for worth in worths for line in worth.lines} == KINDS
    assert all(kind in PointsLine.__doc__ for kind in KINDS)


def test_every_factor_occurs_alone_and_with_others():
    worths = [worth for table in TABLES for worth in worth_of(*table)]
    found = {tuple(f.because for f in line.factors) for w in worths for line in w.lines}
    assert {(), ("doubled",), ("chooser",), ("forced",), ("chooser", "forced")} <= found
    assert ("doubled", "chooser", "forced") in found
