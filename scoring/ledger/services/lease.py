"""The table lease: which phone keeps score.

It decides what a phone is offered, never what is saved: that is judged by rights and version alone.
"""

from datetime import datetime
from uuid import UUID

from django.db import transaction

from scoring.common.actor import Actor
from scoring.ledger.services import chain
from scoring.models import Match

FIELDS = ("lease_device", "lease_user", "lease_at")


@transaction.atomic
def take(*, match_id: UUID, actor: Actor, now: datetime) -> Match:
    """Let this phone keep score from now on.

    Nothing changes where it does already, or where no phone needs to."""
    match = chain.locked(match_id)
    if match.is_running and actor.device not in (None, match.lease_device):
        hand_over(match, actor, now)
        match.save(update_fields=FIELDS)
    return match


def keep(match: Match, actor: Actor, now: datetime) -> None:
    """Give the lease to the first phone that saves. Expects the lock."""
    if match.lease_device is None:
        match.refresh_from_db(fields=FIELDS)  # it was read before it was locked
    if match.lease_device is None:
        hand_over(match, actor, now)
        match.save(update_fields=FIELDS)


def hand_over(match: Match, actor: Actor, now: datetime) -> None:
    """Set the holder of the lease, not saved yet.

    A writer without a phone, from a file or other software, holds none."""
    if actor.device is not None and actor.token is None:
        match.lease_device, match.lease_user, match.lease_at = actor.device, actor.user, now
