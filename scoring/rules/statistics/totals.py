"""Running totals of a person or a pair, one step for each match.

The same step for all time, a season and a game night, whether a match has just ended or everything
is recalculated.

Matches are of one family and come in order of play. Of equals, the best and the worst match are the
first that were played.
"""

from __future__ import annotations

from collections.abc import Hashable
from datetime import datetime
from typing import NamedTuple

from scoring.rules.standings import Win

LATELY = 5
"""So many places are kept beside a total."""


class MatchSeat(NamedTuple):
    """One person's result in one match, over all seats they had.

    `place` is the best of them, `places` the sum of the places of `seats` results."""

    match: Hashable
    played_at: datetime
    points: int
    place: int
    places: int
    seats: int = 1

    @property
    def won(self) -> bool:
        return self.place == 1

    def and_seat(self, points: int, place: int) -> MatchSeat:
        """Return the result with one more seat of the same match."""
        return self._replace(
            points=self.points + points,
            place=min(self.place, place),
            places=self.places + place,
            seats=self.seats + 1,
        )


class RunningTotal(NamedTuple):
    """The totals so far, with the fields of the row that stores them.

    Enough to continue from: `lately` has the places of the last matches, a digit each, the newest
    last."""

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


def total_with(before: RunningTotal | None, sat: MatchSeat, win: Win) -> RunningTotal:
    """Return the totals with one more match, which was played after all others in it.

    `before` is None for the first match."""
    if before is None:
        before = _nothing(sat)
    is_best = _is_better(sat.points, before.best, win)
    is_worst = _is_better(before.worst, sat.points, win)
    in_a_row = before.won_in_a_row + 1 if sat.won else 0
    return RunningTotal(
        matches=before.matches + 1,
        total=before.total + sat.points,
        wins=before.wins + sat.won,
        places=before.places + sat.places,
        seats=before.seats + sat.seats,
        best=sat.points if is_best else before.best,
        best_match_id=sat.match if is_best else before.best_match_id,
        worst=sat.points if is_worst else before.worst,
        worst_match_id=sat.match if is_worst else before.worst_match_id,
        won_in_a_row=in_a_row,
        longest_row=max(before.longest_row, in_a_row),
        lately=(before.lately + str(sat.place))[-LATELY:],
        first_at=before.first_at,
        last_at=sat.played_at,
    )


def _nothing(sat: MatchSeat) -> RunningTotal:
    """Return the totals before the first match: its moment, its points as best and worst."""
    points, match, at = sat.points, sat.match, sat.played_at
    return RunningTotal(0, 0, 0, 0, 0, points, match, points, match, 0, 0, "", at, at)


def _is_better(points: int, than: int, win: Win) -> bool:
    return points > than if win == "high" else points < than


class Met(NamedTuple):
    """What two people had of each other, seen from one of them."""

    matches: int = 0
    ahead: int = 0
    behind: int = 0
    together: int = 0
    together_won: int = 0

    def against(self, own: int, other: int) -> Met:
        """Return it with one more match against each other, by their places in it."""
        return Met(
            self.matches + 1,
            self.ahead + (own < other),
            self.behind + (own > other),
            self.together,
            self.together_won,
        )

    def side_by_side(self, own: int) -> Met:
        """Return it with one more match as partners."""
        won = self.together_won + (own == 1)
        return Met(self.matches, self.ahead, self.behind, self.together + 1, won)
