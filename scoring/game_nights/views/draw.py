"""The draw of a round: method, seats, exchanges by hand, and the opening of all tables."""

import random
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from scoring.access.http import (
    FORM_EXPIRED,
    actor_of,
    is_expired,
    page_or_part,
    preserve_on_csrf_failure,
    see_other,
)
from scoring.access.permissions import Action
from scoring.common.error_sentences import problem_sentences
from scoring.common.errors import RefusalCode, ServiceError
from scoring.entry.views.entry import read_id
from scoring.game_nights.forms.game_nights import drawn_by, ways
from scoring.game_nights.queries.game_nights import GameNightCourse, course_of
from scoring.game_nights.services import game_nights
from scoring.game_nights.views.game_nights import evening_at
from scoring.models import Evening
from scoring.rules.drawing import Method

lot = random.SystemRandom()
DIGITS = 10**8
"""Short enough to be read out."""
LONGEST = 5
"""Digits of the number of a round."""


@preserve_on_csrf_failure
def evening_draw(request: HttpRequest, slug: str, evening_id: UUID) -> HttpResponse:
    found = evening_at(request, slug, evening_id, Action.HOST)
    if request.method == "POST" and not is_expired(request):
        try:
            return _act(request, found)
        except ServiceError as refused:
            return _page(request, found, problem_sentences(refused.problems), _status(refused))
    if is_expired(request):
        return _page(request, found, [("form_expired", FORM_EXPIRED)], 422)
    return _page(request, found)


def _status(refused: ServiceError) -> int:
    return 409 if refused.code == RefusalCode.STALE else 422


def _act(request: HttpRequest, found: Evening) -> HttpResponse:
    now, data = timezone.now(), request.POST
    given: dict[str, Any] = {"evening_id": found.id, "seen": data.get("seen", ""), "now": now}
    action = data.get("action", "")
    if action == "exchange":
        one, other = read_id(data.get("one", "")), read_id(data.get("other", ""))
        game_nights.exchange(**given, one=one, other=other)
    elif action == "open":
        number = data.get("number", "")
        is_right = number.isdecimal() and len(number) <= LONGEST
        game_nights.open_tables(
            **given, number=int(number) if is_right else 0, actor=actor_of(request)
        )
        return see_other("evening", found.club.slug, found.id)
    else:
        method: Method = next((each for each in game_nights.METHODS if each == action), "lot")
        game_nights.draw(
            **given, method=method, seed=lot.randrange(DIGITS), actor=actor_of(request)
        )
    return see_other("evening_draw", found.club.slug, found.id)


def _page(
    request: HttpRequest, found: Evening, problems: Any = (), status: int = 200
) -> HttpResponse:
    course = course_of(found)
    waiting = course.waiting
    context = {
        "club": found.club,
        "evening": found,
        "course": course,
        "waiting": waiting,
        "drawn_by": drawn_by(waiting.row.method) if waiting else "",
        "ways": ways(course.next_number),
        "moved": _moved(request, course),
        "problems": problems,
    }
    return page_or_part(
        request, "game_nights/evening_draw.html", context, part="draw", status=status
    )


def _moved(request: HttpRequest, course: GameNightCourse) -> UUID | None:
    """Who was tapped to change places with somebody."""
    wanted = read_id(request.GET.get("move", ""))
    return wanted if course.waiting and wanted in course.waiting.people else None
