"""Page of the card record of a deal: attach, preview, withdraw it, compare it with the entry."""

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
from scoring.records.presenters.audits import AuditSummary
from scoring.records.presenters.submission import (
    SubmittedRecord,
    contradiction_sentences,
    read_file,
    read_text,
    starting_text,
)
from scoring.records.queries.records import (
    as_submitted,
    audit_of,
    entry_of_cards,
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
from scoring.records.views.entry_from_cards import entry_address_of
from scoring.replay.audit import FindingCode
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
        act = _void if request.POST.get("action") == "void" else _submit
        with limits.charged(request):
            return act(request, view, number, attached)
    if attached and "text" in request.GET:
        return _as_text(attached, number)
    return _page(request, view, number, attached)


def _submit(
    request: HttpRequest, view: MatchView, number: int, attached: Audited | None
) -> HttpResponse:
    """Show the submitted record with its audit, or attach it, keeping whatever was typed."""
    submitted = _with_match_problems(view, _read_submission(request, number))
    if is_expired(request) or not submitted.is_sound:
        return _page(request, view, number, attached, submitted, status=422)
    write = WRITES.get(request.POST.get("action", ""))
    if write is None or "file" in request.FILES:
        return _page(request, view, number, attached, submitted)
    assert submitted.record is not None
    audited(
        submitted.record, view.deals.get(number), view.ruleset
    )  # while nobody waits for the lock
    try:
        write(request, view, number, submitted.record)
    except ServiceError as refused:
        return _refused_page(request, view, number, submitted, refused)
    return see_other("record", view.match.id, number)


def _read_submission(request: HttpRequest, number: int) -> SubmittedRecord:
    """Read the uploaded file, else the text; keep the text if the file cannot be read."""
    typed, file = request.POST.get("record", ""), request.FILES.get("file")
    if not limits.may_check(request):
        return SubmittedRecord(typed, problems=(Problem(RefusalCode.OFTEN, "record"),))
    if file is None:
        return read_text(typed, number)
    found = read_file(file, number)
    return found if found.text else replace(found, text=typed)


def _with_match_problems(view: MatchView, submitted: SubmittedRecord) -> SubmittedRecord:
    """Add the reasons why it cannot be a record of this match."""
    if submitted.record is None or not submitted.is_sound:
        return submitted
    return replace(submitted, problems=tuple(record_problems(view.table, submitted.record)))


def _attach(request: HttpRequest, view: MatchView, number: int, submitted: Record) -> None:
    attach(write_of(request, view.match), deal_number=number, record=submitted)


def _move(request: HttpRequest, view: MatchView, number: int, submitted: Record) -> None:
    """Attach it here and withdraw it where it was, for those who may do both."""
    row_id = read_id(request.POST.get("row", ""))
    row = row_id and CardRecord.objects.filter(id=row_id).first()
    if not row:
        raise ServiceError(RefusalCode.NOT_STANDING, "record")
    require_permission(request, Action.ATTACH, match_for(request, row.match_id, Action.SEE_MATCH))
    move(
        write_of(request, view.match),
        deal_number=number,
        record=submitted,
        from_id=row.id,
        reason=request.POST.get("reason", ""),
    )


WRITES = {"attach": _attach, "move": _move}
"""The function that writes a record, by the action of the form."""


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
        return _refused_page(request, view, number, None, refused)
    return see_other("record", view.match.id, number)


def _refused_page(
    request: HttpRequest,
    view: MatchView,
    number: int,
    submitted: SubmittedRecord | None,
    refused: ServiceError,
) -> HttpResponse:
    """Show the current state of the match with the refusal, and what was typed."""
    view.match.refresh_from_db()
    view = match_view(view.match)
    status = status_of(refused)
    attached = audit_of(view, number)
    return _page(request, view, number, attached, submitted, refused=refused, status=status)


def _page(
    request: HttpRequest,
    view: MatchView,
    number: int,
    attached: Audited | None,
    submitted: SubmittedRecord | None = None,
    *,
    refused: ServiceError | None = None,
    status: int = 200,
) -> HttpResponse:
    match, actor = view.match, actor_of(request)
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
        "audit": AuditSummary(attached, names) if attached else None,
        "contradictions": contradiction_sentences(attached, number, names) if attached else [],
        "lines": record_history(match, number),
        "device": actor.device,
        "may_attach": permissions.may(Action.ATTACH, match, actor),
        "counting_id": attached.row.id if attached and attached.row else None,
        "voiding": "void" in request.GET,
        "entry_address": entry_address_of(request, view, number, attached),
        "corrections": _corrections(request, view, attached),
        "notation": trex_text.write(attached.record) if attached else "",
        "reason": request.POST.get("reason", ""),
        "problems": problems,
        "submitted": submitted,
        "entry_key": uuid4(),
        "existing_id": refused.numbers.get("row") if refused else None,
        **_preview(view, number, names, submitted, actor),
    }
    return page_or_part(request, PAGE, context, status=status)


def _preview(
    view: MatchView, number: int, names: list[str], submitted: SubmittedRecord | None, actor: Actor
) -> dict[str, Any]:
    """Return the audit of a submitted record that is not attached yet."""
    if submitted is None:
        return {"text": starting_text(view, number)}
    if not submitted.is_sound:
        return {"text": submitted.text}
    assert submitted.record is not None
    found = audited(submitted.record, view.deals.get(number), view.ruleset)
    preview = AuditSummary(found, names)
    match, record = view.match, submitted.record
    return {
        "text": submitted.text,
        "submitted_audit": preview,
        "preview_contradictions": contradiction_sentences(found, number, names),
        "same": same_record(match, number, record),
        "elsewhere": [
            (row, permissions.may(Action.ATTACH, row.match, actor))
            for row in same_elsewhere(match, record)
            if permissions.may(Action.SEE_MATCH, row.match, actor)
        ],
    }


def _corrections(
    request: HttpRequest, view: MatchView, attached: Audited | None
) -> list[tuple[str, str]]:
    """Return address and label of each correction that the record suggests.

    They only open the correction form, filled in: a record never changes a score (C116)."""
    deal = attached.deal if attached else None
    if attached is None or deal is None or not view.match.is_running:
        return []
    if not permissions.may(
        Action.CORRECT, view.match, actor_of(request), deal=deal, now=timezone.now()
    ):
        return []
    found = {finding.code for finding in attached.report.findings}
    cards = (
        entry_of_cards(attached)
        if found - {FindingCode.REVOKE_NOT_ENTERED, FindingCode.OTHER_DEALER}
        else None
    )
    revoked = (
        AuditSummary(attached, ()).revoked if FindingCode.REVOKE_NOT_ENTERED in found else None
    )
    wanted = [
        (cards, _("Correct the entry like this")),
        (revoked.entry if revoked else None, _("Enter the revoke like this")),
    ]
    return [(_correction_address(view, deal, entry), label) for entry, label in wanted if entry]


def _correction_address(view: MatchView, deal: Deal, entry: Entry) -> str:
    """Return the address of the correction form filled in with this entry."""
    query = {"correct": 1, "contract": entry.contract.key, **raw_of(entry)}
    if entry.chooser not in (None, deal.chooser):
        query["chooser"] = entry.chooser
    return reverse("deal", args=[view.match.id, deal.deal_number], query=query)


def _as_text(attached: Audited, number: int) -> HttpResponse:
    """Return the attached record as a .trex file."""
    assert attached.row is not None
    text = trex_text.write(as_submitted(attached.row))
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="deal-{number}.trex"'
    response["Cache-Control"] = "private, no-cache"
    return response
