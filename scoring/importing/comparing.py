"""Comparison of the points in a file with those of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.importing.faults import FaultCode
from scoring.rules.problems import Detail
from scoring.rules.ranking import Four
from scoring.rules.seats import SEATS

NOTHING: Four = (0, 0, 0, 0)


class WrittenPoints(NamedTuple):
    """Points and running totals of a deal as they are in the file, None where they are missing."""

    scores: Four | None
    totals: Four | None


@dataclass(frozen=True)
class PointsSlip:
    """A place where the file does not add up; `deal` 0: the totals of the match."""

    deal: int
    key: str
    code: FaultCode
    numbers: Mapping[str, Detail]


def slips(
    written: Sequence[WrittenPoints], worth: Sequence[Four | None], totals: Four | None
) -> list[PointsSlip]:
    """Yield where points or totals are wrong.

    A running total is compared with the one before it, so that a mistake shows where it was made
    and not in every later line."""
    found = [*_points(written, worth), *_running(written, worth)]
    known = [each for each in worth if each is not None]
    if totals is not None and not found and len(known) == len(written):
        right = total(known)
        if totals != right:
            found.append(PointsSlip(0, "totals", FaultCode.WRONG_MATCH_TOTAL, _both(right, totals)))
    return found


def _points(written: Sequence[WrittenPoints], worth: Sequence[Four | None]) -> Iterator[PointsSlip]:
    for deal, (line, right) in enumerate(zip(written, worth, strict=True), start=1):
        if line.scores is not None and right is not None and line.scores != right:
            yield PointsSlip(deal, "scores", FaultCode.WRONG_POINTS, _both(right, line.scores))


def _running(
    written: Sequence[WrittenPoints], worth: Sequence[Four | None]
) -> Iterator[PointsSlip]:
    """Yield whether the step from one running total to the next is right.

    From the totals before (as they are in the file, or as they should be), by the points as they
    are in the file or as they should be."""
    before: set[Four] = {NOTHING}
    right: Four | None = NOTHING
    for deal, (line, points) in enumerate(zip(written, worth, strict=True), start=1):
        steps = {each for each in (line.scores, points) if each is not None}
        after = {add(base, step) for base in before for step in steps}
        right = None if right is None or points is None else add(right, points)
        if line.totals is None:
            before = after
        else:
            is_slip = bool(after) and line.totals not in after
            if is_slip:
                expected = right if right in after else min(after)
                yield PointsSlip(
                    deal, "totals", FaultCode.WRONG_RUNNING, _both(expected, line.totals)
                )
            before = {line.totals, *(after if is_slip else ())}
            right = right if is_slip else line.totals


def _both(right: Four, found: Four) -> Mapping[str, Detail]:
    return {"expected": list(right), "found": list(found)}


def total(each: Sequence[Four]) -> Four:
    """Return the sum, seat by seat."""
    found = NOTHING
    for one in each:
        found = add(found, one)
    return found


def add(one: Four, other: Four) -> Four:
    a, b, c, d = (one[seat] + other[seat] for seat in SEATS)
    return a, b, c, d
