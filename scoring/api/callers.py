"""The program behind a request, and what it may see.

Sessions are ignored, so that no other site can act for somebody signed in."""

from __future__ import annotations

from http import HTTPStatus
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone

from scoring.access import permissions
from scoring.access.permissions import Action
from scoring.api.bodies import ApiError
from scoring.clubs.queries.api_keys import token_of
from scoring.clubs.services import api_keys
from scoring.common.actor import Actor
from scoring.models import Club, Match


def caller(request: HttpRequest) -> Actor:
    """Return the actor of the API key; raise 401 for one that is not valid.

    The ledger names the key where it names phones otherwise."""
    given = request.headers.get("Authorization", "")
    if not given:
        return Actor()
    scheme, _, secret = given.partition(" ")
    token = token_of(secret.strip()) if scheme.lower() == "bearer" else None
    if token is None:
        raise ApiError(HTTPStatus.UNAUTHORIZED, "bad_token", "authorization")
    api_keys.used(token=token, now=timezone.now())
    return Actor(device=token.id, token=token)


def club_for(slug: str, action: Action, actor: Actor) -> Club:
    """Return the club; raise 404 if there is none for this actor."""
    club = Club.objects.filter(slug=slug).first()
    if club is None or not permissions.may(action, club, actor):
        raise ApiError(HTTPStatus.NOT_FOUND, "not_found", "club")
    return club


def match_for(match_id: UUID, actor: Actor) -> Match:
    """Return the match; raise 404 if there is none for this actor."""
    match = Match.objects.select_related("club", "evening").filter(pk=match_id).first()
    if match is None or not permissions.may(Action.SEE_MATCH, match, actor):
        raise ApiError(HTTPStatus.NOT_FOUND, "not_found", "match")
    return match


def require_permission(action: Action, match: Match, actor: Actor) -> None:
    """Raise 401 without a key, 403 for a key without this permission."""
    if permissions.may(action, match, actor):
        return
    if actor.token is None:
        raise ApiError(HTTPStatus.UNAUTHORIZED, "missing", "authorization")
    raise ApiError(HTTPStatus.FORBIDDEN, "not_allowed", "authorization")
