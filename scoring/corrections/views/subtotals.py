"""Resuming from paper: sums of a kingdom or a round are entered, filled in later, taken back."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.core.exceptions import PermissionDenied
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
from scoring.common import words
from scoring.common.errors import RefusalCode, ServiceError
from scoring.corrections.forms.subtotals import PaperForm
from scoring.corrections.queries.effects import effects
from scoring.corrections.queries.subtotals import Due, due
from scoring.corrections.services import subtotals as service
from scoring.corrections.services.subtotals import PaperSums
from scoring.entry.views.entry import answered_once, raw_of_post, read_id, write_of
from scoring.history.queries.history import BesideLine, subtotal_history
from scoring.ledger.queries.match_view import MatchView
from scoring.models import EventKind, Subtotal
from scoring.rules.scoresheet import SheetPaper

PAGE = "corrections/subtotal.html"
WRITTEN = (EventKind.SUBTOTAL_ENTERED, EventKind.SUBTOTAL_VOIDED)


@preserve_on_csrf_failure
def subtotal(request: HttpRequest, match_id: UUID) -> HttpResponse:
    view = view_of(request, match_for(request, match_id, Action.SEE_MATCH))
    act = ACTS.get(request.POST.get("action", ""))
    if request.method != "POST" or act is None:
        return _page(request, view, _form(request, view))
    require_permission(request, Action.ENTER, view.match)
    return answered_once(
        request,
        view,
        WRITTEN,
        first=lambda: see_other("subtotal", match_id),
        act=lambda: act(request, view),
        again=lambda now, refused: _page(request, now, _form(request, now), refused=refused),
    )


def _form(request: HttpRequest, view: MatchView) -> PaperForm:
    raw = raw_of_post(request.POST)
    place = due(view.table, PaperForm((), (), raw).chooser)
    return PaperForm(place.choosers, place.contracts, raw)


# ── what is done on it ──────────────────────────────────────────────────


def _read(view: MatchView, form: PaperForm) -> PaperSums | None:
    """What was told; the last sum follows where the rules promise what they come to."""
    contracts = form.chosen()
    promised = service.promised(view.table, contracts, form.chooser, form.dealer)
    points = form.points(promised)
    if points is None:
        return None
    return PaperSums(contracts, points, form.chooser, form.dealer)


def _look(request: HttpRequest, view: MatchView) -> HttpResponse:
    """The totals as they would be; nothing is written."""
    form = _form(request, view)
    paper = _read(view, form)
    if paper is None:
        return _page(request, view, form, status=422)
    try:
        after = service.table_with(view.table, service.planned(view.table, paper))
    except ServiceError as refused:
        form.problems = list(refused.problems)
        return _page(request, view, form, status=422)
    names = [seat.name for seat in view.seats]
    sums = list(zip(words.first_names(names), paper.points, strict=True))
    return _page(request, view, form, effect={"lines": effects(view, after).lines, "sums": sums})


def _enter(request: HttpRequest, view: MatchView) -> HttpResponse:
    form = _form(request, view)
    paper = _read(view, form)
    if paper is None:
        return _page(request, view, form, status=422)
    service.enter(write_of(request, view.match), paper=paper)
    return see_other("subtotal", view.match.id)


def _void(request: HttpRequest, view: MatchView) -> HttpResponse:
    row_id = read_id(request.POST.get("subtotal", ""))
    paper = next((one for one in view.sheet.papers if one.subtotal.id == row_id), None)
    if not _may_void(request, view, paper):
        raise PermissionDenied(Action.CORRECT)
    if row_id is None:
        raise ServiceError(RefusalCode.NOT_STANDING, "subtotal")
    reason = request.POST.get("reason", "")
    service.void(write_of(request, view.match), subtotal_id=row_id, reason=reason)
    return see_other("subtotal", view.match.id)


def _may_void(request: HttpRequest, view: MatchView, paper: SheetPaper | None) -> bool:
    """Whoever enters takes back what was just said; later it is a correction."""
    if paper is None or service.is_newest(view.table, paper.subtotal.id):
        return permissions.may(Action.ENTER, view.match, actor_of(request))
    return permissions.may(Action.CORRECT, view.match, actor_of(request), now=timezone.now())


ACTS = {"look": _look, "enter": _enter, "void": _void}


# ── what the page shows ─────────────────────────────────────────────────


def _page(
    request: HttpRequest,
    view: MatchView,
    form: PaperForm,
    *,
    effect: dict[str, Any] | None = None,
    refused: ServiceError | None = None,
    status: int = 200,
) -> HttpResponse:
    if refused:
        form.problems, status = list(refused.problems), status_of(refused)
    match, running = view.match, view.match.is_running
    place = due(view.table, form.chooser)
    names = [seat.name for seat in view.seats]
    may_enter = running and permissions.may(Action.ENTER, match, actor_of(request))
    context = {
        "match": match,
        "view": view,
        "turn": view.turn,
        "names": names,
        "shorts": words.first_names(names),
        "form": form,
        "said": form.said,
        "effect": effect,
        "may_enter": may_enter,
        "place": place,
        "asks_chooser": view.turn.chooser is None and not view.turn.over,
        "asked": _asked(view, place),
        "may_combine": view.ruleset.combo == "free",
        "lines": [_line(request, view, line) for line in subtotal_history(match)],
        "fills": _fills(view, form, place),
        "no_points": (0, 0, 0, 0),
        "entry_key": uuid4(),
        "address": reverse("subtotal", args=[match.id]),
    }
    return page_or_part(request, PAGE, context, part="subtotal", status=status)


def _fills(view: MatchView, form: PaperForm, place: Due) -> bool:
    """Whether the last sum follows from the others, as far as it is known what was played."""
    if len(form.known) < place.count:
        return False
    return service.promised(view.table, form.known, form.chooser, form.dealer) is not None


@dataclass(frozen=True)
class SubtotalLine:
    """Sums from paper as they were entered; `paper` is what the sheet has of them, None once they
    are taken back. `needs_reason` to take them back now."""

    line: BesideLine[Subtotal]
    paper: SheetPaper | None
    last_deal: int
    may_void: bool
    needs_reason: bool


def _line(request: HttpRequest, view: MatchView, line: BesideLine[Subtotal]) -> SubtotalLine:
    row = line.row
    paper = next((one for one in view.sheet.papers if one.subtotal.id == row.id), None)
    return SubtotalLine(
        line=line,
        paper=paper,
        last_deal=row.first_deal + len(row.deals) - 1,
        may_void=paper is not None and view.match.is_running and _may_void(request, view, paper),
        needs_reason=paper is not None and not service.is_newest(view.table, row.id),
    )


def _asked(view: MatchView, place: Due) -> list[tuple[str, int, list[str]]]:
    """Where choosers rotate: the name of each, the place in the round, what he may have chosen."""
    if place.is_kingdom:
        return []
    return [
        (view.seats[seat].name, number, [one.key for one in view.turn.contracts_of(seat)])
        for number, seat in enumerate(place.choosers)
    ]
