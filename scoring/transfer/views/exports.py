"""Pages that export a club to one file and import a club from one."""

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
from scoring.transfer.forms.club_import import ClubFileForm, refusal_of
from scoring.transfer.services.club_export import files
from scoring.transfer.services.club_import.files import store

EXPORT_PAGE = "transfer/club_export.html"
IMPORT_PAGE = "transfer/club_arrival.html"
MAX_UPLOAD = 20
"""Megabytes that a page accepts; larger files are for the command."""


def club_export(request: HttpRequest, slug: str) -> HttpResponse | FileResponse:
    """Export a club: progress, and the last file."""
    club = club_for(request, slug, Action.PEOPLE)
    if "file" in request.GET:
        return _file(club)
    return job_page(request, club, JobKind.EXPORT, EXPORT_PAGE, "export", _export_context)


def _export_context(club: Club) -> dict[str, Any]:
    """Return the progress, and the last file that is available. Two queries."""
    job = jobs.newest(club=club, kind=JobKind.EXPORT)
    last = jobs.last_done(club=club, kind=JobKind.EXPORT)
    return {
        "progress": JobProgress(job, timezone.now()) if job else None,
        "last": last if last and files.export_file_of(last) else None,
        "days": files.KEPT_FOR.days,
    }


def _file(club: Club) -> FileResponse:
    last = jobs.last_done(club=club, kind=JobKind.EXPORT)
    path = files.export_file_of(last) if last else None
    if last is None or path is None:
        raise Http404("nothing was exported, or it is kept no more")
    name = f"{club.slug}-{day_of(club, last.updated_at)}.zip"
    response = FileResponse(path.open("rb"), as_attachment=True, filename=name)
    response["Cache-Control"] = "private, no-store"
    return response


@preserve_on_csrf_failure
def club_arrival(request: HttpRequest) -> HttpResponse:
    """Import a club: an uploaded file is stored, then checked and written in the background."""
    require_or_404(request, Action.FOUND)
    is_action = "action" in request.POST
    is_upload = request.method == "POST" and not is_action
    form = ClubFileForm(request.POST, request.FILES) if is_upload else ClubFileForm()
    if request.method == "POST" and not expired(request, form):
        if is_action:
            act_on_job(request, None, JobKind.IMPORT)
            return see_other("club_arrival")
        if form.is_valid():
            return _start(request, form)
    status = 422 if request.method == "POST" else 200
    context = {"form": form, "upload": MAX_UPLOAD} | _import_context()
    return page_or_part(request, IMPORT_PAGE, context, part="arrival", status=status)


def _start(request: HttpRequest, form: ClubFileForm) -> HttpResponse:
    now = timezone.now()
    token = store(form.cleaned_data["file"].chunks(), now)
    jobs.start(
        club=None, kind=JobKind.IMPORT, actor=actor_of(request), now=now, found={"file": token}
    )
    return see_other("club_arrival")


def _import_context() -> dict[str, Any]:
    """Return the outcome of the newest file. Two queries."""
    job = jobs.newest(club=None, kind=JobKind.IMPORT)
    if job is None:
        return {}
    return {
        "progress": JobProgress(job, timezone.now()),
        "refusal": refusal_of(job),
        "imported_club": _imported_club(job),
    }


def _imported_club(job: Job) -> Club | None:
    return Club.objects.filter(id=job.found["club"]).first() if "club" in job.found else None
