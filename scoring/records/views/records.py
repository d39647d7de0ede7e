"""The card record of a deal: pasted or uploaded, previewed, attached, withdrawn, audited."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.access import permissions
from scoring.access.http import (
    FORM_EXPIRED,
    actor_of,
    is_expired,
    match_for,
    page_or_part,
    preserve_on_csrf_failure,
    require_permission,
    see_other,
    status_of,
    view_of,
)
from scoring.access.permissions import Action
from scoring.access.under_review import under_review
from scoring.common import limits
from scoring.common.actor import Actor
from scoring.common.error_sentences import problem_sentences
from scoring.common.errors import RefusalCode, ServiceError
from scoring.entry.forms.entry import raw_of
from scoring.entry.views.entry import read_id, write_of
from scoring.history.queries.history import record_history
from scoring.ledger.queries.match_view import MatchView, match_view
from scoring.ledger.queries.verdicts import Audited, audited
from scoring.models import CardRecord, Deal
from scoring.records.presenters.audits import AuditWords
from scoring.records.presenters.records import Pasted, begun, pasted, sent, told
from scoring.records.queries.records import (
    as_given,
    audit_of,
    by_cards,
    same_elsewhere,
    same_record,
)
from scoring.records.services.records import (
    attach,
    move,
    number_problems,
    record_problems,
    void_record,
)
from scoring.records.views.from_cards import entering_address
from scoring.replay.notation import trex_text
from scoring.replay.record import Record
from scoring.rules import Entry, Problem

PAGE = "records/record.html"


@preserve_on_csrf_failure
def record(request: HttpRequest, match_id: UUID, number: int) -> HttpResponse:
    match = match_for(request, match_id, Action.SEE_MATCH)
    if request.method == "POST":
        require_permission(request, Action.ATTACH, match)
    view = view_of(request, match)
    if view.hides(number):
        return under_review(request, view, number)
    attached = audit_of(view, number)
    if attached is None and list(number_problems(view.table, number)):
        raise Http404(number)
    if request.method == "POST":
        act = _void if request.POST.get("action") == "void" else _look
        with limits.charged(request):
            return act(request, view, number, attached)
    if attached and "text" in request.GET:
        return _as_text(attached, number)
    return _page(request, view, number, attached)


def _look(
    request: HttpRequest, view: MatchView, number: int, attached: Audited | None
) -> HttpResponse:
    """What was sent: shown with its audit, or attached. Nothing typed is lost."""
    given = _judged(view, _given(request, number))
    if is_expired(request) or not given.is_sound:
        return _page(request, view, number, attached, given, status=422)
    write = WRITES.get(request.POST.get("action", ""))
    if write is None or "file" in request.FILES:
        return _page(request, view, number, attached, given)
    assert given.record is not None
    audited(given.record, view.deals.get(number), view.ruleset)  # while nobody waits for the lock
    try:
        write(request, view, number, given.record)
    except ServiceError as refused:
        return _refused(request, view, number, given, refused)
    return see_other("record", view.match.id, number)


def _given(request: HttpRequest, number: int) -> Pasted:
    """The file, else the text; the text stays where the file is of no use."""
    typed, file = request.POST.get("record", ""), request.FILES.get("file")
    if not limits.may_check(request):
        return Pasted(typed, problems=(Problem(RefusalCode.OFTEN, "record"),))
    if file is None:
        return pasted(typed, number)
    found = sent(file, number)
    return found if found.text else replace(found, text=typed)


def _judged(view: MatchView, given: Pasted) -> Pasted:
    """With what makes it no record of this match."""
    if given.record is None or not given.is_sound:
        return given
    return replace(given, problems=tuple(record_problems(view.table, given.record)))


def _attach(request: HttpRequest, view: MatchView, number: int, given: Record) -> None:
    attach(write_of(request, view.match), deal_number=number, record=given)


def _move(request: HttpRequest, view: MatchView, number: int, given: Record) -> None:
    """Attach it here and withdraw it where it was, for those who may do both."""
    row_id = read_id(request.POST.get("row", ""))
    row = row_id and CardRecord.objects.filter(id=row_id).first()
    if not row:
        raise ServiceError(RefusalCode.NOT_STANDING, "record")
    require_permission(request, Action.ATTACH, match_for(request, row.match_id, Action.SEE_MATCH))
    move(
        write_of(request, view.match),
        deal_number=number,
        record=given,
        from_id=row.id,
        reason=request.POST.get("reason", ""),
    )


WRITES = {"attach": _attach, "move": _move}
"""By action what writes a record that was looked at."""


def _void(
    request: HttpRequest, view: MatchView, number: int, attached: Audited | None
) -> HttpResponse:
    try:
        record_id = read_id(request.POST.get("row", ""))
        if record_id is None:
            raise ServiceError(RefusalCode.NOT_STANDING, "record")
        void_record(
            write_of(request, view.match),
            record_id=record_id,
            reason=request.POST.get("reason", ""),
        )
    except ServiceError as refused:
        return _refused(request, view, number, None, refused)
    return see_other("record", view.match.id, number)


def _refused(
    request: HttpRequest,
    view: MatchView,
    number: int,
    given: Pasted | None,
    refused: ServiceError,
) -> HttpResponse:
    """Drawn anew from what stands now, with what was typed in it."""
    view.match.refresh_from_db()
    view = match_view(view.match)
    status = status_of(refused)
    attached = audit_of(view, number)
    return _page(request, view, number, attached, given, refused=refused, status=status)


def _page(
    request: HttpRequest,
    view: MatchView,
    number: int,
    attached: Audited | None,
    given: Pasted | None = None,
    *,
    refused: ServiceError | None = None,
    status: int = 200,
) -> HttpResponse:
    match, asks = view.match, actor_of(request)
    names = view.names_at(number)
    problems = problem_sentences(refused.problems) if refused else []
    if is_expired(request):
        problems = [("form_expired", str(FORM_EXPIRED))]
    context: dict[str, Any] = {
        "match": match,
        "view": view,
        "number": number,
        "deal": view.deals.get(number),
        "names": names,
        "audit": AuditWords(attached, names) if attached else None,
        "told": told(attached, number, names) if attached else [],
        "lines": record_history(match, number),
        "device": asks.device,
        "may_attach": permissions.may(Action.ATTACH, match, asks),
        "counts": attached.row.id if attached and attached.row else None,
        "voiding": "void" in request.GET,
        "entering": entering_address(request, view, number, attached),
        "corrections": _corrections(request, view, attached),
        "written": trex_text.write(attached.record) if attached else "",
        "reason": request.POST.get("reason", ""),
        "problems": problems,
        "given": given,
        "entry_key": uuid4(),
        "known": refused.numbers.get("row") if refused else None,
        **_preview(view, number, names, given, asks),
    }
    return page_or_part(request, PAGE, context, status=status)


def _preview(
    view: MatchView, number: int, names: list[str], given: Pasted | None, asks: Actor
) -> dict[str, Any]:
    """The audit of what was sent, before it is attached."""
    if given is None:
        return {"text": begun(view, number)}
    if not given.is_sound:
        return {"text": given.text}
    assert given.record is not None
    found = audited(given.record, view.deals.get(number), view.ruleset)
    preview = AuditWords(found, names)
    match, record = view.match, given.record
    return {
        "text": given.text,
        "preview": preview,
        "preview_told": told(found, number, names),
        "same": same_record(match, number, record),
        "elsewhere": [
            (row, permissions.may(Action.ATTACH, row.match, asks))
            for row in same_elsewhere(match, record)
            if permissions.may(Action.SEE_MATCH, row.match, asks)
        ],
    }


def _corrections(
    request: HttpRequest, view: MatchView, attached: Audited | None
) -> list[tuple[str, str]]:
    """Where the entry can be made what the cards say, or what the revoke rule makes of it; one tap
    from a correction, and nothing by itself (C116)."""
    deal = attached.deal if attached else None
    if attached is None or deal is None or not view.match.is_running:
        return []
    if not permissions.may(
        Action.CORRECT, view.match, actor_of(request), deal=deal, now=timezone.now()
    ):
        return []
    found = {finding.code for finding in attached.report.findings}
    cards = by_cards(attached) if found - {"revoke_not_entered", "other_dealer"} else None
    revoked = AuditWords(attached, ()).revoked if "revoke_not_entered" in found else None
    wanted = [
        (cards, _("Correct the entry like this")),
        (revoked.entry if revoked else None, _("Enter the revoke like this")),
    ]
    return [(_correcting(view, deal, entry), label) for entry, label in wanted if entry]


def _correcting(view: MatchView, deal: Deal, entry: Entry) -> str:
    """The form of the correction, filled in."""
    query = {"correct": 1, "contract": entry.contract.key, **raw_of(entry)}
    if entry.chooser not in (None, deal.chooser):
        query["chooser"] = entry.chooser
    return reverse("deal", args=[view.match.id, deal.deal_number], query=query)


def _as_text(attached: Audited, number: int) -> HttpResponse:
    """The record as it was given, in the notation of text."""
    assert attached.row is not None
    text = trex_text.write(as_given(attached.row))
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="deal-{number}.trex"'
    response["Cache-Control"] = "private, no-cache"
    return response
