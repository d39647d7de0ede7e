"""Sums of people over all their matches: derived rows, written in the transaction that writes or
drops results, moves people or changes seasons.

Whoever calls holds the rows of those people (`locked`), in the order of their ids, so that two
matches that end at once do not lose each other's points.
"""

from collections.abc import Collection, Iterable, Iterator
from itertools import batched
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from scoring.models import Club, Player, PlayerTotal, Season
from scoring.selectors.totals import (
    TABLES,
    TOTALS,
    People,
    Sums,
    Table,
    season_sums,
    wanted,
)

BATCH = 40
"""So many people are worked out at once."""


def locked(people: Iterable[UUID]) -> dict[UUID, UUID]:
    """Locks these people and those whom they count for, to the end of the transaction; by each
    person whom the points belong to. Two queries, and one more where somebody is merged just
    now."""
    asked, known = set(people), dict[UUID, UUID]()
    merged = Player.objects.filter(id__in=asked, counts_for__isnull=False)
    asked |= {row.counted_id for row in merged}
    while not asked <= known.keys():
        rows = Player.objects.select_for_update(no_key=True).filter(id__in=asked).order_by("id")
        known = {row.id: row.counted_id for row in rows}
        asked |= set(known.values())
    return known


@transaction.atomic
def recount(*, club: Club, people: Collection[UUID]) -> list[str]:
    """Makes the sums of these people, and of others with them, say what the results say; gives the
    names of the tables that differed. Seven queries and two for each table that differs, whatever
    was played."""
    locked(people)
    return _bring_up(club, frozenset(people))


@transaction.atomic
def recount_season(*, season: Season) -> bool:
    """Makes the totals of a season say what its dates and rules ask for: for a new one, and after
    every change of it. Whether anything differed."""
    club = Club.objects.select_for_update(no_key=True).get(id=season.club_id)
    list(Player.objects.select_for_update(no_key=True).filter(club=club).order_by("id"))
    there = PlayerTotal.objects.filter(club=club, season=season)
    return _write(TOTALS, club, there, season_sums(club, season))


def recount_all(club: Club) -> Iterator[tuple[list[UUID], list[str]]]:
    """Everybody of a club, some at a time and each in a transaction of its own: who they were, in
    the order of ids, and the names of the tables that differed."""
    ids = list(club.players.order_by("id").values_list("id", flat=True))
    for batch in batched(ids, BATCH):
        yield list(batch), recount(club=club, people=batch)


def _bring_up(club: Club, people: People) -> list[str]:
    sums = wanted(club, people)
    return [
        table.name
        for table in TABLES
        if _write(table, club, table.rows(club, people), sums[table.name])
    ]


def _write(table: Table, club: Club, there: QuerySet[Any], sums: Sums) -> bool:
    """Only what differs is written. Whether anything did."""
    right, gone, width = set(), [], len(table.key) + 1
    for id, *row in there.values_list("id", *table.key, *table.facts):
        key, facts = tuple(row[: width - 1]), tuple(row[width - 1 :])
        if key not in right and sums.get(key) == facts:
            right.add(key)
        else:
            gone.append(id)
    if gone:
        table.model._default_manager.filter(id__in=gone).delete()
    new = [
        table.model(club=club, **dict(zip((*table.key, *table.facts), (*key, *facts), strict=True)))
        for key, facts in sums.items()
        if key not in right
    ]
    table.model._default_manager.bulk_create(new)
    return bool(gone or new)
