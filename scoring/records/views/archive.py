"""Page of all card records of a club, with the background audit of all of them."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.utils import timezone

from scoring.access import permissions
from scoring.access.http import actor_of, club_for, page_or_part, see_other
from scoring.access.job_views import JobProgress, act_on_job
from scoring.access.permissions import Action
from scoring.common import jobs
from scoring.common.paging import address_of, page_number
from scoring.common.requests import noted
from scoring.models import Club, JobKind
from scoring.records.forms.archive import RecordFilterForm
from scoring.records.presenters.audits import code_label, verdict_of_row
from scoring.records.presenters.verdict_changes import verdict_changes
from scoring.records.queries.archive import archive_page, contracts_of, matches_named

PAGE = "records/club_records.html"


def club_records(request: HttpRequest, slug: str) -> HttpResponse:
    club = club_for(request, slug, Action.SEE_CLUB)
    form = RecordFilterForm(request.GET, club=club, contracts=contracts_of(club))
    record_filter = form.record_filter
    page = archive_page(club, record_filter, page_number(request))
    context = {
        "club": club,
        "form": form,
        "filter": record_filter,
        "page": page,
        "lines": [
            (line, *verdict_of_row(line.verdict), [code_label(code) for code in line.codes])
            for line in page.lines
        ],
        "before": address_of(request, page.before),
        "after": address_of(request, page.after),
    }
    if permissions.may(Action.JUDGE, club, actor_of(request)):
        context |= _audit_context(club)
    return page_or_part(request, PAGE, context)


def club_audit(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the progress of the audit; a POST starts, stops or resumes it."""
    club = club_for(request, slug, Action.JUDGE)
    if request.method == "POST":
        act_on_job(request, club, JobKind.AUDIT)
    htmx = noted(request).htmx
    if not htmx:
        return see_other(f"{resolve_url('club_records', slug)}#audit")
    return page_or_part(request, PAGE, {"club": club} | _audit_context(club), part="audit")


def _audit_context(club: Club) -> dict[str, Any]:
    """Return the context of the audit. One query, and another where something differed."""
    job = jobs.newest(club=club, kind=JobKind.AUDIT)
    progress = JobProgress(job, timezone.now()) if job else None
    changes = verdict_changes(job, matches_named(job)) if job else []
    return {"may_judge": True, "progress": progress, "changes": changes}
