"""Doubts about a deal, raised and handled, for tests."""

import uuid
from datetime import timedelta

from scoring.common.actor import Actor
from scoring.judging.services import disputes, rulings
from scoring.models import Dispute, Flag, Ruling
from tests.factories import NOW, newest

LATER = NOW + timedelta(hours=1)


def act(service, match, number=1, *, actor, now=LATER, **changes) -> Dispute:
    """What an arbiter does about a deal number, against the newest version."""
    given = {"entry_key": uuid.uuid4(), "version": newest(match), "deal_number": number}
    return service(**{"match_id": match.id, "actor": actor, "now": now, **given, **changes})


def flag(match, number=1, words="", *, actor, now=LATER, **changes) -> Flag:
    return act(disputes.flag, match, number, actor=actor, now=now, words=words, **changes)


def withdraw(match, row, *, actor, now=LATER, **changes) -> Flag:
    given = {"entry_key": uuid.uuid4(), "version": newest(match), "flag_id": row.id}
    return disputes.withdraw_flag(
        **{"match_id": match.id, "actor": actor, "now": now, **given, **changes}
    )


def dispute_of(match, number=1) -> Dispute | None:
    return Dispute.objects.filter(match=match, deal_number=number).first()


def rule(match, number=1, entry=None, points=None, *, actor, now=LATER) -> Ruling:
    """A published ruling: a correction, points beside the deal, or that it stands."""
    outcome = "corrected" if entry else "adjusted" if points else "stands"
    found = {"outcome": outcome, "entry": entry, "adjustment": points, "reason": "Seen."}
    return act(rulings.publish, match, number, actor=actor, now=now, **found)


def by(user) -> Actor:
    return Actor(user)
