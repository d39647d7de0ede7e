"""All records of a club, and the audit of all of them in the background."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.utils import timezone

from scoring.access import permissions
from scoring.access.http import actor_of, club_for, page_or_part, see_other
from scoring.access.job_views import act_on_job
from scoring.access.permissions import Action
from scoring.common import jobs
from scoring.common.paging import address_of, page_number
from scoring.common.requests import noted
from scoring.models import Club, JobKind
from scoring.records.forms.archive import Progress, RecordFilterForm, told_lines
from scoring.records.presenters.audits import code_words, row_words
from scoring.records.queries.archive import archive_page, contracts_of, matches_told

PAGE = "records/club_records.html"


def club_records(request: HttpRequest, slug: str) -> HttpResponse:
    club = club_for(request, slug, Action.SEE_CLUB)
    form = RecordFilterForm(request.GET, club=club, contracts=contracts_of(club))
    wanted = form.wanted
    page = archive_page(club, wanted, page_number(request))
    context = {
        "club": club,
        "form": form,
        "wanted": wanted,
        "page": page,
        "lines": [
            (line, *row_words(line.verdict), [code_words(code) for code in line.codes])
            for line in page.lines
        ],
        "before": address_of(request, page.before),
        "after": address_of(request, page.after),
    }
    if permissions.may(Action.JUDGE, club, actor_of(request)):
        context |= _audit(club)
    return page_or_part(request, PAGE, context)


def club_audit(request: HttpRequest, slug: str) -> HttpResponse:
    """The part of the page that tells of the audit; a post begins, stops or takes it up."""
    club = club_for(request, slug, Action.JUDGE)
    if request.method == "POST":
        act_on_job(request, club, JobKind.AUDIT)
    htmx = noted(request).htmx
    if not htmx:
        return see_other(f"{resolve_url('club_records', slug)}#audit")
    return page_or_part(request, PAGE, {"club": club} | _audit(club), part="audit")


def _audit(club: Club) -> dict[str, Any]:
    """What the part needs. A query, and one more where something differed."""
    job = jobs.newest(club=club, kind=JobKind.AUDIT)
    progress = Progress(job, timezone.now()) if job else None
    told = told_lines(job, matches_told(job)) if job else []
    return {"may_judge": True, "progress": progress, "told": told}
