"""Calls about a club: standings and matches, and writing a deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from http import HTTPStatus
from typing import Any, cast
from uuid import UUID, uuid5

from django.db.models import Prefetch, Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from ninja import Router

from scoring.access import permissions
from scoring.access.permissions import Action
from scoring.api import schemas, shapes
from scoring.api.answers import (
    bad_value,
    choice_of,
    id_of,
    limit_of,
    moment_of,
    next_page,
    read_moment,
    whole_number,
    with_etag,
)
from scoring.api.bodies import ApiError, ApiErrors, body_of, json_of
from scoring.api.callers import caller, club_for, match_for, require_permission
from scoring.api.document import DEALS, MATCH, MATCHES, STANDINGS
from scoring.api.limits import ByAddress
from scoring.common.actor import Actor
from scoring.common.errors import RefusalCode, ServiceError, Stale, raise_for
from scoring.ledger.queries.match_view import match_view
from scoring.ledger.queries.snapshots import ruleset_of
from scoring.ledger.services import deals as ledger
from scoring.ledger.services.chain import Write
from scoring.models import Club, Match, MatchResult, MatchState, Seating
from scoring.models.days import day_of
from scoring.rules import SYSTEMS, ProblemCode
from scoring.rules.deal.reading import read_entry
from scoring.rules.standings import CRITERIA, Family, Win
from scoring.standings.presenters.standings import UntilForm
from scoring.standings.queries.standings import Scope, standings_page

MAX_KEY_LENGTH = 200
CONFLICTS = (
    RefusalCode.STALE,
    RefusalCode.MATCH_CLOSED,
    RefusalCode.FORM_EXPIRED,
    ProblemCode.MATCH_OVER,
)
"""ApiErrors that have to do with what came before."""

by_address = ByAddress("club", requests=600)
router = Router(throttle=by_address)


@router.get(
    "/clubs/{slug:slug}/standings",
    url_name="standings",
    summary="Standings of a club",
    response=schemas.StandingsSchema,
    openapi_extra=STANDINGS,
)
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Of all that was played, or of a `season` or an `evening`; of people or of `pairs`; of one
    family of points (`system`, `win`), by default the one that was played last. With `until` of the
    matches that were played up to that day, as they are by now; not of an evening, nor of a season
    that is closed."""
    club = club_for(slug, Action.SEE_PUBLIC, caller(request))
    page = standings_page(
        club,
        _until(request, club, _scope(request, club)),
        _family(request),
        of_pairs=request.GET.get("pairs") == "1",
        by=choice_of(request, "by", list(CRITERIA)),
    )
    limit, start = limit_of(request), whole_number(request, "after", 0, 0, 1_000_000)
    rows = page.rows[start : start + limit]
    more = start + limit < len(page.rows)
    answer = shapes.standings_of(page, rows)
    return with_etag(
        request, answer | {"next": next_page(request, after=start + limit) if more else None}
    )


def _scope(request: HttpRequest, club: Club) -> Scope:
    season, evening = id_of(request, "season"), id_of(request, "evening")
    found = Scope(
        season=club.seasons.filter(pk=season).first() if season else None,
        evening=club.evenings.filter(pk=evening).first() if evening and not season else None,
    )
    if (season and not found.season) or (evening and not season and not found.evening):
        raise ApiError(HTTPStatus.NOT_FOUND, "not_found", "season" if season else "evening")
    return found


def _until(request: HttpRequest, club: Club, scope: Scope) -> Scope:
    asked = UntilForm(request.GET, today=day_of(club, timezone.now()))
    if asked.errors or (asked.day and not scope.takes_a_day):
        raise bad_value("until")
    return replace(scope, until=asked.day)


def _family(request: HttpRequest) -> Family | None:
    system = choice_of(request, "system", list(SYSTEMS))
    win = choice_of(request, "win", ("high", "low"))
    if bool(system) != bool(win):
        raise bad_value("win" if system else "system")
    return (system, cast(Win, win)) if system else None


@router.get(
    "/clubs/{slug:slug}/matches",
    url_name="matches",
    summary="Matches of a club",
    response=schemas.MatchesSchema,
    openapi_extra=MATCHES,
)
def matches(request: HttpRequest, slug: str) -> HttpResponse:
    """The last played first; by `state`, and those that were played `since` a moment."""
    actor = caller(request)
    club = club_for(slug, Action.SEE_PUBLIC, actor)
    limit = limit_of(request)
    found = list(_asked(request, club)[: limit + 1])
    rows = [_listed(match, actor) for match in found[:limit] if _is_seen(match, club, actor)]
    more = next_page(request, after=found[limit - 1].id) if len(found) > limit else None
    return with_etag(request, {"club": club.slug, "matches": rows, "next": more})


