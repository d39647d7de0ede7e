"""The deal seen again: the table after each play, step by step."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse

from scoring.access.http import actor_of, match_for, page_or_part, view_of
from scoring.access.permissions import Action
from scoring.access.under_review import under_review
from scoring.common.numbers import whole
from scoring.common.shared_cache import tag_of
from scoring.ledger.queries.match_view import MatchView
from scoring.records.presenters.audits import AuditWords
from scoring.records.presenters.records import told
from scoring.records.presenters.replay import Stage
from scoring.records.queries.records import audit_of
from scoring.records.views.from_cards import entering_address
from scoring.rules.seats import SEATS

# Seat 2 sits at the foot of the table on every other page.
FOOT = 2


def replay_page(request: HttpRequest, match_id: UUID, number: int) -> HttpResponse:
    """The record that counts for a deal number. 404 without one."""
    match = match_for(request, match_id, Action.SEE_MATCH)
    view = view_of(request, match)
    if view.hides(number):
        return under_review(request, view, number)
    audited = audit_of(view, number)
    if audited is None:
        raise Http404(number)
    record, found = audited.framed, audited.replay
    names = view.names_at(number)
    context = {
        "match": match,
        "view": view,
        "number": number,
        "tag": tag_of(match),
        "record": record,
        "audit": AuditWords(audited, names),
        "told": told(audited, number, names),
        "entering": entering_address(request, view, number, audited),
    }
    if found.tally is not None:
        stage = Stage(record, found, audited.ruleset, names)
        context |= _stage_context(request, view, stage)
    return page_or_part(request, "records/replay.html", context)


def _stage_context(request: HttpRequest, view: MatchView, stage: Stage) -> dict[str, Any]:
    shown = _asked(request, "play", stage.last, default=0)
    south = _asked(request, "south", 3, default=_own_seat(request, view))
    now = stage.scenes[shown]
    return {
        "stage": stage,
        "shown": shown,
        "now": now,
        "south": south,
        "lying": stage.lying(shown),
        "seats": [_seat(stage, seat, south, shown) for seat in SEATS],
        "step": stage.steps[shown - 1] if shown else None,
    }


def _seat(stage: Stage, seat: int, south: int, shown: int) -> dict[str, Any]:
    """What is drawn at one side of the table, `side` counted from the reader's own to his right."""
    now, lying = stage.scenes[shown], stage.lying(shown)
    turned = (south - seat) if stage.ruleset.direction == "clockwise" else (seat - south)
    return {
        "seat": seat,
        "side": turned % 4,
        "name": stage.names[seat],
        "hand": lying.get(f"hand-{seat}", []),
        "unknown": now.hands[seat] is None,
        "middle": lying.get(f"middle-{seat}", []),
        "before": lying.get(f"before-{seat}", []),
        "tricks": now.tricks[seat],
        "points": now.points[seat],
        "turn": now.turn == seat,
        "won": now.winner == seat,
        "chooses": seat == stage.record.chooser,
        "deals": seat == stage.record.dealer,
    }


def _asked(request: HttpRequest, name: str, most: int, default: int) -> int:
    """A number of the address, brought into its bounds."""
    given = whole(request.GET.get(name, ""))
    return min(max(given, 0), most) if isinstance(given, int) else default


def _own_seat(request: HttpRequest, view: MatchView) -> int:
    """Whoever looks sits at the foot of the table, if he sits at it."""
    user = actor_of(request).user
    if user is None:
        return FOOT
    own = (seat.seat for seat in view.seats if view.people[seat.player_id].user_id == user.id)
    return next(own, FOOT)
