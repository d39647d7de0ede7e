"""One step that mends what was known wrongly for several deals, and its way back (C61).

Every repair is one event: deals written anew in place of those that stand, seats, and what else
names a seat. `planned` works it out without writing, for the page that shows its effect first.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from django.db.models import Q

from scoring.common.errors import RefusalCode, ServiceError, raise_for
from scoring.corrections.queries.seating import (
    holds,
    new_rows,
    newest_number,
    seat_problems,
    taken_back,
)
from scoring.corrections.services import replacement_rows, seats
from scoring.ledger.queries.event_rows import rows_of
from scoring.ledger.queries.snapshots import (
    MatchSnapshot,
    current_deals_of,
    sat_at,
    seating_rows,
    sheet_deal,
    sittings,
    snapshot_of,
)
from scoring.ledger.services import chain, current_deals, dispute_states
from scoring.ledger.services import deals as ledger
from scoring.ledger.services.chain import Write, match_write
from scoring.models import (
    Adjustment,
    CardRecord,
    Deal,
    EventKind,
    LedgerRow,
    Match,
    MatchEvent,
    Photo,
    Player,
    Redeal,
    Seating,
    Subtotal,
    Void,
)
from scoring.people.services.naming import Chosen, save_guests
from scoring.rules import Contract, Problem, ProblemCode
from scoring.rules.course import lowest_missing
from scoring.rules.deal.checks import check
from scoring.rules.repairs import (
    ForgottenDeal,
    PhantomDeal,
    Repair,
    WrongChooser,
    WrongContract,
    WrongPerson,
    WrongPlaces,
    WrongSeats,
    inverse,
)
from scoring.rules.schedule import check_turn
from scoring.rules.seats import SEATS, Seat, is_seat
from scoring.rules.subtotals import is_off_paper


@dataclass(frozen=True)
class RepairPlan:
    """A repair before it is written: the match as it would be, the deals written anew, who sits
    down where, and rows beside the deals with what takes their place. `voids` are of deals whose
    number is free then."""

    before: MatchSnapshot
    after: MatchSnapshot
    deals: tuple[Deal, ...] = ()
    seatings: tuple[Seating, ...] = ()
    beside: tuple[tuple[Void, LedgerRow], ...] = ()
    guests: tuple[Player, ...] = ()
    voids: tuple[Void, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def match_then(self) -> Match:
        """The match as it would be, for the deal numbers of what hangs on its deals."""
        match = copy(self.before.match)
        match.shifts = self.facts.get("shifts", match.shifts)
        return match

    @property
    def numbers(self) -> frozenset[int]:
        """At which numbers it writes a deal or takes one away."""
        gone = (void.deal.deal_number for void in self.voids if void.deal)
        return frozenset((*(deal.deal_number for deal in self.deals), *gone))

    @property
    def touched(self) -> tuple[Deal, ...]:
        """The standing deals that it changes, or whose points it gives to somebody else."""
        first = min((row.from_deal for row in self.seatings), default=None)
        return tuple(
            deal
            for deal in self.before.deals
            if deal.deal_number in self.numbers or (first is not None and deal.deal_number >= first)
        )

    @property
    def rows(self) -> list[LedgerRow]:
        """Everything that it writes, in order."""
        beside = (row for pair in self.beside for row in pair)
        return [*beside, *self.deals, *self.voids, *self.seatings]


def _same_event(match: Match, event: MatchEvent) -> MatchEvent:
    return event


@match_write(EventKind.MATCH_REPAIRED, _same_event)
def apply(match: Match, write: Write, *, repair: Repair, reason: str) -> MatchEvent:
    """Writes the repair as one event, with a reason."""
    plan = planned(snapshot_of(match), seating_rows(match), repair)
    save_guests(plan.guests)
    return _write(match, plan, write, {"repair": repair.kind}, reason)


@match_write(EventKind.MATCH_REPAIRED, _same_event)
def revert(match: Match, write: Write, *, event_id: UUID, reason: str) -> MatchEvent:
    """Writes the opposite of a repair as one event; refused once anything that it touched was
    changed (`changed_since`). A reverted repair is reverted in the same way."""
    plan = opposite(snapshot_of(match), seating_rows(match), event_id)
    return _write(match, plan, write, {"reverts": event_id}, reason)


def _write(
    match: Match, plan: RepairPlan, write: Write, facts: dict[str, Any], reason: str
) -> MatchEvent:
    reason = chain.needed_reason(reason)
    for name in ("first_chooser", "first_dealer", "shifts"):
        if name in plan.facts:
            setattr(match, name, plan.facts[name])
    facts = facts | plan.facts
    event = chain.append(
        match, write, EventKind.MATCH_REPAIRED, plan.rows, facts=facts, reason=reason
    )
    if plan.deals or plan.beside or plan.voids:
        current_deals.refresh(
            replace(plan.after, match=match), current_deals_of(match, events=False)
        )
    if "shifts" in plan.facts and plan.before.disputes:
        dispute_states.renumber(match)
    return event


# ---- What a repair would write


def planned(table: MatchSnapshot, rows: Sequence[Seating], repair: Repair) -> RepairPlan:
    """The repair worked out and checked: every deal by its rules, contracts once a chooser, seats
    by those of the seats. Nothing is saved."""
    match repair:
        case WrongSeats():
            plan = _seats(table, rows, repair)
        case WrongPerson():
            plan = _person(table, rows, repair)
        case WrongChooser():
            plan = _choosers(table, repair)
        case WrongPlaces():
            plan = _places(table, repair)
        case WrongContract():
            plan = _contract(table, repair)
        case ForgottenDeal():
            plan = _forgotten(table, repair)
        case PhantomDeal():
            plan = _phantom(table, repair.deal)
    if not plan.rows:
        raise ServiceError(RefusalCode.NOTHING_CHANGED, "repair")
    raise_for(_problems(plan))
    return plan


def _seats(table: MatchSnapshot, rows: Sequence[Seating], repair: WrongSeats) -> RepairPlan:
    if sorted(repair.sat) != list(SEATS):
        raise ServiceError(RefusalCode.SAME_PERSON, "sat")
    _refuse_number(table, repair.from_deal)
    known, people = sittings(rows), {row.player_id: row.player for row in rows}
    before = [people[one] for one in sat_at(known, repair.from_deal)]
    added = new_rows(known, [before[seat] for seat in repair.sat], repair.from_deal)
    raise_for(seat_problems(table, known, added, repair.from_deal))
    if repair.entered_by == "seat":
        return RepairPlan(table, table, seatings=tuple(added))
    to = inverse(repair.sat)
    later = [deal for deal in table.deals if deal.deal_number >= repair.from_deal]
    deals = [replacement_rows.moved(deal, to) for deal in later]
    beside = tuple(replacement_rows.beside(table, repair.from_deal, to))
    facts = _first(table.match, to) if repair.from_deal == 1 else {}
    return _plan(table, deals, tuple(added), beside, facts)


def _person(table: MatchSnapshot, rows: Sequence[Seating], repair: WrongPerson) -> RepairPlan:
    _refuse_seats(seat=repair.seat)
    players: list[Chosen] = [*seats.now_sitting(rows, repair.from_deal)]
    players[repair.seat] = repair.player
    found = seats.plan(table, rows, players, repair.from_deal)
    return RepairPlan(table, table, seatings=found.rows, guests=found.people)


def _choosers(table: MatchSnapshot, repair: WrongChooser) -> RepairPlan:
    _refuse_seats(one=repair.one, other=repair.other)
    _refuse_number(table, repair.from_deal)
    to = {repair.one: repair.other, repair.other: repair.one}
    own = [
        deal
        for deal, played in zip(table.deals, table.deals_played, strict=True)
        if deal.chooser in to and deal.deal_number >= repair.from_deal and not played.is_extra
    ]
    if repair.one == repair.other:
        return RepairPlan(table, table)
    raise_for(_open_sums(table, repair.from_deal, to))
    return _plan(
        table, [replacement_rows.deal_anew(deal, chooser=to[deal.chooser]) for deal in own]
    )


def _places(table: MatchSnapshot, repair: WrongPlaces) -> RepairPlan:
    one, other = (_standing(table, number) for number in (repair.one, repair.other))
    if one == other:
        return RepairPlan(table, table)
    return _plan(
        table,
        [
            replacement_rows.at_place_of(table, one, other),
            replacement_rows.at_place_of(table, other, one),
        ],
    )


def _contract(table: MatchSnapshot, repair: WrongContract) -> RepairPlan:
    deal = _standing(table, repair.deal)
    if deal.contract == repair.contract.key:
        return RepairPlan(table, table)
    changed = [replacement_rows.labelled(deal, repair.contract)]
    same = (one for one in table.deals if one.chooser == deal.chooser and one.uses_contract)
    for other in same:
        if other.contract == repair.contract.key:
            changed.append(replacement_rows.labelled(other, Contract.from_key(deal.contract)))
    return _plan(table, changed)


def _forgotten(table: MatchSnapshot, repair: ForgottenDeal) -> RepairPlan:
    number = repair.deal
    if all(deal.deal_number != number for deal in table.played):
        raise ServiceError(RefusalCode.NOT_STANDING, "deal", {"deal": number})
    missing = lowest_missing(table.played)
    if missing < table.played[-1].deal_number:
        raise ServiceError(RefusalCode.DEAL_MISSING, "deal", {"deal": missing})
    plan = _shifted(table, number, 1)
    if plan.after.turn.over:
        raise ServiceError(ProblemCode.MATCH_OVER, "deal", {"deals": len(table.played)})
    if repair.entry is None:
        return plan
    roles = {"dealer": repair.dealer, "leader": repair.leader}
    deals = [*plan.deals, ledger.due(plan.after, repair.entry, **roles)]
    return _plan(table, deals, (), plan.beside, plan.facts, plan.voids)


def _phantom(table: MatchSnapshot, number: int) -> RepairPlan:
    if not table.played or not 1 <= number <= table.played[-1].deal_number:
        raise ServiceError(RefusalCode.NOT_STANDING, "deal", {"deal": number})
    if any(row.deal_number == number for row in table.redeals):
        raise ServiceError(RefusalCode.REDEAL_THERE, "deal", {"deal": number})
    return _shifted(table, number, -1)


def _shifted(table: MatchSnapshot, number: int, by: int) -> RepairPlan:
    """The deals from a number on, one on or one back (without the one that stands there)."""
    raise_for(_unmoved(table, number, by))
    deals, voids = _at_places(table, number, _moved_on(table, number, by))
    beside = tuple(replacement_rows.beside_moved(table, number, by))
    return _plan(table, deals, (), beside, _moves(table.match, number, by), voids)


def _moves(match: Match, number: int, by: int, reverts: int | None = None) -> dict[str, Any]:
    shift = [match.version + 1, number, by, reverts]
    return {"moves": {"at": number, "by": by}, "shifts": [*match.shifts, shift]}


def _moved_on(table: MatchSnapshot, number: int, by: int) -> dict[int, Deal]:
    """By number the deal that moves there."""
    start = number if by > 0 else number + 1
    return {one.deal_number + by: one for one in table.deals if one.deal_number >= start}


def _at_places(
    table: MatchSnapshot, number: int, wanted: Mapping[int, Deal]
) -> tuple[list[Deal], tuple[Void, ...]]:
    """The rows after which just the wanted deals stand from a number on."""
    places = range(number, max((0, *wanted, *(deal.deal_number for deal in table.deals))) + 1)
    deals = [
        replacement_rows.at_number(wanted[at], at, table.deal(at)) for at in places if at in wanted
    ]
    gone = (table.deal(place) for place in places if place not in wanted)
    return deals, tuple(Void(deal=deal) for deal in gone if deal)


def _unmoved(table: MatchSnapshot, number: int, by: int) -> Iterator[Problem]:
    """What keeps numbers from moving: sums from paper that lose their order, and what hangs on a
    deal that is removed."""
    for subtotal in table.subtotals:
        if subtotal.first_deal < number + (by < 0) and number <= subtotal.last_deal:
            yield Problem(RefusalCode.ON_PAPER, "deal", {"deal": number})
    if by > 0:
        return
    here = table.match.numbered(number) & Q(match=table.match)
    linked = ((CardRecord, RefusalCode.RECORD_THERE), (Photo, RefusalCode.PHOTO_THERE))
    for model, code in linked:
        if model.objects.standing().filter(here).exists():
            yield Problem(code, "deal", {"deal": number})
    if dispute := table.disputes.get(number):
        if dispute.ruling_id:
            yield Problem(RefusalCode.RULING_THERE, "deal", {"deal": number})
        elif dispute.is_under_review:
            yield Problem(RefusalCode.DISPUTE_THERE, "deal", {"deal": number})


def _plan(
    table: MatchSnapshot,
    deals: Iterable[Deal],
    seatings: tuple[Seating, ...] = (),
    beside: tuple[tuple[Void, LedgerRow], ...] = (),
    facts: dict[str, Any] | None = None,
    voids: tuple[Void, ...] = (),
) -> RepairPlan:
    deals = list(deals)
    deals = tuple(_forced_anew(_after(table, deals, beside, voids), deals))
    after = _after(table, deals, beside, voids)
    return RepairPlan(table, after, deals, seatings, beside, voids=voids, facts=facts or {})


def _after(
    table: MatchSnapshot,
    deals: Sequence[Deal],
    beside: Sequence[tuple[Void, LedgerRow]],
    voids: Sequence[Void] = (),
) -> MatchSnapshot:
    gone = {deal.replaces_id for deal in deals} | {void.deal_id for void in voids}
    found = table.with_deals((*(deal for deal in table.deals if deal.id not in gone), *deals))
    rows = {_taken(void): row for void, row in beside}
    adjustments = (rows.get(row.id, row) for row in table.adjustments)
    redeals = (rows.get(row.id, row) for row in table.redeals)
    subtotals = (rows.get(row.id, row) for row in table.subtotal_rows)
    return replace(
        found,
        known_adjustments=tuple(row for row in adjustments if isinstance(row, Adjustment)),
        known_redeals=tuple(row for row in redeals if isinstance(row, Redeal)),
        known_subtotals=tuple(row for row in subtotals if isinstance(row, Subtotal)),
    )


def _taken(void: Void) -> UUID | None:
    return void.adjustment_id or void.subtotal_id or void.redeal_id


def _forced_anew(after: MatchSnapshot, deals: Sequence[Deal]) -> Iterator[Deal]:
    """What is a chooser's last contract hangs on its place."""
    for deal in deals:
        turn = after.turn_of(deal.deal_number)
        forced = turn.is_forced(Contract.from_key(deal.contract), deal.chooser)
        if after.ruleset.forced_factor != 1 and deal.uses_contract and forced != deal.forced:
            entry = replace(deal.entry, forced=forced)
            yield replacement_rows.as_entry(deal, entry)
        else:
            yield deal


