"""Is every match of the club as it was written? Asked in the background, told in words (C53)."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from scoring.access.http import club_for
from scoring.access.job_views import JobProgress, job_page
from scoring.access.permissions import Action
from scoring.common import jobs
from scoring.integrity.presenters.integrity import faults, named_matches
from scoring.models import Club, JobKind, Match
from scoring.models.days import day_of

PAGE = "integrity/club_integrity.html"


def club_integrity(request: HttpRequest, slug: str) -> HttpResponse:
    """A post begins, stops or takes up the check; htmx asks for the part that tells of it."""
    club = club_for(request, slug, Action.JUDGE)
    if "heads" in request.GET:
        return _heads(club)
    return job_page(request, club, JobKind.INTEGRITY, PAGE, "check", _check)


def _check(club: Club) -> dict[str, Any]:
    """How far it is, and what it has found. Two queries, one more where something was found."""
    job = jobs.newest(club=club, kind=JobKind.INTEGRITY)
    named = named_matches(job) if job else []
    matches = Match.objects.filter(club=club).in_bulk(named) if named else {}
    return {
        "progress": JobProgress(job, timezone.now()) if job else None,
        "faults": list(faults(job, matches)) if job else [],
        "last": jobs.last_done(club=club, kind=JobKind.INTEGRITY),
        "finished": Match.objects.finished().filter(club=club).exists(),
    }


def _heads(club: Club) -> HttpResponse:
    """The heads of all finished matches, to be kept elsewhere, as `verify_ledger --heads` reads
    them."""
    matches = Match.objects.finished().filter(club=club).order_by("played_at", "id")
    text = "".join(f"{match.id} {match.version} {match.head}\n" for match in matches)
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    name = f"heads-{club.slug}-{day_of(club, timezone.now())}.txt"
    response["Content-Disposition"] = f'inline; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response
