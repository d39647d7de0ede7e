"""Snapshots of a match for the rules; the only place that turns ledger rows into entries."""

import json
from collections.abc import Collection, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from operator import attrgetter
from uuid import UUID

from django.db import connection
from django.db.models import Model

from scoring.ledger.queries.deal_numbers import seats_now
from scoring.models import (
    Adjustment,
    CardRecord,
    Deal,
    Dispute,
    JoinedPhone,
    Match,
    Player,
    Redeal,
    Seating,
    SeatPhone,
    Signature,
    Subtotal,
)
from scoring.models.canonical import canonical
from scoring.rules import Contract, Ruleset, redeals, ruleset
from scoring.rules import scoresheet as sheets
from scoring.rules.course import Played, lowest_missing
from scoring.rules.schedule import Turn, turn
from scoring.rules.scoresheet import Scoresheet, SheetDeal, scoresheet
from scoring.rules.seats import Seat
from scoring.rules.subtotals import turn_at_open_deal

type Seats = Sequence[Sequence[Sitting]]


def sat_at(seats: Seats, deal: int) -> list[UUID]:
    """Return the four who sat in a deal, by seat."""
    return [([one for one in own if one.from_deal <= deal] or own)[-1].player_id for own in seats]


def ruleset_of(match: Match) -> Ruleset:
    """Return the rules that this match was opened with."""
    return _ruleset(match.system, canonical(match.options))


def sheet_deal(deal: Deal) -> SheetDeal:
    """Return a deal row as the rules take it."""
    return SheetDeal(
        deal_number=deal.deal_number,
        dealer=deal.dealer,
        chooser=deal.chooser,
        entry=deal.entry,
        id=deal.id,
        uses_contract=deal.uses_contract,
    )


def redeal_of(row: Redeal) -> redeals.RedealRequest:
    """Return a redeal row as the rules take it."""
    return redeals.RedealRequest(
        reason=row.reason,
        asked_by=row.asked_by,
        hand=tuple(row.hand or ()),
        contract=Contract.from_key(row.contract) if row.contract else None,
        chooser=row.chooser,
    )


def subtotal_of(row: Subtotal) -> sheets.SheetSubtotal:
    """Return a subtotal row as the rules take it."""
    one, two, three, four = row.points
    played = (
        Played(
            number, deal["dealer"], deal["chooser"], Contract.read(deal["contract"]), deal["forced"]
        )
        for number, deal in enumerate(row.deals, row.first_deal)
    )
    return sheets.SheetSubtotal(row.first_deal, tuple(played), (one, two, three, four), row.id)


