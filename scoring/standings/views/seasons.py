"""List, page and form of the seasons of a club."""

from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _

from scoring.access import link_previews, permissions
from scoring.access.http import (
    FORM_EXPIRED,
    actor_of,
    club_for,
    expired,
    is_expired,
    page_or_part,
    post_data,
    preserve_on_csrf_failure,
    require_permission,
    see_other,
)
from scoring.access.permissions import Action
from scoring.common import words
from scoring.common.error_sentences import problem_sentences, show_refusal
from scoring.common.errors import RefusalCode, ServiceError
from scoring.house_rules.queries.house_rules import sets_of
from scoring.models import Club, Season
from scoring.models.days import day_of
from scoring.standings.forms import FIELDS, STATE_WORDS, SeasonForm
from scoring.standings.queries.seasons import running_in, seasons_of, state_of
from scoring.standings.queries.standings import Scope
from scoring.standings.services import seasons as service
from scoring.standings.views.standings import asked_page, standings_context

DEFAULT_LENGTH = timedelta(days=90)


def club_seasons(request: HttpRequest, slug: str) -> HttpResponse:
    club = club_for(request, slug, Action.SEE_PUBLIC)
    today = day_of(club, timezone.now())
    context = {
        "club": club,
        "preview": link_previews.of_club(request, club, _("Seasons")),
        "seasons": [(each, *_state(each, today)) for each in seasons_of(club)],
        "may_change": permissions.may(Action.PEOPLE, club, actor_of(request)),
    }
    return page_or_part(request, "standings/club_seasons.html", context)


def _state(season: Season, today: date) -> tuple[str, Any]:
    state = state_of(season, today)
    return state, STATE_WORDS[state]


@preserve_on_csrf_failure
def season(request: HttpRequest, slug: str, season_id: UUID) -> HttpResponse:
    """Show the standings of a season; owners close and reopen it here."""
    club = club_for(request, slug, Action.SEE_PUBLIC)
    found, refused = _season(club, season_id), None
    if request.method == "POST":
        require_permission(request, Action.PEOPLE, club)
        try:
            if not is_expired(request):
                return _act(request, found)
        except ServiceError as problem:
            refused = problem
            found.refresh_from_db()
    page, until = asked_page(request, club, Scope(season=found))
    state, state_words = _state(found, day_of(club, timezone.now()))
    may_change = permissions.may(Action.PEOPLE, club, actor_of(request))
    too_late = [("form_expired", FORM_EXPIRED)] if is_expired(request) else []
    context = {
        "club": club,
        "season": found,
        "preview": link_previews.of_club(request, club, found.name),
        "state": state,
        "state_words": state_words,
        "refused": problem_sentences(refused.problems) if refused else too_late,
        "may_change": may_change,
        "running": running_in(club, found) if may_change and not found.closed_at else 0,
        **standings_context(request, page, until),
    }
    status = 422 if request.method == "POST" or until.errors else 200
    return page_or_part(request, "standings/season.html", context, status=status)


def _act(request: HttpRequest, season: Season) -> HttpResponse:
    if request.POST.get("action") == "close":
        service.close(season=season, by=actor_of(request).user, now=timezone.now())
        messages.success(request, _("Closed. What is announced now stays."))
    elif request.POST.get("action") == "reopen":
        service.reopen(season=season)
        messages.success(request, _("Open again. The standings are what the matches say."))
    return see_other("season", season.club.slug, season.id)


@preserve_on_csrf_failure
def season_new(request: HttpRequest, slug: str) -> HttpResponse:
    club = club_for(request, slug, Action.PEOPLE)
    today = day_of(club, timezone.now())
    new = Season(
        club=club,
        starts_on=today,
        ends_on=today + DEFAULT_LENGTH,
        criteria=club.criteria,
        minimum=club.minimum,
    )
    form = SeasonForm(post_data(request), instance=new, sets=sets_of(club))
    if request.method == "POST" and not expired(request, form) and form.is_valid():
        try:
            made = service.create(season=form.instance)
            return see_other("season", slug, made.id)
        except ServiceError as refused:
            show_refusal(form, refused.problems, FIELDS)
    return _form(request, club, form, None)


@preserve_on_csrf_failure
def season_edit(request: HttpRequest, slug: str, season_id: UUID) -> HttpResponse:
    """Change or delete an open season."""
    club = club_for(request, slug, Action.PEOPLE)
    found = _season(club, season_id)
    deletes, stale = request.POST.get("action") == "delete", False
    form = SeasonForm(None if deletes else post_data(request), instance=found, sets=sets_of(club))
    leaving = forms.Form(post_data(request) if deletes else None)
    acting = leaving if deletes else form
    if request.method == "POST" and not expired(request, acting) and acting.is_valid():
        try:
            if deletes:
                return _delete(request, found)
            service.change(season=form.instance, seen=request.POST.get("seen", ""))
            messages.success(request, _("Saved."))
            return see_other("season", slug, found.id)
        except ServiceError as refused:
            show_refusal(acting, refused.problems, FIELDS)
            stale = refused.code == RefusalCode.STALE
    return _form(request, club, form, _season(club, season_id), leaving, stale=stale)


def _delete(request: HttpRequest, season: Season) -> HttpResponse:
    service.delete(season=season)
    text = _("{name} is gone. Its matches stay where they are.")
    messages.success(request, format_html(text, name=words.person(season.name)))
    return see_other("club_seasons", season.club.slug)


def _form(
    request: HttpRequest,
    club: Club,
    form: SeasonForm,
    season: Season | None,
    leaving: forms.Form | None = None,
    *,
    stale: bool = False,
) -> HttpResponse:
    now = service.mark(season) if season else ""
    context = {
        "club": club,
        "season": season,
        "form": form,
        "leaving": leaving,
        # Sending the form again after the warning confirms it.
        "seen": now if stale or request.method != "POST" else request.POST.get("seen", now),
    }
    status = 409 if stale else 422 if request.method == "POST" else 200
    return page_or_part(request, "standings/season_form.html", context, status=status)


def _season(club: Club, season_id: UUID) -> Season:
    """Return a season of this club, or raise 404."""
    found = club.seasons.filter(pk=season_id).first()
    if found is None:
        raise Http404(season_id)
    return found
