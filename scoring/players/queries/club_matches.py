"""Finished matches of a club between two days."""

from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from django.db.models import Prefetch, QuerySet

from scoring.common.paging import PAGE, Page, nearest
from scoring.models import Club, Match, MatchResult
from scoring.models.days import day_of, span
from scoring.players.queries.player_matches import reviewed_among
from scoring.standings.queries.played import FinishedMatch


@dataclass(frozen=True)
class ClubMatches:
    """One page of matches, latest first.

    `evenings` is the number of days on which all of them were played; the other two are the days of
    the nearest match before and after."""

    page: Page[FinishedMatch]
    evenings: int
    reviewed: frozenset[UUID]
    before: date | None
    after: date | None


def last_day(club: Club) -> date | None:
    """Return the day of the last finished match. One query."""
    return _first_day(club, club.matches.finished().order_by("-played_at"))


def club_matches(club: Club, first: date, last: date, number: int) -> ClubMatches:
    """Return the matches between two days, both included. Six queries."""
    since, until = span(club, first, last)
    every = club.matches.finished()
    rows = every.filter(played_at__gte=since, played_at__lt=until)
    moments = list(rows.order_by().values_list("played_at", flat=True))
    number = nearest(number, len(moments))
    lines = _lines(rows, (number - 1) * PAGE)
    return ClubMatches(
        page=Page(lines, len(moments), number),
        evenings=len({day_of(club, moment) for moment in moments}),
        reviewed=frozenset(reviewed_among(club, [line.match.id for line in lines])),
        before=_first_day(club, every.filter(played_at__lt=since).order_by("-played_at")),
        after=_first_day(club, every.filter(played_at__gte=until).order_by("played_at")),
    )


def _lines(rows: QuerySet[Match], first: int) -> tuple[FinishedMatch, ...]:
    """Return the matches with their results. Two queries."""
    results = MatchResult.objects.select_related("player").order_by("seat", "id")
    found = rows.order_by("-played_at", "-opened_at", "-id")[first : first + PAGE]
    matches = found.prefetch_related(Prefetch("results", results))
    return tuple(FinishedMatch(match, tuple(match.results.all())) for match in matches)


def _first_day(club: Club, rows: QuerySet[Match]) -> date | None:
    """Return the day of the first match of a list. One query."""
    moment: datetime | None = rows.values_list("played_at", flat=True).first()
    return day_of(club, moment) if moment else None
