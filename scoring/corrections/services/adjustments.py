"""Points beside the deals: given or taken by the arbiter, taken back. Always a row more."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import transaction

from scoring.common.actor import Actor
from scoring.common.errors import ServiceError, raise_for
from scoring.ledger.services import chain
from scoring.models import Adjustment, CurrentDeal, EventKind, Match, Void
from scoring.rules.adjusting import RULING, check_adjustment


@transaction.atomic
def adjust(
    *,
    match_id: UUID,
    entry_key: UUID,
    version: int,
    code: str,
    points: Sequence[int],
    after_deal: int,
    reason: str,
    actor: Actor,
    now: datetime,
) -> Adjustment:
    """Writes a penalty or a correction of so many points for each seat after a deal (0: before
    the first). It counts in the totals, and in no deal."""
    match = chain.locked(match_id)
    if event := chain.first_answer(match, entry_key, EventKind.POINTS_ADJUSTED):
        return Adjustment.objects.get(id=event.subject_id)
    chain.refuse_closed(match)
    chain.refuse_stale(match, version)
    raise_for(check_adjustment(code, points, after_deal, _last_number(match)))
    reason = chain.needed_reason(reason)
    row = Adjustment(after_deal=after_deal, code=code, points=list(points))
    write = chain.Write(entry_key, version, actor, now)
    chain.append(match, write, EventKind.POINTS_ADJUSTED, [row], reason=reason)
    return row


@transaction.atomic
def void_adjustment(
    *,
    match_id: UUID,
    entry_key: UUID,
    version: int,
    adjustment_id: UUID,
    actor: Actor,
    now: datetime,
    reason: str = "",
) -> Adjustment:
    """Takes it back; the row stays and counts no longer. What a ruling gave or took only another
    ruling takes back (`ruled`)."""
    match = chain.locked(match_id)
    if event := chain.first_answer(match, entry_key, EventKind.ADJUSTMENT_VOIDED):
        return Adjustment.objects.get(void__id=event.subject_id)
    chain.refuse_closed(match)
    chain.refuse_stale(match, version)
    reason = chain.allowed_reason(reason)
    row = match.adjustments.filter(id=adjustment_id, void__isnull=True).first()
    if row is None:
        raise ServiceError("not_standing", "adjustment")
    if row.code == RULING:
        raise ServiceError("ruled", "adjustment")
    write = chain.Write(entry_key, version, actor, now)
    void = Void(adjustment=row)
    chain.append(match, write, EventKind.ADJUSTMENT_VOIDED, [void], reason=reason)
    return row


def _last_number(match: Match) -> int:
    last = CurrentDeal.objects.filter(match=match).order_by("-deal_number").first()
    return last.deal_number if last else 0
