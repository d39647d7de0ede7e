"""Pages that import matches from a file: upload, preview, import, progress."""

import io
from collections.abc import Sequence
from time import monotonic
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.access.http import (
    actor_of,
    club_for,
    expired,
    is_expired,
    page_or_part,
    post_data,
    preserve_on_csrf_failure,
    require_or_404,
    see_other,
)
from scoring.access.job_views import JobProgress, act_on_job
from scoring.access.permissions import Action
from scoring.common import jobs
from scoring.common.errors import ServiceError
from scoring.common.kept_files import keep, kept
from scoring.common.requests import is_htmx
from scoring.importing.dates import ORDERS, Order
from scoring.importing.examples import MEDIA_TYPES, example
from scoring.importing.limits import PAGE
from scoring.models import Club, JobKind, Player, User
from scoring.transfer.forms.imports import ImportForm, ambiguous_date, preview_of
from scoring.transfer.presenters.column_guide import COLUMN_ROWS
from scoring.transfer.queries.imports import ImportPlan, ImportStatus, plan_import
from scoring.transfer.services.import_files import matches_to_write, write_match

PREVIEW, IMPORT = "look", "import"
MAX_SECONDS = 1.0
"""Seconds that a request may take; the rest of the import goes on in the background."""


@preserve_on_csrf_failure
def club_import(request: HttpRequest, slug: str) -> HttpResponse:
    club = club_for(request, slug, Action.PEOPLE)
    user = actor_of(request).user
    assert user is not None  # only an account has this right
    if request.method == "POST" and request.POST.get("action") == IMPORT:
        return _import(request, club, user)
    if request.POST.get("action") in ("stop", "go_on"):
        act_on_job(request, club, JobKind.MATCHES)
        is_part = is_htmx(request)
        return _progress(request, club) if is_part else see_other(f"{request.path}?job=1")
    if request.method == "POST":
        return _upload(request, club, user)
    if "job" in request.GET:
        return _progress(request, club)
    token = request.GET.get("file", "")
    if not token:
        return _form_page(request, club, ImportForm())
    data = kept(club=club, user=user, token=token)
    return _file_gone(request, club) if data is None else _preview_page(request, club, data, token)


def _date_order(request: HttpRequest) -> Order | None:
    """Return the order of day and month that was chosen for the file, if any."""
    answer = request.POST.get("dates") or request.GET.get("dates")
    return next((order for order in ORDERS if order == answer), None)


