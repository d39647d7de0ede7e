"""A match that does not end by itself: broken off, voided, taken up again. Each asks once more."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from scoring.access import permissions
from scoring.access.http import (
    actor_of,
    match_for,
    page_or_part,
    preserve_on_csrf_failure,
    require_permission,
    see_other,
    status_of,
)
from scoring.access.permissions import Action
from scoring.common.error_sentences import problem_sentences
from scoring.common.errors import ServiceError
from scoring.entry.views.entry import write_of
from scoring.ledger.queries.match_view import MatchView, match_view
from scoring.matches.services import matches
from scoring.models import Match, MatchState

PAGE = "matches/match_close.html"


@preserve_on_csrf_failure
def match_close(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match = match_for(request, match_id, Action.RUN)
    act = ACTS.get(request.POST.get("action", ""))
    if act is None:
        return _page(request, match)
    require_permission(request, _right(act, match), match)
    try:
        act(write_of(request, match), reason=request.POST.get("reason", ""))
    except ServiceError as refused:
        match.refresh_from_db()
        return _page(request, match, refused)
    return see_other(reverse("match", args=[match.id], query={"contract": ""}))


ACTS: dict[str, Callable[..., Match]] = {
    "break_off": matches.break_off,
    "void": matches.void_match,
    "reopen": matches.reopen,
}


def _right(act: object, match: Match) -> Action:
    if act is matches.break_off:
        return Action.RUN
    return permissions.to_reopen(match) if act is matches.reopen else Action.REOPEN


def _page(request: HttpRequest, match: Match, refused: ServiceError | None = None) -> HttpResponse:
    view, asks = match_view(match), actor_of(request)
    may_void = permissions.may(Action.REOPEN, match, asks) and match.state != MatchState.VOIDED
    problems = refused.problems if refused else ()
    context = {
        "match": match,
        "view": view,
        "all_played": view.can_finish,
        "may_void": may_void,
        "may_reopen": not match.is_running
        and permissions.may(permissions.to_reopen(match), match, asks),
        "voiding": may_void and "void" in request.GET,
        "lost": _lost(view),
        "problems": problem_sentences([one for one in problems if one.field != "reason"]),
        "reason_problems": problem_sentences([one for one in problems if one.field == "reason"]),
        "reason": request.POST.get("reason", ""),
        "entry_key": uuid4(),
    }
    status = status_of(refused)
    return page_or_part(request, PAGE, context, status=status)


def _lost(view: MatchView) -> dict[str, Any]:
    """What no longer counts when the match is voided."""
    sheet = view.sheet
    totals = [
        (each.name, sheet.totals[each.seat] if sheet.begun else None, sheet.places[each.seat])
        for each in view.seats
    ]
    return {
        "deals": len(view.table.played),
        "totals": totals,
        "beside": len(view.table.adjustments),
    }
