"""Standings of people over many finished matches: ranks 1-2-2-4, ties by stated criteria.

Criteria are small functions of a player's record, the better value higher. Points of different
systems, or of tables where the other end wins, never stand in one list (C-X1).

criterion   the better one has
total       more points (fewer, where the lowest total wins)
average     more points a match, compared before it is rounded
wins        more first places, shared ones counted
place       the better place on average
matches     more matches
rating      the higher rating, as it is shown; without one: below all who have one
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Literal, Protocol

type Win = Literal["high", "low"]
type Family = tuple[str, Win]


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """One player's result in one finished match; `system` and `win` are the ruleset's."""

    player: Hashable
    match: Hashable
    system: str
    win: Win
    total: int
    place: int


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """All that one player had in finished matches whose points mean the same.

    Number of matches (two seats in one are one), sum of the points, first places (shared ones
    counted), and sum of the places over `seats` results. Made by `sum_up`, or by a database query,
    which is faster.

    `rating` is exact, and rounded to be shown; None for who has none, a pair for one; it comes from
    elsewhere and is of all matches, whatever these are. `lately` has the places of the last of
    these matches, the newest last; empty where nobody knows them."""

    player: Hashable
    system: str
    win: Win
    matches: int
    total: int
    wins: int
    places: int
    seats: int
    rating: float | None = None
    lately: str = field(default="", compare=False)

    @property
    def family(self) -> Family:
        """The system and direction of the points: what can be in one list."""
        return self.system, self.win

    @property
    def average(self) -> int:
        """Points a match, rounded once."""
        return rounded(self.total, self.matches)

    @property
    def place_tenths(self) -> int:
        """Ten times the average place, rounded once: 23 is 2.3."""
        return rounded(10 * self.places, self.seats)

    @property
    def sign(self) -> int:
        """1 where the highest total wins, else -1."""
        return 1 if self.win == "high" else -1

    def joined(self, other: PlayerRecord) -> PlayerRecord:
        """Return both together, where no match is in both.

        Raises ValueError where their points cannot be added up."""
        return self._with(other, 1)

    def without(self, other: PlayerRecord) -> PlayerRecord:
        """Return what is left without those matches."""
        return self._with(other, -1)

    def _with(self, other: PlayerRecord, times: int) -> PlayerRecord:
        _of_one_family((self, other))
        return replace(
            self,
            matches=self.matches + times * other.matches,
            total=self.total + times * other.total,
            wins=self.wins + times * other.wins,
            places=self.places + times * other.places,
            seats=self.seats + times * other.seats,
        )


type Measure = Fraction | int | float
type Key = tuple[Measure, ...]
type Keyed = tuple[Key, PlayerRecord]


class Criterion(Protocol):
    """One way to tell two players apart; the better one has more."""

    def __call__(self, record: PlayerRecord, /) -> Measure: ...


def by_total(record: PlayerRecord) -> int:
    """Return a key: more points are better, or fewer where the lowest total wins."""
    return record.sign * record.total


def by_average(record: PlayerRecord) -> Fraction:
    """Return a key: more points a match are better, not rounded."""
    return Fraction(record.sign * record.total, record.matches)


def by_wins(record: PlayerRecord) -> int:
    """Return a key: more first places are better."""
    return record.wins


def by_place(record: PlayerRecord) -> Fraction:
    """Return a key: a better average place is better."""
    return Fraction(-record.places, record.seats)


def by_matches(record: PlayerRecord) -> int:
    """Return a key: more matches are better."""
    return record.matches


def by_rating(record: PlayerRecord) -> float:
    """Return a key: a higher rating is better, not rounded, whichever total wins."""
    return UNRATED if record.rating is None else record.rating


UNRATED = -1_000_000
"""Below every rating."""

CRITERIA: Mapping[str, Criterion] = {
    "total": by_total,
    "average": by_average,
    "wins": by_wins,
    "place": by_place,
    "matches": by_matches,
    "rating": by_rating,
}


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of the standings.

    `rank` is None for a provisional row, which `needs` so many matches more. `decided_by` names the
    criterion that put it below the row above where the first one could not: what the page prints on
    rows that look equal (C76). A row that `shares` its rank is equal to another in every criterion.
    """

    rank: int | None
    record: PlayerRecord
    needs: int = 0
    decided_by: str | None = None
    shares: bool = False

    @property
    def player(self) -> Hashable:
        """The player of this row."""
        return self.record.player


