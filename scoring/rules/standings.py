"""Finished matches of many people to ranked rows: 1-2-2-4, ties by stated criteria only.

Criteria are small functions of a player's record, the better value higher. Points of different
systems, or of tables where the other end wins, never stand in one list (C-X1).

criterion   the better one has
total       more points (fewer, where the lowest total wins)
average     more points a match, compared before it is rounded
wins        more first places, shared ones counted
place       the better place on average
matches     more matches
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Protocol

from scoring.rules.places import places_of

type Family = tuple[str, Literal["high", "low"]]


@dataclass(frozen=True, slots=True)
class Result:
    """What one player had in one finished match. `system` and `win` are the ruleset's."""

    player: Hashable
    match: Hashable
    system: str
    win: Literal["high", "low"]
    total: int
    place: int

    @property
    def family(self) -> Family:
        """What can be added up together."""
        return self.system, self.win


@dataclass(frozen=True, slots=True)
class Record:
    """All of one player's results of one family; there is at least one."""

    player: Hashable
    results: tuple[Result, ...]

    @property
    def matches(self) -> int:
        """How many matches; two seats in one match are one."""
        return len({result.match for result in self.results})

    @property
    def total(self) -> int:
        """Points of all matches."""
        return sum(result.total for result in self.results)

    @property
    def wins(self) -> int:
        """First places, shared ones counted."""
        return sum(result.place == 1 for result in self.results)

    @property
    def average(self) -> int:
        """Points a match, rounded once."""
        return rounded(Fraction(self.total, self.matches))

    @property
    def sign(self) -> int:
        """1 where the highest total wins, else -1."""
        return 1 if self.results[0].win == "high" else -1


class Criterion(Protocol):
    """One way to tell two players apart; `__name__` is its name in `CRITERIA`."""

    def __call__(self, record: Record, /) -> Fraction | int: ...


def by_total(record: Record) -> int:
    """More points, or fewer where the lowest total wins."""
    return record.sign * record.total


def by_average(record: Record) -> Fraction:
    """More points a match, not rounded."""
    return Fraction(record.sign * record.total, record.matches)


def by_wins(record: Record) -> int:
    """More first places."""
    return record.wins


def by_place(record: Record) -> Fraction:
    """The better place on average."""
    return Fraction(-sum(result.place for result in record.results), len(record.results))


def by_matches(record: Record) -> int:
    """More matches."""
    return record.matches


CRITERIA: Mapping[str, Criterion] = {
    "total": by_total,
    "average": by_average,
    "wins": by_wins,
    "place": by_place,
    "matches": by_matches,
}


@dataclass(frozen=True, slots=True)
class Standing:
    """One row. `rank` is None for a provisional one, which `needs` so many matches more.
    `decided_by` names the criterion that put it below the row above where the first one could
    not: what the page prints on rows that look equal (C76)."""

    rank: int | None
    record: Record
    needs: int = 0
    decided_by: str | None = None

    @property
    def player(self) -> Hashable:
        """Whose row it is."""
        return self.record.player


@dataclass(frozen=True, slots=True)
class Standings:
    """The ranked rows, and apart from them those with too few matches (C78), in the same order.
    `criteria` are the rule to print below the table."""

    ranked: tuple[Standing, ...]
    provisional: tuple[Standing, ...]
    criteria: tuple[str, ...]


def standings(
    results: Iterable[Result],
    criteria: Sequence[str] = ("total", "wins"),
    minimum: int = 0,
) -> Standings:
    """Ranks the players of these results by the first criterion, ties by the next and so on; who
    is equal in all shares the rank. With fewer than `minimum` matches a player is provisional.

    Raises ValueError for results of more than one family (see `by_family`) and KeyError for an
    unknown criterion."""
    measures = [CRITERIA[name] for name in criteria]
    records = [(_key(record, measures), record) for record in _records(results)]
    records.sort(key=lambda each: each[0], reverse=True)
    enough = [(key, record) for key, record in records if record.matches >= minimum]
    ranks = places_of([key for key, _ in enough])
    ranked = []
    for place, (key, record) in enumerate(enough):
        above = enough[place - 1][0] if place else None
        ranked.append(Standing(ranks[place], record, 0, _decided_by(above, key, criteria)))
    provisional = tuple(
        Standing(None, record, minimum - record.matches)
        for _, record in records
        if record.matches < minimum
    )
    return Standings(tuple(ranked), provisional, tuple(criteria))


def by_family(results: Iterable[Result]) -> Mapping[Family, Sequence[Result]]:
    """The results that may stand together, in the order in which the families first appear."""
    families: dict[Family, list[Result]] = {}
    for result in results:
        families.setdefault(result.family, []).append(result)
    return families


def rounded(number: Fraction) -> int:
    """To a whole number, halves away from zero: 2.5 is 3 and -2.5 is -3."""
    size = (abs(number) + Fraction(1, 2)).__floor__()
    return size if number >= 0 else -size


def _records(results: Iterable[Result]) -> list[Record]:
    families = by_family(results)
    if len(families) > 1:
        raise ValueError(f"points that cannot be added up: {sorted(families)}")
    by_player: dict[Hashable, list[Result]] = {}
    for of_family in families.values():
        for result in of_family:
            by_player.setdefault(result.player, []).append(result)
    return [Record(player, tuple(own)) for player, own in by_player.items()]


def _key(record: Record, measures: Sequence[Criterion]) -> tuple[Fraction | int, ...]:
    return tuple(measure(record) for measure in measures)


def _decided_by(
    above: tuple[Fraction | int, ...] | None,
    key: tuple[Fraction | int, ...],
    criteria: Sequence[str],
) -> str | None:
    if above is None or above[0] != key[0]:
        return None
    names = zip(criteria, above, key, strict=True)
    return next((name for name, better, worse in names if better != worse), None)
