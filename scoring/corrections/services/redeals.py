"""Cards dealt again: recorded, taken back. No deal: its number stays free and nothing is scored."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from scoring.common.errors import RefusalCode, ServiceError, raise_for
from scoring.ledger.queries.snapshots import MatchSnapshot, redeal_of, snapshot_of
from scoring.ledger.services import chain
from scoring.ledger.services.chain import Write, match_write, row_of, row_voided
from scoring.models import EventKind, Match, MatchEvent, Redeal, Void
from scoring.rules import Entry, Problem, ProblemCode, is_queens_draw, redeals
from scoring.rules.deal.checks import check
from scoring.rules.schedule import Turn, check_turn


@match_write(EventKind.REDEAL_RECORDED, row_of(Redeal))
def record_redeal(
    match: Match,
    write: Write,
    *,
    redeal: redeals.RedealRequest,
    entry: Entry | None = None,
    dealer: int | None = None,
    reason: str = "",
) -> Redeal:
    """Writes that the cards of the deal that is due were thrown in. `reason` are the words that
    `other` needs; `entry` is how the queens lay, which a draw of the queens needs and keeps."""
    table = snapshot_of(match)
    turn = table.turn
    redeal = _whole(redeal, turn, entry)
    raise_for([*redeals.check_redeal(redeal, turn), *_draw(redeal, turn, entry)])
    is_other = redeal.reason == "other"
    reason = chain.needed_reason(reason) if is_other else chain.allowed_reason(reason)
    row = _row(redeal, turn, turn.dealer if dealer is None else dealer)
    if row.dealer not in (None, 0, 1, 2, 3):
        raise ServiceError(ProblemCode.BAD_SEAT, "dealer")
    facts = _asked_anew(table, row) | ({"entry": entry.to_json()} if entry else {})
    chain.append(match, write, EventKind.REDEAL_RECORDED, [row], facts=facts, reason=reason)
    return row


@match_write(EventKind.REDEAL_VOIDED, row_voided(Redeal))
def void_redeal(match: Match, write: Write, *, redeal_id: UUID, reason: str = "") -> Redeal:
    """Takes it back. Once the deal has been played this needs a reason."""
    table = snapshot_of(match)
    row = next((row for row in table.redeals if row.id == redeal_id), None)
    if row is None:
        raise ServiceError(RefusalCode.NOT_STANDING, "redeal")
    is_open = row.deal_number == table.turn.deal_number
    reason = chain.allowed_reason(reason) if is_open else chain.needed_reason(reason)
    facts = _as_before(table, row.event)
    void = Void(redeal=row)
    chain.append(match, write, EventKind.REDEAL_VOIDED, [void], facts=facts, reason=reason)
    return row


def _whole(redeal: redeals.RedealRequest, turn: Turn, entry: Entry | None) -> redeals.RedealRequest:
    """With the contract that this reason takes for granted."""
    contract = redeals.chosen_before(redeal.reason, turn.ruleset) or redeal.contract
    chooser = entry.chooser if entry else redeal.chooser
    return redeals.RedealRequest(redeal.reason, redeal.asked_by, redeal.hand, contract, chooser)


def _draw(redeal: redeals.RedealRequest, turn: Turn, entry: Entry | None) -> Iterator[Problem]:
    if redeal.reason != "queens_draw":
        return
    if entry is None:
        yield Problem(ProblemCode.MISSING, "queens")
        return
    problems = [*check(entry, turn.ruleset), *check_turn(entry, turn)]
    yield from problems
    if not problems and not is_queens_draw(entry, turn.ruleset):
        yield Problem(ProblemCode.NO_REDEAL, "queens")


def _row(redeal: redeals.RedealRequest, turn: Turn, dealer: int | None) -> Redeal:
    return Redeal(
        deal_number=turn.deal_number,
        dealer=dealer,
        chooser=turn.chooser if redeal.chooser is None else redeal.chooser,
        contract=redeal.contract.key if redeal.contract else "",
        asked_by=redeal.asked_by,
        reason=redeal.reason,
        hand=list(redeal.hand) or None,
    )


# ── the first deal: new cards, and perhaps another holder of the 7 of hearts ──


def _asked_anew(table: MatchSnapshot, row: Redeal) -> dict[str, Any]:
    """Forgets who holds the 7 of hearts where it began the match, and keeps who deals."""
    match, rules = table.match, table.ruleset
    stays = rules.redeal.keeps_contract and redeals.kept_contract([redeal_of(row)])
    begun = table.deals or match.first_chooser is None
    if begun or stays or rules.chooser_first != "seven_of_hearts":
        return {}
    before = [match.first_chooser, match.first_dealer]
    return {**_begin(match, None, row.dealer), "before": before}


def _as_before(table: MatchSnapshot, event: MatchEvent) -> dict[str, Any]:
    """Puts back who began, unless the table has said so again."""
    before = event.content["facts"].get("before")
    if before is None or table.deals or table.match.first_chooser is not None:
        return {}
    return _begin(table.match, *before)


def _begin(match: Match, chooser: int | None, dealer: int | None) -> dict[str, Any]:
    match.first_chooser, match.first_dealer = chooser, dealer
    return {"first_chooser": chooser, "first_dealer": dealer}
