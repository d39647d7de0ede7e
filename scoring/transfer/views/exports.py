"""Everything of a club in one file, made in the background; and a club that comes out of one."""

from typing import Any

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.utils import timezone

from scoring.access.http import (
    actor_of,
    club_for,
    expired,
    page_or_part,
    preserve_on_csrf_failure,
    require_or_404,
    see_other,
)
from scoring.access.job_views import JobProgress, act_on_job, job_page
from scoring.access.permissions import Action
from scoring.common import jobs
from scoring.models import Club, Job, JobKind
from scoring.models.days import day_of
from scoring.transfer.forms.club_import import ArrivalForm, refusal_of
from scoring.transfer.services.club_export import files
from scoring.transfer.services.club_import.files import keep

EXPORT_PAGE = "transfer/club_export.html"
ARRIVAL_PAGE = "transfer/club_arrival.html"
UPLOAD = 20
"""Megabytes that the server takes at once; more is for the command."""


def club_export(request: HttpRequest, slug: str) -> HttpResponse | FileResponse:
    """A post begins, stops or takes up the export; htmx asks for the part that tells of it."""
    club = club_for(request, slug, Action.PEOPLE)
    if "file" in request.GET:
        return _file(club)
    return job_page(request, club, JobKind.EXPORT, EXPORT_PAGE, "export", _export)


def _export(club: Club) -> dict[str, Any]:
    """How far it is, and the last one that can be had. Two queries."""
    job = jobs.newest(club=club, kind=JobKind.EXPORT)
    last = jobs.last_done(club=club, kind=JobKind.EXPORT)
    return {
        "progress": JobProgress(job, timezone.now()) if job else None,
        "last": last if last and files.made_by(last) else None,
        "days": files.KEPT_FOR.days,
    }


def _file(club: Club) -> FileResponse:
    last = jobs.last_done(club=club, kind=JobKind.EXPORT)
    path = files.made_by(last) if last else None
    if last is None or path is None:
        raise Http404("nothing was exported, or it is kept no more")
    name = f"{club.slug}-{day_of(club, last.updated_at)}.zip"
    response = FileResponse(path.open("rb"), as_attachment=True, filename=name)
    response["Cache-Control"] = "private, no-store"
    return response


@preserve_on_csrf_failure
def club_arrival(request: HttpRequest) -> HttpResponse:
    """The file is put aside and looked at in the background: a post with one begins that."""
    require_or_404(request, Action.FOUND)
    acts = "action" in request.POST
    sends = request.method == "POST" and not acts
    form = ArrivalForm(request.POST, request.FILES) if sends else ArrivalForm()
    if request.method == "POST" and not expired(request, form):
        if acts:
            act_on_job(request, None, JobKind.IMPORT)
            return see_other("club_arrival")
        if form.is_valid():
            return _begin(request, form)
    status = 422 if request.method == "POST" else 200
    context = {"form": form, "upload": UPLOAD} | _arrival()
    return page_or_part(request, ARRIVAL_PAGE, context, part="arrival", status=status)


def _begin(request: HttpRequest, form: ArrivalForm) -> HttpResponse:
    now = timezone.now()
    token = keep(form.cleaned_data["file"].chunks(), now)
    jobs.start(
        club=None, kind=JobKind.IMPORT, actor=actor_of(request), now=now, found={"file": token}
    )
    return see_other("club_arrival")


def _arrival() -> dict[str, Any]:
    """What became of the newest file. Two queries."""
    job = jobs.newest(club=None, kind=JobKind.IMPORT)
    if job is None:
        return {}
    return {
        "progress": JobProgress(job, timezone.now()),
        "refusal": refusal_of(job),
        "arrived": _arrived(job),
    }


def _arrived(job: Job) -> Club | None:
    return Club.objects.filter(id=job.found["club"]).first() if "club" in job.found else None
