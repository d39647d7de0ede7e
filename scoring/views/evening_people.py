"""Who is there this evening: tapped when they come, tapped when they leave, substitutes."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from scoring.forms.refusals import said
from scoring.forms.setup import PlayerForm
from scoring.models import Evening, Player
from scoring.models.names import same_name
from scoring.selectors.access import Action
from scoring.selectors.evenings import Course, course_of
from scoring.selectors.people import people_for_seats
from scoring.services import evenings
from scoring.services.clubs import add_player
from scoring.services.refusals import LedgerRefused
from scoring.views.entry import read_id
from scoring.views.evenings import evening_at
from scoring.views.http import (
    FORM_EXPIRED,
    expired,
    is_expired,
    keeps_typed,
    page_or_part,
    see_other,
    who,
)


@keeps_typed
def evening_people(request: HttpRequest, slug: str, evening_id: UUID) -> HttpResponse:
    found = evening_at(request, slug, evening_id, Action.HOST)
    typed = request.POST if request.POST.get("action") == "guest" else None
    guest = PlayerForm(typed, others=_names(found) if typed else {})
    if request.method != "POST" or (typed and (expired(request, guest) or not guest.is_valid())):
        return _page(request, found, guest)
    if is_expired(request):
        return _page(request, found, guest, [("form_expired", FORM_EXPIRED)])
    try:
        with transaction.atomic():
            return _act(request, found, guest)
    except LedgerRefused as refused:
        return _page(request, found, guest, said(refused.problems))


def _act(request: HttpRequest, found: Evening, guest: PlayerForm) -> HttpResponse:
    """They come, they leave, or they sit down for somebody (`for`)."""
    player, leaving = _player(request, found, guest), _named(found, request.POST.get("for", ""))
    if leaving:
        asks, now = who(request), timezone.now()
        match = evenings.substitute(
            evening_id=found.id, leaving=leaving, coming=player, who=asks, now=now
        )
        if match:
            return see_other("match", match.id)
    elif request.POST.get("action") == "leave":
        evenings.leave(evening_id=found.id, player=player)
    else:
        evenings.come(evening_id=found.id, player=player)
    return see_other("evening_people", found.club.slug, found.id)


def _player(request: HttpRequest, found: Evening, guest: PlayerForm) -> Player:
    """Who was tapped, or somebody new."""
    if guest.is_bound:
        return add_player(club=found.club, name=guest.cleaned_data["name"])
    player = _named(found, request.POST.get("player", ""))
    if player is None:
        raise LedgerRefused("unknown_player", "player")
    return player


def _named(found: Evening, text: str) -> Player | None:
    wanted = read_id(text)
    return found.club.players.filter(id=wanted).first() if wanted else None


def _names(found: Evening) -> dict[str, str]:
    return {same_name(name): name for name in found.club.players.values_list("name", flat=True)}


def _page(
    request: HttpRequest, found: Evening, guest: PlayerForm, problems: Any = ()
) -> HttpResponse:
    course = course_of(found)
    wanted = request.GET.get("q", "")
    context = {
        "club": found.club,
        "evening": found,
        "course": course,
        "pairs": [two for two in course.pairs().values() if len(two) == 2],
        "alone": course.singles if found.in_pairs else course.here,
        "leaving": _leaving(request, course),
        "people": people_for_seats(found.club, wanted, [row.player for row in course.here]),
        "wanted": wanted,
        "guest": guest,
        "problems": problems,
    }
    status = 422 if request.method == "POST" else 200
    template = "scoring/evening_people.html"
    return page_or_part(request, template, context, part="people", status=status)


def _leaving(request: HttpRequest, course: Course) -> Player | None:
    """For whom a substitute is sought."""
    row = course.row_of(read_id(request.POST.get("for", "") or request.GET.get("for", "")))
    return row.player if row in course.here and row else None