@dataclass(frozen=True)
class MatchSnapshot:
    """A match with its current deals, by number.

    One that was read knows which version the match had before (`read_at`): while it has not moved
    on, all of this holds."""

    match: Match
    ruleset: Ruleset
    deals: tuple[Deal, ...]
    known_adjustments: tuple[Adjustment, ...] | None = None
    known_redeals: tuple[Redeal, ...] | None = None
    known_subtotals: tuple[Subtotal, ...] | None = None
    known_disputes: tuple[Dispute, ...] | None = None
    known_has: Collection[str] | None = None
    read_at: int | None = None

    def may_go_on(self, match_id: UUID, version: int) -> bool:
        """Return whether a deal may be written without reading the match again.

        By a form of this match that was shown at this version: then nothing is known to have
        happened since."""
        match = self.match
        return (
            match.id == match_id and match.is_running and self.read_at == match.version == version
        )

    @cached_property
    def has(self) -> Collection[str]:
        """The tables that have rows of this match besides its deals, mostly none. One query.

        So a match without interruptions needs no more. Tells also whether a phone joined."""
        if self.known_has is not None:
            return self.known_has
        key = Match._meta.pk.get_db_prep_value(self.match.id, connection)
        with connection.cursor() as cursor:
            cursor.execute(_HAS, [key] * len(_FROM))
            found = {table for (table,) in cursor.fetchall()}
        self.match.has_phones = not found.isdisjoint(PHONES)
        return found

    @cached_property
    def adjustments(self) -> tuple[Adjustment, ...]:
        """The current adjustments, in order.

        Where they are not given: a query if there are any."""
        if self.known_adjustments is not None:
            return self.known_adjustments
        if Adjustment.TABLE not in self.has:
            return ()
        rows = Adjustment.objects.filter(match=self.match, void__isnull=True)
        return tuple(rows.select_related("event").order_by("after_deal", "event__seq"))

    @cached_property
    def redeals(self) -> tuple[Redeal, ...]:
        """The current redeals, in order of events.

        Where they are not given: a query if there are any."""
        if self.known_redeals is not None:
            return self.known_redeals
        if Redeal.TABLE not in self.has:
            return ()
        rows = Redeal.objects.filter(match=self.match, void__isnull=True)
        return tuple(rows.select_related("event").order_by("event__seq"))

    @cached_property
    def sheet_deals(self) -> tuple[SheetDeal, ...]:
        return tuple(sheet_deal(deal) for deal in self.deals)

    @cached_property
    def subtotal_rows(self) -> tuple[Subtotal, ...]:
        """The current subtotals.

        Where they are not given: a query if there are any."""
        if self.known_subtotals is not None:
            return self.known_subtotals
        if Subtotal.TABLE not in self.has:
            return ()
        rows = Subtotal.objects.filter(match=self.match, void__isnull=True)
        return tuple(rows.order_by("first_deal"))

    @cached_property
    def subtotals(self) -> tuple[sheets.SheetSubtotal, ...]:
        """The subtotals as the rules take them, by number."""
        return tuple(subtotal_of(row) for row in self.subtotal_rows)

    @cached_property
    def disputes(self) -> dict[int, Dispute]:
        """The dispute of each deal number that was ever flagged.

        Where they are not given: a query if there are any."""
        rows: Iterable[Dispute] = self.known_disputes or ()
        if self.known_disputes is None and Dispute.TABLE in self.has:
            found = Dispute.objects.filter(match=self.match).order_by("deal_number")
            rows = found.select_related("claimed_by", "frozen__event__user", "ruling__event")
        return {row.deal_number: row for row in rows}

    @cached_property
    def reviews(self) -> dict[int, Dispute]:
        """The disputes without a ruling: what is frozen for the public."""
        return {number: row for number, row in self.disputes.items() if row.is_under_review}

    @cached_property
    def public(self) -> "MatchSnapshot":
        """The match as everybody may see it.

        What is under review is as it was before it was flagged. Two queries, none where nothing is.
        """
        return frozen(self, _ever_adjusted(self.match)) if self.reviews else self

    @cached_property
    def signatures(self) -> tuple[Signature, ...]:
        """The current signatures, in order of events. A query if there are any."""
        if Signature.TABLE not in self.has:
            return ()
        rows = Signature.objects.filter(match=self.match, void__isnull=True)
        return tuple(rows.select_related("event__user").order_by("event__seq"))

    @cached_property
    def deals_played(self) -> tuple[Played, ...]:
        """The current deals for the schedule."""
        return tuple(deal.played(self.ruleset) for deal in self.sheet_deals)

    @cached_property
    def still_open(self) -> tuple[Played, ...]:
        """The deals of subtotals that nobody has filled in yet."""
        standing = self.deals_played
        return tuple(deal for each in self.subtotals for deal in each.still_open(standing))

    @cached_property
    def played(self) -> tuple[Played, ...]:
        """Every deal that was played, by number: current ones, and those on paper only."""
        return tuple(sorted((*self.deals_played, *self.still_open), key=attrgetter("deal_number")))

    @cached_property
    def sheet(self) -> Scoresheet:
        """The scoresheet: rows, totals, places.

        Adds all points up; the only way to a total."""
        adjustments = [_sheet_adjustment(row) for row in self.adjustments]
        return scoresheet(self.ruleset, self.sheet_deals, adjustments, self.subtotals)

    @cached_property
    def turn(self) -> Turn:
        """The next deal of the match."""
        return self.turn_of(None)

    def turn_of(self, deal_number: int | None, seven_holder: Seat | None = None) -> Turn:
        """Return the next turn, or that of a current deal or one still on paper.

        Adds the points up only for a tie."""
        match = self.match
        number = lowest_missing(self.played) if deal_number is None else deal_number
        again = [row for row in self.redeals if row.deal_number == number]
        kept = redeals.kept_contract(map(redeal_of, again))
        place = (self.ruleset, match.first_chooser, match.first_dealer, self.played, number)
        found = turn(*place, seven_holder=seven_holder, kept=kept)
        if tied := self.sheet.extra_due if found.over else ():
            found = turn(*place, tied=tied, kept=kept)
        here = [deal for deal in self.played if deal.deal_number == number]
        for subtotal in self.subtotals if here else ():
            if subtotal.covers(number):
                found = turn_at_open_deal(found, subtotal, self.still_open, here[0].contract)
        return self._dealt_again(found, again)

    def _dealt_again(self, found: Turn, again: Sequence[Redeal]) -> Turn:
        """Return the turn after a redeal, in which the same seat deals."""
        stands = self.deal(found.deal_number) is not None
        if not again or stands or again[-1].dealer is None:
            return found
        return replace(found, dealer=again[-1].dealer, asks_dealer=False)

    @cached_property
    def kingdoms(self) -> dict[int, int]:
        """The position of each chooser, from 1 in the order in which they first chose."""
        choosers = dict.fromkeys(deal.chooser for deal in self.played if not deal.is_extra)
        return {chooser: position for position, chooser in enumerate(choosers, start=1)}

    def with_deals(self, deals: Iterable[Deal]) -> "MatchSnapshot":
        """Return the same match with other deals."""
        return MatchSnapshot(
            self.match,
            self.ruleset,
            tuple(sorted(deals, key=attrgetter("deal_number"))),
            self.adjustments,
            self.redeals,
            self.subtotal_rows,
            tuple(self.disputes.values()),
            self.__dict__.get("has"),
        )

    def is_open(self, number: int) -> bool:
        """Return whether this deal is on paper and waits to be filled in."""
        return any(deal.deal_number == number for deal in self.still_open)

    def deal(self, number: int) -> Deal | None:
        """Return the current deal of this number."""
        return next((deal for deal in self.deals if deal.deal_number == number), None)


