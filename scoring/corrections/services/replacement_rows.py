"""Ledger rows that take the place of others, for a repair: the same but for what was wrong.

Nothing is saved here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from scoring.common.errors import RefusalCode, ServiceError
from scoring.ledger.queries.snapshots import MatchSnapshot
from scoring.models import Adjustment, Deal, LedgerRow, Redeal, Subtotal, Void
from scoring.rules import Contract, Entry
from scoring.rules.repairs import moved_entry, moved_points, under_contract
from scoring.rules.schedule import first_leader
from scoring.rules.seats import Seat


def deal_anew(deal: Deal, **changes: Any) -> Deal:
    """The deal once more in its own place, with what is different; facts and columns agree."""
    kept = {name: getattr(deal, name) for name in Deal.FACTS if name != "replaces_id"}
    new = Deal(**kept | changes, match_id=deal.match_id, replaces=deal)
    return as_entry(new, replace(deal.entry, chooser=new.chooser))


def as_entry(deal: Deal, entry: Entry) -> Deal:
    """The same row with other facts in it."""
    payload = entry.to_json()
    deal.payload, deal.payload_version, deal.entry = payload, payload["v"], entry
    deal.chooser = deal.chooser if entry.chooser is None else entry.chooser
    deal.contract, deal.forced = entry.contract.key, entry.forced
    return deal


def moved(deal: Deal, to: Sequence[Seat]) -> Deal:
    """Whoever dealt, chose, led and took did it on another seat."""
    leader = None if deal.leader is None else to[deal.leader]
    new = deal_anew(deal, dealer=to[deal.dealer], chooser=to[deal.chooser], leader=leader)
    return as_entry(new, moved_entry(deal.entry, to))


def at_place_of(table: MatchSnapshot, place: Deal, content: Deal) -> Deal:
    """What was played in one deal, at the number and with the dealer of another."""
    contract = Contract.from_key(content.contract)
    leader = first_leader(contract, table.ruleset, place.dealer, content.chooser)
    new = deal_anew(place, chooser=content.chooser, leader=leader)
    return as_entry(new, content.entry)


def at_number(content: Deal, number: int, replaces: Deal | None) -> Deal:
    """A deal with all that was said of it at another number, in place of what stands there."""
    kept = {name: getattr(content, name) for name in Deal.FACTS if name != "replaces_id"}
    kept["deal_number"] = number
    return Deal(**kept, match_id=content.match_id, replaces=replaces)


def beside_moved(
    table: MatchSnapshot, from_deal: int, by: int, except_of: UUID | None = None
) -> Iterator[tuple[Void, LedgerRow]]:
    """What stands beside the deals from this one on, and sums from paper that begin there, moved
    along with them, but for the rows of one event."""
    for adjustment in table.adjustments:
        if adjustment.after_deal >= from_deal and adjustment.event_id != except_of:
            yield in_place(adjustment, after_deal=adjustment.after_deal + by)
    for redeal in table.redeals:
        if redeal.deal_number >= from_deal and redeal.event_id != except_of:
            yield in_place(redeal, deal_number=redeal.deal_number + by)
    for subtotal in table.subtotal_rows:
        if subtotal.first_deal >= from_deal and subtotal.event_id != except_of:
            yield in_place(subtotal, first_deal=subtotal.first_deal + by)


def labelled(deal: Deal, contract: Contract) -> Deal:
    """The same facts under another contract; `other_shape` where they are not told alike."""
    entry = under_contract(deal.entry, contract)
    if entry is None:
        raise ServiceError(RefusalCode.OTHER_SHAPE, "contract", {"deal": deal.deal_number})
    return as_entry(deal_anew(deal), entry)


def beside(
    table: MatchSnapshot, from_deal: int, to: Sequence[Seat]
) -> Iterator[tuple[Void, LedgerRow]]:
    """What stands beside the deals and names seats."""
    for adjustment in table.adjustments:
        if max(adjustment.after_deal, 1) >= from_deal:
            one, two, three, four = adjustment.points
            points = list(moved_points((one, two, three, four), to))
            yield in_place(adjustment, points=points)
    for subtotal in table.subtotal_rows:
        if subtotal.first_deal >= from_deal:
            one, two, three, four = subtotal.points
            points = list(moved_points((one, two, three, four), to))
            deals = [
                deal | {"dealer": to[deal["dealer"]], "chooser": to[deal["chooser"]]}
                for deal in subtotal.deals
            ]
            yield in_place(subtotal, points=points, deals=deals)
    for redeal in table.redeals:
        if redeal.deal_number >= from_deal:
            named = ("dealer", "chooser", "asked_by")
            said = {name: getattr(redeal, name) for name in named}
            yield in_place(
                redeal, **{name: seat if seat is None else to[seat] for name, seat in said.items()}
            )


def in_place(row: Adjustment | Subtotal | Redeal, **changes: Any) -> tuple[Void, LedgerRow]:
    kept = {name: getattr(row, name) for name in row.FACTS}
    void = Void(**{row.TABLE: row})
    return void, type(row)(**kept | changes)
