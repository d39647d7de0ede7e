"""Pages of a game night: tables, earlier rounds, live standings.

What changes is rendered once for all readers and polled as on a table's page.
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django import forms
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.http import quote_etag
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from scoring.access import link_previews, permissions
from scoring.access.http import (
    actor_of,
    club_for,
    expired,
    is_expired,
    page_or_part,
    post_data,
    preserve_on_csrf_failure,
    require_or_404,
    require_permission,
    see_other,
    status_of,
)
from scoring.access.permissions import Action
from scoring.common.error_sentences import problem_sentences, show_refusal
from scoring.common.errors import ServiceError
from scoring.common.paging import address_of, page_number
from scoring.common.shared_cache import get_or_render
from scoring.game_nights.forms.game_nights import EveningForm, drawn_by
from scoring.game_nights.queries.game_nights import course_of, evenings_of, tag_of_evening, watched
from scoring.game_nights.queries.live import evening_now
from scoring.game_nights.services import game_nights, plans
from scoring.house_rules.queries.house_rules import sets_of
from scoring.models import Club, Evening
from scoring.models.days import day_of, zone_of
from scoring.standings.presenters.standings import board, counted
from trexscore.build import build

if TYPE_CHECKING:
    from scoring.game_nights.queries.game_nights import WatchedEvening

PAGE = "game_nights/evening.html"
LISTED = 30
USUAL_HOUR = 20


def evening_at(
    request: HttpRequest, slug: str, evening_id: UUID, action: Action
) -> "WatchedEvening":
    """The evening with its club, or 404. One query besides what the right needs."""
    found = watched(slug, evening_id)
    if found is None:
        raise Http404(evening_id)
    require_or_404(request, action, found.club)
    return found


# ── the evening ─────────────────────────────────────────────────────────


@preserve_on_csrf_failure
def evening(request: HttpRequest, slug: str, evening_id: UUID) -> HttpResponse:
    found = evening_at(request, slug, evening_id, Action.SEE_PUBLIC)
    refused = None
    if request.method == "POST":
        require_permission(request, Action.HOST, found.club)
        refused = None if is_expired(request) else _act(request, found)
        if refused is None and not is_expired(request):
            return see_other("evening", slug, evening_id)
    sees = _sees_running(request, found)
    context = shown(found, sees) | {
        "may_host": permissions.may(Action.HOST, found.club, actor_of(request)),
        "tag": _tag(found, sees),
        "preview": link_previews.of_club(request, found.club, found.name),
        "problems": problem_sentences(refused.problems) if refused else (),
    }
    status = 422 if is_expired(request) else status_of(refused)
    return page_or_part(request, PAGE, context, status=status)


def _act(request: HttpRequest, found: Evening) -> ServiceError | None:
    try:
        if request.POST.get("action") == "end":
            game_nights.end(evening_id=found.id, now=timezone.now())
        elif request.POST.get("action") == "resume":
            game_nights.resume(evening_id=found.id)
    except ServiceError as refused:
        return refused
    return None


def shown(found: Evening, with_running: bool) -> dict[str, Any]:
    """What everybody sees alike, whoever looks."""
    course = course_of(found)
    now = evening_now(course, with_running=with_running)
    table = board(now.standings)
    lines = [(line, now.running.get(_ids(line))) for line in table.ranked]
    finished = set(counted(now.standings.scope))
    return {
        "club": found.club,
        "evening": found,
        "course": course,
        "now": now,
        "drawn_by": drawn_by(now.current.drawn.row.method) if now.current else "",
        "board": table,
        "rules": [rule for rule in table.rules if not (now.running and rule in finished)],
        "lines": lines,
        "with_running": with_running,
    }


def _ids(line: Any) -> frozenset[UUID]:
    return frozenset(person.id for person in line.people)


def _sees_running(request: HttpRequest, found: Evening) -> bool:
    """Whether this reader is shown what is being played at all tables (C103)."""
    return found.tables_are_open or permissions.may(Action.HOST, found.club, actor_of(request))


# ── following it ────────────────────────────────────────────────────────


def evening_live(request: HttpRequest, slug: str, evening_id: UUID) -> HttpResponse:
    """One look-up, besides what the right to see needs, where nothing has changed."""
    found = evening_at(request, slug, evening_id, Action.SEE_PUBLIC)
    sees = _sees_running(request, found)
    tag = _tag(found, sees)
    response = get_conditional_response(request, etag=quote_etag(tag))
    response = response or HttpResponse(_part(found, sees, tag))
    response["ETag"] = quote_etag(tag)
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response


def _part(found: Evening, sees: bool, tag: str) -> str:
    def holds() -> bool:
        """What was read while a table wrote may be a bit of both."""
        newest = watched(found.club.slug, found.id)
        return newest is not None and _tag(newest, sees) == tag

    key = f"evening {found.id} {tag} {get_language()}"
    return get_or_render(key, lambda: drawn(found, sees), holds)


def drawn(found: Evening, sees: bool) -> str:
    return render_to_string(f"{PAGE}#live", shown(found, sees))


def _tag(found: "WatchedEvening", sees: bool) -> str:
    return f"{tag_of_evening(found)}{'' if sees else 'c'}-{build()}"


# ── all of them, and planning one ───────────────────────────────────────


def club_evenings(request: HttpRequest, slug: str) -> HttpResponse:
    club = club_for(request, slug, Action.SEE_PUBLIC)
    asks = actor_of(request)
    page = Paginator(evenings_of(club), LISTED).get_page(page_number(request))
    context = {
        "club": club,
        "preview": link_previews.of_club(request, club, _("Evenings")),
        "evenings": list(page),
        "page": {"number": page.number, "pages": page.paginator.num_pages},
        "before": address_of(request, page.number - 1 if page.has_previous() else None),
        "after": address_of(request, page.number + 1 if page.has_next() else None),
        "may_host": permissions.may(Action.HOST, club, asks),
        "calendar": request.build_absolute_uri(reverse("club_calendar", args=[slug])),
        "may_settings": permissions.may(Action.SETTINGS, club, asks),
    }
    return page_or_part(request, "game_nights/club_evenings.html", context)


@preserve_on_csrf_failure
def evening_new(request: HttpRequest, slug: str) -> HttpResponse:
    club = club_for(request, slug, Action.HOST)
    form = EveningForm(post_data(request), club=club, sets=sets_of(club), starts_at=_tonight(club))
    if request.method == "POST" and not expired(request, form) and form.is_valid():
        try:
            planned = plans.plan(
                club=club,
                evening_id=form.cleaned_data["entry_key"],
                wanted=form.plan(),
                actor=actor_of(request),
                now=timezone.now(),
            )
            return see_other("evening_people", slug, planned.id)
        except ServiceError as refused:
            show_refusal(form, refused.problems, {})
    return _form_page(request, club, form)


@preserve_on_csrf_failure
def evening_edit(request: HttpRequest, slug: str, evening_id: UUID) -> HttpResponse:
    found = evening_at(request, slug, evening_id, Action.HOST)
    club = found.club
    drops = request.POST.get("action") == "drop"
    data = None if drops else post_data(request)
    form = EveningForm(
        data, club=club, sets=sets_of(club), evening=found, starts_at=found.starts_at
    )
    leaving = forms.Form(post_data(request) if drops else None)
    acting = leaving if drops else form
    if request.method == "POST" and not expired(request, acting) and acting.is_valid():
        try:
            if drops:
                plans.drop(evening_id=found.id)
                return see_other("club_evenings", slug)
            plans.change(evening_id=found.id, wanted=form.plan())
            return see_other("evening", slug, found.id)
        except ServiceError as refused:
            show_refusal(acting, refused.problems, {})
    return _form_page(request, club, form, leaving)


def _form_page(
    request: HttpRequest, club: Club, form: EveningForm, leaving: forms.Form | None = None
) -> HttpResponse:
    begun = form.evening is not None and form.evening.matches.exists()
    context = {
        "club": club,
        "form": form,
        "leaving": leaving,
        "evening": form.evening,
        "has_begun": begun,
        "presets": form.cards(),
    }
    status = 422 if request.method == "POST" else 200
    return page_or_part(request, "game_nights/evening_form.html", context, status=status)


def _tonight(club: Club) -> datetime:
    """Eight o'clock on the club's clock; while that is past, the evening that runs already."""
    now = timezone.now()
    zone = zone_of(club)
    day = day_of(club, now)
    usual = datetime(day.year, day.month, day.day, USUAL_HOUR, tzinfo=zone)
    return usual if usual > now - timedelta(hours=12) else now
