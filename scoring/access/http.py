"""Helpers that every view uses: permissions, lookups, htmx parts, CSRF failures.

Beginning: `club_for` or `match_for` finds the thing; whoever has not the right that the page needs
gets 404, so that nobody learns what exists. A post that needs more than its page calls
`require_permission`, which answers 403.
End: `page_or_part` draws the whole page, or for htmx only the part that changes.

A form whose token has expired (the tab lay open over a sign-in, the cookies were cleared) is not
lost. A view with `@preserve_on_csrf_failure` is called again by `csrf_failure` with a fresh token
and `request.form_expired` set; it shows the bound form with `form_expired` as its error:

    form = StartForm(post_data(request))
    if not expired(request, form) and form.is_valid():
        …

Whatever such a view would write by mistake is rolled back, and an answer that claims success
(anything below 400) is replaced by the plain page.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from django import forms
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render, resolve_url
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from scoring.access import permissions
from scoring.access.elevation import elevation_of
from scoring.access.links import ever_joined
from scoring.access.permissions import Action
from scoring.common.actor import Actor
from scoring.common.device import device_of, known_device
from scoring.common.errors import ServiceError, Stale
from scoring.common.requests import noted
from scoring.ledger.queries.match_view import MatchView, match_view
from scoring.models import Club, Deal, Match, User
from scoring.models.days import zone_of
from scoring.models.log import acting

FORM_EXPIRED = _("This page was open for too long, so nothing was saved. Please send it again.")


View = Callable[..., HttpResponse]


def actor_of(request: HttpRequest) -> Actor:
    """Return the account and the phone behind this request.

    In a match where an arbiter has elevated this phone, the arbiter."""
    if arbiter := elevation_of(request):
        return Actor(user=arbiter.user, device=device_of(request))
    user = request.user if isinstance(request.user, User) else None
    return Actor(user=user, device=device_of(request))


def require_permission(
    request: HttpRequest,
    action: Action,
    where: Match | Club | None,
    *,
    deal: Deal | None = None,
    now: datetime | None = None,
) -> None:
    """Raise 403 unless this reader may do the action here."""
    if not permissions.may(action, where, actor_of(request), deal=deal, now=now):
        raise PermissionDenied(action)


def require_or_404(request: HttpRequest, action: Action, where: Match | Club | None = None) -> None:
    """Raise 404 unless this reader may do the action here; set the clock of the page."""
    use_clock(where.club if isinstance(where, Match) else where)
    if not permissions.may(action, where, actor_of(request)):
        raise Http404(action)


def club_clock(get_response: Callable[[HttpRequest], HttpResponse]) -> View:
    """Middleware: end the clock that a view set with `use_clock` with its request."""

    def middleware(request: HttpRequest) -> HttpResponse:
        with timezone.override(None):
            return get_response(request)

    return middleware


def acting_account(get_response: Callable[[HttpRequest], HttpResponse]) -> View:
    """Middleware: log what a request writes under its account."""

    def middleware(request: HttpRequest) -> HttpResponse:
        def account() -> UUID | None:
            user = actor_of(request).user
            return user.pk if user else None

        with acting(account):
            return get_response(request)

    return middleware


def use_clock(club: Club | None) -> None:
    """Show all times of this page on the clock of this club; without one, on the server's."""
    timezone.activate(zone_of(club))


def club_for(request: HttpRequest, slug: str, action: Action) -> Club:
    """Return the club, or raise 404. Two queries at most."""
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise Http404(slug)
    require_or_404(request, action, club)
    return club


def match_for(request: HttpRequest, match_id: UUID, action: Action) -> Match:
    """Return the match with its club, or raise 404. Four queries at most.

    A phone that joined by a link is told that the link has ended, a player of another table that
    this table is closed."""
    match = Match.objects.select_related("club", "evening").filter(pk=match_id).first()
    if match is None:
        raise Http404(match_id)
    use_clock(match.club)
    asks = actor_of(request)
    if not permissions.may(action, match, asks):
        _tell_why(request, match, asks)
        raise Http404(action)
    match.names_club = match.club is None or permissions.may(Action.SEE_PUBLIC, match.club, asks)
    return match


