"""A club as its page shows it: what runs, what was played, how people stand."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Prefetch

from scoring.access.joined_phones import Running, running_match
from scoring.models import Club, Dispute, MatchResult, Player, Seating
from scoring.rules.standings import Family
from scoring.standings.queries.played import FinishedMatch
from scoring.standings.queries.standings import Ids, StandingsPage, first_tables

LISTED = 30
RECENT_LISTED = 10
STANDINGS_LISTED = 10


@dataclass(frozen=True)
class ClubView:
    club: Club
    running: tuple[Running, ...]
    put_aside: tuple[Running, ...]
    recent: tuple[FinishedMatch, ...]
    standings: tuple[StandingsPage, ...]
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
            replace(page, reviewed=_people(reviewed, page.family))
            for page in first_tables(club, STANDINGS_LISTED)
        ),
        reviewed=frozenset(row.match_id for row in reviewed),
    )


def _reviewed(club: Club) -> list[MatchResult]:
    """The results in which something is under review. One query."""
    doubted = Dispute.objects.filter(club=club).under_review().values("match")
    return list(MatchResult.objects.filter(club=club, match__in=doubted))


def _people(reviewed: Iterable[MatchResult], family: Family | None) -> frozenset[Ids]:
    """Whose points of this family are not certain yet."""
    own = (row for row in reviewed if (row.system, row.win) == family)
    return frozenset(frozenset({row.player_id}) for row in own)


def without_results(club: Club) -> list[Running]:
    """The running matches of a club, then those broken off or voided, each newest first. Two
    queries."""
    seats = Seating.objects.select_related("player", "event").order_by("event__seq", "seat")
    matches = club.matches.on_lists().with_deal_counts()
    latest = matches.prefetch_related(Prefetch("seatings", seats))[:LISTED]
    return [running_match(match) for match in latest]


def recent_in(club: Club) -> list[FinishedMatch]:
    """The finished matches of a club, the last played first. Two queries."""
    results = MatchResult.objects.select_related("player").order_by("seat", "id")
    matches = club.matches.finished().prefetch_related(Prefetch("results", results))
    latest = matches.order_by("-played_at", "-opened_at")[:RECENT_LISTED]
    return [FinishedMatch(match, tuple(match.results.all())) for match in latest]


def players_of(club: Club, archived: bool = False) -> Iterable[Player]:
    """The people of a club by name. One query."""
    return club.players.filter(archived_at__isnull=not archived).order_by("name", "created_at")
