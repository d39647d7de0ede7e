"""One deal: what happened, what it was worth, who wrote it; correcting it, taking it back."""

from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
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
from scoring.common import words
from scoring.common.actor import Actor
from scoring.common.errors import RefusalCode, ServiceError
from scoring.common.shared_cache import cache_tag
from scoring.corrections.views.correcting import correcting, stored
from scoring.corrections.views.restoring import address_of
from scoring.corrections.views.too_late import asking, is_too_late
from scoring.entry.forms.entry import EntryForm
from scoring.entry.presenters import explain, facts
from scoring.entry.presenters.sentences import sentences
from scoring.entry.views.entry import (
    Entering,
    asked_contract,
    is_answered,
    named_deal,
    preview_or_page,
    raw_of_post,
    read_id,
    write_of,
)
from scoring.history.presenters import match_adjustments
from scoring.history.presenters.history import HistoryEntry, stories
from scoring.history.queries.history import HistoryLine, deal_history, from_outside
from scoring.judging.presenters.flags import doubt_lines, marks
from scoring.judging.queries.flags import doubts
from scoring.judging.views.rulings import ruling_boxes
from scoring.ledger.queries.match_view import MatchView
from scoring.ledger.queries.signatures import units
from scoring.ledger.queries.snapshots import sheet_deal
from scoring.ledger.services import deals as ledger
from scoring.matches.views.overview import may_flag
from scoring.models import Deal, EventKind, Verdict
from scoring.records.presenters.audits import verdict_of_row
from scoring.records.queries.photos import photos_of
from scoring.rules import Contract, ProblemCode, points

PAGE = "matches/deal.html"


@preserve_on_csrf_failure
def deal(request: HttpRequest, match_id: UUID, number: int) -> HttpResponse:
    match = match_for(request, match_id, Action.SEE_MATCH)
    view = view_of(request, match)
    if request.method == "POST":
        act = ACTS.get(request.POST.get("action", ""))
        if act:
            try:
                return act(request, view, number)
            except ServiceError as refused:
                return _page(request, view, number, refused=refused)
    standing = view.deals.get(number)
    if standing and "correct" in request.GET:
        if is_too_late(request, view, standing):
            return _page(request, view, number, status=403)
        require_permission(request, Action.CORRECT, match, deal=standing, now=timezone.now())
        entering = stored(request, view, standing)
        entering.read()
        return _page(request, view, number, entering)
    return _page(request, view, number)


def _page(
    request: HttpRequest,
    view: MatchView,
    number: int,
    entering: Entering | None = None,
    *,
    refused: ServiceError | None = None,
    status: int = 200,
) -> HttpResponse:
    """The facts, or the form that corrects them. 404 for a number that was never written."""
    history = _lines(view, number)
    if not any(line.deal for line in history):
        raise Http404(number)
    context = _context(request, view, number, history)
    if entering:
        context |= _form_context(request, entering)
    if context["too_late"]:
        context |= asking(request, view, context["standing"], entering)
    if refused:
        form = EntryForm(view.ruleset, Contract(("king",)), context["names"])
        context["problems"] = sentences(refused.problems, form)
        status = status_of(refused)
    return page_or_part(request, PAGE, context, part="match", status=status)


def _lines(view: MatchView, number: int) -> list[HistoryLine]:
    """Everything that was written for the number, or what of it may be read from outside."""
    lines = deal_history(view.match, number)
    return from_outside(lines, view.reviews.get(number)) if view.is_public else lines


