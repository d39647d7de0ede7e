"""Statistics of one match: totals over time, leads, turning points, cost of each contract."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from scoring.rules.ranking import Side, sides
from scoring.rules.rulesets.ruleset import Ruleset
from scoring.rules.scoresheet import ScoreRow, Scoresheet

type Part = Callable[[ScoreRow], Hashable | None]
type Sums = Mapping[Hashable, Mapping[Hashable, int]]

LONGEST = timedelta(hours=3)
"""Between two deals: more than that, and they were not typed while the cards were dealt."""
SHORTEST = timedelta(seconds=40)
"""A deal on average: less than that, and nobody has dealt and played the cards in between."""
FEWEST = 3
"""Deals with a moment of their own, from which anything is said of how long they took."""


@dataclass(frozen=True, slots=True)
class Lead:
    """A change of the lead after a line of the sheet.

    `before` is empty at the start; several sides share the lead where they are level."""

    row: ScoreRow
    before: tuple[Side, ...]
    now: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class Swing:
    """The deal that separated two sides most: `best` got `points` more than `worst`."""

    row: ScoreRow
    best: Side
    worst: Side
    points: int


@dataclass(frozen=True, slots=True)
class Extreme:
    """The part of the sheet that brought somebody most, or cost them most."""

    part: Hashable
    points: int


@dataclass(frozen=True, slots=True)
class Pace:
    """The time between the entries of deals.

    `span`: all of them after the first; `average`: one deal; and the slowest, by number, None where
    all took equally long."""

    span: timedelta
    average: timedelta
    slowest: int | None
    slowest_took: timedelta


def of_sides(ruleset: Ruleset, four: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of the four seats as numbers of the sides: partners together."""
    return tuple(sum(four[seat] for seat in side) for side in sides(ruleset))


def curve(ruleset: Ruleset, sheet: Scoresheet) -> tuple[tuple[int, ...], ...]:
    """Return each side's total at the start (0) and after every line of the sheet."""
    after = [of_sides(ruleset, row.totals) for row in sheet.rows]
    return tuple((0, *(each[place] for each in after)) for place in range(len(sides(ruleset))))


def leads(ruleset: Ruleset, sheet: Scoresheet) -> tuple[Lead, ...]:
    """Return every change of the lead, in order.

    Nobody leads while all are level."""
    found: list[Lead] = []
    before: tuple[Side, ...] = ()
    for row in sheet.rows:
        now = _in_front(ruleset, row)
        if now != before:
            found.append(Lead(row, before, now))
        before = now
    return tuple(found)


def lead_changes(found: Sequence[Lead]) -> tuple[Lead, ...]:
    """Return the changes by which a side took the lead alone from another side.

    `before` is the side that lost it."""
    taken: list[Lead] = []
    last: tuple[Side, ...] = ()
    for lead in found:
        if len(lead.now) == 1 and lead.now != last:
            taken.append(Lead(lead.row, last, lead.now))
            last = lead.now
    return tuple(taken)


def decisive_lead(found: Sequence[Lead], winners: Sequence[int]) -> Lead | None:
    """Return the change since which the winners never were behind or level again.

    None where another rule decided at the very end, or where the first place is shared."""
    if not found or len(found[-1].now) != 1:
        return None
    return found[-1] if set(found[-1].now[0]) == set(winners) else None


def swing(ruleset: Ruleset, sheet: Scoresheet) -> Swing | None:
    """Return the deal with the greatest difference between two sides.

    The first of several; None where all deals were level."""
    swings = [_swing(ruleset, row) for row in sheet.rows if row.deal]
    most = max(swings, key=lambda each: each.points, default=None)
    return most if most and most.points else None


def points_by_part(
    sheet: Scoresheet, people: Callable[[int], Sequence[Hashable]], part: Part
) -> Sums:
    """Return for each person what each part of the sheet brought them, in order of appearance.

    `people` are the four of a deal by its number: points follow the person (C75). Lines that belong
    to no part (None) are left out."""
    found: dict[Hashable, dict[Hashable, int]] = {}
    for row in sheet.rows:
        belongs_to = part(row)
        if belongs_to is None:
            continue
        for person, points in zip(people(max(row.number, 1)), row.points, strict=True):
            own = found.setdefault(person, {})
            own[belongs_to] = own.get(belongs_to, 0) + points
    return found


def contract_of(row: ScoreRow) -> str | None:
    """Return the contract of a deal, None for other rows and for sums from paper."""
    return row.played.contract.key if row.played else None


def kingdom_of(sheet: Scoresheet) -> Part:
    """Return a function from a row to the position of its kingdom or round, None outside them."""
    places = {
        id(row): place for place, kingdom in enumerate(sheet.kingdoms) for row in kingdom.rows
    }
    return lambda row: places.get(id(row))


def costliest_part(ruleset: Ruleset, own: Mapping[Hashable, int]) -> Extreme | None:
    """Return the part that cost most, None where none cost anything."""
    return _extreme(ruleset, own, -1)


def best_part(ruleset: Ruleset, own: Mapping[Hashable, int]) -> Extreme | None:
    """Return the part that brought most, None where none brought anything."""
    return _extreme(ruleset, own, 1)


def pace(entered: Mapping[int, datetime], numbers: Sequence[int]) -> Pace | None:
    """Return how long the match took, by the first entry of each deal.

    None where that is unknown: too few deals, deals typed all at once, out of order or on another
    day."""
    moments = [entered[number] for number in numbers if number in entered]
    if len(moments) < FEWEST or len(moments) < len(numbers):
        return None
    gaps = [later - earlier for earlier, later in pairwise(moments)]
    span = moments[-1] - moments[0]
    if min(gaps) < timedelta(0) or max(gaps) > LONGEST or span < SHORTEST * len(gaps):
        return None
    most = max(gaps)
    slowest = None if most == min(gaps) else numbers[gaps.index(most) + 1]
    return Pace(span, span / len(gaps), slowest, most)


def _in_front(ruleset: Ruleset, row: ScoreRow) -> tuple[Side, ...]:
    totals = of_sides(ruleset, row.totals)
    best = max(totals) if _times(ruleset) == 1 else min(totals)
    front = [side for side, own in zip(sides(ruleset), totals, strict=True) if own == best]
    return () if len(front) == len(totals) else tuple(front)


def _swing(ruleset: Ruleset, row: ScoreRow) -> Swing:
    won = [_times(ruleset) * own for own in of_sides(ruleset, row.points)]
    both = sides(ruleset)
    best, worst = both[won.index(max(won))], both[won.index(min(won))]
    return Swing(row, best, worst, max(won) - min(won))


def _extreme(ruleset: Ruleset, own: Mapping[Hashable, int], which: int) -> Extreme | None:
    times = which * _times(ruleset)
    best = max(own, key=lambda part: times * own[part], default=None)
    if best is None or times * own[best] <= 0:
        return None
    return Extreme(best, own[best])


def _times(ruleset: Ruleset) -> int:
    return 1 if ruleset.win == "high" else -1
