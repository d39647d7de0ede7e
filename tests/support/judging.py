"""Doubts about a deal, raised and handled, for tests."""

import uuid
from datetime import timedelta

from scoring.common.actor import Who
from scoring.judging.services import disputes, rulings
from scoring.models import Dispute, Flag, Ruling
from tests.factories import NOW, newest

LATER = NOW + timedelta(hours=1)


def act(service, match, number=1, *, who, now=LATER, **changes) -> Dispute:
    """What an arbiter does about a deal number, against the newest version."""
    given = {"entry_key": uuid.uuid4(), "version": newest(match), "deal_number": number}
    return service(**{"match_id": match.id, "who": who, "now": now, **given, **changes})


def flag(match, number=1, words="", *, who, now=LATER, **changes) -> Flag:
    return act(disputes.flag, match, number, who=who, now=now, words=words, **changes)


def withdraw(match, row, *, who, now=LATER, **changes) -> Flag:
    given = {"entry_key": uuid.uuid4(), "version": newest(match), "flag_id": row.id}
    return disputes.withdraw_flag(
        **{"match_id": match.id, "who": who, "now": now, **given, **changes}
    )


def dispute_of(match, number=1) -> Dispute | None:
    return Dispute.objects.filter(match=match, deal_number=number).first()


def rule(match, number=1, entry=None, points=None, *, who, now=LATER) -> Ruling:
    """A published ruling: a correction, points beside the deal, or that it stands."""
    outcome = "corrected" if entry else "adjusted" if points else "stands"
    found = {"outcome": outcome, "entry": entry, "adjustment": points, "reason": "Seen."}
    return act(rulings.publish, match, number, who=who, now=now, **found)


def by(user) -> Who:
    return Who(user)
