"""The seasons of a club as their pages show them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from scoring.models import Club, Season
from scoring.models.days import span
from scoring.rules.standings import Family, Standing
from scoring.standings.queries.changes import Change
from scoring.standings.queries.standings import (
    Ids,
    Pair,
    Person,
    StandingsPage,
    frozen_table,
    ranked,
    records_of,
)

type State = Literal["to_come", "runs", "over", "closed"]


def seasons_of(club: Club) -> list[Season]:
    """The last to begin first. One query."""
    return list(club.seasons.order_by("-starts_on", "-ends_on", "name"))


def state_of(season: Season, today: date) -> State:
    """Where it stands on this day of the club. One that is over is closed by hand."""
    if season.closed_at:
        return "closed"
    if today < season.starts_on:
        return "to_come"
    return "runs" if today <= season.ends_on else "over"


def running_in(club: Club, season: Season) -> int:
    """So many matches of these days are not finished: they would not be in what is frozen. One
    query."""
    since, until = span(club, season.starts_on, season.ends_on)
    return club.matches.running().filter(played_at__gte=since, played_at__lt=until).count()


def changed_since(page: StandingsPage) -> tuple[Change, ...]:
    """What a list that was frozen would say now, where it would say something else: matches of the
    season came late, or were corrected. By the place they have now. One query."""
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
    """The rows that a person, or a pair, had when the season was closed: several where people were
    merged since. One query."""
    rows = frozen_table(season, family, of_pairs=len(ids) > 1)
    found = [*rows.ranked, *rows.provisional]
    return [row for row in found if _ids(row) == ids]


def _ids(row: Standing) -> Ids:
    assert isinstance(row.player, Person | Pair)
    return row.player.ids


@dataclass(frozen=True)
class _Had:
    """What somebody has in a list. Two rows are one where two people were merged since."""

    name: str
    total: int = 0
    matches: int = 0
    rank: int | None = None


def _by_ids(rows: Iterable[Standing], *, with_ranks: bool) -> dict[Ids, _Had]:
    found: dict[Ids, _Had] = {}
    for row in rows:
        assert isinstance(row.player, Person | Pair)
        had = found.get(row.player.ids) or _Had(row.player.name)
        total, matches = had.total + row.record.total, had.matches + row.record.matches
        rank = had.rank or row.rank if with_ranks else None
        found[row.player.ids] = _Had(had.name, total, matches, rank)
    return found


def _changes(then: Mapping[Ids, _Had], now: Mapping[Ids, _Had]) -> Iterator[Change]:
    for ids in [*now, *(one for one in then if one not in now)]:
        old, new = then.get(ids), now.get(ids)
        if old != new:
            name = new.name if new else then[ids].name
            before, after = (had.total if had else None for had in (old, new))
            place, place_now = (had.rank if had else None for had in (old, new))
            yield Change(name, before, after, place, place_now)
