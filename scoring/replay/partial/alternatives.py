"""What a revoke cost: the deal from that play on with a legal card, beside what happened.

An arbiter's help, never a ruling. Near the end of a deal all continuations are counted; else some
thousand are played out by legal cards that `choose` picks, which must pick the same each time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from scoring.replay.breaches import Breach
from scoring.replay.partial.completions import LIMIT, outcomes_of, tally_of
from scoring.replay.play.outcome import tally_of_tricks
from scoring.replay.play.table import leader_of, new_table
from scoring.replay.play.tricks import Tricks
from scoring.replay.record import Play, Record
from scoring.replay.result import Replay, Scores
from scoring.rules import Double, Ruleset, Tally, points
from scoring.rules.cards import Card
from scoring.rules.deal.doubling import asks_for_leader
from scoring.rules.seats import SEATS

SAMPLES = 2_000
"""How many continuations are played out where they cannot be counted, over all legal cards."""

type Choose = Callable[[Sequence[Card]], Card]


class SeatRange(NamedTuple):
    """Points of a seat: the lowest and the highest, and between what the middle half lies."""

    lowest: int
    low: int
    high: int
    highest: int


class Alternative(NamedTuple):
    """A legal card instead of the one played.

    `ways` are the continuations counted, all of them if `is_exact`; `seats` the points by seat."""

    card: Card
    is_exact: bool
    ways: int
    seats: tuple[SeatRange, ...]


class RevokeCost(NamedTuple):
    """The first revoke, what came of the deal, and what each legal card would have led to."""

    breach: Breach
    happened: Scores
    alternatives: tuple[Alternative, ...]


def revoke_cost(
    record: Record, found: Replay, ruleset: Ruleset, choose: Choose
) -> RevokeCost | None:
    """Return what the first revoke cost; None without one, or where a hand is not known."""
    breach = next((each for each in found.breaches if each.code == "revoke"), None)
    if breach is None or found.scores is None or None in found.hands or not breach.legal:
        return None
    if any(each.code == "double_not_held" for each in found.breaches):
        return None
    whole = replace(record, hands=found.hands)
    each = max(1, SAMPLES // len(breach.legal))
    alternatives = tuple(
        _alternative(whole, breach, card, ruleset, choose, each) for card in breach.legal
    )
    return RevokeCost(breach, found.scores, alternatives)


def _alternative(
    record: Record, breach: Breach, card: Card, ruleset: Ruleset, choose: Choose, samples: int
) -> Alternative:
    assert breach.play is not None
    assert breach.seat is not None
    plays = (*record.plays[: breach.play], Play(breach.seat, card))
    start = replace(record, plays=plays)
    counted = None
    if not (record.doubles and asks_for_leader(ruleset)):
        outcomes = outcomes_of(start, _table(start, ruleset), ruleset, len(plays), limit=LIMIT // 4)
        counted = None if outcomes is None else _scored(start, outcomes, ruleset)
    found = counted or _played_out(start, ruleset, choose, samples)
    seats = tuple(_range_of(found, seat) for seat in SEATS)
    return Alternative(card, counted is not None, sum(found.values()), seats)


def _table(record: Record, ruleset: Ruleset) -> Tricks:
    """Return the table after the plays of a record whose hands are known."""
    assert record.contract is not None
    hands = [list(hand or ()) for hand in record.hands]
    table = new_table(record.contract, ruleset, hands, leader_of(record, ruleset))
    assert isinstance(table, Tricks)
    for play in record.plays:
        assert isinstance(play, Play)
        table.lay(play.card)
    return table


def _scored(
    record: Record, outcomes: Mapping[tuple[int, ...], int], ruleset: Ruleset
) -> Counter[Scores]:
    assert record.contract is not None
    found: Counter[Scores] = Counter()
    for vector, ways in outcomes.items():
        tally = tally_of(record.contract, vector, record.doubles)
        found[_points(record, tally, ruleset)] += ways
    return found


def _played_out(record: Record, ruleset: Ruleset, choose: Choose, samples: int) -> Counter[Scores]:
    found: Counter[Scores] = Counter()
    doubles: tuple[Double, ...] = record.doubles
    for _ in range(samples):
        table = _table(record, ruleset)
        while not table.over:
            table.lay(choose(table.legal()))
        tally = tally_of_tricks(table.tricks, (), ruleset, doubles)
        found[_points(record, tally, ruleset)] += 1
    return found


def _points(record: Record, tally: Tally, ruleset: Ruleset) -> Scores:
    return points(record.entry(tally), ruleset).scores


def _range_of(found: Counter[Scores], seat: int) -> SeatRange:
    counts: Counter[int] = Counter()
    for scores, ways in found.items():
        counts[scores[seat]] += ways
    quarter = -(-sum(counts.values()) // 4)
    return SeatRange(
        min(counts),
        _at(sorted(counts.items()), quarter),
        _at(sorted(counts.items(), reverse=True), quarter),
        max(counts),
    )


def _at(counts: Sequence[tuple[int, int]], place: int) -> int:
    """Return the value that stands at this place, counted from 1."""
    for value, ways in counts:
        place -= ways
        if place <= 0:
            return value
    return counts[-1][0]
