"""Penalties and corrections of points: seen by everybody, given and taken back by the arbiter."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.access import permissions
from scoring.access.http import (
    actor_of,
    expired,
    match_for,
    page_or_part,
    post_data,
    preserve_on_csrf_failure,
    require_permission,
    see_other,
    status_of,
    view_of,
)
from scoring.access.permissions import Action
from scoring.common import words
from scoring.common.error_sentences import problem_sentences, show_refusal
from scoring.common.errors import RefusalCode, ServiceError
from scoring.common.requests import is_htmx
from scoring.corrections.forms.adjustments import CODES, GIVES, TAKES, AdjustForm, usual_way
from scoring.corrections.services import adjustments
from scoring.entry.presenters import explain
from scoring.entry.views.entry import read_id, write_of
from scoring.history.presenters.match_adjustments import ADJUSTMENTS, adjusted
from scoring.history.queries.history import BesideLine, adjustment_history
from scoring.ledger.queries.match_view import MatchView, match_view
from scoring.models import Adjustment
from scoring.rules import Points

PAGE = "corrections/adjust.html"


@preserve_on_csrf_failure
def adjust(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match = match_for(request, match_id, Action.SEE_MATCH)
    if request.method == "POST":
        require_permission(request, Action.JUDGE, match)
    view = view_of(request, match)
    if request.POST.get("action") == "void":
        return _void(request, view)
    form = _form(view, post_data(request))
    if request.method != "POST":
        return _page(request, view, form)
    previewing = request.POST.get("action") == "preview"
    if expired(request, form) or not form.is_valid():
        # What is still open is no mistake while somebody types.
        typing = previewing and is_htmx(request)
        return _page(request, view, form, status=200 if typing else 422)
    return _page(request, view, form) if previewing else _adjust(request, view, form)


def _form(view: MatchView, data: QueryDict | None) -> AdjustForm:
    return AdjustForm(_numbers(view), data)


def _numbers(view: MatchView) -> list[int]:
    """The newest deal first: that is what is mostly spoken of. 0 is before the first."""
    return [*reversed(view.deals), 0]


def _adjust(request: HttpRequest, view: MatchView, form: AdjustForm) -> HttpResponse:
    told = form.cleaned_data
    try:
        row = adjustments.adjust(
            write_of(request, view.match),
            code=told["code"],
            points=form.points,
            after_deal=told["after_deal"],
            reason=told["reason"],
        )
    except ServiceError as refused:
        show_refusal(form, refused.problems, {"points": "amount"})
        view.match.refresh_from_db()
        status = status_of(refused)
        return _page(request, match_view(view.match), form, status=status)
    return _look_at(view, row)


def _void(request: HttpRequest, view: MatchView) -> HttpResponse:
    try:
        row_id = read_id(request.POST.get("adjustment", ""))
        if row_id is None:
            raise ServiceError(RefusalCode.NOT_STANDING, "adjustment")
        row = adjustments.void_adjustment(
            write_of(request, view.match),
            adjustment_id=row_id,
            reason=request.POST.get("reason", ""),
        )
    except ServiceError as refused:
        view.match.refresh_from_db()
        return _page(request, match_view(view.match), _form(view, None), refused=refused)
    return _look_at(view, row)


def _look_at(view: MatchView, row: Adjustment) -> HttpResponse:
    return see_other(f"{reverse('adjust', args=[view.match.id])}#a-{row.id}")


def _page(
    request: HttpRequest,
    view: MatchView,
    form: AdjustForm,
    *,
    refused: ServiceError | None = None,
    status: int = 200,
) -> HttpResponse:
    match = view.match
    names = [each.name for each in view.seats]
    context = {
        "match": match,
        "names": names,
        "form": form,
        "codes": [(code, label, sentence) for code, (label, sentence) in CODES.items()],
        "ways": _ways(view),
        "deals": [(number, _after(view, number)) for number in _numbers(view)],
        "low_wins": view.ruleset.win == "low",
        "usual_way": usual_way(view.ruleset),
        "lines": [
            (line, ADJUSTMENTS.get(line.row.code, line.row.code), _for_whom(view, line.row))
            for line in _lines(view)
        ],
        "may_judge": match.is_running and permissions.may(Action.JUDGE, match, actor_of(request)),
        "problems": problem_sentences(refused.problems) if refused else [],
        "entry_key": uuid4(),
        **_preview(view, form, names),
    }
    if refused:
        status = status_of(refused)
    return page_or_part(request, PAGE, context, part="preview", status=status)


def _lines(view: MatchView) -> Iterator[BesideLine[Adjustment]]:
    """Every one there was; from outside those at a deal under review as they were when it was
    doubted."""
    counting = {row.id for row in view.table.adjustments}
    for line in adjustment_history(view.match):
        if not view.hides(line.row.after_deal):
            yield line
        elif line.row.id in counting:
            yield replace(line, taken_by=None, taken_reason="")


def _preview(view: MatchView, form: AdjustForm, names: list[str]) -> dict[str, Any]:
    """The totals as they would be, and who loses or gains how much."""
    whole = form.is_bound and form.is_valid()
    points = Points(form.points, (), None) if whole else None
    return {
        "purses": explain.purses(names, view.sheet.totals, points),
        "effects": explain.effects(points, names, view.ruleset) if points else [],
    }


def _ways(view: MatchView) -> list[tuple[str, Any]]:
    ways = [(TAKES, _("takes points away")), (GIVES, _("gives points"))]
    return ways if view.ruleset.win == "high" else ways[::-1]


def _after(view: MatchView, number: int) -> SafeString:
    if number == 0:
        return format_html("{}", _("before the first deal"))
    contract = words.contract(view.deals[number].contract)
    return format_html(_("after deal {number}: {contract}"), number=number, contract=contract)


def _for_whom(view: MatchView, row: Adjustment) -> SafeString:
    return adjusted(row, view.names_at(max(row.after_deal, 1)))
