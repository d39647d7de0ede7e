"""Doubts about a deal, raised and handled, for tests."""

from dataclasses import fields
from datetime import timedelta

from scoring.common.actor import Actor
from scoring.judging.services import disputes, rulings
from scoring.models import Dispute, Flag, Ruling
from tests.factories import NOW, write

LATER = NOW + timedelta(hours=1)


def act(service, match, number=1, *, actor, now=LATER, **changes) -> Dispute:
    """What an arbiter does about a deal number, against the newest version."""
    return write(service, match, **{"deal_number": number, "actor": actor, "now": now, **changes})


def flag(match, number=1, words="", *, actor, now=LATER, **changes) -> Flag:
    return act(disputes.flag, match, number, actor=actor, now=now, words=words, **changes)


def withdraw(match, row, *, actor, now=LATER, **changes) -> Flag:
    return write(disputes.withdraw_flag, match, flag_id=row.id, actor=actor, now=now, **changes)


def dispute_of(match, number=1) -> Dispute | None:
    return Dispute.objects.filter(match=match, deal_number=number).first()


def rule(match, number=1, entry=None, points=None, *, actor, now=LATER) -> Ruling:
    """A published ruling: a correction, points beside the deal, or that it stands."""
    outcome = "corrected" if entry else "adjusted" if points else "stands"
    found = {"entry": entry, "adjustment": points, "reason": "Seen."}
    return decide(match, number, outcome, actor=actor, now=now, **found)


def decide(match, number, outcome, **given) -> Ruling:
    """Publishes a ruling; `given` are fields of its `Decision` and of the write."""
    of_decision = {field.name for field in fields(rulings.Decision)} & given.keys()
    decision = rulings.Decision(outcome, **{name: given.pop(name) for name in of_decision})
    return write(rulings.publish, match, deal_number=number, decision=decision, **given)


def by(user) -> Actor:
    return Actor(user)
