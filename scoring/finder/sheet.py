"""A score sheet to be searched: its lines, and the totals written under them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Literal, NamedTuple

from scoring.rules import Contract, Entry, Ruleset, points
from scoring.rules.ranking import Four
from scoring.rules.seats import SEATS, Seat

type Some = tuple[int | None, int | None, int | None, int | None]
"""Four numbers by seat, None where nothing is written or nothing is asked."""


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """A line of which only the points are known for certain; what else is None is unknown too."""

    points: Four
    contract: Contract | None = None
    chooser: Seat | None = None
    forced: bool | None = None


@dataclass(frozen=True, slots=True)
class Entered:
    """A deal whose facts are known, and what they are worth."""

    entry: Entry
    points: Four

    @staticmethod
    def of(entry: Entry, ruleset: Ruleset) -> Entered:
        """Return the line that this entry makes under these rules."""
        return Entered(entry, points(entry, ruleset).scores)


@dataclass(frozen=True, slots=True)
class Fixed:
    """Points outside the deals, which count in totals and are certain.

    `beside`: a penalty or a correction, which the person who wrote the totals may have left out."""

    points: Four
    beside: bool = False


type Line = WrittenLine | Entered | Fixed

type TotalKind = Literal["running", "kingdom", "match"]


@dataclass(frozen=True, slots=True)
class WrittenTotal:
    """A total as written.

    `rows` are the positions in `WrittenSheet.lines` of the lines that it adds up; `points` are None
    where there is no number."""

    kind: TotalKind
    rows: tuple[int, ...]
    points: Some


class Disagreement(NamedTuple):
    """One number of a written total that is not the sum of its lines."""

    total: int
    seat: Seat
    written: int
    summed: int

    @property
    def off_by(self) -> int:
        """What must be added to the lines to give the number written."""
        return self.written - self.summed


class TotalsRun(NamedTuple):
    """Consecutive totals that are off by the same amounts, and whether they include the last."""

    totals: tuple[int, ...]
    off_by: tuple[tuple[Seat, int], ...]
    to_the_end: bool


@dataclass(frozen=True)
class WrittenSheet:
    """Lines in their order, and totals in any order."""

    lines: Sequence[Line]
    totals: Sequence[WrittenTotal] = ()

    @cached_property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """Every number of a written total that is not the sum of its lines."""
        return tuple(self._disagreements())

    def _disagreements(self) -> Iterator[Disagreement]:
        for place, total in enumerate(self.totals):
            for seat in SEATS:
                written = total.points[seat]
                if written is not None:
                    summed = sum(self.lines[row].points[seat] for row in total.rows)
                    if summed != written:
                        yield Disagreement(place, seat, written, summed)

    @cached_property
    def runs(self) -> tuple[TotalsRun, ...]:
        """The disagreements, with those that continue from total to total joined."""
        of_seat = [(seat, *run) for seat in SEATS for run in self._runs_of(seat)]
        found: dict[tuple[tuple[int, ...], bool], list[tuple[Seat, int]]] = {}
        for seat, totals, off_by, to_the_end in of_seat:
            found.setdefault((totals, to_the_end), []).append((seat, off_by))
        return tuple(TotalsRun(totals, tuple(off), end) for (totals, end), off in found.items())

    def _runs_of(self, seat: Seat) -> Iterator[tuple[tuple[int, ...], int, bool]]:
        off = {d.total: d.off_by for d in self.disagreements if d.seat == seat}
        asked = [n for n, each in enumerate(self.totals) if each.points[seat] is not None]
        nested = sorted(
            (n for n in asked if self.totals[n].kind != "kingdom"),
            key=lambda n: len(self.totals[n].rows),
        )
        for by, run in groupby(nested, key=off.get):
            if by:
                totals = tuple(run)
                yield totals, by, totals[-1] == nested[-1]
        for place in asked:
            if place in off and place not in nested:
                yield (place,), off[place], True

    def wanted(self, row: int) -> Some | None:
        """Return what this line would have to be for every total to agree.

        None at a seat that no total contains; None altogether if no change of this line alone can
        do it."""
        off: dict[tuple[int, Seat], int] = {(d.total, d.seat): d.off_by for d in self.disagreements}
        wanted: list[int | None] = [None] * 4
        for place, total in enumerate(self.totals):
            for seat in SEATS:
                by = off.get((place, seat), 0)
                if total.points[seat] is None:
                    continue
                if row not in total.rows:
                    if by:
                        return None
                elif wanted[seat] is None:
                    wanted[seat] = by
                elif wanted[seat] != by:
                    return None
        return _four(
            [_plus(by, own) for by, own in zip(wanted, self.lines[row].points, strict=True)]
        )


def fits(scores: Sequence[int], wanted: Some) -> bool:
    """Return whether these points are those wanted, wherever something is wanted."""
    return all(want is None or want == score for want, score in zip(wanted, scores, strict=True))


def _plus(by: int | None, own: int) -> int | None:
    return None if by is None else own + by


def _four(numbers: Sequence[int | None]) -> Some:
    return numbers[0], numbers[1], numbers[2], numbers[3]
