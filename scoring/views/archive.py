"""All records of a club, and the audit of all of them in the background."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.utils import timezone
from django_htmx.middleware import HtmxDetails

from scoring.forms.archive import Progress, RecordFilterForm, told_lines
from scoring.forms.audits import code_words, row_words
from scoring.models import Club, JobKind
from scoring.selectors import access
from scoring.selectors.access import Action
from scoring.selectors.archive import archive_page, contracts_of, matches_told
from scoring.services import jobs
from scoring.views.http import club_for, page_or_part, see_other, who
from scoring.views.jobs import act_on_job

PAGE = "scoring/club_records.html"


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
    if access.may(Action.JUDGE, club, who(request)):
        context |= _audit(club)
    return page_or_part(request, PAGE, context)


def club_audit(request: HttpRequest, slug: str) -> HttpResponse:
    """The part of the page that tells of the audit; a post begins, stops or takes it up."""
    club = club_for(request, slug, Action.JUDGE)
    if request.method == "POST":
        act_on_job(request, club, JobKind.AUDIT)
    htmx: HtmxDetails = request.htmx  # type: ignore[attr-defined]
    if not htmx:
        return see_other(f"{resolve_url('club_records', slug)}#audit")
    return page_or_part(request, PAGE, {"club": club} | _audit(club), part="audit")


def _audit(club: Club) -> dict[str, Any]:
    """What the part needs. A query, and one more where something differed."""
    job = jobs.newest(club=club, kind=JobKind.AUDIT)
    progress = Progress(job, timezone.now()) if job else None
    told = told_lines(job, matches_told(job)) if job else []
    return {"may_judge": True, "progress": progress, "told": told}


def page_number(request: HttpRequest) -> int:
    """Which page is asked for."""
    text = request.GET.get("page", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 1


ALL = "all"
"""In the place of a page's number: everything on one page, as it is printed."""


def address_of(request: HttpRequest, number: int | str | None) -> str:
    """The page of this number with the same filter."""
    if number is None:
        return ""
    query = request.GET.copy()
    query["page"] = str(number)
    return f"?{query.urlencode()}"
