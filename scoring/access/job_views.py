"""Pages of background jobs: start, stop and resume."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from scoring.access.http import actor_of, page_or_part, see_other
from scoring.common import jobs
from scoring.common.requests import noted
from scoring.models import Club, JobKind


def job_page(
    request: HttpRequest,
    club: Club,
    kind: JobKind,
    template: str,
    part: str,
    told: Callable[[Club], dict[str, Any]],
) -> HttpResponse:
    """Return a page about one kind of job.

    A POST starts, stops or resumes it; htmx asks for the part with its progress, for which `told`
    returns the context."""
    htmx = noted(request).htmx
    if request.method == "POST":
        act_on_job(request, club, kind)
        if not htmx:
            return see_other(request.path)
    return page_or_part(request, template, {"club": club} | told(club), part=part)


def act_on_job(request: HttpRequest, club: Club | None, kind: JobKind) -> None:
    """Start, stop or resume the newest job of its kind.

    Without a club a POST alone starts nothing."""
    action, now = request.POST.get("action"), timezone.now()
    job = jobs.newest(club=club, kind=kind)
    if action == "begin" and club:
        jobs.start(club=club, kind=kind, actor=actor_of(request), now=now)
    elif action == "stop" and job:
        jobs.stop(job=job, now=now)
    elif action == "go_on" and job:
        jobs.go_on(job=job, now=now)