def _problems(plan: RepairPlan) -> Iterator[Problem]:
    """Each deal that is written anew is judged where it then stands."""
    after = plan.after
    for deal in plan.deals:
        entry, turn = deal.entry, after.turn_of(deal.deal_number)
        yield from check(entry, after.ruleset)
        yield from check_turn(entry, turn)
        others = [one for one in after.deals_played if one.deal_number != deal.deal_number]
        played = sheet_deal(deal).played(after.ruleset)
        if any(is_off_paper(subtotal, others, played) for subtotal in after.subtotals):
            yield Problem(RefusalCode.NOT_ON_PAPER, "contract", {"seat": deal.chooser})


def _refuse_number(table: MatchSnapshot, number: int) -> None:
    most = newest_number(table)
    if not 1 <= number <= most:
        raise ServiceError(ProblemCode.WRONG_NUMBER, "from_deal", {"expected": most})


def _refuse_seats(**named: int) -> None:
    raise_for(
        Problem(ProblemCode.BAD_SEAT, name) for name, seat in named.items() if not is_seat(seat)
    )


def _standing(table: MatchSnapshot, number: int) -> Deal:
    deal = table.deal(number)
    if deal is None or not deal.uses_contract:
        raise ServiceError(RefusalCode.NOT_STANDING, "deal", {"deal": number})
    return deal


