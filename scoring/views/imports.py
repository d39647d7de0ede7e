"""Matches that were played before: a file is sent, looked at, and with one tap more imported."""

import io
from collections.abc import Sequence
from operator import attrgetter

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.forms.import_guide import COLUMN_ROWS
from scoring.forms.imports import ImportForm, sheet_of
from scoring.importing.examples import MEDIA_TYPES, example
from scoring.importing.limits import PAGE
from scoring.models import Club, Player, User
from scoring.selectors.access import Action
from scoring.selectors.imports import Preview, Status, preview
from scoring.services.imports import import_match
from scoring.services.kept_files import keep, kept
from scoring.services.refusals import LedgerRefused
from scoring.views.http import (
    allow_page,
    club_for,
    expired,
    is_expired,
    keeps_typed,
    page_or_part,
    posted,
    see_other,
    who,
)

LOOK, IMPORT = "look", "import"


@keeps_typed
def club_import(request: HttpRequest, slug: str) -> HttpResponse:
    club = club_for(request, slug, Action.PEOPLE)
    user = who(request).user
    assert user is not None  # only an account has this right
    if request.method == "POST" and request.POST.get("action") == IMPORT:
        return _import(request, club, user)
    if request.method == "POST":
        return _look(request, club, user)
    token = request.GET.get("file", "")
    if not token:
        return _ask(request, club, ImportForm())
    data = kept(club=club, user=user, token=token)
    return _gone(request, club) if data is None else _show(request, club, data, token)


def _look(request: HttpRequest, club: Club, user: User) -> HttpResponse:
    """A file with something to import is kept and shown; one without is sent back with the
    reasons."""
    form = ImportForm(posted(request), request.FILES)
    if expired(request, form) or not form.is_valid():
        return _ask(request, club, form, status=422)
    data = form.data_sent()
    found = preview(club, io.BytesIO(data), PAGE)
    if not found.of(Status.NEW, Status.HERE, Status.AGAIN):
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
    untouched = preview(club, io.BytesIO(data), PAGE)
    same = _same(request, untouched)
    found = preview(club, io.BytesIO(data), PAGE, same) if same else untouched
    if len(found.of(Status.REFUSED)) > len(untouched.of(Status.REFUSED)):
        return _show(request, club, data, token, status=422, twice=list(same))
    count = 0
    try:
        # In order of play: what is the last match of its people costs the same, however many.
        for planned in sorted(found.of(Status.NEW), key=attrgetter("played_at")):
            imported = import_match(
                planned=planned, club=club, who=who(request), now=timezone.now(), same=same
            )
            count += imported.is_new
    except LedgerRefused:  # somebody changed the people of the club in between: look again
        return _show(request, club, data, token, status=409)
    said = ngettext("{count} match imported.", "{count} matches imported.", count)
    messages.success(request, said.format(count=count) if count else _("Nothing new in it."))
    return see_other_query(request, token)


def _same(request: HttpRequest, found: Preview) -> dict[str, Player]:
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
    found: Preview | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {"club": club, "form": form, "limits": PAGE}
    if found is not None:
        context["sheet"] = sheet_of(found)
    return page_or_part(request, "scoring/club_import.html", context, status=status)


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
    found = preview(club, io.BytesIO(data), PAGE)
    context = {
        "club": club,
        "token": token,
        "sheet": sheet_of(found),
        "people": found.new_people,
        "new": len(found.of(Status.NEW)),
        "here": len(found.of(Status.HERE, Status.AGAIN)),
        "refused": len(found.of(Status.REFUSED)) + len(found.faults),
        "expired": is_expired(request),
        "twice": twice,
    }
    return page_or_part(request, "scoring/club_import_look.html", context, status=status)


def _gone(request: HttpRequest, club: Club) -> HttpResponse:
    """The file is not kept any more, or never was."""
    form = ImportForm()
    context = {"club": club, "form": form, "limits": PAGE, "gone": True}
    return page_or_part(request, "scoring/club_import.html", context, status=404)


def see_other_query(request: HttpRequest, token: str) -> HttpResponse:
    return see_other(f"{request.path}?file={token}")


def import_guide(request: HttpRequest) -> HttpResponse:
    """How such a file looks, and files to start from."""
    allow_page(request, Action.BROWSE)
    kind = request.GET.get("example", "")
    if kind in MEDIA_TYPES:
        response = HttpResponse(example(kind), content_type=MEDIA_TYPES[kind])
        response["Content-Disposition"] = f'attachment; filename="trexscore-example.{kind}"'
        return response
    context = {"rows": COLUMN_ROWS, "kinds": list(MEDIA_TYPES), "limits": PAGE}
    return page_or_part(request, "scoring/import_guide.html", context)
