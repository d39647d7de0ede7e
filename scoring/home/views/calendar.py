"""The evenings of a club as a calendar subscribes to them. Nobody's name is in it."""

from datetime import datetime, timedelta
from hashlib import sha256

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import quote_etag
from icalendar import Calendar, Event

from scoring.access import permissions
from scoring.access.http import actor_of
from scoring.access.permissions import Action
from scoring.clubs.queries.api_keys import token_of
from scoring.game_nights.queries.game_nights import evenings_since
from scoring.models import Club, Evening, TokenScope

KEPT = timedelta(days=100)
"""So long an evening stays in the feed."""
USUAL = timedelta(hours=4)


def club_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """For whoever may see the club, or with a key of the club for just this in the address: a
    calendar sends no other."""
    club = Club.objects.filter(slug=slug).first()
    if club is None or not (_has_key(request, club) or _may(request, club)):
        raise Http404(slug)
    text = _calendar(request, club, timezone.now())
    etag = quote_etag(sha256(text).hexdigest()[:32])
    response = get_conditional_response(request, etag=etag)
    response = response or HttpResponse(text, content_type="text/calendar; charset=utf-8")
    response["ETag"] = etag
    response["Content-Disposition"] = f'inline; filename="{club.slug}.ics"'
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _may(request: HttpRequest, club: Club) -> bool:
    return permissions.may(Action.SEE_PUBLIC, club, actor_of(request))


def _has_key(request: HttpRequest, club: Club) -> bool:
    token = token_of(request.GET.get("token", ""))
    return token is not None and token.club_id == club.id and token.scope == TokenScope.CALENDAR


def _calendar(request: HttpRequest, club: Club, now: datetime) -> bytes:
    calendar = Calendar()
    calendar.add("prodid", "-//trexscore//evenings//")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("name", club.name)
    calendar.add("x-wr-calname", club.name)
    calendar.add("refresh-interval", timedelta(hours=1), parameters={"VALUE": "DURATION"})
    for evening in evenings_since(club, now - KEPT):
        calendar.add_component(_event(request, club, evening))
    return bytes(calendar.to_ical())


def _event(request: HttpRequest, club: Club, evening: Evening) -> Event:
    event = Event()
    address = request.build_absolute_uri(reverse("evening", args=[club.slug, evening.id]))
    event.add("uid", f"{evening.id}@trexscore")
    event.add("dtstamp", evening.created_at)
    event.add("dtstart", evening.starts_at)
    event.add("dtend", max(evening.ended_at or evening.starts_at + USUAL, evening.starts_at))
    event.add("summary", evening.name)
    event.add("location", club.name)
    event.add("url", address)
    return event
