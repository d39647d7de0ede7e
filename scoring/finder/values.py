"""Other numbers that a seat could have in a line, if the three others are right."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.finder.facts import PossibleFacts, at_fault, kabbouts, orders
from scoring.finder.prices import Prices
from scoring.finder.sheet import Some, WrittenLine
from scoring.rules.seats import SEATS, Seat


def other_values(
    line: WrittenLine, seat: Seat, wanted: Some, facts: PossibleFacts
) -> Iterator[int]:
    """Return the number that is wanted of this seat.

    Where none is, every number that could make the line possible. Never the one that is there."""
    want, there = wanted[seat], line.points[seat]
    if want is not None:
        yield from (number for number in (want,) if number != there)
        return
    found: set[int] = set()
    for prices in facts.frames_of(line):
        found.update(_values(line, seat, prices))
    yield from sorted(found - {there})


def _values(line: WrittenLine, seat: Seat, prices: Prices) -> Iterator[int]:
    special = prices.contract.special
    turned = orders() if special == "trex" else kabbouts(prices)
    for tally in (*turned, *at_fault(prices)):
        yield prices.scores(tally)[seat]
    if special == "fifty_one":
        yield from (0, prices.loss[seat])
    elif not special:
        yield from _completions(line, seat, prices)


def _completions(line: WrittenLine, seat: Seat, prices: Prices) -> Iterator[int]:
    """Return what is missing to each possible sum."""
    factors, points = prices.factors, line.points
    others = [other for other in SEATS if other != seat]
    if any(points[other] % factors[other] for other in others):
        return
    have = sum(points[other] // factors[other] for other in others)
    for total in prices.sums:
        yield (total - have) * factors[seat]
