"""The seasons of a club: made, changed, closed and opened again.

To close one freezes its standings as they are announced; what is corrected later changes the sums
behind them, never the rows that were frozen. Meanwhile no match of the club ends: one that ends at
the same moment is in all of what is frozen, or in nothing of it.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from hashlib import sha256

from django.db import transaction

from scoring.common.errors import ServiceError, raise_for
from scoring.models import Club, FrozenStanding, Season, User
from scoring.models.days import YEARS
from scoring.models.names import same_name
from scoring.people.services.naming import kept_name
from scoring.rules import Problem, Ruleset, rules_key, ruleset
from scoring.standings.queries.standings import Pair, Person, Scope, StandingsPage, all_pages
from scoring.standings.services import totals

MOST_SEASONS = 100


@dataclass(frozen=True)
class SeasonRules:
    """Only matches opened by these count."""

    name: str
    preset: str
    ruleset: Ruleset


@dataclass(frozen=True)
class SeasonData:
    """What a season ought to be. `counted`: so many matches of each person count, the first ones
    in order of play; None: all. Without `rules` matches of every system count."""

    name: str
    starts_on: date
    ends_on: date
    criteria: Sequence[str]
    minimum: int = 0
    counted: int | None = None
    rules: SeasonRules | None = None


@transaction.atomic
def create(*, club: Club, wish: SeasonData) -> Season:
    """A new season; matches that were played in it already count."""
    totals.locked_club(club.pk)
    if club.seasons.count() >= MOST_SEASONS:
        raise ServiceError("too_many", "name", {"limit": MOST_SEASONS})
    season = Season(club=club)
    _save(season, wish)
    return season


@transaction.atomic
def change(*, season: Season, wish: SeasonData, seen: str = "") -> None:
    """`seen` is the `mark` of what its writer looked at: what somebody else changed meanwhile is
    not written over unseen. One that is closed stays as it is."""
    there = _there(season)
    if there.closed_at:
        raise ServiceError("season_closed")
    if seen and seen != mark(there):
        raise ServiceError("stale")
    _save(there, wish)


def mark(season: Season) -> str:
    """Another one whenever something of the season is changed."""
    kept = {name: str(getattr(season, name)) for name in (*_SIMPLE, "rules_key", "rules_name")}
    return sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:16]


@transaction.atomic
def close(*, season: Season, by: User | None, now: datetime) -> None:
    """Freezes the standings of people and of pairs, of every family."""
    there = _there(season)
    if there.closed_at:
        raise ServiceError("season_closed")
    rows = [row for page in all_pages(season.club, Scope(season=there)) for row in _frozen(page)]
    FrozenStanding.objects.bulk_create(rows)
    _set_closed(season, now, by)


@transaction.atomic
def reopen(*, season: Season) -> None:
    """What was frozen is gone; its standings are what its matches say now."""
    if _there(season).closed_at is None:
        raise ServiceError("season_open")
    season.frozen.all().delete()
    _set_closed(season, None, None)


@transaction.atomic
def delete(*, season: Season) -> None:
    """Takes a season away; its matches stay where they are. One that is closed was announced, and
    is opened again first."""
    if _there(season).closed_at:
        raise ServiceError("season_closed")
    season.delete()


@transaction.atomic
def follow_clock(*, club: Club) -> None:
    """After a change of the club's time zone: its days begin at other moments."""
    for season in club.seasons.order_by("id"):
        totals.recount_season(season=season)


_SIMPLE = ("name", "starts_on", "ends_on", "criteria", "minimum", "counted")


def _there(season: Season) -> Season:
    """The row as it is by now, held; somebody else may have taken it away in between."""
    totals.locked_club(season.club_id)
    found = Season.objects.filter(pk=season.pk).first()
    if found is None:
        raise ServiceError("gone")
    return found


def _save(season: Season, wish: SeasonData) -> None:
    raise_for(_problems(season, wish))
    for name in _SIMPLE:
        setattr(season, name, getattr(wish, name))
    season.name, season.criteria = kept_name(wish.name), list(wish.criteria)
    rules = wish.rules
    season.system = rules.ruleset.system if rules else ""
    season.options = rules.ruleset.options() if rules else {}
    season.preset, season.rules_name = (rules.preset, rules.name) if rules else ("", "")
    season.rules_key = rules_key(rules.ruleset) if rules else ""
    season.save()
    totals.recount_season(season=season)


def _problems(season: Season, wish: SeasonData) -> Iterator[Problem]:
    others = Season.objects.filter(club=season.club_id).exclude(pk=season.pk)
    taken = {same_name(name) for name in others.values_list("name", flat=True)}
    if same_name(kept_name(wish.name)) in taken:
        yield Problem("taken", "name")
    for field in ("starts_on", "ends_on"):
        if getattr(wish, field).year not in YEARS:
            yield Problem("bad_date", field)
    if wish.ends_on < wish.starts_on:
        yield Problem("ends_before", "ends_on")


def _set_closed(season: Season, at: datetime | None, by: User | None) -> None:
    season.closed_at, season.closed_by = at, by
    season.save(update_fields=["closed_at", "closed_by"])


def _frozen(page: StandingsPage) -> Iterator[FrozenStanding]:
    assert page.family is not None  # there are rows of it
    system, win = page.family
    for position, row in enumerate(page.rows, start=1):
        assert isinstance(row.player, Person | Pair)
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


def rules_of(season: Season) -> SeasonRules | None:
    """Those that a season has already, to keep them."""
    if not season.rules_key:
        return None
    found = ruleset(season.system, season.options)
    return SeasonRules(season.rules_name, season.preset, found)
