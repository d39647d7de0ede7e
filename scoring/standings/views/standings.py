"""Standings of a club, and what season pages share with them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext_lazy as _

from scoring.access import link_previews
from scoring.access.http import club_for, page_or_part
from scoring.access.permissions import Action
from scoring.common.criteria import CRITERION_WORDS
from scoring.common.paging import ALL, address_of, page_number
from scoring.models import Club
from scoring.models.days import day_of
from scoring.rules import SYSTEMS
from scoring.rules.standings import CRITERIA, Family, Win
from scoring.spreadsheets import BOM
from scoring.standings.presenters.standings import (
    UntilForm,
    board,
    day_words,
    family_name,
    scope_query,
)
from scoring.standings.presenters.standings_csv import standings_csv
from scoring.standings.queries.seasons import changed_since
from scoring.standings.queries.standings import ALL_TIME, Scope, StandingsPage, standings_page


def club_standings(request: HttpRequest, slug: str) -> HttpResponse:
    club = club_for(request, slug, Action.SEE_PUBLIC)
    page, until = asked_page(request, club, scope_asked(request, club))
    context = {
        "club": club,
        "preview": link_previews.of_club(request, club, _("Standings")),
        **standings_context(request, page, until),
    }
    status = 422 if until.errors else 200
    return page_or_part(request, "standings/club_standings.html", context, status=status)


def club_standings_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the rows as CSV; `bom` for programs that need one to recognise UTF-8."""
    club = club_for(request, slug, Action.SEE_PUBLIC)
    page, until = asked_page(request, club, scope_asked(request, club))
    if until.errors:
        return club_standings(request, slug)
    start = BOM if request.GET.get("bom") == "1" else ""
    response = HttpResponse(start + standings_csv(page), content_type="text/csv; charset=utf-8")
    name = "-".join([club.slug, "standings", *([str(until.day)] if until.day else [])])
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    patch_cache_control(response, private=True, no_cache=True)
    return response


def scope_asked(request: HttpRequest, club: Club) -> Scope:
    """Return the season or game night in the address; raise 404 if it is not of this club."""
    season, evening = request.GET.get("season"), request.GET.get("evening")
    if season:
        return Scope(season=_own(club.seasons.filter, season))
    return Scope(evening=_own(club.evenings.filter, evening)) if evening else ALL_TIME


def _own(rows: Any, text: str) -> Any:
    try:
        found = rows(pk=UUID(text)).first()
    except ValueError:
        found = None
    if found is None:
        raise Http404(text)
    return found


def asked_page(request: HttpRequest, club: Club, scope: Scope) -> tuple[StandingsPage, UntilForm]:
    """Return the list that the address asks for, and the form of the day.

    Unknown values count as not given; an invalid day is an error of the form."""
    by, until = request.GET.get("by", ""), until_asked(request, club, scope)
    page = standings_page(
        club,
        replace(scope, until=until.day),
        family_asked(request),
        of_pairs=request.GET.get("pairs") == "1",
        by=by if by in CRITERIA else "",
    )
    return page, until


def until_asked(request: HttpRequest, club: Club, scope: Scope) -> UntilForm:
    """Return the form of the day, bound where the scope takes one."""
    is_asked = "until" in request.GET and scope.takes_a_day
    return UntilForm(request.GET if is_asked else None, today=day_of(club, timezone.now()))


def family_asked(request: HttpRequest) -> Family | None:
    system, win = request.GET.get("system", ""), request.GET.get("win")
    wins: Mapping[str | None, Win] = {"high": "high", "low": "low"}
    return (system, wins[win]) if system in SYSTEMS and win in wins else None


def standings_context(
    request: HttpRequest, page: StandingsPage, until: UntilForm
) -> dict[str, Any]:
    """Return the context of `_standings_page.html`."""
    number = None if request.GET.get("page") == ALL else page_number(request)
    drawn = board(page, number) if page.family and page.rows else None
    leaf = drawn.leaf if drawn and number is not None else None
    kept = _kept(request, page)
    return {
        "page": page,
        "board": drawn,
        "changes": changed_since(page) if page.scope.is_frozen else (),
        "before": address_of(request, leaf.before) if leaf else "",
        "after": address_of(request, leaf.after) if leaf else "",
        "whole": address_of(request, ALL),
        "families": _families(page),
        "kinds": _kinds(page),
        "orders": _orders(page),
        "file": _query(page, by=request.GET.get("by", "")),
        "until": until,
        "day": day_words(until.day) if until.day else "",
        "kept": kept,
        "now": "?" + urlencode(kept),
    }


type Choices = list[tuple[Any, str, bool]]
"""What a list can be turned to: its name, the address, and whether it is that now."""


def _families(page: StandingsPage) -> Choices:
    return [
        (family_name(each.family), _query(page, family=each.family), each.family == page.family)
        for each in page.tables
    ]


def _kinds(page: StandingsPage) -> Choices:
    """Return the choice between players and pairs, where there are pairs."""
    if not page.has_pairs:
        return []
    return [
        (name, _query(page, pairs=of_pairs), of_pairs == page.of_pairs)
        for name, of_pairs in ((_("People"), False), (_("Pairs"), True))
    ]


def _orders(page: StandingsPage) -> Choices:
    """Return the choice of criteria; a closed season has none."""
    if page.scope.is_frozen or page.family is None:
        return []
    names = [name for name in CRITERIA if not (page.of_pairs and name == "rating")]
    return [
        (CRITERION_WORDS[name].label, _query(page, by=name), name == page.criteria[0])
        for name in names
    ]


def _query(
    page: StandingsPage, *, family: Family | None = None, pairs: bool | None = None, by: str = ""
) -> str:
    """Return the address of the list with this changed."""
    of_pairs = page.of_pairs if pairs is None else pairs
    asked = _asked(family or page.family, of_pairs, by) | scope_query(page.scope)
    return "?" + urlencode(asked)


def _asked(family: Family | None, of_pairs: bool, by: str) -> dict[str, str]:
    system, win = family or ("", "")
    asked = {"system": system, "win": win, "pairs": "1" if of_pairs else "", "by": by}
    return {name: value for name, value in asked.items() if value}


def _kept(request: HttpRequest, page: StandingsPage) -> dict[str, str]:
    """Return the hidden fields of the day form, which keep the rest of the list."""
    family = page.family or family_asked(request)
    asked = _asked(family, page.of_pairs, request.GET.get("by", ""))
    season = page.scope.season
    return asked | ({"season": str(season.id)} if season else {})
