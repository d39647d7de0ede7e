"""Sums of people over all their matches: derived rows, written in the transaction that writes or
drops results, moves people or changes seasons.

Whoever calls holds the rows of those people (`locked`), in the order of their ids, so that two
matches that end at once do not lose each other's points. Locks are taken in one order everywhere:
the match, the club, its people.
"""

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
    Table,
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
    """Locks these people and those whom they count for, to the end of the transaction; by each
    person whom the points belong to. A query, and three more each time somebody is merged just
    now: then all are let go and locked again, so that nobody is locked out of order."""
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
    """Locks a club and all its people: no match of theirs ends and none is corrected before the end
    of the transaction, and what is done to seasons is done one after the other. Two queries."""
    club = Club.objects.select_for_update(no_key=True).get(id=club_id)
    list(club.players.select_for_update(no_key=True).order_by("id").values_list("id"))
    return club


@transaction.atomic
def carry_on(*, match: Match) -> None:
    """Adds the results that a match has just got to the sums of its people. Where it is the last
    one of all of them, in order of play, the sums go on from what they are: ten queries, which
    read nothing of what was played before. Else they are recounted. Expects the lock."""
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
    """Makes the sums of these people, and of others with them, say what the results say, in one
    family or in all; gives the names of the tables that differed. Eight queries and two at most
    for each table that differs, whatever was played."""
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
    """Makes the totals of a season say what its dates and rules ask for: for a new one, and after
    every change of it. Whether anything differed."""
    club = locked_club(season.club_id)
    there = PlayerTotal.objects.filter(club=club, season=season)
    return _write(TOTALS, club, TOTALS.kept(there), season_sums(club, season))


def recount_all(club: Club) -> Iterator[tuple[list[UUID], list[str]]]:
    """Everybody of a club, some at a time and each in a transaction of its own: who they were, in
    the order of ids, and the names of the tables that differed."""
    ids = list(club.players.order_by("id").values_list("id", flat=True))
    for batch in batched(ids, BATCH):
        yield list(batch), recount(club=club, people=batch)


def _write(table: Table, club: Club, there: Collection[Kept], sums: Sums) -> bool:
    """Only what differs is written, and a row stays the one that it is. Whether anything did. Two
    queries at most."""
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
