"""A club as its page shows it: what runs, what was played, how people stand."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Prefetch, Q, Sum

from scoring.models import Club, Match, MatchResult, Player, Seating
from scoring.rules.places import places_of
from scoring.selectors.phone import Running, running_match

RUNNING_LISTED = 20
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


@dataclass(frozen=True)
class Standing:
    """One person over all finished matches of one system. `total` are the points of the deals this
    person sat, `average` is per match, rounded half away from zero."""

    player_id: UUID
    name: str
    matches: int
    wins: int
    total: int
    average: int
    place: int


@dataclass(frozen=True)
class Standings:
    """People of one system by their total; places go 1-2-2-4. `win`: high or low totals win."""

    system: str
    win: str
    rows: tuple[Standing, ...]


@dataclass(frozen=True)
class ClubView:
    club: Club
    running: tuple[Running, ...]
    recent: tuple[Played, ...]
    standings: tuple[Standings, ...]


def club_view(club: Club) -> ClubView:
    """Five queries, whatever the club has played."""
    return ClubView(
        club=club,
        running=tuple(running_in(club)),
        recent=tuple(recent_in(club)),
        standings=tuple(standings_of(club, limit=STANDINGS_LISTED)),
    )


def running_in(club: Club) -> list[Running]:
    """The running matches of a club, newest first. Two queries."""
    seats = Seating.objects.select_related("player", "event").order_by("event__seq", "seat")
    matches = club.matches.running().with_deal_counts().order_by("-opened_at")
    latest = matches.prefetch_related(Prefetch("seatings", seats))[:RUNNING_LISTED]
    return [running_match(match, match.deal_count) for match in latest]


def recent_in(club: Club) -> list[Played]:
    """The finished matches of a club, the last played first. Two queries."""
    results = MatchResult.objects.select_related("player").order_by("seat", "id")
    matches = club.matches.finished().prefetch_related(Prefetch("results", results))
    latest = matches.order_by("-played_at", "-opened_at")[:RECENT_LISTED]
    return [Played(match, tuple(match.results.all())) for match in latest]


def standings_of(club: Club, limit: int | None = None) -> list[Standings]:
    """How people stand, for each system and direction by itself. One query."""
    results = MatchResult.objects.filter(club=club).values("system", "win", "player_id")
    sums = results.annotate(
        name=F("player__name"),
        matches=Count("match", distinct=True),
        wins=Count("match", filter=Q(place=1), distinct=True),
        sum=Sum("points"),
    ).order_by("system", "win")
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in sums:
        groups.setdefault((row["system"], row["win"]), []).append({**row})
    return [
        Standings(system, win, _ranked(rows, win)[:limit]) for (system, win), rows in groups.items()
    ]


def players_of(club: Club, archived: bool = False) -> Iterable[Player]:
    """The people of a club by name. One query."""
    return club.players.filter(archived_at__isnull=not archived).order_by("name", "created_at")


def _ranked(rows: list[dict[str, Any]], win: str) -> tuple[Standing, ...]:
    sign = 1 if win == "high" else -1
    places = places_of([sign * row["sum"] for row in rows])
    standings = [
        Standing(
            player_id=row["player_id"],
            name=row["name"],
            matches=row["matches"],
            wins=row["wins"],
            total=row["sum"],
            average=rounded(row["sum"], row["matches"]),
            place=place,
        )
        for row, place in zip(rows, places, strict=True)
    ]
    return tuple(sorted(standings, key=lambda row: (row.place, row.name, str(row.player_id))))


def rounded(total: int, count: int) -> int:
    """The average as a whole number, half away from zero: -5 over 2 is -3."""
    size = (2 * abs(total) + count) // (2 * count)
    return size if total >= 0 else -size
