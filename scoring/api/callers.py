"""Who asks: a program with a token of a club, or anybody.

A session counts for nothing here, so that no page of another site can ask in somebody's name.
"""

from __future__ import annotations

from http import HTTPStatus
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone

from scoring.access import permissions
from scoring.access.permissions import Action
from scoring.api.bodies import Refused
from scoring.clubs.queries.api_keys import token_of
from scoring.clubs.services import api_keys
from scoring.common.actor import Actor
from scoring.models import Club, Match


def caller(request: HttpRequest) -> Actor:
    """The program behind a request; 401 for a token that opens nothing (any more). The ledger
    names the token where it names phones otherwise."""
    given = request.headers.get("Authorization", "")
    if not given:
        return Actor()
    scheme, _, secret = given.partition(" ")
    token = token_of(secret.strip()) if scheme.lower() == "bearer" else None
    if token is None:
        raise Refused(HTTPStatus.UNAUTHORIZED, "bad_token", "authorization")
    api_keys.used(token=token, now=timezone.now())
    return Actor(device=token.id, token=token)


def club_for(slug: str, action: Action, actor: Actor) -> Club:
    """The club, or 404 for whom it is not there."""
    club = Club.objects.filter(slug=slug).first()
    if club is None or not permissions.may(action, club, actor):
        raise Refused(HTTPStatus.NOT_FOUND, "not_found", "club")
    return club


def match_for(match_id: UUID, actor: Actor) -> Match:
    """The match, or 404 for whom it is not there."""
    match = Match.objects.select_related("club", "evening").filter(pk=match_id).first()
    if match is None or not permissions.may(Action.SEE_MATCH, match, actor):
        raise Refused(HTTPStatus.NOT_FOUND, "not_found", "match")
    return match


def require_permission(action: Action, match: Match, actor: Actor) -> None:
    """401 for who said nothing, 403 for a token that may not do this here."""
    if permissions.may(action, match, actor):
        return
    if actor.token is None:
        raise Refused(HTTPStatus.UNAUTHORIZED, "missing", "authorization")
    raise Refused(HTTPStatus.FORBIDDEN, "not_allowed", "authorization")