@dataclass(frozen=True, slots=True)
class Standings:
    """The ranked rows, and apart from them those with too few matches (C78), in the same order.

    `criteria` are the rule to print below the table."""

    ranked: tuple[Standing, ...]
    provisional: tuple[Standing, ...]
    criteria: tuple[str, ...]


def standings(
    records: Iterable[PlayerRecord],
    criteria: Sequence[str] = ("total", "wins"),
    minimum: int = 0,
) -> Standings:
    """Rank players by the first criterion, ties by the next and so on.

    Players who are equal in all criteria share the rank. With fewer than `minimum` matches a player
    is provisional.

    Raises ValueError for records of more than one family and KeyError for an unknown criterion."""
    measures = [CRITERIA[name] for name in criteria]
    keyed = [(_key(record, measures), record) for record in _of_one_family(records)]
    keyed.sort(key=itemgetter(0), reverse=True)
    enough = [each for each in keyed if each[1].matches >= minimum]
    provisional = tuple(
        Standing(None, record, minimum - record.matches)
        for _, record in keyed
        if record.matches < minimum
    )
    return Standings(tuple(_ranked(enough, criteria)), provisional, tuple(criteria))


def _ranked(best_first: Iterable[Keyed], criteria: Sequence[str]) -> Iterator[Standing]:
    """Return ranks 1-2-2-4 in one pass."""
    rank, above = 1, None
    for key, group in groupby(best_first, key=itemgetter(0)):
        decided, equal = _decided_by(above, key, criteria), list(group)
        for place, (_, record) in enumerate(equal):
            by = None if place else decided
            yield Standing(rank, record, 0, by, shares=len(equal) > 1)
        rank, above = rank + len(equal), key


def sum_up(results: Iterable[PlayerResult]) -> Mapping[Family, tuple[PlayerRecord, ...]]:
    """Return the records of these results, by family and player in order of appearance."""
    by_record: dict[Family, dict[Hashable, list[PlayerResult]]] = {}
    for result in results:
        players = by_record.setdefault((result.system, result.win), {})
        players.setdefault(result.player, []).append(result)
    return {
        family: tuple(_record(family, player, own) for player, own in players.items())
        for family, players in by_record.items()
    }


def rounded(total: int, count: int) -> int:
    """Return an average as a whole number, halves away from zero: -5 over 2 is -3."""
    size = (2 * abs(total) + count) // (2 * count)
    return size if total >= 0 else -size


def _record(family: Family, player: Hashable, results: Sequence[PlayerResult]) -> PlayerRecord:
    return PlayerRecord(
        player,
        *family,
        matches=len({result.match for result in results}),
        total=sum(result.total for result in results),
        wins=sum(result.place == 1 for result in results),
        places=sum(result.place for result in results),
        seats=len(results),
    )


def _of_one_family(records: Iterable[PlayerRecord]) -> list[PlayerRecord]:
    found = list(records)
    families = {record.family for record in found}
    if len(families) > 1:
        raise ValueError(f"points that cannot be added up: {sorted(families)}")
    return found


def _key(record: PlayerRecord, measures: Sequence[Criterion]) -> Key:
    return tuple(measure(record) for measure in measures)


def _decided_by(above: Key | None, key: Key, criteria: Sequence[str]) -> str | None:
    if above is None or above[0] != key[0]:
        return None
    names = zip(criteria, above, key, strict=True)
    return next((name for name, better, worse in names if better != worse), None)