def _context(
    request: HttpRequest, view: MatchView, number: int, history: list[HistoryLine]
) -> dict[str, Any]:
    standing, asks, now = view.deals.get(number), actor_of(request), timezone.now()
    shown = standing or next(line.deal for line in reversed(history) if line.deal)
    names = view.names_at(number)
    entry = sheet_deal(shown).entry
    worth = points(entry, view.ruleset)
    dispute = view.disputes.get(number)
    is_ruled = dispute is not None and dispute.ruling_id is not None
    running = view.match.is_running and not is_ruled
    may_correct = permissions.may(Action.CORRECT, view.match, asks, deal=standing, now=now)
    may_enter = running and permissions.may(Action.ENTER, view.match, asks)
    is_last = standing is not None and standing == view.last_deal
    may_restore = may_enter if standing is None else running and may_correct
    shorts = words.first_names(names)
    return {
        "match": view.match,
        "view": view,
        "number": number,
        "tag": cache_tag(view.match),
        "standing": standing,
        "shown": shown,
        "names": names,
        "shorts": shorts,
        "facts": list(facts.facts(entry, names, view.ruleset)),
        "scores": list(zip(shorts, worth.scores, strict=True)),
        "sides": explain.team_scores(worth, names),
        "reasons": explain.reasons(worth, names),
        "settled": _settled(history, standing),
        "history": _history(view, number, history, asks, now, may_restore=may_restore),
        "bring_back": address_of(view, shown) if may_enter and standing is None else "",
        "later": sum(other > number for other in view.deals),
        **_signed(view, standing, now),
        "photos": [] if view.hides(number) else photos_of(view.match, number),
        "beside": match_adjustments.stands_beside(view.table.adjustments, number, names),
        "device": asks.device,
        "may_attach": permissions.may(Action.ATTACH, view.match, asks),
        **_cards(view, number),
        **_doubts(request, view, number, names),
        "rulings": ruling_boxes(view, number),
        "is_ruled": is_ruled,
        "is_last": is_last,
        "may_correct": standing is not None and running and may_correct,
        "may_void": standing is not None and running and (may_correct or (is_last and may_enter)),
        "too_late": standing is not None and may_enter and not may_correct,
        "voiding": "void" in request.GET,
        "reason": request.POST.get("reason", request.GET.get("reason", "")),
        "entry_key": uuid4(),
    }


def _history(
    view: MatchView,
    number: int,
    lines: list[HistoryLine],
    asks: Actor,
    now: datetime,
    *,
    may_restore: bool,
) -> list[tuple[HistoryEntry, str]]:
    """Each line with the address where its version is brought back."""
    told = stories(
        lines,
        view.names_at(number),
        view.ruleset,
        device=asks.device,
        now=now,
        club=view.match.club,
    )
    return [
        (one, address_of(view, deal, one.when) if may_restore and one.restores and deal else "")
        for one in told
        for deal in [one.line.deal]
    ]


def _signed(view: MatchView, standing: Deal | None, now: datetime) -> dict[str, Any]:
    """Who has signed what this deal stands in, which a correction loses; and whether it is settled
    by that or by silence."""
    unit = next((one for one in units(view, now) if standing in one.deals), None)
    names = [seat.name for seat in view.seats]
    lost = [names[row.seat] for row in unit.signatures if row] if unit else []
    return {"lost": lost, "is_settled": unit is not None and unit.is_settled}


def _settled(history: list[HistoryLine], standing: Deal | None) -> str:
    """Whose drafts are over: the number while a deal stands, and every deal that stands no more."""
    deals = [line.deal for line in history if line.deal]
    gone = {str(deal.id) for deal in deals if deal != standing}
    return " ".join([*sorted(gone), *([str(standing.deal_number)] if standing else [])])


def _form_context(request: HttpRequest, entering: Entering) -> dict[str, Any]:
    others = entering.turn.contracts_of(entering.form.chooser or 0)
    return {
        **entering.context(),
        "others": [contract for contract in others if contract != entering.form.contract],
    }


def _cards(view: MatchView, number: int) -> dict[str, Any]:
    """What the audit of the deal's record says, if it has one. One query."""
    if view.hides(number):
        return {"verdict": None}
    verdict = Verdict.objects.filter(match=view.match, deal_number=number).first()
    return {"verdict": verdict, "cards_say": verdict_of_row(verdict) if verdict else None}


