"""Record, correct and void deals; rows are only added."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db import transaction

from scoring.common.errors import RefusalCode, ServiceError, raise_for
from scoring.ledger.queries.snapshots import (
    MatchSnapshot,
    current_deals_of,
    sheet_deal,
    snapshot_of,
)
from scoring.ledger.services import chain, current_deals, lease
from scoring.ledger.services.chain import Write, match_write
from scoring.models import Deal, EventKind, Match, MatchEvent, Void
from scoring.rules import Entry, Problem, ProblemCode, is_queens_draw
from scoring.rules.deal.checks import check
from scoring.rules.schedule import Turn, check_turn
from scoring.rules.subtotals import is_off_paper


@dataclass(frozen=True)
class Saved:
    """The result of a write.

    `repeated`: the key was known, this is the first answer. `after` is the match as it is now,
    where its writer had just read it."""

    deal: Deal
    event: MatchEvent
    repeated: bool = False
    after: MatchSnapshot | None = None


def record_deal(
    write: Write,
    *,
    entry: Entry,
    deal_number: int | None = None,
    dealer: int | None = None,
    leader: int | None = None,
    seen: MatchSnapshot | None = None,
) -> Saved:
    """Write a deal that was played.

    Its number is the lowest that does not stand, or one that is still on paper; the one given is
    what the form showed. Dealer and leader not given are what the schedule proposes. What the
    writer has just read (`seen`) is not read again, unless the match has moved on since.
    """

    def deal_on(table: MatchSnapshot) -> Deal:
        turn = table.turn
        if deal_number not in (None, turn.deal_number):
            if not table.is_open(deal_number):
                raise ServiceError(
                    ProblemCode.WRONG_NUMBER, "deal_number", {"expected": turn.deal_number}
                )
            turn = table.turn_of(deal_number)
        deal = _deal(table.match, turn, entry, dealer, leader, write.played_at)
        _refuse_off_paper(table, deal)
        return deal

    if seen is not None and seen.may_go_on(write.match_id, write.version):
        # The match and its deals were read one after the other, perhaps with a save in between:
        # only what is found wrong under the lock is wrong.
        with suppress(chain.Overtaken, ServiceError):
            deal = deal_on(seen)
            with transaction.atomic():
                return _record(seen, write, deal)
    return _record_locked(write, deal_on)


def _same_deal(match: Match, event: MatchEvent) -> Saved:
    return Saved(Deal.objects.get(id=event.subject_id), event, repeated=True)


def _voided_deal(match: Match, event: MatchEvent) -> Saved:
    return Saved(Deal.objects.get(void__id=event.subject_id), event, repeated=True)


@match_write(EventKind.DEAL_RECORDED, _same_deal)
def _record_locked(match: Match, write: Write, deal_on: Callable[[MatchSnapshot], Deal]) -> Saved:
    table = _current(match)
    return replace(_record(table, write, deal_on(table)), after=None)


def _record(table: MatchSnapshot, write: Write, deal: Deal) -> Saved:
    """Write the deal.

    Everything that can be worked out earlier is, since all other writers wait meanwhile."""
    event = chain.append(table.match, write, EventKind.DEAL_RECORDED, [deal])
    lease.keep(table.match, write.actor, write.now)
    return Saved(deal, event, after=_stand(table, [*table.deals, deal]))


@match_write(EventKind.DEAL_CORRECTED, _same_deal)
def correct_deal(
    match: Match,
    write: Write,
    *,
    deal_id: UUID,
    entry: Entry,
    reason: str,
    dealer: int | None = None,
    leader: int | None = None,
) -> Saved:
    """Write a deal that replaces a current one; the old row stays and is named."""
    table = _current(match)
    reason = chain.needed_reason(reason)
    old = _standing(table, deal_id)
    refuse_ruled(table, old.deal_number)
    deal = in_place_of(table, old, entry, write.played_at, dealer=dealer, leader=leader)
    write = replace(write, played_at=deal.played_at)
    event = chain.append(match, write, EventKind.DEAL_CORRECTED, [deal], reason=reason)
    _stand(table, [*_without(table, old), deal])
    return Saved(deal, event)


@match_write(EventKind.DEAL_VOIDED, _voided_deal)
def void_deal(match: Match, write: Write, *, deal_id: UUID, reason: str = "") -> Saved:
    """Void a current deal; its number is free again.

    Only the last deal needs no reason."""
    table = _current(match)
    deal = _standing(table, deal_id)
    refuse_ruled(table, deal.deal_number)
    earlier = deal.deal_number != table.deals[-1].deal_number
    reason = chain.needed_reason(reason) if earlier else chain.allowed_reason(reason)
    void = Void(deal=deal)
    event = chain.append(match, write, EventKind.DEAL_VOIDED, [void], reason=reason)
    _stand(table, _without(table, deal))
    return Saved(deal, event)


def due(
    table: MatchSnapshot, entry: Entry, *, dealer: int | None = None, leader: int | None = None
) -> Deal:
    """Return the row of the next deal, checked as in `in_place_of`, not saved."""
    deal = _deal(table.match, table.turn, entry, dealer, leader, None)
    _refuse_off_paper(table, deal)
    return deal


def in_place_of(
    table: MatchSnapshot,
    old: Deal,
    entry: Entry,
    played_at: datetime | None = None,
    *,
    dealer: int | None = None,
    leader: int | None = None,
) -> Deal:
    """Return the row that replaces a current deal, checked, not saved.

    Against the rules, the schedule and the sums from paper. Expects the lock."""
    turn = table.turn_of(old.deal_number)
    dealer = old.dealer if dealer is None else dealer
    played_at = played_at or old.played_at
    deal = _deal(table.match, turn, entry, dealer, leader, played_at, replaces=old)
    _refuse_off_paper(table, deal)
    return deal


def refuse_ruled(table: MatchSnapshot, number: int) -> None:
    """Refuse changes of a deal that an arbiter has ruled on; only another ruling may change it."""
    dispute = table.disputes.get(number)
    if dispute and dispute.ruling_id:
        raise ServiceError(RefusalCode.RULED, "deal", {"deal": number})


def _current(match: Match) -> MatchSnapshot:
    return snapshot_of(match, current_deals_of(match, events=False))


def _standing(table: MatchSnapshot, deal_id: UUID) -> Deal:
    deal = next((deal for deal in table.deals if deal.id == deal_id), None)
    if deal is None:
        raise ServiceError(RefusalCode.NOT_STANDING, "deal")
    return deal


def _without(table: MatchSnapshot, deal: Deal) -> list[Deal]:
    return [other for other in table.deals if other.id != deal.id]


def _stand(table: MatchSnapshot, deals: Sequence[Deal]) -> MatchSnapshot:
    after = table.with_deals(deals)
    current_deals.refresh(after, table.deals)
    return after


def _refuse_off_paper(table: MatchSnapshot, deal: Deal) -> None:
    """Refuse a deal that is none of those its subtotal was made of.

    So the others keep their place."""
    others = [one for one in table.deals_played if one.deal_number != deal.deal_number]
    played = sheet_deal(deal).played(table.ruleset)
    if any(is_off_paper(subtotal, others, played) for subtotal in table.subtotals):
        raise ServiceError(RefusalCode.NOT_ON_PAPER, "contract", {"seat": deal.chooser})


def _deal(
    match: Match,
    turn: Turn,
    entry: Entry,
    dealer: int | None,
    leader: int | None,
    played_at: datetime | None,
    replaces: Deal | None = None,
) -> Deal:
    """Return the row for this entry, checked against the rules once more, under the lock."""
    if turn.over:  # nobody deals or chooses any more, and that is not what is wrong
        raise_for(check_turn(entry, turn))
    chooser = turn.chooser if entry.chooser is None else entry.chooser
    dealer = turn.dealer if dealer is None else dealer
    if leader is None:
        leader = turn.leader(entry.contract, dealer, chooser)
    raise_for(_seat_problems(dealer=dealer, chooser=chooser, leader=leader))
    assert dealer is not None
    assert chooser is not None
    entry = replace(entry, chooser=chooser)
    raise_for([*check(entry, turn.ruleset), *check_turn(entry, turn)])
    if is_queens_draw(entry, turn.ruleset):  # dealt again, see corrections.services.redeals
        raise ServiceError(RefusalCode.QUEENS_DRAW, "contract")
    payload = entry.to_json()
    return Deal(
        match=match,
        deal_number=turn.deal_number,
        dealer=dealer,
        chooser=chooser,
        leader=leader,
        contract=entry.contract.key,
        forced=entry.forced,
        uses_contract=turn.uses_contract(entry),
        payload_version=payload["v"],
        payload=payload,
        replaces=replaces,
        played_at=played_at,
    )


def _seat_problems(**seats: int | None) -> list[Problem]:
    """Find invalid seats; only the leader may be unknown."""
    missing = {"dealer": ProblemCode.MISSING, "chooser": ProblemCode.CHOOSER_MISSING}
    return [
        Problem(missing[name] if seat is None else ProblemCode.BAD_SEAT, name)
        for name, seat in seats.items()
        if (seat is None and name in missing) or seat not in (None, 0, 1, 2, 3)
    ]
