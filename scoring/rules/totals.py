"""What somebody has in many matches: one fold for a person and a pair, for all time, a season and
an evening, for one match more and for everything worked out anew.

Takes the matches of one family, in order of play. Of equals, the best and the worst match are the
first that were played.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from scoring.rules.standings import Win

LATELY = 5
"""So many places are kept beside a total."""


class Sat(NamedTuple):
    """What somebody had in one match: over both seats, where there were two. `place` is the best of
    them, `places` the sum of the places of `seats` results."""

    match: Hashable
    played_at: datetime
    points: int
    place: int
    places: int
    seats: int = 1

    @property
    def won(self) -> bool:
        return self.place == 1

    def and_seat(self, points: int, place: int) -> Sat:
        """With one more seat of the same match."""
        return self._replace(
            points=self.points + points,
            place=min(self.place, place),
            places=self.places + place,
            seats=self.seats + 1,
        )


@dataclass(frozen=True, slots=True)
class Total:
    """All of it together. The fields are those of the row that keeps it: `lately` has the places of
    the last matches, a digit each, the newest last."""

    matches: int
    total: int
    wins: int
    places: int
    seats: int
    best: int
    best_match_id: Hashable
    worst: int
    worst_match_id: Hashable
    won_in_a_row: int
    longest_row: int
    lately: str
    first_at: datetime
    last_at: datetime


def total_of(sat: Sequence[Sat], win: Win) -> Total:
    """The total of these matches (at least one)."""
    best, worst = (sat_best(sat, win), sat_best(sat, "low" if win == "high" else "high"))
    rows = _rows_won(sat)
    return Total(
        matches=len(sat),
        total=sum(one.points for one in sat),
        wins=sum(one.won for one in sat),
        places=sum(one.places for one in sat),
        seats=sum(one.seats for one in sat),
        best=best.points,
        best_match_id=best.match,
        worst=worst.points,
        worst_match_id=worst.match,
        won_in_a_row=rows[-1] if sat[-1].won else 0,
        longest_row=max(rows, default=0),
        lately="".join(str(one.place) for one in sat[-LATELY:]),
        first_at=sat[0].played_at,
        last_at=sat[-1].played_at,
    )


def sat_best(sat: Sequence[Sat], win: Win) -> Sat:
    """The match with the best points."""
    return (max if win == "high" else min)(sat, key=attrgetter("points"))


def _rows_won(sat: Iterable[Sat]) -> list[int]:
    """How many were won one after the other, each time."""
    return [len(list(row)) for won, row in groupby(sat, attrgetter("won")) if won]


@dataclass(frozen=True, slots=True)
class Met:
    """What two people had of each other, seen from one of them."""

    matches: int = 0
    ahead: int = 0
    behind: int = 0
    together: int = 0
    together_won: int = 0

    def against(self, own: int, other: int) -> Met:
        """With one more match against each other, by their places in it."""
        return Met(
            self.matches + 1,
            self.ahead + (own < other),
            self.behind + (own > other),
            self.together,
            self.together_won,
        )

    def side_by_side(self, own: int) -> Met:
        """With one more match as partners."""
        won = self.together_won + (own == 1)
        return Met(self.matches, self.ahead, self.behind, self.together + 1, won)
