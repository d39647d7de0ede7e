"""Merge two players who are one person, and undo it."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Min

from scoring.common.actor import Actor
from scoring.common.errors import RefusalCode, ServiceError
from scoring.ledger.queries.snapshots import sittings
from scoring.models import (
    Club,
    Match,
    MatchResult,
    PersonEventKind,
    Player,
    Seating,
)
from scoring.models.days import day_of
from scoring.people.services.people import call, free_name, lock_people, locked, note
from scoring.rules.problems import Detail
from scoring.standings.services import ratings, results, totals


@transaction.atomic
def merge(*, player: Player, into: Player, actor: Actor, now: datetime) -> Player:
    """Count everything of `player` for `into`.

    Refused where both sat at one table, and where only one of them is hidden."""
    person, stays = locked(player), _counted(into)
    _refuse_unlike(person, stays)
    group, others = _subtree(person), _subtree(stays)
    totals.locked([*group, *others])
    _refuse_tablemates(group, others)
    if not person.hidden_at:
        person.own_name = person.plain_name
    person.merged_into = person.counts_for = stays
    person.save(update_fields=["own_name", "merged_into", "counts_for"])
    Player.objects.filter(id__in=group).update(counts_for=stays)
    call(stays, stays.plain_name)
    _move(group, person, stays)
    note(person, PersonEventKind.MERGED, actor, now, stays)
    return person


@transaction.atomic
def unmerge(*, player: Player, actor: Actor, now: datetime) -> Player:
    """Give a merged player back everything that was theirs; does nothing the second time.

    Hidden and anonymous players are shown as a number within the club."""
    lock_people(player.club_id)
    person = Player.objects.select_related("club", "merged_into").get(pk=player.pk)
    other, counted = person.merged_into, person.counts_for_id
    if other is None or counted is None:
        return person
    group = _subtree(person)
    totals.locked([*group, counted])
    knows_name = person.own_name and not person.hidden_at
    name = person.own_name if knows_name else free_name(person)
    person.own_name = person.own_name if person.hidden_at else ""
    person.merged_into = person.counts_for = None
    person.save(update_fields=["own_name", "merged_into", "counts_for"])
    Player.objects.filter(id__in=group).exclude(id=person.id).update(counts_for=person)
    call(person, name)
    _move(group, Player.objects.select_related("club").get(pk=counted), person)
    note(person, PersonEventKind.UNMERGED, actor, now, other)
    return person


def tablemates(one: Player, other: Player) -> Match | None:
    """Return the last match in which both sat, counting merged players; None if there is none."""
    return _last_together(_subtree(one), _subtree(other))


# ── what is refused ─────────────────────────────────────────────────────


def _counted(player: Player) -> Player:
    """Return the player for whom this one counts."""
    found = Player.objects.select_related("club", "counts_for__club").get(pk=player.pk)
    return found.counts_for or found


def _refuse_unlike(person: Player, stays: Player) -> None:
    if stays.club_id != person.club_id:
        raise ServiceError(RefusalCode.UNKNOWN_PLAYER, "into")
    if stays.id == person.id:
        raise ServiceError(RefusalCode.SAME_PERSON, "into")
    if _is_open(person) != _is_open(stays):
        raise ServiceError(RefusalCode.ONE_IS_HIDDEN, "into")


def _is_open(person: Player) -> tuple[bool, bool]:
    """Return how much of the name may be read."""
    return person.hidden_at is None, person.anonymised_at is None


def _refuse_tablemates(group: Collection[UUID], others: Collection[UUID]) -> None:
    if match := _last_together(group, others):
        day = day_of(match.club, match.played_at)
        numbers: dict[str, Detail] = {"match": str(match.id), "day": day.isoformat()}
        raise ServiceError(RefusalCode.SAT_TOGETHER, "into", numbers)


def _last_together(group: Collection[UUID], others: Collection[UUID]) -> Match | None:
    """Return the last match of both. Three queries at most.

    A player entered into a seat by mistake, who sat in no deal of it, does not count."""
    rows = Seating.objects.filter(player__in=others).values("match")
    shared = Match.objects.filter(seatings__player__in=group, id__in=rows).distinct()
    by_match: dict[UUID, list[Seating]] = {}
    found = Seating.objects.filter(match__in=shared).select_related("event", "match")
    for row in found.order_by("-match__played_at", "event__seq", "seat"):
        by_match.setdefault(row.match_id, []).append(row)
    for of_match in by_match.values():
        sat = {sitting.player_id for seat in sittings(of_match) for sitting in seat}
        if sat & set(group) and sat & set(others):
            return of_match[0].match
    return None


# ── what follows ────────────────────────────────────────────────────────


def _subtree(person: Player) -> set[UUID]:
    """Return a player and everyone merged into them, over any number of steps. One query."""
    root = person.counted_id
    below: dict[UUID | None, list[UUID]] = {}
    for one, into in Player.objects.filter(counts_for=root).values_list("id", "merged_into"):
        below.setdefault(into, []).append(one)
    found, waiting = {person.id}, [person.id]
    while waiting:
        more = below.get(waiting.pop(), [])
        found.update(more)
        waiting += more
    return found


def _move(group: Collection[UUID], from_: Player, to: Player) -> None:
    """Count what this group played for another player. Expects the lock on all of them."""
    assert from_.club is not None
    results.move(seated=group, to=to.id)
    _mark_ratings(from_.club, group)
    totals.recount(club=from_.club, people={from_.id, to.id})


def _mark_ratings(club: Club, group: Collection[UUID]) -> None:
    """Mark ratings from the first match on that counts for another player."""
    ratings.locked(club)
    own = MatchResult.objects.filter(seated__in=group).order_by()
    for row in own.values("system", "win").annotate(first=Min("played_at")):
        system, win = row["system"], row["win"]
        ratings.mark(club=club, system=system, win=win, played_at=row["first"])