def _upload(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """Store a file with anything to import or to ask, else show its problems."""
    form = ImportForm(post_data(request), request.FILES)
    if expired(request, form) or not form.is_valid():
        return _form_page(request, club, form, status=422)
    data = form.submitted_data()
    found = plan_import(club, io.BytesIO(data), PAGE)
    if not found.of(*set(ImportStatus) - {ImportStatus.REFUSED}) and not ambiguous_date(found):
        return _form_page(request, club, form, found, status=422)
    token = keep(club=club, user=user, data=data, now=timezone.now())
    return _see_preview(request, token)


def _import(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """Import the new matches of a stored file. Doing it again finds all of them known."""
    token = request.POST.get("file", "")
    data = kept(club=club, user=user, token=token)
    if data is None:
        return _file_gone(request, club)
    if is_expired(request):
        return _preview_page(request, club, data, token, status=422)
    order = _date_order(request)
    untouched = plan_import(club, io.BytesIO(data), PAGE, order=order)
    same = _same_people(request, untouched)
    found = plan_import(club, io.BytesIO(data), PAGE, same, order) if same else untouched
    if len(found.of(ImportStatus.REFUSED)) > len(untouched.of(ImportStatus.REFUSED)):
        return _preview_page(request, club, data, token, status=422, seated_twice=list(same))
    to_move = request.POST.getlist("move")
    done = {ImportStatus.NEW: 0, ImportStatus.MOVED: 0}
    begun = monotonic()
    try:
        for planned in matches_to_write(found, to_move):
            if monotonic() - begun > MAX_SECONDS:
                answers: dict[str, Any] = {"dates": order, "move": to_move}
                answers["same"] = {name: str(player.id) for name, player in same.items()}
                return _continue_in_background(request, club, {"file": token, **answers})
            done[planned.status] += write_match(
                planned, club, actor_of(request), timezone.now(), same
            )
    except ServiceError:  # the people of the club changed meanwhile: preview again
        return _preview_page(request, club, data, token, status=409)
    _add_messages(request, done[ImportStatus.NEW], done[ImportStatus.MOVED])
    return _see_preview(request, token)


def _continue_in_background(
    request: HttpRequest, club: Club, found: dict[str, Any]
) -> HttpResponse:
    """Start a job for the rest of the import."""
    now = timezone.now()
    job = jobs.start(club=club, kind=JobKind.MATCHES, actor=actor_of(request), now=now, found=found)
    if job.found.get("file") != found["file"]:
        messages.error(request, _("Another file is being imported. Import this one afterwards."))
    return see_other(f"{request.path}?job=1")


def _progress(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the progress of the background import."""
    job = jobs.newest(club=club, kind=JobKind.MATCHES)
    if job is None:
        return see_other(request.path)
    is_own = job.opened_by == actor_of(request).user
    query = {"file": job.found["file"]} | (
        {"dates": job.found["dates"]} if job.found["dates"] else {}
    )
    context = {
        "club": club,
        "progress": JobProgress(job, timezone.now()),
        "file": urlencode(query) if is_own else "",
    }
    return page_or_part(request, "transfer/club_import_progress.html", context, part="progress")


def _add_messages(request: HttpRequest, count: int, moved: int) -> None:
    if count:
        text = ngettext("{count} match imported.", "{count} matches imported.", count)
        messages.success(request, text.format(count=count))
    if moved:
        text = ngettext("{count} match moved.", "{count} matches moved.", moved)
        messages.success(request, text.format(count=moved))
    if not count and not moved:
        messages.success(request, _("Nothing new in it."))


def _same_people(request: HttpRequest, found: ImportPlan) -> dict[str, Player]:
    """Return the new names that were ticked as another spelling of a player."""
    ticked = request.POST.getlist("same")
    return {
        person.name: person.similar
        for person in found.new_people
        if person.similar and person.name in ticked
    }


def _form_page(
    request: HttpRequest,
    club: Club,
    form: ImportForm,
    found: ImportPlan | None = None,
    status: int = 200,
) -> HttpResponse:
    job = jobs.newest(club=club, kind=JobKind.MATCHES)
    context = {"club": club, "form": form, "limits": PAGE, "job": job}
    if found is not None:
        context["import_preview"] = preview_of(found)
    return page_or_part(request, "transfer/club_import.html", context, status=status)


def _preview_page(
    request: HttpRequest,
    club: Club,
    data: bytes,
    token: str,
    status: int = 200,
    seated_twice: Sequence[str] = (),
) -> HttpResponse:
    """Preview the import of a stored file.

    `seated_twice`: names that were ticked although one person would then sit twice in a match.
    """
    order = _date_order(request)
    found = plan_import(club, io.BytesIO(data), PAGE, order=order)
    if ambiguous := ambiguous_date(found):
        context = {"club": club, "token": token, "ambiguous": ambiguous}
        return page_or_part(request, "transfer/club_import_dates.html", context)
    context = {
        "club": club,
        "token": token,
        "order": order or "",
        "import_preview": preview_of(found),
        "people": found.new_people,
        "new": len(found.of(ImportStatus.NEW)),
        "here": len(found.of(ImportStatus.HERE, ImportStatus.AGAIN)),
        "differing": len(found.of(ImportStatus.MOVED, ImportStatus.DIFFERS)),
        "movable": len(found.of(ImportStatus.MOVED)),
        "refused": len(found.of(ImportStatus.REFUSED)) + len(found.faults),
        "is_expired": is_expired(request),
        "names_seated_twice": seated_twice,
    }
    return page_or_part(request, "transfer/club_import_preview.html", context, status=status)


def _file_gone(request: HttpRequest, club: Club) -> HttpResponse:
    """Answer 404: the file is not stored any more."""
    form = ImportForm()
    context = {"club": club, "form": form, "limits": PAGE, "is_file_gone": True}
    return page_or_part(request, "transfer/club_import.html", context, status=404)


def _see_preview(request: HttpRequest, token: str) -> HttpResponse:
    """Redirect to the preview of a stored file, with the chosen order of dates."""
    query = {"file": token} | ({"dates": order} if (order := _date_order(request)) else {})
    return see_other(f"{request.path}?{urlencode(query)}")


def import_guide(request: HttpRequest) -> HttpResponse:
    """Explain the format of the files, and serve examples."""
    require_or_404(request, Action.BROWSE)
    kind = request.GET.get("example", "")
    if kind in MEDIA_TYPES:
        response = HttpResponse(example(kind), content_type=MEDIA_TYPES[kind])
        response["Content-Disposition"] = f'attachment; filename="trexscore-example.{kind}"'
        return response
    context = {"rows": COLUMN_ROWS, "kinds": list(MEDIA_TYPES), "limits": PAGE}
    return page_or_part(request, "transfer/import_guide.html", context)
