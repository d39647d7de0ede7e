"""Totals of players: derived rows, written with the results, merges and seasons they follow."""

from collections.abc import Collection, Iterable, Iterator
from itertools import batched
from uuid import UUID, uuid4

from django.db import transaction

from scoring.models import Club, Match, Player, PlayerTotal, Season
from scoring.standings.queries.totals import (
    TABLES,
    TOTALS,
    Family,
    Kept,
    Sums,
    TotalsTable,
    carried_on,
    is_last,
    results_of_match,
    season_sums,
    spans_of,
    touched_by,
    wanted,
)

BATCH = 40
"""So many people are worked out at once."""


def locked(people: Iterable[UUID]) -> dict[UUID, UUID]:
    """Lock these players and those they count for; return by each whom the points belong to.

    Held to the end of the transaction. A query, and three more each time a merge happens meanwhile:
    then all locks are released and taken again, in order."""
    asked = set(people)
    merged = Player.objects.filter(id__in=asked, counts_for__isnull=False)
    asked |= {row.counted_id for row in merged}
    while True:
        before = transaction.savepoint_create()
        rows = Player.objects.select_for_update(no_key=True).filter(id__in=asked).order_by("id")
        known = {row.id: row.counted_id for row in rows}
        if set(known.values()) <= known.keys():
            transaction.savepoint_commit(before)
            return known
        transaction.savepoint_rollback(before)
        asked |= set(known.values())


def locked_club(club_id: UUID) -> Club:
    """Lock a club and all its players, so that no match ends and no season changes. Two queries."""
    club = Club.objects.select_for_update(no_key=True).get(id=club_id)
    list(club.players.select_for_update(no_key=True).order_by("id").values_list("id"))
    return club


@transaction.atomic
def carry_on(*, match: Match) -> None:
    """Add the new results of a match to the totals of its players. Expects the lock.

    Ten queries if it is the last match of all of them in order of play, whatever was played before;
    else they are recounted."""
    club, rows = match.club, results_of_match(match)
    if club is None or not rows:
        return
    if not is_last(match, rows):
        family = rows[0].system, rows[0].win
        recount(club=club, people={row.player for row in rows}, family=family)
        return
    spans = spans_of(club)
    there = touched_by(club, rows, spans)
    sums = carried_on(match, rows, spans, there)
    for table in TABLES:
        _write(table, club, there[table.name], sums[table.name])


@transaction.atomic
def recount(*, club: Club, people: Collection[UUID], family: Family = None) -> list[str]:
    """Recalculate the totals of these players, in one family or all; return the tables that
    differed.

    Eight queries and two at most for each table that differs."""
    locked(people)
    whose = frozenset(people)
    sums = wanted(club, whose, family)
    return [
        table.name
        for table in TABLES
        if _write(table, club, table.kept(table.rows(club, whose, family)), sums[table.name])
    ]


@transaction.atomic
def recount_season(*, season: Season) -> bool:
    """Recalculate the totals of a season; return whether anything differed."""
    club = locked_club(season.club_id)
    there = PlayerTotal.objects.filter(club=club, season=season)
    return _write(TOTALS, club, TOTALS.kept(there), season_sums(club, season))


def recount_all(club: Club) -> Iterator[tuple[list[UUID], list[str]]]:
    """Recalculate the totals of a club, some players at a time, each in its own transaction.

    Yields the players, in order of id, and the names of the tables that differed."""
    ids = list(club.players.order_by("id").values_list("id", flat=True))
    for batch in batched(ids, BATCH):
        yield list(batch), recount(club=club, people=batch)


def _write(table: TotalsTable, club: Club, there: Collection[Kept], sums: Sums) -> bool:
    """Write the rows that differ; return whether any did. Two queries at most."""
    ids = {key: id for id, key, _ in there if key in sums}
    said = {key: facts for _, key, facts in there}
    gone = {id for id, *_ in there} - set(ids.values())
    if gone:
        table.model._default_manager.filter(id__in=gone).delete()
    names = ("id", *table.key, *table.facts)
    rows = (
        (ids.get(key, uuid4()), *key, *facts)
        for key, facts in sums.items()
        if said.get(key) != facts
    )
    wrong = [table.model(club=club, **dict(zip(names, row, strict=True))) for row in rows]
    table.model._default_manager.bulk_create(
        wrong, update_conflicts=True, unique_fields=["id"], update_fields=table.facts
    )
    return bool(gone or wrong)
