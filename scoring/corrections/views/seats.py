"""Who sits where, now and before; somebody else sits down, two change seats, and it is undone."""

from itertools import pairwise
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from scoring.access import permissions
from scoring.access.http import (
    actor_of,
    match_for,
    page_or_part,
    preserve_on_csrf_failure,
    require_permission,
    see_other,
    status_of,
    view_of,
)
from scoring.access.permissions import Action
from scoring.common.errors import RefusalCode, ServiceError
from scoring.corrections.forms.seating import SeatForm, sits_down
from scoring.corrections.queries.effects import effects
from scoring.corrections.queries.seating import newest_number, seat_changes
from scoring.corrections.services import seats as service
from scoring.entry.views.entry import answered_once, raw_of_post, read_id, write_of
from scoring.ledger.queries.match_view import MatchView
from scoring.ledger.queries.snapshots import seating_rows
from scoring.models import Deal, EventKind, Player, Seating
from scoring.people.queries.people import people_for_seats

PAGE = "corrections/seats.html"
OFFERED = 8
"""So many people of a club are offered at once; the others are behind a tap."""


@preserve_on_csrf_failure
def seats(request: HttpRequest, match_id: UUID) -> HttpResponse:
    view = view_of(request, match_for(request, match_id, Action.SEE_MATCH))
    form = SeatForm(newest_number(view.table), raw_of_post(request.POST))
    act = ACTS.get(request.POST.get("action", ""))
    if request.method != "POST" or act is None:
        return _page(request, view, form)
    require_permission(request, Action.RUN, view.match)
    return answered_once(
        request,
        view,
        [EventKind.SEATS_CHANGED],
        first=lambda: see_other("seats", match_id),
        act=lambda: act(request, view, form),
        again=lambda now, refused: _page(request, now, form, refused=refused),
    )


# ── what is done on it ──────────────────────────────────────────────────


def _look(request: HttpRequest, view: MatchView, form: SeatForm) -> HttpResponse:
    """What the change would do; nothing is written."""
    rows = seating_rows(view.match)
    sitting = service.now_sitting(rows, form.from_deal)
    players = form.read(sitting)
    if players is None:
        return _page(request, view, form, status=422)
    plan = service.plan(view.table, rows, players, form.from_deal)
    return _page(request, view, form, effect=_effect(view, rows, plan))


def _effect(view: MatchView, rows: list[Seating], plan: service.SeatsPlan) -> dict[str, Any]:
    from_deal = plan.rows[0].from_deal
    return {
        "from_deal": from_deal,
        "lines": sits_down(plan.rows, service.now_sitting(rows, from_deal)),
        "people": effects(view, view.table, seatings=plan.rows).people,
        "is_late": plan.is_late,
    }


def _change(request: HttpRequest, view: MatchView, form: SeatForm) -> HttpResponse:
    _insist_on_earlier(request, view, form.from_deal)
    sitting = service.now_sitting(seating_rows(view.match), form.from_deal)
    players = form.read(sitting)
    if players is None:
        return _page(request, view, form, status=422)
    try:
        service.reseat(
            write_of(request, view.match),
            players=players,
            from_deal=form.from_deal,
            reason=request.POST.get("reason", ""),
        )
    except ServiceError as refused:
        if not refused.is_only_about("reason"):
            raise
        form.problems = list(refused.problems)
        answer = _look(request, view, form)
        answer.status_code = 422
        return answer
    return see_other("seats", view.match.id)


def _undo(request: HttpRequest, view: MatchView, form: SeatForm) -> HttpResponse:
    """At once where no points move; else it shows first what that does, and asks why."""
    event_id = read_id(request.POST.get("event", ""))
    if event_id is None:
        raise ServiceError(RefusalCode.CHANGED_SINCE, "event")
    rows = seating_rows(view.match)
    plan = service.plan_undo(view.table, rows, event_id)
    _insist_on_earlier(request, view, plan.rows[0].from_deal)
    shown = _effect(view, rows, plan) | {"event": event_id}
    reason = request.POST.get("reason")
    if reason is None and plan.is_late:
        return _page(request, view, form, effect=shown)
    try:
        service.undo(write_of(request, view.match), event_id=event_id, reason=reason or "")
    except ServiceError as refused:
        if not refused.is_only_about("reason"):
            raise
        form.problems = list(refused.problems)
        return _page(request, view, form, effect=shown, status=422)
    return see_other("seats", view.match.id)


def _insist_on_earlier(request: HttpRequest, view: MatchView, from_deal: int) -> None:
    """Where deals were played, their points move: that is a correction of each."""
    for deal in _later(view, from_deal):
        require_permission(request, Action.CORRECT, view.match, deal=deal, now=timezone.now())


def _later(view: MatchView, from_deal: int) -> list[Deal]:
    return [deal for number, deal in view.deals.items() if number >= from_deal]


ACTS = {"look": _look, "change": _change, "undo": _undo}


# ── what the page shows ─────────────────────────────────────────────────


def _page(
    request: HttpRequest,
    view: MatchView,
    form: SeatForm,
    *,
    effect: dict[str, Any] | None = None,
    refused: ServiceError | None = None,
    status: int = 200,
) -> HttpResponse:
    if refused:
        form.problems, status = list(refused.problems), status_of(refused)
    match, running = view.match, view.match.is_running
    rows = seating_rows(match)
    sat_before = [(seat, _before(view, seat.seat)) for seat in view.seats]
    may_run = running and permissions.may(Action.RUN, match, actor_of(request))
    changes = seat_changes(match, rows)
    context = {
        "match": match,
        "view": view,
        "clockwise": view.ruleset.direction == "clockwise",
        "seats": sat_before,
        "has_before": any(before for _, before in sat_before),
        "form": form,
        "said": form.said,
        "effect": effect,
        "may_run": may_run,
        "changes": list(reversed(changes)),
        "deals": _deals(view, form.newest),
        "entry_key": uuid4(),
        "address": reverse("seats", args=[match.id]),
        **(offered(view) if may_run else {}),
    }
    return page_or_part(request, PAGE, context, part="seats", status=status)


def _before(view: MatchView, seat: int) -> list[tuple[str, int, int]]:
    """Who sat there before: the name and the first and last deal."""
    own = view.sittings[seat]
    return [
        (view.people[one.player_id].name, one.from_deal, after.from_deal - 1)
        for one, after in pairwise(own)
    ]


def _deals(view: MatchView, newest: int) -> list[tuple[int, str]]:
    """The numbers from which somebody may sit down, the newest first, with what was played."""
    return [
        (number, view.deals[number].contract if number in view.deals else "")
        for number in range(newest, 0, -1)
    ]


def offered(view: MatchView) -> dict[str, list[Player]]:
    """Who may sit down: those at the table, those who sat here before, the people of the club."""
    now = [view.people[seat.player_id] for seat in view.seats]
    before = [player for player in view.people.values() if player not in now]
    club = view.match.club
    known = people_for_seats(club, without=[*now, *before]).offered if club else ()
    others = [*before, *known]
    return {"at_table": now, "others": others[:OFFERED], "more": others[OFFERED:]}