@dataclass(frozen=True)
class Lasting:
    """An adjustment, with the numbers of the events that made and voided it."""

    row: Adjustment
    since: int
    until: int | None

    def stood_at(self, seq: int) -> bool:
        """Return whether it counted before this event."""
        return self.since < seq and (self.until is None or self.until > seq)


def frozen(table: MatchSnapshot, adjustments: Iterable[Lasting]) -> MatchSnapshot:
    """Return the match with everything that is under review as it was before it was flagged.

    The deals, and what was given or taken after them. `adjustments` are all that ever were, in
    order."""
    reviews = table.reviews
    deals = [deal for deal in table.deals if deal.deal_number not in reviews]
    deals += [_at(number, row.frozen) for number, row in reviews.items() if row.frozen]
    kept = [row for row in table.adjustments if row.after_deal not in reviews]
    for each in adjustments:
        number = table.match.number_now(each.row.after_deal, each.since)
        review = None if number is None else reviews.get(number)
        if review and each.stood_at(review.opened_seq):
            kept.append(_after(review.deal_number, each.row))
    kept.sort(key=attrgetter("after_deal"))
    return replace(table.with_deals(deals), known_adjustments=tuple(kept))


def _at(number: int, deal: Deal) -> Deal:
    """Return the deal under the number that it has today."""
    if deal.deal_number != number:
        deal = copy(deal)
        deal.deal_number = number
    return deal


def _after(number: int, row: Adjustment) -> Adjustment:
    if row.after_deal != number:
        row = copy(row)
        row.after_deal = number
    return row


def _ever_adjusted(match: Match) -> list[Lasting]:
    """Return all adjustments that ever were. One query."""
    rows = Adjustment.objects.filter(match=match).select_related("event", "void__event")
    return [
        Lasting(row, row.event.seq, row.void.event.seq if hasattr(row, "void") else None)
        for row in rows.order_by("after_deal", "event__seq")
    ]


def current_deals_of(match: Match, events: bool = True) -> list[Deal]:
    """Return the current deals by number, with their events unless not needed. One query."""
    deals = Deal.objects.filter(standing__match=match).order_by("deal_number")
    return list(deals.select_related("event") if events else deals)


def snapshot_of(match: Match, standing: Sequence[Deal] | None = None) -> MatchSnapshot:
    """Return the snapshot of a match. One query, none where the current deals are given."""
    deals = current_deals_of(match) if standing is None else standing
    return MatchSnapshot(match, ruleset_of(match), tuple(deals), read_at=match.version)


@dataclass(frozen=True)
class Sitting:
    """One person in one seat, from a deal on."""

    seat: int
    player_id: UUID
    from_deal: int


def sittings(rows: Sequence[Seating]) -> list[tuple[Sitting, ...]]:
    """Return for each seat who sat there, in order of deals.

    Expects the rows in order of their events: a later row for a deal replaces all earlier ones from
    that deal on."""
    seats: list[list[Sitting]] = [[], [], [], []]
    for row in rows:
        kept = [sitting for sitting in seats[row.seat] if sitting.from_deal < row.from_deal]
        seats[row.seat] = [*kept, Sitting(row.seat, row.player_id, row.from_deal)]
    return [tuple(seat) for seat in seats]


def seating_rows(match: Match, events: bool = True) -> list[Seating]:
    """Return all seatings in order of events, with their players. One query.

    With their events too, unless those are not needed."""
    rows = Seating.objects.filter(match=match).order_by("event__seq", "seat")
    names = ("player", "event") if events else ("player",)
    return seats_now(match, list(rows.select_related(*names)))


def _sheet_adjustment(row: Adjustment) -> sheets.SheetAdjustment:
    one, two, three, four = row.points
    return sheets.SheetAdjustment(row.after_deal, (one, two, three, four), row.code, row.id)


MERGED = "merged"
PHONES = ("joined_phone", "seat_phone")
BESIDE: dict[str, type[Model]] = {
    **{row.TABLE: row for row in (Adjustment, Redeal, Subtotal, Signature, Dispute, CardRecord)},
    **dict(zip(PHONES, (JoinedPhone, SeatPhone), strict=True)),
}
_FROM = {name: f"{model._meta.db_table} x" for name, model in BESIDE.items()}
_FROM[MERGED] = (
    f"{Seating._meta.db_table} x JOIN {Player._meta.db_table} p"
    " ON p.id = x.player_id AND p.counts_for_id IS NOT NULL OR p.counts_for_id = x.player_id"
)
_HAS = " UNION ALL ".join(
    f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {rows} WHERE x.match_id = %s)"
    for name, rows in _FROM.items()
)
"""Written out, since putting it together takes longer than the answer, and every page asks."""


@lru_cache(maxsize=256)
def _ruleset(system: str, options: str) -> Ruleset:
    return ruleset(system, json.loads(options))
