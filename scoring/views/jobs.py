"""Long work on a page: begun, stopped and taken up by a tap."""

from django.http import HttpRequest
from django.utils import timezone

from scoring.models import Club, JobKind
from scoring.services import jobs
from scoring.views.http import who


def act_on_job(request: HttpRequest, club: Club | None, kind: JobKind) -> None:
    """What the tap asks for, with the newest job of its kind. Without a club nothing begins by a
    tap alone."""
    action, now = request.POST.get("action"), timezone.now()
    job = jobs.newest(club=club, kind=kind)
    if action == "begin" and club:
        jobs.start(club=club, kind=kind, who=who(request), now=now)
    elif action == "stop" and job:
        jobs.stop(job=job, now=now)
    elif action == "go_on" and job:
        jobs.go_on(job=job, now=now)
