"""Points beside the deals: given or taken by the arbiter, taken back. Always a row more."""

from collections.abc import Sequence
from uuid import UUID

from scoring.common.errors import RefusalCode, ServiceError, raise_for
from scoring.ledger.services import chain
from scoring.ledger.services.chain import Write, match_write, row_of, row_voided
from scoring.models import Adjustment, CurrentDeal, EventKind, Match, Void
from scoring.rules.adjustments import RULING, check_adjustment


@match_write(EventKind.POINTS_ADJUSTED, row_of(Adjustment))
def adjust(
    match: Match,
    write: Write,
    *,
    code: str,
    points: Sequence[int],
    after_deal: int,
    reason: str,
) -> Adjustment:
    """Writes a penalty or a correction of so many points for each seat after a deal (0: before
    the first). It counts in the totals, and in no deal."""
    raise_for(check_adjustment(code, points, after_deal, _last_number(match)))
    reason = chain.needed_reason(reason)
    row = Adjustment(after_deal=after_deal, code=code, points=list(points))
    chain.append(match, write, EventKind.POINTS_ADJUSTED, [row], reason=reason)
    return row


@match_write(EventKind.ADJUSTMENT_VOIDED, row_voided(Adjustment))
def void_adjustment(
    match: Match, write: Write, *, adjustment_id: UUID, reason: str = ""
) -> Adjustment:
    """Takes it back; the row stays and counts no longer. What a ruling gave or took only another
    ruling takes back (`ruled`)."""
    reason = chain.allowed_reason(reason)
    row = match.adjustments.filter(id=adjustment_id, void__isnull=True).first()
    if row is None:
        raise ServiceError(RefusalCode.NOT_STANDING, "adjustment")
    if row.code == RULING:
        raise ServiceError(RefusalCode.RULED, "adjustment")
    void = Void(adjustment=row)
    chain.append(match, write, EventKind.ADJUSTMENT_VOIDED, [void], reason=reason)
    return row


def _last_number(match: Match) -> int:
    last = CurrentDeal.objects.filter(match=match).order_by("-deal_number").first()
    return last.deal_number if last else 0
