"""For arbiters: the queue of a club's disputes, and what is done about one beside ruling on it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from scoring.access.http import (
    FORM_EXPIRED,
    actor_of,
    attempt,
    club_for,
    is_expired,
    match_for,
    page_or_part,
    preserve_on_csrf_failure,
    see_other,
    status_of,
)
from scoring.access.permissions import Action
from scoring.common.error_sentences import problem_sentences
from scoring.common.errors import RefusalCode, ServiceError
from scoring.common.numbers import whole
from scoring.common.words import Words
from scoring.entry.views.entry import write_of
from scoring.judging.presenters.flags import doubt_lines
from scoring.judging.queries.flags import DisputeSummary, doubts, queue_of
from scoring.judging.services import disputes
from scoring.ledger.queries.match_view import match_view
from scoring.ledger.services.chain import REASON_LENGTH
from scoring.models import Dispute, DisputeState, Match
from scoring.records.queries.mismatches import mismatches
from scoring.rules import Problem

QUEUE, ACT = "judging/club_disputes.html", "judging/dispute_act.html"


def club_disputes(request: HttpRequest, slug: str) -> HttpResponse:
    """What waits, who has what, what is over."""
    club = club_for(request, slug, Action.JUDGE)
    page = whole(request.GET.get("page", ""))
    queue, asks = queue_of(club, page if isinstance(page, int) else 1), actor_of(request)

    def told(cases: tuple[DisputeSummary, ...]) -> list[tuple[DisputeSummary, Any, UUID]]:
        return [(one, doubt_lines(one.doubts, one.names, asks), uuid4()) for one in cases]

    context = {
        "club": club,
        "queue": queue,
        "open": told(queue.open),
        "claimed": told(queue.claimed),
        "ruled": told(queue.ruled),
        "closed": told(queue.closed),
        "closed_count": queue.counts[DisputeState.CLOSED],
        "turning": "page" in request.GET,
        "disagreeing": mismatches(club).count(),
        "user": asks.user,
    }
    return page_or_part(request, QUEUE, context)


# ── what is done about one ──────────────────────────────────────────────


@dataclass(frozen=True)
class Act:
    """Something an arbiter does about a dispute: in one tap, or with words (`asks`)."""

    does: Callable[..., Dispute]
    label: Words
    asks: str = ""
    question: Words = ""
    help: Words = ""


ACTS = {
    "claim": Act(disputes.claim, _("Take it on")),
    "release": Act(disputes.release, _("Give it back to the queue")),
    "close": Act(
        disputes.close,
        _("Close the dispute"),
        "note",
        _("What came of it?"),
        _("Everybody at the table can read it. From now on everybody sees the deal as it stands."),
    ),
    "reopen": Act(
        disputes.reopen,
        _("Open it again"),
        "reason",
        _("Why?"),
        _("It is under review again. A ruling that there was holds until another is published."),
    ),
}


@preserve_on_csrf_failure
def dispute_act(request: HttpRequest, match_id: UUID, number: int) -> HttpResponse:
    """Taken on, given back, closed, opened again; `next` says from where it was done."""
    match = match_for(request, match_id, Action.JUDGE)
    if not match.deals.filter(deal_number=number).exists():
        raise Http404(number)
    answer = attempt(request, match, lambda: _act(request, match, number))
    if isinstance(answer, HttpResponse):
        return answer
    return _page(request, match, number, answer)


def _act(request: HttpRequest, match: Match, number: int) -> HttpResponse:
    act = ACTS.get(request.POST.get("action", ""))
    if act is None:
        raise ServiceError(RefusalCode.FORM_EXPIRED, "action")
    words = {act.asks: request.POST.get("words", "")} if act.asks else {}
    act.does(write_of(request, match), deal_number=number, **words)
    return see_other(_back(request, match, number))


def _back(request: HttpRequest, match: Match, number: int) -> str:
    assert match.club
    if _next(request) == "queue":
        return reverse("club_disputes", args=[match.club.slug])
    return reverse("dispute" if _next(request) == "case" else "deal", args=[match.id, number])


def _next(request: HttpRequest) -> str:
    given = request.POST.get("next", request.GET.get("next", ""))
    return given if given in ("queue", "case") else ""


def _page(
    request: HttpRequest, match: Match, number: int, refused: ServiceError | None
) -> HttpResponse:
    """The words that an act asks for; and what is wrong, with them still there."""
    view = match_view(match)
    dispute = view.disputes.get(number)
    asked = request.POST.get("action", request.GET.get("act", ""))
    name = asked if asked in ACTS else _usual(dispute)
    problems = list(refused.problems) if refused else []
    if dispute is None and not problems:
        problems = [Problem(RefusalCode.NO_DISPUTE, "")]
    expired = [("form_expired", str(FORM_EXPIRED))] if is_expired(request) else []
    context = {
        "match": match,
        "number": number,
        "dispute": dispute,
        "contract": _contract(view.deals.get(number), dispute),
        "doubts": doubt_lines(doubts(match, number), view.names_at(number), actor_of(request)),
        "name": name,
        "act": ACTS[name],
        "next": _next(request),
        "back": _back(request, match, number) if match.club else "",
        "words": request.POST.get("words", ""),
        "limit": REASON_LENGTH,
        "wrong": problem_sentences([one for one in problems if one.field == "reason"]),
        "problems": expired + problem_sentences([one for one in problems if one.field != "reason"]),
        "entry_key": uuid4(),
    }
    return page_or_part(request, ACT, context, status=422 if expired else status_of(refused))


def _usual(dispute: Dispute | None) -> str:
    if dispute is None or dispute.state == DisputeState.OPEN:
        return "claim"
    return "reopen" if dispute.state == DisputeState.CLOSED else "close"


def _contract(standing: Any, dispute: Dispute | None) -> str:
    deal = (dispute and dispute.frozen) or standing
    return deal.contract if deal else ""
