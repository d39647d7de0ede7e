"""A club: what runs tonight, what was played, how people stand; and its settings."""

from datetime import timedelta

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.access import link_previews, permissions
from scoring.access.http import (
    actor_of,
    club_for,
    expired,
    page_or_part,
    post_data,
    preserve_on_csrf_failure,
    require_or_404,
    see_other,
)
from scoring.access.permissions import Action
from scoring.clubs.forms.clubs import ClubSettingsForm, NewClubForm
from scoring.clubs.views.founding import found_club
from scoring.game_nights.queries.game_nights import next_evening
from scoring.home.presenters.club_pages import club_pages
from scoring.home.queries.club_page import club_view
from scoring.house_rules.presenters.presets import preset_cards
from scoring.judging.queries.flags import waiting
from scoring.models import Club
from scoring.standings.presenters.standings import board
from scoring.standings.services.seasons import follow_clock

A_NIGHT = timedelta(hours=14)
"""So long an evening that nobody has ended is still the one that runs."""


def club(request: HttpRequest, slug: str) -> HttpResponse:
    found = club_for(request, slug, Action.SEE_PUBLIC)
    asks = actor_of(request)
    view = club_view(found)
    now = timezone.now()
    evening = next_evening(found, now - A_NIGHT)

    def may(action: Action) -> bool:
        return permissions.may(action, found, asks)

    context = {
        "club": found,
        "preview": link_previews.of_club(request, found),
        "view": view,
        "evening": evening,
        "is_on": evening is not None and evening.starts_at <= now,
        "standings": [(page, board(page)) for page in view.standings],
        "rules": found.house_rules,
        "pages": club_pages(found, may, waiting(found) if may(Action.JUDGE) else 0),
        "may_open": may(Action.OPEN),
    }
    return page_or_part(request, "home/club.html", context)


@preserve_on_csrf_failure
def club_new(request: HttpRequest) -> HttpResponse:
    require_or_404(request, Action.FOUND)
    form = NewClubForm(post_data(request), initial={"language": get_language()})
    if request.method == "POST" and not expired(request, form) and form.is_valid():
        asks = actor_of(request)
        assert asks.user is not None  # only an account may found a club
        made = found_club(form, asks.user, asks.user.username, asks, timezone.now())
        return see_other("club", made.slug)
    context = {"form": form, "presets": preset_cards(form["preset"].value())}
    status = 422 if request.method == "POST" else 200
    return page_or_part(request, "home/club_form.html", context, status=status)


@preserve_on_csrf_failure
def club_settings(request: HttpRequest, slug: str) -> HttpResponse:
    found = club_for(request, slug, Action.SETTINGS)
    form = ClubSettingsForm(post_data(request), instance=found)
    if request.method == "POST" and not expired(request, form) and form.is_valid():
        _save(form)
        messages.success(request, _("Saved."))
        return see_other("club_settings", slug)
    context = {
        # A refused form has changed the instance: the page names the club as it is.
        "club": Club.objects.get(pk=found.pk) if form.errors else found,
        "form": form,
    }
    status = 422 if request.method == "POST" else 200
    return page_or_part(request, "home/club_form.html", context, status=status)


@transaction.atomic
def _save(form: ClubSettingsForm) -> None:
    """With another time zone the days of its seasons begin at other moments."""
    club = form.save()
    if "time_zone" in form.changed_data:
        follow_clock(club=club)
