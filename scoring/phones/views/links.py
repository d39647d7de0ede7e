"""Phones at a table: links with their codes, who came by them, whose seat is whose; coming in."""

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.debug import sensitive_post_parameters

from scoring.access.http import (
    actor_of,
    expired,
    is_expired,
    match_for,
    page_or_part,
    post_data,
    preserve_on_csrf_failure,
    see_other,
    status_of,
)
from scoring.access.links import link_of, seat_of, seat_phones
from scoring.access.permissions import Action
from scoring.clubs.views.join import qr_code
from scoring.common import limits
from scoring.common.device import known_device
from scoring.common.error_sentences import problem_sentences, show_refusal
from scoring.common.errors import RefusalCode, ServiceError
from scoring.common.numbers import whole
from scoring.entry.forms.fields import SEATS
from scoring.entry.views.entry import read_id
from scoring.ledger.queries.match_view import match_view
from scoring.models import JoinedPhone, LinkKind, Match, TableLink
from scoring.phones.forms.links import CodeForm
from scoring.phones.services import links
from scoring.rules import ProblemCode
from trexscore.address import site_url
from trexscore.hosts import is_local

# ── coming in ───────────────────────────────────────────────────────────


@preserve_on_csrf_failure
@sensitive_post_parameters("code")
def join_table(request: HttpRequest) -> HttpResponse:
    """A scanned code comes here behind the "#" of the address, which no server sees: a script
    posts it. Without one it is typed."""
    form = CodeForm(post_data(request))
    phone, too_often = known_device(request), False
    if request.method == "POST" and not expired(request, form) and form.is_valid():
        try:
            link = links.join(
                code=form.cleaned_data["code"], actor=actor_of(request), now=timezone.now()
            )
        except ServiceError as refused:
            too_often = limits.count_wrong_code(request, phone)
            refused = ServiceError(RefusalCode.TOO_OFTEN, "code") if too_often else refused
            show_refusal(form, refused.problems, {})
        else:
            return see_other(_where_to(request, link), link.match_id)
    status = 422 if form.errors else 200
    response = page_or_part(request, "phones/join_table.html", {"form": form}, status=status)
    return limits.too_often(response) if too_often else response


def _where_to(request: HttpRequest, link: TableLink) -> str:
    """Whoever keeps score or may sign is asked for the seat, once."""
    match = link.match
    asks = link.kind == LinkKind.TABLE and (match.is_running or match.is_finished)
    return "seat" if asks and seat_of(match, actor_of(request)) is None else "match"


