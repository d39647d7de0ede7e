"""Matches that were played before: a file is sent, looked at, and with one tap more imported."""

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
    posted,
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
from scoring.transfer.forms.imports import ImportForm, sheet_of, two_dates
from scoring.transfer.presenters.import_guide import COLUMN_ROWS
from scoring.transfer.queries.imports import ImportPreview, Status, preview
from scoring.transfer.services.import_files import keep as keep_match
from scoring.transfer.services.import_files import to_do

LOOK, IMPORT = "look", "import"
AT_ONCE = 1.0
"""Seconds that an import may take while somebody waits; then it goes on in the background."""


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
        return _look(request, club, user)
    if "job" in request.GET:
        return _progress(request, club)
    token = request.GET.get("file", "")
    if not token:
        return _ask(request, club, ImportForm())
    data = kept(club=club, user=user, token=token)
    return _gone(request, club) if data is None else _show(request, club, data, token)


def _order(request: HttpRequest) -> Order | None:
    """What comes first in the dates of the file, as it was answered."""
    answer = request.POST.get("dates") or request.GET.get("dates")
    return next((order for order in ORDERS if order == answer), None)


def _look(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """A file with something to import, or to ask first, is kept and shown; one without is sent back
    with the reasons."""
    form = ImportForm(posted(request), request.FILES)
    if expired(request, form) or not form.is_valid():
        return _ask(request, club, form, status=422)
    data = form.data_sent()
    found = preview(club, io.BytesIO(data), PAGE)
    if not found.of(*set(Status) - {Status.REFUSED}) and not two_dates(found):
        return _ask(request, club, form, found, status=422)
    token = keep(club=club, user=user, data=data, now=timezone.now())
    return see_other_query(request, token)


def _import(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """Imports what is new in a kept file. Doing it again finds everything here."""
    token = request.POST.get("file", "")
    data = kept(club=club, user=user, token=token)
    if data is None:
        return _gone(request, club)
    if is_expired(request):
        return _show(request, club, data, token, status=422)
    order = _order(request)
    untouched = preview(club, io.BytesIO(data), PAGE, order=order)
    same = _same(request, untouched)
    found = preview(club, io.BytesIO(data), PAGE, same, order) if same else untouched
    if len(found.of(Status.REFUSED)) > len(untouched.of(Status.REFUSED)):
        return _show(request, club, data, token, status=422, twice=list(same))
    to_move = request.POST.getlist("move")
    done = {Status.NEW: 0, Status.MOVED: 0}
    begun = monotonic()
    try:
        for planned in to_do(found, to_move):
            if monotonic() - begun > AT_ONCE:
                answers: dict[str, Any] = {"dates": order, "move": to_move}
                answers["same"] = {name: str(player.id) for name, player in same.items()}
                return _go_on_in_background(request, club, {"file": token, **answers})
            done[planned.status] += keep_match(
                planned, club, actor_of(request), timezone.now(), same
            )
    except ServiceError:  # somebody changed the people of the club in between: look again
        return _show(request, club, data, token, status=409)
    _say_done(request, done[Status.NEW], done[Status.MOVED])
    return see_other_query(request, token)


def _go_on_in_background(request: HttpRequest, club: Club, told: dict[str, Any]) -> HttpResponse:
    """What could not be done while somebody waits."""
    now = timezone.now()
    job = jobs.start(club=club, kind=JobKind.MATCHES, actor=actor_of(request), now=now, found=told)
    if job.found.get("file") != told["file"]:
        messages.error(request, _("Another file is being imported. Import this one afterwards."))
    return see_other(f"{request.path}?job=1")


def _progress(request: HttpRequest, club: Club) -> HttpResponse:
    """How far the work in the background is."""
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


def _say_done(request: HttpRequest, count: int, moved: int) -> None:
    if count:
        said = ngettext("{count} match imported.", "{count} matches imported.", count)
        messages.success(request, said.format(count=count))
    if moved:
        said = ngettext("{count} match moved.", "{count} matches moved.", moved)
        messages.success(request, said.format(count=moved))
    if not count and not moved:
        messages.success(request, _("Nothing new in it."))


def _same(request: HttpRequest, found: ImportPreview) -> dict[str, Player]:
    """The new names that were ticked as another way to write somebody's name."""
    ticked = request.POST.getlist("same")
    return {
        person.name: person.like
        for person in found.new_people
        if person.like and person.name in ticked
    }


def _ask(
    request: HttpRequest,
    club: Club,
    form: ImportForm,
    found: ImportPreview | None = None,
    status: int = 200,
) -> HttpResponse:
    job = jobs.newest(club=club, kind=JobKind.MATCHES)
    context = {"club": club, "form": form, "limits": PAGE, "job": job}
    if found is not None:
        context["sheet"] = sheet_of(found)
    return page_or_part(request, "transfer/club_import.html", context, status=status)


def _show(
    request: HttpRequest,
    club: Club,
    data: bytes,
    token: str,
    status: int = 200,
    twice: Sequence[str] = (),
) -> HttpResponse:
    """The file as it would come in. `twice`: names that were ticked although that would seat one
    person twice."""
    order = _order(request)
    found = preview(club, io.BytesIO(data), PAGE, order=order)
    if asked := two_dates(found):
        context = {"club": club, "token": token, "asked": asked}
        return page_or_part(request, "transfer/club_import_dates.html", context)
    context = {
        "club": club,
        "token": token,
        "order": order or "",
        "sheet": sheet_of(found),
        "people": found.new_people,
        "new": len(found.of(Status.NEW)),
        "here": len(found.of(Status.HERE, Status.AGAIN)),
        "otherwise": len(found.of(Status.MOVED, Status.DIFFERS)),
        "movable": len(found.of(Status.MOVED)),
        "refused": len(found.of(Status.REFUSED)) + len(found.faults),
        "expired": is_expired(request),
        "twice": twice,
    }
    return page_or_part(request, "transfer/club_import_look.html", context, status=status)


def _gone(request: HttpRequest, club: Club) -> HttpResponse:
    """The file is not kept any more, or never was."""
    form = ImportForm()
    context = {"club": club, "form": form, "limits": PAGE, "gone": True}
    return page_or_part(request, "transfer/club_import.html", context, status=404)


def see_other_query(request: HttpRequest, token: str) -> HttpResponse:
    """Back to the file, with the answer to what was asked about it."""
    query = {"file": token} | ({"dates": order} if (order := _order(request)) else {})
    return see_other(f"{request.path}?{urlencode(query)}")


def import_guide(request: HttpRequest) -> HttpResponse:
    """How such a file looks, and files to start from."""
    require_or_404(request, Action.BROWSE)
    kind = request.GET.get("example", "")
    if kind in MEDIA_TYPES:
        response = HttpResponse(example(kind), content_type=MEDIA_TYPES[kind])
        response["Content-Disposition"] = f'attachment; filename="trexscore-example.{kind}"'
        return response
    context = {"rows": COLUMN_ROWS, "kinds": list(MEDIA_TYPES), "limits": PAGE}
    return page_or_part(request, "transfer/import_guide.html", context)
