"""The finished matches of a club by month or day."""

from calendar import monthrange
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from scoring.access import link_previews
from scoring.access.http import club_for, page_or_part
from scoring.access.permissions import Action
from scoring.common.paging import address_of, page_number
from scoring.models import Club
from scoring.players.queries.club_matches import club_matches as matches_of
from scoring.players.queries.club_matches import last_day
from scoring.standings.presenters import club_statistics as presenter
from scoring.standings.presenters.standings import day_words

YEARS = range(1900, 3000)
"""At the ends of time no calendar has a day before or behind it."""


def club_matches(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the month or day in the address, else the month of the last match."""
    club = club_for(request, slug, Action.SEE_PUBLIC)
    context: dict[str, Any] = {
        "club": club,
        "preview": link_previews.of_club(request, club, _("Matches")),
    }
    day, month = _day(request.GET.get("day", "")), _day(f"{request.GET.get('month', '')}-01")
    if begins := day or month or last_day(club):
        context |= _of_days(request, club, begins, one=day is not None)
    return page_or_part(request, "players/club_matches.html", context)


def _of_days(request: HttpRequest, club: Club, day: date, *, one: bool) -> dict[str, Any]:
    first = day if one else day.replace(day=1)
    last = day if one else day.replace(day=monthrange(day.year, day.month)[1])
    found = matches_of(club, first, last, page_number(request))
    return {
        "view": found,
        "page": found.page,
        "when": day_words(day) if one else presenter.month_name(first),
        "sums": presenter.played(found.page.count, found.evenings),
        "months": [
            (presenter.month_name(month), f"?{presenter.month_query(month)}")
            for month in (found.after, found.before)
            if month
        ],
        "before": address_of(request, found.page.before),
        "after": address_of(request, found.page.after),
    }


def _day(text: str) -> date | None:
    """Return the day in the address; None if it is not a date."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return found if found.year in YEARS else None