@preserve_on_csrf_failure
def seat(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """Which seat is yours? It is signed for on the phone of that seat."""
    match, refused = match_for(request, match_id, Action.ENTER), None
    if request.method == "POST":
        try:
            _choose(request, match)
        except ServiceError as error:
            refused = error
        else:
            return see_other(reverse("match", args=[match.id], query={"contract": ""}))
    view, asks = match_view(match), actor_of(request)
    taken = {each.seat: each for each in seat_phones(match)}
    context = {
        "match": match,
        "view": view,
        "clockwise": view.ruleset.direction == "clockwise",
        "seats": [(each, taken.get(each.seat)) for each in view.seats],
        "device": asks.device,
        "problems": problem_sentences(refused.problems) if refused else [],
    }
    return page_or_part(request, "phones/seat.html", context, status=status_of(refused))


def _choose(request: HttpRequest, match: Match) -> None:
    device = actor_of(request).device
    if device is None or is_expired(request):
        raise ServiceError(RefusalCode.FORM_EXPIRED)
    if request.POST.get("seat") == "":
        links.leave_seat(match_id=match.id, device=device)
    else:
        seat, now = _seat(request), timezone.now()
        with transaction.atomic():
            links.take_seat(match_id=match.id, seat=seat, device=device, now=now)
            # Under its lock: one that was sent away meanwhile leaves no seat taken behind it.
            match_for(request, match.id, Action.ENTER)


def _seat(request: HttpRequest) -> int:
    chosen = whole(request.POST.get("seat", ""))
    if not isinstance(chosen, int) or chosen not in SEATS:
        raise ServiceError(ProblemCode.BAD_SEAT, "seat")
    return chosen


# ── who is in ───────────────────────────────────────────────────────────


@preserve_on_csrf_failure
def phones(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """Both links with what is to be scanned, the phones that came by them, and the seats."""
    match, refused = match_for(request, match_id, Action.SHARE), None
    if request.method == "POST":
        try:
            _act(request, match)
        except ServiceError as error:
            refused = error
        else:
            return see_other("phones", match.id)
    view = match_view(match)
    bound = seat_phones(match)
    names = {each.device: view.seats[each.seat].name for each in bound}
    context = {
        "match": match,
        "view": view,
        "cards": [card(request, match, kind, names) for kind in LinkKind],
        "seats": [(view.seats[each.seat], each) for each in bound],
        "device": actor_of(request).device,
        "local": is_local(urlsplit(_site(request)).netloc),
        "problems": problem_sentences(refused.problems) if refused else [],
    }
    return page_or_part(request, "phones/phones.html", context, status=status_of(refused))


def _act(request: HttpRequest, match: Match) -> None:
    if is_expired(request):
        raise ServiceError(RefusalCode.FORM_EXPIRED)
    if act := ACTS.get(request.POST.get("action", "")):
        act(request, match)


def _make(request: HttpRequest, match: Match) -> None:
    links.make(match_id=match.id, kind=_kind(request), actor=actor_of(request), now=timezone.now())


def _remake(request: HttpRequest, match: Match) -> None:
    old = _id(request, "link")
    links.remake(match_id=match.id, link_id=old, actor=actor_of(request), now=timezone.now())


def _revoke(request: HttpRequest, match: Match) -> None:
    old = _id(request, "link")
    links.revoke(match_id=match.id, link_id=old, now=timezone.now())


def _send_away(request: HttpRequest, match: Match) -> None:
    links.send_away(match_id=match.id, phone_id=_id(request, "phone"))


def _free(request: HttpRequest, match: Match) -> None:
    links.free_seat(match_id=match.id, seat=_seat(request))


ACTS: dict[str, Callable[[HttpRequest, Match], None]] = {
    "make": _make,
    "remake": _remake,
    "revoke": _revoke,
    "away": _send_away,
    "free": _free,
}


def _id(request: HttpRequest, name: str) -> UUID:
    found = read_id(request.POST.get(name, ""))
    if found is None:
        raise ServiceError(RefusalCode.FORM_EXPIRED, name)
    return found


def _kind(request: HttpRequest) -> LinkKind:
    try:
        return LinkKind(request.POST.get("kind", ""))
    except ValueError:
        raise ServiceError(RefusalCode.FORM_EXPIRED, "kind") from None


@dataclass(frozen=True)
class LinkCard:
    """A link as it is shown. Without `link` there is none that works; `ended`: one has ended."""

    kind: LinkKind
    link: TableLink | None
    ended: bool
    ends_at: Any
    code: str
    address: str
    url: str
    picture: SafeString | str
    phones: list[tuple[JoinedPhone, str]]


def card(
    request: HttpRequest, match: Match, kind: LinkKind, names: dict[UUID, str] | None = None
) -> LinkCard:
    """The link of this kind with its picture to scan, its address and its code. `names`: whose
    seat a phone has."""
    found, now = link_of(match, kind), timezone.now()
    code = links.code_of(found.link) if found else ""
    if not found or not code or now >= found.ends_at:
        return LinkCard(kind, None, found is not None, None, "", "", "", "", [])
    address = _site(request) + reverse("join_table")
    came = [(each, (names or {}).get(each.device, "")) for each in found.phones]
    url = f"{address}#{code}"
    return LinkCard(kind, found.link, False, found.ends_at, code, address, url, qr_code(url), came)


def _site(request: HttpRequest) -> str:
    """Where other phones reach this site. Whoever has opened it on the box itself knows it by a
    name that means another machine everywhere else."""
    domain, _ = split_domain_port(request.get_host())
    if _is_this_machine(domain.strip("[]")):
        return site_url(request.get_port())
    return f"{request.scheme}://{request.get_host()}"


def _is_this_machine(domain: str) -> bool:
    try:
        return ipaddress.ip_address(domain).is_loopback
    except ValueError:
        return domain == "localhost"
