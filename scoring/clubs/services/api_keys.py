"""Keys for programs: made by a tap, shown once, ended by a tap."""

import secrets
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from scoring.clubs.queries.api_keys import PREFIX, digest, tokens_in
from scoring.common.actor import Actor
from scoring.common.errors import RefusalCode, ServiceError
from scoring.models import Club, ClubToken, TokenScope
from scoring.people.services.naming import kept_name
from scoring.rules import ProblemCode

MOST = 30
NOTED_EVERY = timedelta(hours=1)
"""A program that asks every minute writes no row every minute."""


@transaction.atomic
def make(*, club: Club, name: str, scope: str, actor: Actor, now: datetime) -> str:
    """The secret of a new token; it is nowhere kept, so this is the only time it can be shown."""
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    if scope not in TokenScope.values:
        raise ServiceError(RefusalCode.UNKNOWN_SCOPE, "scope")
    if tokens_in(club).count() >= MOST:
        raise ServiceError(ProblemCode.TOO_MANY, "name", {"limit": MOST})
    secret = PREFIX + secrets.token_urlsafe(32)
    ClubToken.objects.create(
        club=club,
        name=kept_name(name),
        scope=scope,
        digest=digest(secret),
        created_by=actor.user,
        created_at=now,
    )
    return secret


def revoke(*, club: Club, token_id: str, now: datetime) -> None:
    """Ends a token of this club, for good; refuses with `gone` where there is none."""
    try:
        found = ClubToken.objects.filter(id=UUID(token_id), club=club, revoked_at=None)
    except ValueError:
        raise ServiceError(RefusalCode.GONE) from None
    if not found.update(revoked_at=now):
        raise ServiceError(RefusalCode.GONE)


def used(*, token: ClubToken, now: datetime) -> None:
    """Notes that it was used, once an hour. A query, and mostly none."""
    if token.last_used_at is None or now - token.last_used_at >= NOTED_EVERY:
        due = Q(last_used_at=None) | Q(last_used_at__lte=now - NOTED_EVERY)
        ClubToken.objects.filter(due, pk=token.pk).update(last_used_at=now)
