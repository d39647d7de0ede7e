"""Everything that follows from the ledgers of a club, worked out again in the background."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from scoring.access.http import club_for
from scoring.access.job_views import JobProgress, job_page
from scoring.access.permissions import Action
from scoring.common import jobs
from scoring.integrity.presenters.rebuild import (
    differing,
    named_matches,
    sums_that_differed,
    unreadable,
)
from scoring.models import Club, JobKind, Match

PAGE = "integrity/club_rebuild.html"


def club_rebuild(request: HttpRequest, slug: str) -> HttpResponse:
    """A post begins, stops or takes up the work; htmx asks for the part that tells of it."""
    club = club_for(request, slug, Action.JUDGE)
    return job_page(request, club, JobKind.REBUILD, PAGE, "work", _work)


def _work(club: Club) -> dict[str, Any]:
    """How far it is, and what it has found. Two queries, one more where something was found."""
    job = jobs.newest(club=club, kind=JobKind.REBUILD)
    last = jobs.last_done(club=club, kind=JobKind.REBUILD)
    if job is None:
        return {"last": last}
    named = named_matches(job)
    matches = Match.objects.filter(club=club).in_bulk(named) if named else {}
    return {
        "last": last,
        "progress": JobProgress(job, timezone.now()),
        "differing": list(differing(job, matches)),
        "unreadable": unreadable(job, matches),
        "sums": sums_that_differed(job),
    }
