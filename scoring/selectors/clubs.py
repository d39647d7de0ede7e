"""A club as its page shows it: what runs, what was played, how people stand."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Prefetch, Q, QuerySet, Sum

from scoring.models import Club, Dispute, Match, MatchResult, Player, Seating
from scoring.rules.standings import Family, Record, Standing, Win, standings
from scoring.selectors.phone import Running, running_match
from scoring.selectors.standings import Person
from scoring.selectors.tables import ruleset_of

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


@dataclass(frozen=True)
class ClubStandings:
    """The people of one system by their total; `win`: high or low totals win."""

    system: str
    win: Win
    rows: tuple[Standing, ...]
    reviewed: frozenset[UUID] = frozenset()


@dataclass(frozen=True)
class ClubView:
    club: Club
    running: tuple[Running, ...]
    put_aside: tuple[Running, ...]
    recent: tuple[Played, ...]
    standings: tuple[ClubStandings, ...]
    reviewed: frozenset[UUID]


def club_view(club: Club) -> ClubView:
    """Six queries, whatever the club has played. What is `reviewed` (matches, and in the standings
    people) counts as it was when it was doubted."""
    listed, reviewed = without_results(club), _reviewed(club)
    return ClubView(
        club=club,
        running=tuple(each for each in listed if each.match.is_running),
        put_aside=tuple(each for each in listed if not each.match.is_running),
        recent=tuple(recent_in(club)),
        standings=tuple(
            replace(table, reviewed=_people(reviewed, table))
            for table in standings_of(club, limit=STANDINGS_LISTED)
        ),
        reviewed=frozenset(row.match_id for row in reviewed),
    )


def _reviewed(club: Club) -> list[MatchResult]:
    """The results in which something is under review. One query."""
    doubted = Dispute.objects.filter(club=club).under_review().values("match")
    return list(MatchResult.objects.filter(club=club, match__in=doubted))


def _people(reviewed: Iterable[MatchResult], table: ClubStandings) -> frozenset[UUID]:
    """Whose points in this table are not certain yet."""
    family = table.system, table.win
    return frozenset(row.player_id for row in reviewed if (row.system, row.win) == family)


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
    families: dict[Family, list[Record]] = {}
    for record in _summed(MatchResult.objects.filter(club=club)):
        families.setdefault(record.family, []).append(record)
    return [
        ClubStandings(*family, _ranked(records)[:limit])
        for family, records in sorted(families.items())
    ]


def standings_with(
    match: Match,
    results: Sequence[MatchResult] | None = None,
    people: Mapping[UUID, Player] | None = None,
) -> tuple[Standing, ...]:
    """How people stand where this match counts, as it is or with these `results` (not saved) of
    these `people` in place of its own. One query."""
    win = ruleset_of(match).win
    rows = MatchResult.objects.filter(club=match.club_id, system=match.system, win=win)
    if results is None:
        return _ranked(_summed(rows))
    records = {record.player: record for record in _summed(rows.exclude(match=match))}
    for own in _of_match(results, people or {}):
        known = records.get(own.player)
        records[own.player] = known.joined(own) if known else own
    return _ranked(records.values())


def _summed(rows: QuerySet[MatchResult]) -> list[Record]:
    """One for each person and family. One query."""
    sums = rows.values("system", "win", "player_id").annotate(
        name=F("player__name"),
        matches=Count("match", distinct=True),
        wins=Count("match", filter=Q(place=1), distinct=True),
        sum=Sum("points"),
        places=Sum("place"),
        seats=Count("id"),
    )
    return [_record(row) for row in sums.order_by("system", "win")]


def _ranked(records: Iterable[Record]) -> tuple[Standing, ...]:
    """Of one family, who is equal by name."""
    return standings(sorted(records, key=attrgetter("player")), ["total"]).ranked


def _of_match(results: Sequence[MatchResult], people: Mapping[UUID, Player]) -> Iterator[Record]:
    """What each has of one match; two seats are one match, and one win."""
    for player in dict.fromkeys(row.player_id for row in results):
        own = [row for row in results if row.player_id == player]
        yield _record(
            {
                "name": people[player].name,
                "player_id": player,
                "system": own[0].system,
                "win": own[0].win,
                "matches": 1,
                "sum": sum(row.points for row in own),
                "wins": int(any(row.place == 1 for row in own)),
                "places": sum(row.place for row in own),
                "seats": len(own),
            }
        )


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
