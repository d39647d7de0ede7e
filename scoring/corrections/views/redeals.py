"""Cards dealt again: said by the table, seen by everybody, taken back."""

from uuid import UUID, uuid4

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

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
from scoring.corrections.forms.redeals import RedealForm, cards_that_matter, sentence
from scoring.corrections.services import redeals
from scoring.entry.presenters import facts
from scoring.entry.views.entry import read_id, write_of
from scoring.history.presenters.match_adjustments import REDEALS, dealt_again
from scoring.history.queries.history import BesideLine, redeal_history
from scoring.ledger.queries.match_view import MatchView, match_view
from scoring.models import Redeal
from scoring.rules import Entry
from scoring.rules.redeals import reasons_now

PAGE = "corrections/redeal.html"
FIELDS = dict.fromkeys(("redeal", "contract", "chooser"), "why")
"""Where a refusal of the service is said, if it is not a field of the form."""


@preserve_on_csrf_failure
def redeal(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match = match_for(request, match_id, Action.SEE_MATCH)
    view = view_of(request, match)
    if request.POST.get("action") == "void":
        return _void(request, view)
    form = RedealForm(view.ruleset, post_data(request))
    if request.method == "POST":
        require_permission(request, Action.ENTER, match)
        if not expired(request, form) and form.is_valid():
            return _record(request, view, form)
    return _page(request, view, form, status=422 if request.method == "POST" else 200)


def _record(request: HttpRequest, view: MatchView, form: RedealForm) -> HttpResponse:
    try:
        redeals.record_redeal(
            write_of(request, view.match),
            redeal=form.redeal(),
            reason=form.cleaned_data["reason"],
        )
    except ServiceError as refused:
        show_refusal(form, refused.problems, FIELDS)
        view.match.refresh_from_db()
        status = status_of(refused)
        return _page(request, match_view(view.match), form, status=status)
    return see_other("match", view.match.id)


def _void(request: HttpRequest, view: MatchView) -> HttpResponse:
    """Whoever enters takes back what was just said; an earlier one needs the right to correct."""
    row_id = read_id(request.POST.get("redeal", ""))
    row = view.match.redeals.filter(id=row_id).first() if row_id else None
    if not _may_void(request, view, row):
        raise PermissionDenied(Action.CORRECT)
    try:
        if row is None:
            raise ServiceError(RefusalCode.NOT_STANDING, "redeal")
        redeals.void_redeal(
            write_of(request, view.match),
            redeal_id=row.id,
            reason=request.POST.get("reason", ""),
        )
    except ServiceError as refused:
        view.match.refresh_from_db()
        return _page(request, match_view(view.match), RedealForm(view.ruleset), refused=refused)
    return see_other(reverse("match", args=[view.match.id], query={"contract": ""}))


def _may_void(request: HttpRequest, view: MatchView, row: Redeal | None) -> bool:
    asks = actor_of(request)
    if row is None or row.deal_number == view.turn.deal_number:
        return permissions.may(Action.ENTER, view.match, asks)
    deal = view.deals.get(row.deal_number)
    return permissions.may(Action.CORRECT, view.match, asks, deal=deal, now=timezone.now())


def _page(
    request: HttpRequest,
    view: MatchView,
    form: RedealForm,
    *,
    refused: ServiceError | None = None,
    status: int = 200,
) -> HttpResponse:
    match, running = view.match, view.match.is_running
    names = view.names_at(view.turn.deal_number)
    reasons = [why for why in reasons_now(view.turn) if why in form.reasons]
    context = {
        "match": match,
        "turn": view.turn,
        "names": names,
        "form": form,
        "reasons": [(why, REDEALS[why], sentence(why, view.ruleset)) for why in reasons],
        "hands": [
            (why, cards) for why in reasons if (cards := cards_that_matter(why, view.ruleset))
        ],
        "lines": [
            (
                line,
                *_said(view, line),
                running and line.stands and _may_void(request, view, line.row),
            )
            for line in redeal_history(match)
        ],
        "may_say": running
        and not view.turn.over
        and permissions.may(Action.ENTER, match, actor_of(request)),
        "problems": problem_sentences(refused.problems) if refused else [],
        "entry_key": uuid4(),
    }
    if refused:
        status = status_of(refused)
    return page_or_part(request, PAGE, context, status=status)


def _said(view: MatchView, line: BesideLine[Redeal]) -> tuple[str, list[str]]:
    """The one line, and what is known of the cards."""
    row, names = line.row, view.names_at(line.row.deal_number)
    kept = row.event.content["facts"].get("entry")
    cards = [words.listed(words.card(card) for card in row.hand)] if row.hand else []
    taken = facts.facts(Entry.from_json(kept), names, view.ruleset) if kept else ()
    return dealt_again(row, names), [*cards, *taken]
