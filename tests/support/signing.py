"""Signatures as they are given at a table, against the newest version unless it is said."""

from datetime import timedelta

from scoring.common.actor import Actor, device_id
from scoring.ledger.queries.match_view import match_view
from scoring.ledger.queries.signatures import units
from scoring.models import SeatPhone, Signature
from scoring.signatures.services import signatures
from tests.factories import NOW, PHONE, write

LATER = NOW + timedelta(hours=1)
"""When every deal is in, and nobody has been silent for long."""


def phone_of_seat(match, seat, secret="") -> Actor:
    """The phone that says that this seat is its own."""
    actor = Actor(device=device_id(secret or f"seat {seat}"))
    SeatPhone.objects.create(match=match, seat=seat, device=actor.device, bound_at=NOW)
    return actor


def sign(match, seat, unit=1, *, actor=PHONE, now=LATER, **changes) -> Signature:
    """Said at the phone that keeps score, unless that is changed."""
    given = {"unit": unit, "seat": seat, "by_scorer": True}
    return write(signatures.sign, match, actor=actor, now=now, **{**given, **changes})


def sign_all(match, unit=1, **changes) -> list[Signature]:
    return [sign(match, seat, unit, **changes) for seat in range(4)]


def withdraw(match, row, *, actor=PHONE, now=LATER, **changes) -> Signature:
    given = {"signature_id": row.id, "by_scorer": True}
    return write(signatures.withdraw, match, actor=actor, now=now, **{**given, **changes})


def unit_of(match, number=1, now=LATER):
    match.refresh_from_db()
    return units(match_view(match), now)[number - 1]
