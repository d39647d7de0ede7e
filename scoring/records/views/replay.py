"""Page that replays a deal card by card."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse

from scoring.access.http import actor_of, match_for, page_or_part, view_of
from scoring.access.permissions import Action
from scoring.access.under_review import under_review
from scoring.common.numbers import whole
from scoring.common.shared_cache import cache_tag
from scoring.ledger.queries.match_view import MatchView
from scoring.records.presenters.audits import AuditSummary
from scoring.records.presenters.replay import ReplayStage
from scoring.records.presenters.submission import contradiction_sentences
from scoring.records.queries.records import audit_of
from scoring.records.views.entry_from_cards import entry_address_of
from scoring.rules.seats import SEATS

# Seat 2 sits at the foot of the table on every other page.
DEFAULT_SOUTH = 2


def replay_page(request: HttpRequest, match_id: UUID, number: int) -> HttpResponse:
    """Replay the record that counts for a deal; 404 without one."""
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
        "has_deal": number in view.deals,
        "tag": cache_tag(match),
        "record": record,
        "audit": AuditSummary(audited, names),
        "contradictions": contradiction_sentences(audited, number, names),
        "entry_address": entry_address_of(request, view, number, audited),
    }
    if found.tally is not None:
        stage = ReplayStage(record, found, audited.ruleset, names)
        context |= _stage_context(request, view, stage)
    return page_or_part(request, "records/replay.html", context)


def _stage_context(request: HttpRequest, view: MatchView, stage: ReplayStage) -> dict[str, Any]:
    shown = _bounded(request, "play", stage.last, default=0)
    south = _bounded(request, "south", 3, default=_own_seat(request, view))
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


def _seat(stage: ReplayStage, seat: int, south: int, shown: int) -> dict[str, Any]:
    """Return what is drawn for one seat; `side` counts from the foot of the table to the right."""
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


def _bounded(request: HttpRequest, name: str, most: int, default: int) -> int:
    """Return a number of the query string between 0 and `most`, else the default."""
    given = whole(request.GET.get(name, ""))
    return min(max(given, 0), most) if isinstance(given, int) else default


def _own_seat(request: HttpRequest, view: MatchView) -> int:
    """Return the reader's own seat for the foot of the table, if the reader plays in the match."""
    user = actor_of(request).user
    if user is None:
        return DEFAULT_SOUTH
    own = (seat.seat for seat in view.seats if view.people[seat.player_id].user_id == user.id)
    return next(own, DEFAULT_SOUTH)
