"""A seat agrees with the deals of a kingdom or round, or takes that back. Always a row more.

A signature changes no deal, so what came in between makes it stale only where the deals that it
would name are no longer those that its writer saw.
"""

from datetime import datetime
from uuid import UUID

from scoring.access.links import seat_of
from scoring.common.actor import Actor
from scoring.common.errors import RefusalCode, ServiceError
from scoring.ledger.queries import lease
from scoring.ledger.queries.signatures import Unit, units_of
from scoring.ledger.queries.snapshots import MatchSnapshot, snapshot_of
from scoring.ledger.services import chain
from scoring.ledger.services.chain import Write, match_write, row_of, row_voided
from scoring.models import Deal, EventKind, Match, MatchState, Signature, Void
from scoring.rules import ProblemCode
from scoring.rules.seats import is_seat


def _refuse_put_aside(match: Match, write: Write) -> None:
    """Also a finished match is signed: that is when most people have the time."""
    if match.state == MatchState.VOIDED:
        raise ServiceError(RefusalCode.MATCH_VOIDED)
    if not (match.is_running or match.is_finished):
        raise ServiceError(RefusalCode.MATCH_CLOSED)


@match_write(EventKind.SIGNED, row_of(Signature), refuse=[_refuse_put_aside])
def sign(match: Match, write: Write, *, unit: int, seat: int, by_scorer: bool) -> Signature:
    """The seat agrees with the deals of this kingdom or round as they stand. `by_scorer`: said at
    the phone that keeps score; a phone that is of this seat itself signs as that, but it is nobody
    else's then."""
    actor = write.actor
    if not is_seat(seat):
        raise ServiceError(ProblemCode.BAD_SEAT, "seat")
    is_theirs, keeps = seat_of(match, actor) == seat, lease.keeps(match, actor)
    if not (is_theirs or (by_scorer and keeps)):
        raise ServiceError(RefusalCode.NOT_YOUR_SEAT, "seat")
    table = snapshot_of(match)
    _refuse_changed(table, unit, write)
    signed = _to_be_signed(table, unit, seat, write.now)
    is_own = is_theirs and not _is_of_another(signed, actor)
    if not (is_own or keeps):
        raise ServiceError(RefusalCode.SIGNED_FOR_ANOTHER, "seat")
    row = Signature(
        unit=unit,
        seat=seat,
        deals=[str(deal.id) for deal in signed.deals],
        head=match.head,
        by_scorer=not is_own,
    )
    chain.append(match, write, EventKind.SIGNED, [row])
    return row


@match_write(EventKind.SIGNATURE_VOIDED, row_voided(Signature), refuse=[_refuse_put_aside])
def withdraw(match: Match, write: Write, *, signature_id: UUID, by_scorer: bool) -> Signature:
    """Takes a signature back while the kingdom or round is not settled: at a phone of that seat,
    or where it was given, at the phone that keeps score."""
    if write.version > match.version:
        chain.refuse_stale(match, write)
    units = units_of(snapshot_of(match), write.now)
    pairs = [(unit, row) for unit in units for row in unit.signatures if row]
    found = next((pair for pair in pairs if pair[1].id == signature_id), None)
    if found is None:
        raise ServiceError(RefusalCode.NOT_STANDING, "signature")
    unit, row = found
    keeps = by_scorer and lease.keeps(match, write.actor)
    if not (seat_of(match, write.actor) == row.seat or (keeps and row.by_scorer)):
        raise ServiceError(RefusalCode.NOT_YOUR_SEAT, "signature")
    if unit.is_settled:
        raise ServiceError(RefusalCode.SIGNED_OFF, "signature")
    chain.append(match, write, EventKind.SIGNATURE_VOIDED, [Void(signature=row)])
    return row


def _is_of_another(unit: Unit, actor: Actor) -> bool:
    """Whether this phone has signed here as that of another seat: from seat to seat it would agree
    for all four. Two accounts may share a phone."""
    given = [row.event for row in unit.signatures if row and not row.by_scorer]
    return any(
        event.device == actor.device
        and (actor.user is None or event.user_id in (None, actor.user.id))
        for event in given
        if event.device is not None
    )


def _refuse_changed(table: MatchSnapshot, unit: int, write: Write) -> None:
    """Nobody signs blindly: the deals must be those that the form showed (C58)."""
    match, version = table.match, write.version
    seen = table if version == match.version else table.with_deals(_deals_at(match, version))
    if version > match.version or _deals(seen, unit) != _deals(table, unit):
        chain.refuse_stale(match, write)


def _deals_at(match: Match, version: int) -> list[Deal]:
    """Those that stood then."""
    written = Deal.objects.filter(match=match, event__seq__lte=version)
    gone = written.filter(void__event__seq__lte=version) | written.filter(
        replaced_by__event__seq__lte=version
    )
    return list(written.exclude(id__in=gone.values("id")))


def _deals(table: MatchSnapshot, unit: int) -> set[object]:
    kingdoms = dict(enumerate(table.sheet.kingdoms, start=1))
    return {row.deal.id for row in kingdoms[unit].rows if row.deal} if unit in kingdoms else set()


def _to_be_signed(table: MatchSnapshot, number: int, seat: int, now: datetime) -> Unit:
    unit = next((unit for unit in units_of(table, now) if unit.number == number), None)
    if unit is None:
        raise ServiceError(RefusalCode.NO_SUCH_UNIT, "unit")
    if not unit.complete:
        raise ServiceError(RefusalCode.UNIT_OPEN, "unit")
    if unit.signatures[seat]:
        raise ServiceError(RefusalCode.SIGNED_ALREADY, "seat")
    return unit