def _open_sums(table: MatchSnapshot, from_deal: int, to: dict[Seat, Seat]) -> list[Problem]:
    """The chooser of sums from paper is told by taking them back and entering them anew."""
    found = [deal for deal in table.still_open if deal.chooser in to]
    inside = any(deal.deal_number >= from_deal for deal in found)
    return [Problem(RefusalCode.INSIDE_SUBTOTAL, "from_deal")] if inside else []


def _first(match: Match, to: Sequence[Seat]) -> dict[str, Any]:
    """Who begins was told by name as well."""
    was = {"first_chooser": match.first_chooser, "first_dealer": match.first_dealer}
    moved = {name: to[seat] for name, seat in was.items() if seat is not None}
    return {**moved, "before": {name: was[name] for name in moved}} if moved else {}


# ---- The way back


def opposite(table: MatchSnapshot, rows: Sequence[Seating], event_id: UUID) -> RepairPlan:
    """What takes a repair back; refused where anything of it was changed since, or where what was
    played since leaves no place for it."""
    event = table.match.events.filter(id=event_id, kind=EventKind.MATCH_REPAIRED).first()
    if event is None:
        raise ServiceError(RefusalCode.CHANGED_SINCE, "event")
    written = {
        deal.id: deal for deal in Deal.objects.filter(event=event).select_related("replaces")
    }
    standing_ids = {deal.id for deal in table.deals}
    own = [row for row in rows if row.event_id == event.id]
    if not written.keys() <= standing_ids or (own and not holds(own, rows)):
        raise ServiceError(RefusalCode.CHANGED_SINCE, "event")
    if "moves" in event.content["facts"]:
        return _moved_back(table, event)
    deals = tuple(_as_before(deal) for deal in written.values())
    beside = tuple(_beside_before(event))
    facts = _first_before(table.match, event)
    back = tuple(taken_back(own, rows)) if own else ()
    raise_for(seat_problems(table, sittings(rows), back, back[0].from_deal) if back else [])
    plan = RepairPlan(table, _after(table, deals, beside), deals, back, beside, facts=facts)
    raise_for(_problems(plan))
    return plan


