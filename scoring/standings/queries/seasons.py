"""Seasons of a club, and what has changed since one was closed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from scoring.models import Club, Season
from scoring.models.days import span
from scoring.rules.standings import Family, Standing
from scoring.standings.queries.standings import (
    Ids,
    RankedPair,
    RankedPerson,
    StandingsPage,
    frozen_table,
    ranked,
    records_of,
)

type State = Literal["to_come", "runs", "over", "closed"]


@dataclass(frozen=True)
class StandingsChange:
    """Points and place of a player before and after a change; None: no such row."""

    name: str
    before: int | None
    after: int | None
    place_before: int | None = None
    place_after: int | None = None

    @property
    def moved(self) -> int:
        return (self.after or 0) - (self.before or 0)

    @property
    def is_changed(self) -> bool:
        return (self.before, self.place_before) != (self.after, self.place_after)


def seasons_of(club: Club) -> list[Season]:
    """Return the seasons of a club, latest first. One query."""
    return list(club.seasons.order_by("-starts_on", "-ends_on", "name"))


def state_of(season: Season, today: date) -> State:
    """Return the state of a season on a day of the club."""
    if season.closed_at:
        return "closed"
    if today < season.starts_on:
        return "to_come"
    return "runs" if today <= season.ends_on else "over"


def running_in(club: Club, season: Season) -> int:
    """Count the unfinished matches of a season, which closing would leave out. One query."""
    since, until = span(club, season.starts_on, season.ends_on)
    return club.matches.running().filter(played_at__gte=since, played_at__lt=until).count()


def changed_since(page: StandingsPage) -> tuple[StandingsChange, ...]:
    """Compare frozen standings with what the matches say now. One query.

    Ordered by the place of today."""
    if page.family is None:
        return ()
    records = records_of(page.club, page.scope, page.family, of_pairs=page.of_pairs)
    # A rating moves with every match of the club: that changes nothing of what was announced.
    with_ranks = "rating" not in page.criteria
    criteria = page.criteria if with_ranks else ("total",)
    table = ranked(records, criteria, page.minimum)
    now = _by_ids(table.ranked + table.provisional, with_ranks=with_ranks)
    then = _by_ids(page.rows, with_ranks=with_ranks)
    return tuple(_changes(then, now))


def counted_then(season: Season, family: Family, ids: Ids) -> list[Standing]:
    """Return the frozen rows of a player or pair: several where players were merged since. One
    query."""
    rows = frozen_table(season, family, of_pairs=len(ids) > 1)
    found = [*rows.ranked, *rows.provisional]
    return [row for row in found if ids_of(row) == ids]


def ids_of(row: Standing) -> Ids:
    """The player of a row, or the two of a pair."""
    assert isinstance(row.player, RankedPerson | RankedPair)
    return row.player.ids


@dataclass(frozen=True)
class _Had:
    """Total and place in one list; rows of players merged since are one."""

    name: str
    total: int = 0
    matches: int = 0
    rank: int | None = None


def _by_ids(rows: Iterable[Standing], *, with_ranks: bool) -> dict[Ids, _Had]:
    found: dict[Ids, _Had] = {}
    for row in rows:
        assert isinstance(row.player, RankedPerson | RankedPair)
        had = found.get(row.player.ids) or _Had(row.player.name)
        total, matches = had.total + row.record.total, had.matches + row.record.matches
        rank = had.rank or row.rank if with_ranks else None
        found[row.player.ids] = _Had(had.name, total, matches, rank)
    return found


def _changes(then: Mapping[Ids, _Had], now: Mapping[Ids, _Had]) -> Iterator[StandingsChange]:
    for ids in [*now, *(one for one in then if one not in now)]:
        old, new = then.get(ids), now.get(ids)
        if old != new:
            name = new.name if new else then[ids].name
            before, after = (had.total if had else None for had in (old, new))
            place, place_now = (had.rank if had else None for had in (old, new))
            yield StandingsChange(name, before, after, place, place_now)
