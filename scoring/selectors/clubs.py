"""A club as its page shows it: what runs, what was played, how people stand."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Prefetch, Q, Sum

from scoring.models import Club, Match, MatchResult, Player, Seating
from scoring.rules.standings import Family, Record, Standing, Win, standings
from scoring.selectors.phone import Running, running_match

LISTED = 30
RECENT_LISTED = 10
STANDINGS_LISTED = 10


@dataclass(frozen=True)
class Played:
    """A finished match in a list, its results by seat."""

    match: Match
    results: tuple[MatchResult, ...]

    @property
    def winners(self) -> tuple[str, ...]:
        return tuple(row.player.name for row in self.results if row.place == 1)

    @property
    def by_place(self) -> list[MatchResult]:
        return sorted(self.results, key=lambda row: row.place)


@dataclass(frozen=True, order=True)
class Person:
    """Whose row it is."""

    name: str
    id: UUID


@dataclass(frozen=True)
class ClubStandings:
    """The people of one system by their total; `win`: high or low totals win."""

    system: str
    win: Win
    rows: tuple[Standing, ...]


@dataclass(frozen=True)
class ClubView:
    club: Club
    running: tuple[Running, ...]
    put_aside: tuple[Running, ...]
    recent: tuple[Played, ...]
    standings: tuple[ClubStandings, ...]


def club_view(club: Club) -> ClubView:
    """Five queries, whatever the club has played."""
    listed = without_results(club)
    return ClubView(
        club=club,
        running=tuple(each for each in listed if each.match.is_running),
        put_aside=tuple(each for each in listed if not each.match.is_running),
        recent=tuple(recent_in(club)),
        standings=tuple(standings_of(club, limit=STANDINGS_LISTED)),
    )


def without_results(club: Club) -> list[Running]:
    """The running matches of a club, then those broken off or voided, each newest first. Two
    queries."""
    seats = Seating.objects.select_related("player", "event").order_by("event__seq", "seat")
    matches = club.matches.on_lists().with_deal_counts()
    latest = matches.prefetch_related(Prefetch("seatings", seats))[:LISTED]
    return [running_match(match, match.deal_count) for match in latest]


def recent_in(club: Club) -> list[Played]:
    """The finished matches of a club, the last played first. Two queries."""
    results = MatchResult.objects.select_related("player").order_by("seat", "id")
    matches = club.matches.finished().prefetch_related(Prefetch("results", results))
    latest = matches.order_by("-played_at", "-opened_at")[:RECENT_LISTED]
    return [Played(match, tuple(match.results.all())) for match in latest]


def standings_of(club: Club, limit: int | None = None) -> list[ClubStandings]:
    """How people stand, for each system and direction by itself; who is equal stands by name. The
    points are those of the deals each person sat. One query."""
    results = MatchResult.objects.filter(club=club).values("system", "win", "player_id")
    sums = results.annotate(
        name=F("player__name"),
        matches=Count("match", distinct=True),
        wins=Count("match", filter=Q(place=1), distinct=True),
        sum=Sum("points"),
        places=Sum("place"),
        seats=Count("id"),
    ).order_by("system", "win")
    families: dict[Family, list[Record]] = {}
    for record in sorted(map(_record, sums), key=attrgetter("player")):
        families.setdefault(record.family, []).append(record)
    return [
        ClubStandings(*family, standings(records, ["total"]).ranked[:limit])
        for family, records in sorted(families.items())
    ]


def players_of(club: Club, archived: bool = False) -> Iterable[Player]:
    """The people of a club by name. One query."""
    return club.players.filter(archived_at__isnull=not archived).order_by("name", "created_at")


def _record(row: Mapping[str, Any]) -> Record:
    return Record(
        player=Person(row["name"], row["player_id"]),
        system=row["system"],
        win=row["win"],
        matches=row["matches"],
        total=row["sum"],
        wins=row["wins"],
        places=row["places"],
        seats=row["seats"],
    )