def _moved_back(table: MatchSnapshot, event: MatchEvent) -> RepairPlan:
    """What the event moved stands as before, and what came since moves along. Only the last move
    of numbers: an earlier one speaks of other numbers than those of today."""
    number, by = (event.content["facts"]["moves"][name] for name in ("at", "by"))
    later = table.match.events.filter(kind=EventKind.MATCH_REPAIRED, seq__gt=event.seq)
    here = table.deal(number)
    is_filled = by > 0 and here is not None and here.event_id != event.id
    if is_filled or any("moves" in one.content["facts"] for one in later):
        raise ServiceError(RefusalCode.CHANGED_SINCE, "event")
    raise_for(_unmoved(table, number, -by))
    deals, voids = _at_places(table, number, _wanted_back(table, event, number, -by))
    others = replacement_rows.beside_moved(table, number, -by, except_of=event.id)
    beside = (*_beside_before(event), *others)
    after = _after(table, deals, beside, voids)
    facts = _moves(table.match, number, -by, event.seq)
    plan = RepairPlan(table, after, tuple(deals), (), beside, voids=voids, facts=facts)
    raise_for(_problems(plan))
    return plan


def _wanted_back(table: MatchSnapshot, event: MatchEvent, number: int, by: int) -> dict[int, Deal]:
    gone = Q(void__event=event) | Q(replaced_by__event=event)
    before = {deal.deal_number: deal for deal in Deal.objects.filter(gone)}
    moved = _moved_on(table, number, by).items()
    wanted = {at: before[at] if deal.event_id == event.id else deal for at, deal in moved}
    if by > 0 and number in before:
        wanted[number] = before[number]
    return wanted


