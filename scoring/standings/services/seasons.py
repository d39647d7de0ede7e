"""Create, change, close, reopen and delete the seasons of a club.

Closing freezes the standings as they are announced; later corrections change the totals behind
them, never the frozen rows. The club is locked meanwhile: a match that ends at the same moment is
in all of the frozen standings or in none.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from hashlib import sha256

from django.db import transaction

from scoring.common.errors import RefusalCode, ServiceError, raise_for
from scoring.models import Club, FrozenStanding, Season, User
from scoring.models.days import YEARS
from scoring.models.names import same_name
from scoring.people.services.naming import kept_name
from scoring.rules import Problem, ProblemCode
from scoring.standings.queries.standings import (
    RankedPair,
    RankedPerson,
    Scope,
    StandingsPage,
    all_pages,
)
from scoring.standings.services import totals

MOST_SEASONS = 100


FORM_FIELDS = ("name", "starts_on", "ends_on", "minimum", "counted")
RULES_FIELDS = ("system", "options", "preset", "rules_name", "rules_key")
EDITABLE = (*FORM_FIELDS, "criteria", *RULES_FIELDS)


@transaction.atomic
def create(*, season: Season) -> Season:
    """Save a new season; matches already played in it count."""
    totals.locked_club(season.club_id)
    if season.club.seasons.count() >= MOST_SEASONS:
        raise ServiceError(ProblemCode.TOO_MANY, "name", {"limit": MOST_SEASONS})
    _save(season)
    return season


@transaction.atomic
def change(*, season: Season, seen: str = "") -> None:
    """Save the editable fields of an open season.

    `seen` is the `mark` of the row that the editor started from. Raises `stale` if somebody else
    has changed the season since, `season_closed` if it is closed."""
    current = _locked(season)
    if current.closed_at:
        raise ServiceError(RefusalCode.SEASON_CLOSED)
    if seen and seen != mark(current):
        raise ServiceError(RefusalCode.STALE)
    for name in EDITABLE:
        setattr(current, name, getattr(season, name))
    _save(current)


def mark(season: Season) -> str:
    """Return a short hash that differs whenever an editable field differs."""
    kept = {name: str(getattr(season, name)) for name in EDITABLE}
    return sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:16]


@transaction.atomic
def close(*, season: Season, by: User | None, now: datetime) -> None:
    """Freeze the standings of players and of pairs, in every family of points."""
    current = _locked(season)
    if current.closed_at:
        raise ServiceError(RefusalCode.SEASON_CLOSED)
    rows = [row for page in all_pages(season.club, Scope(season=current)) for row in _frozen(page)]
    FrozenStanding.objects.bulk_create(rows)
    _set_closed(season, now, by)


@transaction.atomic
def reopen(*, season: Season) -> None:
    """Delete the frozen standings, so that the live ones count again."""
    if _locked(season).closed_at is None:
        raise ServiceError(RefusalCode.SEASON_OPEN)
    season.frozen.all().delete()
    _set_closed(season, None, None)


@transaction.atomic
def delete(*, season: Season) -> None:
    """Delete an open season; its matches stay. A closed one must be reopened first."""
    if _locked(season).closed_at:
        raise ServiceError(RefusalCode.SEASON_CLOSED)
    season.delete()


@transaction.atomic
def follow_clock(*, club: Club) -> None:
    """Recount every season after a change of the club's time zone, which moves its days."""
    for season in club.seasons.order_by("id"):
        totals.recount_season(season=season)


def _locked(season: Season) -> Season:
    """Lock the club and return the season's current row; raise `gone` if it was deleted."""
    totals.locked_club(season.club_id)
    found = Season.objects.filter(pk=season.pk).first()
    if found is None:
        raise ServiceError(RefusalCode.GONE)
    return found


def _save(season: Season) -> None:
    season.name = kept_name(season.name)
    raise_for(_problems(season))
    season.save()
    totals.recount_season(season=season)


def _problems(season: Season) -> Iterator[Problem]:
    others = Season.objects.filter(club=season.club_id).exclude(pk=season.pk)
    taken = {same_name(name) for name in others.values_list("name", flat=True)}
    if same_name(season.name) in taken:
        yield Problem(RefusalCode.TAKEN, "name")
    for field in ("starts_on", "ends_on"):
        if getattr(season, field).year not in YEARS:
            yield Problem(RefusalCode.BAD_DATE, field)
    if season.ends_on < season.starts_on:
        yield Problem(RefusalCode.ENDS_BEFORE, "ends_on")


def _set_closed(season: Season, at: datetime | None, by: User | None) -> None:
    season.closed_at, season.closed_by = at, by
    season.save(update_fields=["closed_at", "closed_by"])


def _frozen(page: StandingsPage) -> Iterator[FrozenStanding]:
    assert page.family is not None  # there are rows of it
    system, win = page.family
    for position, row in enumerate(page.rows, start=1):
        assert isinstance(row.player, RankedPerson | RankedPair)
        people = row.player.people
        record = {name: value for name, value in asdict(row.record).items() if name in _SUMS}
        yield FrozenStanding(
            season=page.scope.season,
            player_id=people[0].id,
            partner_id=people[1].id if len(people) > 1 else None,
            system=system,
            win=win,
            position=position,
            rank=row.rank,
            needs=row.needs,
            decided_by=row.decided_by or "",
            **record,
        )


_SUMS = ("matches", "total", "wins", "places", "seats", "rating")
