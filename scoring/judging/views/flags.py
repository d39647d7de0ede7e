"""One tap says that a deal is wrong, with a few words or none. Who raised a flag withdraws it."""

from typing import Any
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from scoring.access.http import (
    FORM_EXPIRED,
    actor_of,
    attempt,
    is_expired,
    match_for,
    page_or_part,
    preserve_on_csrf_failure,
    see_other,
    status_of,
)
from scoring.access.links import seat_of
from scoring.access.permissions import Action
from scoring.common.error_sentences import problem_sentences
from scoring.common.errors import RefusalCode, ServiceError
from scoring.entry.views.entry import read_id, write_of
from scoring.judging.presenters.flags import PHRASES, doubt_lines, flag_words
from scoring.judging.queries.flags import doubts
from scoring.judging.services import disputes
from scoring.ledger.queries.match_view import MatchView, match_view
from scoring.ledger.services.chain import REASON_LENGTH
from scoring.models import Match, MatchState
from scoring.rules import Problem

PAGE = "judging/flag.html"


@preserve_on_csrf_failure
def flag(request: HttpRequest, match_id: UUID, number: int) -> HttpResponse:
    match = match_for(request, match_id, Action.FLAG)
    if not match.deals.filter(deal_number=number).exists():
        raise Http404(number)
    act = _withdraw if request.POST.get("action") == "withdraw" else _flag
    answer = attempt(request, match, lambda: act(request, match, number))
    if isinstance(answer, HttpResponse):
        return answer
    return _page(request, match_view(match), number, answer)


def _flag(request: HttpRequest, match: Match, number: int) -> HttpResponse:
    disputes.flag(
        write_of(request, match),
        deal_number=number,
        words=flag_words(request.POST.get("phrase", ""), request.POST.get("words", "")),
        seat=seat_of(match, actor_of(request)),
    )
    return _look_at(match, number, flagged=1)


def _withdraw(request: HttpRequest, match: Match, number: int) -> HttpResponse:
    flag_id = read_id(request.POST.get("flag", ""))
    if flag_id is None:
        raise ServiceError(RefusalCode.NOT_STANDING, "flag")
    disputes.withdraw_flag(write_of(request, match), flag_id=flag_id)
    return _look_at(match, number)


def _look_at(match: Match, number: int, **query: Any) -> HttpResponse:
    return see_other(reverse("deal", args=[match.id, number], query=query or None))


def _page(
    request: HttpRequest, view: MatchView, number: int, refused: ServiceError | None
) -> HttpResponse:
    match, asks = view.match, actor_of(request)
    names = view.names_at(number)
    deal = view.deals.get(number) or match.deals.filter(deal_number=number).latest("event__seq")
    problems = list(refused.problems) if refused else []
    can_be = match.club_id is not None and match.state != MatchState.VOIDED
    if not can_be and not problems:
        problems = [
            Problem(RefusalCode.MATCH_VOIDED if match.club_id else RefusalCode.NO_ARBITER, "")
        ]
    expired = [("form_expired", str(FORM_EXPIRED))] if is_expired(request) else []
    lines = doubt_lines(doubts(match, number), names, asks)
    own = next((one for one in lines if one.mine and not one.doubt.withdrawn), None)
    typed = own.doubt.words if own else ""
    context = {
        "match": match,
        "view": view,
        "own": own if view.reviews.get(number) else None,
        "number": number,
        "contract": deal.contract,
        "may_flag": can_be,
        "phrases": list(PHRASES.items()),
        "limit": REASON_LENGTH,
        "words": request.POST.get("words", request.GET.get("words", typed)),
        "doubts": lines,
        "review": view.reviews.get(number),
        "wrong": problem_sentences([one for one in problems if one.field == "reason"]),
        "problems": expired + problem_sentences([one for one in problems if one.field != "reason"]),
        "entry_key": uuid4(),
    }
    status = 422 if expired else status_of(refused)
    return page_or_part(request, PAGE, context, status=status)