def _as_before(deal: Deal) -> Deal:
    """The deal as it stood before the repair wrote this one."""
    old = deal.replaces
    assert old is not None
    kept = {name: getattr(old, name) for name in Deal.FACTS if name != "replaces_id"}
    return Deal(**kept, match_id=deal.match_id, replaces=deal)


def _beside_before(event: MatchEvent) -> Iterator[tuple[Void, LedgerRow]]:
    voids = {void.id: void for void in Void.objects.filter(event=event)}
    models = {model.TABLE: model for model in (Adjustment, Subtotal, Redeal)}
    of_deals = {void.id for void in voids.values() if void.deal_id}
    pairs = (pair[:2] for pair in rows_of(event) if pair[0] in ("void", *models))
    named = [pair for pair in pairs if pair[1] not in of_deals]
    for (_, void_id), (table, row_id) in zip(named[::2], named[1::2], strict=True):
        old, new = voids[void_id], models[table]._default_manager.get(id=row_id)
        if hasattr(new, "void"):
            raise ServiceError(RefusalCode.CHANGED_SINCE, "event")
        first = getattr(old, table)
        yield replacement_rows.in_place(new, **{name: getattr(first, name) for name in first.FACTS})


def _first_before(match: Match, event: MatchEvent) -> dict[str, Any]:
    facts = event.content["facts"]
    before: dict[str, Any] = facts.get("before", {})
    if any(getattr(match, name) != facts[name] for name in before):
        raise ServiceError(RefusalCode.CHANGED_SINCE, "event")
    now = {name: facts[name] for name in before}
    return {**before, "before": now} if before else {}