def _tell_why(request: HttpRequest, match: Match, asks: Actor) -> None:
    """Note what the 404 page may tell somebody who was here, or may see the club."""
    is_here = permissions.may(Action.SEE_MATCH, match, asks)
    notes = noted(request)
    notes.link_over = not is_here and ever_joined(match, asks)
    closed = not is_here and match.is_closed_table
    notes.table_closed = closed and permissions.may(Action.SEE_PUBLIC, match.club, asks)


def view_of(request: HttpRequest, match: Match) -> MatchView:
    """Return the match as this reader may see it.

    While a deal is under review, readers from outside see it as it was before it was flagged (C69).
    Only where one ever was the reader's role is looked up."""
    view = match_view(match)
    return (
        view.public
        if view.disputes and permissions.reads_publicly(match, actor_of(request))
        else view
    )


def post_data(request: HttpRequest) -> QueryDict | None:
    """Return the data of a POST, even when empty, so that missing fields are reported.

    None for a form that is only shown."""
    return request.POST if request.method == "POST" else None


def see_other(to: str, *args: object, **kwargs: object) -> HttpResponseRedirect:
    """Return the redirect after a successful POST, so that a reload sends nothing twice."""
    return HttpResponseRedirect(resolve_url(to, *args, **kwargs), status=303)


def status_of(refused: ServiceError | None) -> int:
    """Return 200, or 409 when somebody else saved first, or 422."""
    if refused is None:
        return 200
    return 409 if isinstance(refused, Stale) else 422


def page_or_part(
    request: HttpRequest,
    template: str,
    context: dict[str, Any],
    *,
    part: str = "",
    status: int = 200,
) -> HttpResponse:
    """Render the page, or for htmx the named partial of it.

    Back and Forward ask for the whole page again, and no cache may mix the two up. What a page
    shows depends on who asks: only that phone may keep it, and asks again before it shows it."""
    htmx = noted(request).htmx
    if part and htmx and not htmx.history_restore_request:
        template = f"{template}#{part}"
    response = render(request, template, context, status=status)
    response["X-Reader"] = reader_key(request)
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["HX-Request", "HX-History-Restore-Request"])
    return response


def reader_key(request: HttpRequest) -> str:
    """Return an opaque key of the reader.

    A phone caches pages for one reader only, so nothing of what an arbiter saw on a phone that is
    not theirs."""
    arbiter = elevation_of(request)
    reader = arbiter.user if arbiter else request.user
    named = f"{reader.pk}:{known_device(request)}"
    return salted_hmac("trexscore.reader", named, algorithm="sha256").hexdigest()[:16]


def attempt(
    request: HttpRequest, match: Match, act: Callable[[], HttpResponse]
) -> HttpResponse | ServiceError | None:
    """Return the answer of a POST to a match, or the refusal, with the match reloaded.

    None without a POST and for an expired form."""
    if request.method != "POST" or is_expired(request):
        return None
    try:
        return act()
    except ServiceError as refused:
        match.refresh_from_db()
        return refused


# ── a form that came too late ───────────────────────────────────────────


def preserve_on_csrf_failure(view: View) -> View:
    """Mark a view that can show its form again, as typed, after a CSRF failure."""
    vars(view)["preserve_on_csrf_failure"] = True
    return view


def is_expired(request: HttpRequest) -> bool:
    """Return whether the POST came with an expired CSRF token.

    Then nothing is written and the form is shown again."""
    return getattr(request, "form_expired", False)


def expired(request: HttpRequest, form: forms.BaseForm) -> bool:
    """Return `is_expired`, and add the error to the form."""
    if is_expired(request):
        form.full_clean()
        form.add_error(None, ValidationError(FORM_EXPIRED, code="form_expired"))
    return is_expired(request)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Handle a POST without a valid CSRF token; Django calls this instead of the view."""
    found = request.resolver_match
    # Another site's post has a foreign Origin or Referer: nothing of it is shown.
    ours = reason.startswith("CSRF ")
    if found and ours and getattr(found.func, "preserve_on_csrf_failure", False):
        noted(request).form_expired = True
        with transaction.atomic():
            response: HttpResponse = found.func(request, *found.args, **found.kwargs)
            transaction.set_rollback(True)
        if response.status_code >= 400:
            return response
    return render(request, "403_csrf.html", {"ours": ours}, status=403)
