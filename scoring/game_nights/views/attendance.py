"""Attendance of a game night: arrivals, departures, partners and substitutes."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from scoring.access.http import (
    FORM_EXPIRED,
    actor_of,
    expired,
    is_expired,
    page_or_part,
    preserve_on_csrf_failure,
    see_other,
)
from scoring.access.permissions import Action
from scoring.common.error_sentences import problem_sentences
from scoring.common.errors import RefusalCode, ServiceError
from scoring.entry.views.entry import read_id
from scoring.game_nights.queries.game_nights import GameNightCourse, at_tables, course_of
from scoring.game_nights.services import game_nights
from scoring.game_nights.views.game_nights import evening_at
from scoring.models import Evening, Player
from scoring.people.forms.player_form import PlayerForm
from scoring.people.queries.people import names_of, people_for_seats
from scoring.people.services.naming import add_player


@preserve_on_csrf_failure
def evening_people(request: HttpRequest, slug: str, evening_id: UUID) -> HttpResponse:
    """A name that is typed is that of a guest who comes, whichever button was tapped, but one that
    says who was meant."""
    found = evening_at(request, slug, evening_id, Action.HOST)
    typed = request.POST if request.POST.get("name") and "known" not in request.POST else None
    guest = PlayerForm(typed, others=names_of(found.club.players.all()))
    if request.method != "POST" or (typed and (expired(request, guest) or not guest.is_valid())):
        return _page(request, found, guest)
    if is_expired(request):
        return _page(request, found, guest, [("form_expired", FORM_EXPIRED)])
    act = ACTS.get(request.POST.get("action", ""), _attend)
    try:
        with transaction.atomic():
            return act(request, found, guest)
    except ServiceError as refused:
        return _page(request, found, guest, problem_sentences(refused.problems))


# ── what is done on it ──────────────────────────────────────────────────


def _attend(request: HttpRequest, found: Evening, guest: PlayerForm) -> HttpResponse:
    """Takes over what was changed since the page was drawn, and nothing else: somebody else may be
    ticking on another phone."""
    here = [*dict.fromkeys(_ids(request, "here") + _ids(request, "known"))]
    was = _ids(request, "was")
    players = found.club.players.in_bulk([*here, *was])
    coming = [players[one] for one in here if one in players and one not in was]
    if guest.is_bound:
        coming.append(_new(found, guest))
    leaving = [players[one] for one in was if one in players and one not in here]
    game_nights.attend(evening_id=found.id, coming=coming, leaving=leaving)
    return _onward(request, found, guest)


def _onward(request: HttpRequest, found: Evening, guest: PlayerForm) -> HttpResponse:
    """To the draw; to the same page where more names are wanted; else to the evening."""
    address = found.club.slug, found.id
    wanted, then = request.POST.get("q", "").strip(), request.POST.get("then")
    if guest.is_bound or "known" in request.POST or then == "find" or (wanted and not then):
        query = f"?{urlencode({'q': wanted})}" if wanted else ""
        return see_other(reverse("evening_people", args=address) + query)
    return see_other("evening_draw" if then == "draw" else "evening", *address)


def _substitute(request: HttpRequest, found: Evening, guest: PlayerForm) -> HttpResponse:
    leaving = _named(found, "for", request)
    name = "known" if "known" in request.POST else "player"
    coming = _new(found, guest) if guest.is_bound else _named(found, name, request)
    asks, now = actor_of(request), timezone.now()
    match = game_nights.substitute(
        evening_id=found.id, leaving=leaving, coming=coming, actor=asks, now=now
    )
    if match:
        return see_other("match", match.id)
    return see_other("evening_people", found.club.slug, found.id)


def _pair(request: HttpRequest, found: Evening, guest: PlayerForm) -> HttpResponse:
    one, other = (read_id(request.POST.get(name, "")) for name in ("one", "other"))
    game_nights.pair(evening_id=found.id, one=one, other=other)
    return see_other("evening_people", found.club.slug, found.id)


ACTS = {"attend": _attend, "substitute": _substitute, "pair": _pair}


def _new(found: Evening, guest: PlayerForm) -> Player:
    return add_player(club=found.club, name=guest.cleaned_data["name"])


def _named(found: Evening, field: str, request: HttpRequest) -> Player:
    wanted = read_id(request.POST.get(field, ""))
    player = found.club.players.filter(id=wanted).first() if wanted else None
    if player is None:
        raise ServiceError(RefusalCode.UNKNOWN_PLAYER, field)
    return player


def _ids(request: HttpRequest, field: str) -> list[UUID]:
    return [one for one in map(read_id, request.POST.getlist(field)) if one]


# ── what the page shows ─────────────────────────────────────────────────


def _page(
    request: HttpRequest, found: Evening, guest: PlayerForm, problems: Any = ()
) -> HttpResponse:
    course = course_of(found)
    wanted = request.POST.get("q", "") or request.GET.get("q", "")
    people = people_for_seats(found.club, wanted)
    sitting = at_tables(course)
    leaving = _for_whom(request, course, sitting)
    ticks = _ticks(request, course, people.offered)
    context = {
        "club": found.club,
        "evening": found,
        "course": course,
        "people": people,
        "ticks": ticks,
        "may_leave": sitting or [row.player for row in course.here],
        "pairs": [two for two in course.pairs().values() if len(two) == 2],
        "leaving": leaving,
        "substitutes": _substitutes(ticks, sitting, leaving),
        "one": _chosen(request, course, "one"),
        "wanted": wanted,
        "guest": guest,
        "problems": problems,
    }
    status = 422 if request.method == "POST" else 200
    template = "game_nights/evening_people.html"
    return page_or_part(request, template, context, part="people", status=status)


def _ticks(
    request: HttpRequest, course: GameNightCourse, offered: Sequence[Player]
) -> list[tuple[Player, bool, bool]]:
    """Everybody who is offered or here: whether they are, and whether they are ticked, which is
    another thing while a page that was refused is shown again."""
    here: Mapping[UUID, Player] = {row.player_id: row.player for row in course.here}
    others = [player for one, player in here.items() if player not in offered]
    ticked = {*_ids(request, "here")} if "was" in request.POST else here.keys()
    shown = [*offered, *others]
    return [(player, player.id in here, player.id in ticked) for player in shown]


def _substitutes(
    ticks: Sequence[tuple[Player, bool, bool]], sitting: Sequence[Player], leaving: Player | None
) -> list[Player]:
    """Who may sit down for somebody: at a table first those who have a bye."""
    free = [(is_here, player) for player, is_here, _ in ticks if player not in sitting]
    byes = [player for is_here, player in free if is_here and leaving in sitting]
    return [*byes, *(player for is_here, player in free if not is_here)]


def _for_whom(
    request: HttpRequest, course: GameNightCourse, sitting: Sequence[Player]
) -> Player | None:
    """For whom a substitute is sought: somebody at a table, ticked or not, or somebody here."""
    wanted = read_id(request.POST.get("for", "") or request.GET.get("for", ""))
    found = next((player for player in sitting if player.id == wanted), None)
    return found or _chosen(request, course, "for")


def _chosen(request: HttpRequest, course: GameNightCourse, field: str) -> Player | None:
    """Who was tapped among those who are here."""
    row = course.row_of(read_id(request.POST.get(field, "") or request.GET.get(field, "")))
    return row.player if row and row in course.here else None
