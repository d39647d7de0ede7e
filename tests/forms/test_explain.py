"""The figures beside each line: count × value × factors, as the table would say them."""

from math import prod
from random import Random

import pytest

from scoring.forms import explain
from scoring.rules import points
from tests.evenings import TABLES, played_evening

NAMES = ["Amal", "Badr", "Carmen", "Dima"]


def explained(system, options):
    """Every deal of a few evenings with its reasons."""
    for seed in range(3):
        evening = played_evening(Random(seed), system, options)
        for deal in evening.deals:
            worth = points(deal.entry, evening.rules)
            yield worth, explain.reasons(worth, NAMES)


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_reasons_sum_to_the_points_of_each_seat(table):
    for worth, reasons in explained(*TABLES[table]):
        for seat, score in enumerate(worth.scores):
            assert sum(each.points for each in reasons if each.seat == seat) == score


@pytest.mark.parametrize("table", range(len(TABLES)))
def test_figures_multiply_to_the_points_of_the_line(table):
    for worth, reasons in explained(*TABLES[table]):
        lines = sorted(worth.lines, key=lambda line: line.seat)
        for line, reason in zip(lines, reasons, strict=True):
            assert reason.points == line.points
            assert reason.what
            if reason.sum:
                assert prod(map(int, reason.sum.split(" × "))) == abs(line.points)
            else:
                assert (line.points, line.factors) == (line.value, ())


def test_every_factor_has_a_word_or_is_said_in_the_line():
    for worth, reasons in explained("barbu", {"doubling.king": True, "doubling.queens": True}):
        lines = sorted(worth.lines, key=lambda line: line.seat)
        for line, reason in zip(lines, reasons, strict=True):
            for factor in line.factors:
                said_already = factor.because == "doubled" and line.kind.endswith("_capture")
                assert said_already or str(explain.REASONS[factor.because]) in reason.why
