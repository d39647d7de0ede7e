"""The day on which a match was played, and its correction by anyone who may correct the match."""

from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from scoring.access.http import (
    expired,
    match_for,
    page_or_part,
    post_data,
    preserve_on_csrf_failure,
    see_other,
    status_of,
)
from scoring.access.permissions import Action
from scoring.common.error_sentences import show_refusal
from scoring.common.errors import ServiceError
from scoring.entry.views.entry import write_of
from scoring.history.queries.history import day_history
from scoring.matches.forms.match_day import MatchDayForm
from scoring.matches.services.matches import change_day
from scoring.models import Match
from scoring.models.days import day_of

PAGE = "matches/match_day.html"


@preserve_on_csrf_failure
def match_day(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match = match_for(request, match_id, Action.CORRECT)
    form = MatchDayForm(
        post_data(request),
        today=day_of(match.club, timezone.now()),
        initial={"day": day_of(match.club, match.played_at)},
    )
    if request.method != "POST":
        return _page(request, match, form)
    if expired(request, form) or not form.is_valid():
        return _page(request, match, form, status=422)
    try:
        change_day(write_of(request, match), **form.cleaned_data)
    except ServiceError as refused:
        show_refusal(form, refused.problems, {})
        match.refresh_from_db()
        return _page(request, match, form, status=status_of(refused))
    return see_other("match_day", match.id)


def _page(
    request: HttpRequest, match: Match, form: MatchDayForm, *, status: int = 200
) -> HttpResponse:
    context = {"match": match, "form": form, "lines": day_history(match), "entry_key": uuid4()}
    return page_or_part(request, PAGE, context, status=status)
