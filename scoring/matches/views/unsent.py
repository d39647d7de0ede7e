"""Entries that a phone had kept while it had no network, and the files that it keeps."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_POST

from scoring.access.http import is_expired, match_for, page_or_part, preserve_on_csrf_failure
from scoring.access.permissions import Action
from scoring.common.errors import RefusalCode, ServiceError, Stale, raise_for
from scoring.common.numbers import whole
from scoring.entry.views.entry import asked_contract, read_id
from scoring.ledger.queries.match_view import match_view
from scoring.matches.views.match import posted_entering, recorded, said, view_at
from scoring.models import Deal, EventKind, Match, MatchEvent
from scoring.rules import ProblemCode
from trexscore.build import build

CLIENTS = ("1",)
"""The ways of keeping an entry that the server still reads. A change in what the forms send that
an entry of yesterday would get wrong begins a new one: here and in `static/js/keep.js`."""
SHELL = (
    "img/icon.svg",
    *(f"css/{name}.css" for name in ("tokens", "base", "bar", "lists", "controls", "table")),
    *("css/match.css", "css/entry.css", "vendor/htmx.min.js"),
    *(f"js/{name}.js" for name in ("page", "base", "entry", "draft", "awake", "share", "live")),
    *(f"js/{name}.js" for name in ("store", "queue", "waiting", "unsent", "update")),
    *(f"js/{name}.js" for name in ("keep", "plan", "offline")),
    *("css/cards.css", "css/pad.css", "js/pad.js", "img/suits.svg"),
)
"""What the page of a match, the card pad and the list of what waits are made of."""


@preserve_on_csrf_failure
@require_POST
def unsent(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """Saves what a phone had kept. The same key gets the first answer again, with the version of
    its own event, so that what waits behind it goes on from there."""
    try:
        found = match_for(request, match_id, Action.ENTER)
    except Http404:
        return _refused("not_allowed", status=404)
    if is_expired(request):
        return _refused("form_expired", status=403, token=get_token(request))
    if event := _answered(request, found):
        return _saved(found, event)
    try:
        return _saved(found, _written(request, found))
    except ServiceError as refused:
        found.refresh_from_db()
        text = _told(request, found, refused)
        status = 409 if isinstance(refused, Stale) else 422
        return _refused(refused.code, text, status, version=found.version)


def _answered(request: HttpRequest, found: Match) -> MatchEvent | None:
    """What this key has written: recorded, or after a look at both, in place of the other."""
    key = read_id(request.POST.get("entry_key", ""))
    kinds = (EventKind.DEAL_RECORDED, EventKind.DEAL_CORRECTED)
    return found.events.filter(entry_key=key, kind__in=kinds).first() if key else None


def _written(request: HttpRequest, found: Match) -> MatchEvent:
    if request.POST.get("client") not in CLIENTS:
        raise ServiceError(RefusalCode.OLD_PAGE)
    # What waited behind a deal that moved one further has a number that is taken by now.
    as_next = whole(request.POST.get("version", "")) == found.version
    entering = posted_entering(request, view_at(request, found), as_next=as_next)
    entry = entering.read()
    if entry is None:
        raise_for(entering.form.problems)
        raise ServiceError(ProblemCode.IMPOSSIBLE)
    return recorded(request, found, entering, entry).event


def _told(request: HttpRequest, found: Match, refused: ServiceError) -> str:
    told = said(match_view(found), list(refused.problems), asked_contract(request.POST))
    return " ".join(str(text) for _, text in told)


def _saved(found: Match, event: MatchEvent) -> JsonResponse:
    number = Deal.objects.values_list("deal_number", flat=True).get(id=event.subject_id)
    return JsonResponse(
        {
            "state": "saved",
            "version": event.seq,
            "number": number,
            "url": reverse("match", args=[found.id], query={"saved": number}),
        }
    )


def _refused(code: str, text: str = "", status: int = 422, **more: Any) -> JsonResponse:
    """`text` is ready for a page: names in it are set apart and escaped."""
    return JsonResponse({"state": "refused", "code": code, "text": text, **more}, status=status)


def unsent_all(request: HttpRequest) -> HttpResponse:
    """The same for everybody, and so kept by every phone: what waits on it, the script fills in."""
    return page_or_part(request, "matches/unsent.html", {})


def service_worker(request: HttpRequest) -> HttpResponse:
    """From the root, so that it serves every page. It says which files it keeps."""
    response = render(
        request, "sw.js", {"version": build(), "shell": SHELL}, content_type="text/javascript"
    )
    patch_cache_control(response, no_cache=True)
    return response