def _asked(request: HttpRequest, club: Club) -> Any:
    """Return the matches that the query asks for. Three queries, one more behind a page."""
    seats = Seating.objects.select_related("player").order_by("event__seq", "seat")
    results = MatchResult.objects.order_by("deals", "id")
    found = club.matches.select_related("evening").prefetch_related(
        Prefetch("seatings", seats), Prefetch("results", results)
    )
    if state := choice_of(request, "state", MatchState.values):
        found = found.filter(state=state)
    if since := moment_of(request, "since"):
        found = found.filter(played_at__gte=since)
    if after := id_of(request, "after"):
        last = club.matches.filter(pk=after).first()
        if last is None:
            raise bad_value("after")
        same = Q(played_at=last.played_at)
        earlier = Q(opened_at__lt=last.opened_at) | Q(opened_at=last.opened_at, id__lt=last.id)
        found = found.filter(Q(played_at__lt=last.played_at) | same & earlier)
    return found.order_by("-played_at", "-opened_at", "-id")


def _is_seen(match: Match, club: Club, actor: Actor) -> bool:
    match.club = club
    return permissions.may(Action.SEE_MATCH, match, actor)


def _listed(match: Match, actor: Actor) -> dict[str, Any]:
    people = {row.seat: (row.player_id, row.player.name) for row in match.seatings.all()}
    return shapes.match_summary(match, people, match.is_finished)


@router.get(
    "/matches/{uuid:match_id}",
    url_name="match",
    summary="A match",
    response=schemas.MatchSchema,
    openapi_extra=MATCH,
)
def match(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """With every deal that stands, its points, and where it is. What is under review is shown to
    those outside the club as it was when it was doubted."""
    actor = caller(request)
    found = match_for(match_id, actor)
    view = match_view(found)
    if view.disputes and permissions.reads_publicly(found, actor):
        view = view.public
    return with_etag(request, shapes.match_details(view))


@router.post(
    "/matches/{uuid:match_id}/deals",
    url_name="deals",
    summary="Write a deal",
    response={201: schemas.SavedSchema},
    openapi_extra=DEALS,
)
def deals(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """Writes the next deal of a running match, or one that is still on paper, as a phone at the
    table would. `version` is that of the match as the program saw it. The same `Idempotency-Key`
    gets the first answer again, and writes nothing."""
    actor = caller(request)
    found = match_for(match_id, actor)
    require_permission(Action.ENTER, found, actor)
    key = _entry_key(request, actor)
    try:
        with by_address.charged(request):
            saved = _record(found, key, _given(request), actor)
    except ServiceError as refused:
        late = isinstance(refused, Stale) or refused.code in CONFLICTS
        status = HTTPStatus.CONFLICT if late else HTTPStatus.UNPROCESSABLE_ENTITY
        problems = [problem.to_json() for problem in refused.problems]
        raise ApiErrors(status, problems) from None
    answer = shapes.saved_deal(saved.deal, saved.event, ruleset_of(found))
    return JsonResponse(answer, status=HTTPStatus.CREATED)


def _entry_key(request: HttpRequest, actor: Actor) -> UUID:
    """Derive the entry key: two programs may choose the same Idempotency-Key."""
    key = request.headers.get("Idempotency-Key", "").strip()
    if not key or len(key) > MAX_KEY_LENGTH:
        code = "too_long" if key else "missing"
        raise ApiError(HTTPStatus.BAD_REQUEST, code, "idempotency_key")
    assert actor.token is not None  # nobody else may write
    return uuid5(actor.token.id, key)


def _given(request: HttpRequest) -> Mapping[str, Any]:
    given = json_of(body_of(request))
    if not isinstance(given, Mapping):
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, "missing", "version")
    return given


def _record(match: Match, key: UUID, given: Mapping[str, Any], actor: Actor) -> ledger.Saved:
    version = given.get("version")
    if not isinstance(version, int) or isinstance(version, bool):
        raise ServiceError(ProblemCode.MISSING, "version")
    reading = read_entry(given, ruleset_of(match))
    raise_for(reading.problems)
    assert reading.entry is not None  # there was no problem
    played_at = _moment(given.get("played_at"))
    return ledger.record_deal(
        Write(match.id, key, version, actor, timezone.now(), played_at),
        entry=reading.entry,
        deal_number=_number(given, "deal_number"),
        dealer=_number(given, "dealer"),
        leader=_number(given, "leader"),
    )


def _moment(value: object) -> datetime | None:
    if value is None:
        return None
    try:
        return read_moment(value)
    except ValueError:
        raise ServiceError(RefusalCode.BAD_DATE, "played_at") from None


def _number(given: Mapping[str, Any], name: str) -> int | None:
    value = given.get(name)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise ServiceError(RefusalCode.BAD_NUMBER, name)
    return value
