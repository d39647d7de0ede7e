"""Pages of background jobs: start, stop and resume one, and show its progress."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from scoring.access.http import actor_of, page_or_part, see_other
from scoring.common import jobs
from scoring.common.requests import noted
from scoring.models import Club, Job, JobKind


def job_page(
    request: HttpRequest,
    club: Club,
    kind: JobKind,
    template: str,
    part: str,
    context_of: Callable[[Club], dict[str, Any]],
) -> HttpResponse:
    """Page of one kind of job: a POST starts, stops or resumes it; htmx gets only the `part`.

    `context_of` returns the context of that part.
    """
    htmx = noted(request).htmx
    if request.method == "POST":
        act_on_job(request, club, kind)
        if not htmx:
            return see_other(request.path)
    return page_or_part(request, template, {"club": club} | context_of(club), part=part)


def act_on_job(request: HttpRequest, club: Club | None, kind: JobKind) -> None:
    """Start, stop or resume the newest job of a kind; without a club no job is started."""
    action, now = request.POST.get("action"), timezone.now()
    job = jobs.newest(club=club, kind=kind)
    if action == "begin" and club:
        jobs.start(club=club, kind=kind, actor=actor_of(request), now=now)
    elif action == "stop" and job:
        jobs.stop(job=job, now=now)
    elif action == "go_on" and job:
        jobs.resume(job=job, now=now)


@dataclass(frozen=True)
class JobProgress:
    """A job and its state now: `silent` if no worker works at it any more."""

    job: Job
    now: datetime

    @property
    def state(self) -> str:
        return "silent" if self.job.is_silent(self.now) else self.job.state

    @property
    def can_go_on(self) -> bool:
        return self.job.can_go_on or self.state == "silent"