def _doubts(request: HttpRequest, view: MatchView, number: int, names: list[str]) -> dict[str, Any]:
    """Who doubts the deal, and how far the judging is. Two queries where anybody ever did."""
    dispute, match, asks = view.disputes.get(number), view.match, actor_of(request)
    told = doubts(match, number) if dispute and not view.is_public else []
    own = (one for one in told if one.is_of(asks) and not one.withdrawn)
    has_flagged = any(own) and number in view.reviews
    return {
        "dispute": dispute,
        "mark": marks(view).get(number),
        "doubts": doubt_lines(told, names, asks),
        "may_flag": may_flag(view, asks),
        "may_judge": match.club_id is not None and permissions.may(Action.JUDGE, match, asks),
        "flagged": "flagged" in request.GET and has_flagged,
        "has_flagged": has_flagged,
    }


# ── correcting ──────────────────────────────────────────────────────────


def _posted(request: HttpRequest, view: MatchView, number: int) -> Entering:
    standing, contract = view.deals.get(number), asked_contract(request.POST)
    if standing is None:
        raise ServiceError(RefusalCode.NOT_STANDING, "deal")
    if not is_too_late(request, view, standing):
        require_permission(request, Action.CORRECT, view.match, deal=standing, now=timezone.now())
    if contract is None:
        raise ServiceError(ProblemCode.UNKNOWN_CONTRACT, "contract")
    key = read_id(request.POST.get("entry_key", ""))
    return correcting(view, standing, contract, raw_of_post(request.POST), key)


def _preview(request: HttpRequest, view: MatchView, number: int) -> HttpResponse:
    entering = _posted(request, view, number)
    context = _context(request, view, number, _lines(view, number))
    return preview_or_page(request, entering, PAGE, context | _form_context(request, entering))


def _correct(request: HttpRequest, view: MatchView, number: int) -> HttpResponse:
    entering = _posted(request, view, number)
    entry = entering.read()
    assert entering.corrects is not None
    if is_too_late(request, view, entering.corrects):
        return _ask_instead(request, view, number, entering)
    if entry is None:
        return _page(request, view, number, entering, status=422)
    try:
        ledger.correct_deal(
            write_of(request, view.match),
            deal_id=entering.corrects.id,
            entry=entry,
            dealer=entering.roles.dealer,
            leader=entering.roles.leader,
            reason=request.POST.get("reason", ""),
        )
    except ServiceError as refused:
        entering.refuse(refused.problems)
        status = status_of(refused)
        return _page(request, view, number, entering, status=status)
    return see_other("deal", view.match.id, number)


def _ask_instead(
    request: HttpRequest, view: MatchView, number: int, entering: Entering
) -> HttpResponse:
    """The form was open for longer than the table may correct: what was tapped stays, and is put
    into words for the arbiter. What was saved in time, and only its answer lost, is saved."""
    if is_answered(request, view.match, EventKind.DEAL_CORRECTED):
        return see_other("deal", view.match.id, number)
    return _page(request, view, number, entering, status=422)


# ── taking back ─────────────────────────────────────────────────────────


def _void(request: HttpRequest, view: MatchView, number: int) -> HttpResponse:
    """Back to the table, where the number is now free, and for the same key again too."""
    standing = view.deals.get(number)
    if standing is not None and standing == view.last_deal:
        require_permission(request, Action.ENTER, view.match)
    else:
        require_permission(request, Action.CORRECT, view.match, deal=standing, now=timezone.now())
    try:
        ledger.void_deal(
            write_of(request, view.match),
            deal_id=named_deal(request, view.match, number),
            reason=request.POST.get("reason", ""),
        )
    except ServiceError as refused:
        return _page(request, view, number, refused=refused)
    return see_other(
        reverse("match", args=[view.match.id], query={"contract": "", "undone": number})
    )


ACTS = {"preview": _preview, "redraw": _preview, "save": _correct, "void": _void}
