"""Published rulings: beside their deals, as a report to be printed, and those of a whole club."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse

from scoring.access import permissions
from scoring.access.http import actor_of, club_for, match_for, page_or_part, view_of
from scoring.access.permissions import Action
from scoring.common import words
from scoring.common.paging import address_of, page_number
from scoring.corrections.queries.effects import effects
from scoring.entry.presenters import explain, facts
from scoring.history.presenters.history import stories
from scoring.history.queries.history import HistoryLine, deal_history, from_outside, photo_history
from scoring.judging.forms.rulings import RulingBox, RulingFilterForm, boxes, first
from scoring.judging.queries.rulings import contracts_ruled, rules_ruled, ruling_page, rulings_of
from scoring.ledger.queries.match_view import MatchView
from scoring.ledger.queries.past import table_at
from scoring.records.forms.photos import KINDS
from scoring.records.presenters.audits import AuditSummary
from scoring.records.presenters.submission import contradiction_sentences
from scoring.records.queries.records import audit_of
from scoring.rules import points

LONG_AFTER = datetime(9999, 1, 1, tzinfo=UTC)
"""On paper every time has its day."""


def ruling_boxes(view: MatchView, number: int | None = None) -> list[RulingBox]:
    """Those on a deal, or on all of the match, oldest first. Two queries where there are any."""
    ruled = {one for one, row in view.disputes.items() if row.ruling_id}
    if not (ruled if number is None else ruled & {number}):
        return []
    return boxes(rulings_of(view.match, number), view.names_at)


# ── the report ──────────────────────────────────────────────────────────


def ruling_report(request: HttpRequest, match_id: UUID, number: int) -> HttpResponse:
    """Everything about a deal that was ruled on, for a sheet of paper. Before a ruling is published
    only for whoever judges."""
    match = match_for(request, match_id, Action.SEE_MATCH)
    view, asks = view_of(request, match), actor_of(request)
    rulings = ruling_boxes(view, number)
    history = deal_history(match, number)
    if view.is_public:
        history = from_outside(history, view.reviews.get(number))
    judges = permissions.may(Action.JUDGE, match, asks)
    if not any(line.deal for line in history) or not (rulings or judges):
        raise Http404(number)
    names = view.names_at(number)
    context = {
        "match": match,
        "view": view,
        "number": number,
        "names": names,
        "shorts": words.first_names(names),
        "seats": view.seats,
        "rulings": [(box, _effect(view, box)) for box in rulings],
        **_deal(view, number, history),
        **_evidence(view, number, history, names),
    }
    return page_or_part(request, "judging/ruling_report.html", context)


def _effect(view: MatchView, box: RulingBox) -> dict[str, Any]:
    """What the ruling did to the match, as that stood when it was published; from outside without
    what was done by then about another deal that still is under review."""
    seq = box.line.event.seq
    doubted = (row for row in view.reviews.values() if view.is_public and row.opened_seq < seq)
    hidden = tuple(doubted)
    before, after = (
        replace(table_at(view.match, at), known_disputes=hidden).public for at in (seq - 1, seq)
    )
    found = effects(view, after, before=before)
    names = [seat.name for seat in view.seats]
    return {"found": found, **first(found, names, view.match.is_running, view.ruleset)}


def _deal(view: MatchView, number: int, history: list[HistoryLine]) -> dict[str, Any]:
    """The deal as it counts now, or the last that did."""
    last = next(line.deal for line in reversed(history) if line.deal)
    shown = view.deals.get(number) or last
    entry, names = shown.entry, view.names_at(number)
    worth = points(entry, view.ruleset)
    return {
        "standing": view.deals.get(number),
        "shown": shown,
        "facts": list(facts.facts(entry, names, view.ruleset)),
        "scores": list(zip(words.first_names(names), worth.scores, strict=True)),
        "reasons": explain.reasons(worth, names),
    }


def _evidence(
    view: MatchView, number: int, history: list[HistoryLine], names: list[str]
) -> dict[str, Any]:
    hides = view.hides(number)
    audit = None if hides else audit_of(view, number)
    club = view.match.club
    lines = stories(history, names, view.ruleset, device=None, now=LONG_AFTER, club=club)
    return {
        "history": [(story, "") for story in lines],
        "audit": AuditSummary(audit, names) if audit else None,
        "contradictions": contradiction_sentences(audit, number, names) if audit else [],
        "photos": [
            (line.row, KINDS.get(line.row.kind, line.row.kind))
            for line in ([] if hides else photo_history(view.match, number))
            if line.stands
        ],
    }


# ── the rulings of a club ───────────────────────────────────────────────


def club_rulings(request: HttpRequest, slug: str) -> HttpResponse:
    club = club_for(request, slug, Action.SEE_CLUB)
    form = RulingFilterForm(request.GET, rules=rules_ruled(club), contracts=contracts_ruled(club))
    wanted = form.wanted
    page = ruling_page(club, wanted, page_number(request))
    context = {
        "club": club,
        "form": form,
        "wanted": wanted,
        "page": page,
        "lines": page.lines,
        "before": address_of(request, page.before),
        "after": address_of(request, page.after),
    }
    return page_or_part(request, "judging/club_rulings.html", context)
