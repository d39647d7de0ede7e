"""Resuming from paper: the sums of a kingdom or a round, entered as such and taken back (C67)."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from scoring.common.errors import RefusalCode, ServiceError, raise_for
from scoring.corrections.queries.subtotals import Due, due
from scoring.ledger.queries.snapshots import MatchSnapshot, seating_rows, sittings, snapshot_of
from scoring.ledger.services import chain, current_deals
from scoring.ledger.services.chain import Write, match_write
from scoring.models import EventKind, Match, Subtotal, Void
from scoring.rules import Contract, Entry, Problem, ProblemCode
from scoring.rules import scoresheet as sheets
from scoring.rules.course import Played
from scoring.rules.deal.points import points as worth
from scoring.rules.ranking import Four
from scoring.rules.schedule import Turn, check_turn, turn
from scoring.rules.seats import is_seat
from scoring.rules.subtotals import check_subtotal, promised_total


@dataclass(frozen=True)
class PaperSums:
    """What is said of a kingdom or a round: the contracts of the deals that are not entered yet,
    in order, the sums of the whole, and who dealt and chose first where the schedule is not sure
    or the table did otherwise."""

    contracts: Sequence[Contract]
    points: Four
    chooser: int | None = None
    dealer: int | None = None


@match_write(EventKind.SUBTOTAL_ENTERED, chain.row_of(Subtotal))
def enter(match: Match, write: Write, *, paper: PaperSums) -> Subtotal:
    """Writes the four sums of the kingdom or round that is due; the match goes on behind it."""
    table = snapshot_of(match)
    found = planned(table, paper)
    raise_for(_seat_change_inside(match, found))
    row = row_of(found)
    chain.append(match, write, EventKind.SUBTOTAL_ENTERED, [row])
    _refresh(table, (*table.subtotal_rows, row))
    return row


@match_write(EventKind.SUBTOTAL_VOIDED, chain.row_voided(Subtotal))
def void(match: Match, write: Write, *, subtotal_id: UUID, reason: str = "") -> Subtotal:
    """Takes the sums back. What was filled in stays; the other numbers are free again. Once the
    match has gone on behind it this needs a reason."""
    table = snapshot_of(match)
    row = next((row for row in table.subtotal_rows if row.id == subtotal_id), None)
    if row is None:
        raise ServiceError(RefusalCode.NOT_STANDING, "subtotal")
    reason = (
        chain.allowed_reason(reason) if is_newest(table, row.id) else chain.needed_reason(reason)
    )
    chain.append(match, write, EventKind.SUBTOTAL_VOIDED, [Void(subtotal=row)], reason=reason)
    _refresh(table, tuple(other for other in table.subtotal_rows if other.id != row.id))
    return row


def is_newest(table: MatchSnapshot, subtotal_id: Hashable) -> bool:
    """Whether nothing was played behind it and nothing of it is filled in."""
    found = next(each for each in table.subtotals if each.id == subtotal_id)
    return not any(deal.deal_number >= found.first_deal for deal in table.deals_played) and not any(
        each.first_deal > found.last_deal for each in table.subtotals
    )


def planned(table: MatchSnapshot, paper: PaperSums) -> sheets.SheetSubtotal:
    """What `enter` would write, checked against the schedule and what the sums can be."""
    place = due(table, paper.chooser)
    raise_for([*_wrong_seats(paper), *_unknown_chooser(table, paper)])
    raise_for(place.problems(paper.contracts))
    new = _placed(table, place, paper)
    found = sheets.SheetSubtotal(place.first_deal, (*place.entered, *new), paper.points)
    raise_for(check_subtotal(_rest(table, found), table.ruleset))
    return found


def promised(
    table: MatchSnapshot, contracts: Sequence[Contract], chooser: int | None, dealer: int | None
) -> int | None:
    """What the four sums must come to; None where nothing is promised or told rightly yet."""
    place = due(table, chooser)
    try:
        new = _placed(table, place, PaperSums(contracts, (0, 0, 0, 0), chooser, dealer))
    except ServiceError:
        return None
    entered = {deal.deal_number for deal in place.entered}
    rest = promised_total(new, table.ruleset)
    had = sum(sum(row.points) for row in table.sheet.rows if row.deal and row.number in entered)
    return None if rest is None else rest + had


def table_with(table: MatchSnapshot, found: sheets.SheetSubtotal) -> MatchSnapshot:
    """The match as it would be with these sums."""
    return replace(table, known_subtotals=(*table.subtotal_rows, row_of(found)))


def row_of(found: sheets.SheetSubtotal) -> Subtotal:
    """The row that keeps it, not saved."""
    deals = [
        {
            "dealer": deal.dealer,
            "chooser": deal.chooser,
            "contract": deal.contract.to_json(),
            "forced": deal.forced,
        }
        for deal in found.played
    ]
    return Subtotal(first_deal=found.first_deal, deals=deals, points=list(found.points))


def _placed(table: MatchSnapshot, place: Due, paper: PaperSums) -> list[Played]:
    """Each contract at its number, as the schedule deals and chooses from there on."""
    match, found = table.match, list(table.played)
    for count, contract in enumerate(paper.contracts):
        here = turn(table.ruleset, match.first_chooser, match.first_dealer, found)
        here = _as_said(here, paper) if count == 0 else here
        deal = _deal(here, contract)
        if here.deal_number != place.next_deal + count:
            raise ServiceError(
                ProblemCode.WRONG_NUMBER, "contracts", {"expected": here.deal_number}
            )
        found.append(deal)
    return found[len(table.played) :]


def _as_said(here: Turn, paper: PaperSums) -> Turn:
    chooser = here.chooser if paper.chooser is None else paper.chooser
    dealer = here.dealer if paper.dealer is None else paper.dealer
    if dealer is None and chooser is not None:  # nobody remembers: as the seats stand
        dealer = (chooser - 1) % 4
    return replace(here, chooser=chooser, dealer=dealer)


def _deal(here: Turn, contract: Contract) -> Played:
    chooser, dealer = here.chooser, here.dealer
    if chooser is None or dealer is None:
        raise ServiceError(ProblemCode.CHOOSER_MISSING, "chooser")
    raise_for(check_turn(Entry(contract, chooser), here))
    return Played(here.deal_number, dealer, chooser, contract, here.is_forced(contract))


def _wrong_seats(paper: PaperSums) -> list[Problem]:
    return [
        Problem(ProblemCode.BAD_SEAT, name)
        for name in ("chooser", "dealer")
        if getattr(paper, name) is not None and not is_seat(getattr(paper, name))
    ]


def _unknown_chooser(table: MatchSnapshot, paper: PaperSums) -> list[Problem]:
    known = table.turn.chooser is not None or paper.chooser is not None or table.turn.over
    return [] if known else [Problem(ProblemCode.CHOOSER_MISSING, "chooser")]


def _rest(table: MatchSnapshot, found: sheets.SheetSubtotal) -> sheets.SheetSubtotal:
    """What the sums leave for the deals that nobody entered."""
    share = list(found.points)
    for deal in table.sheet_deals:
        if found.covers(deal.deal_number):
            scores = worth(deal.entry, table.ruleset).scores
            share = [rest - score for rest, score in zip(share, scores, strict=True)]
    one, two, three, four = share
    new = found.still_open(table.deals_played)
    return sheets.SheetSubtotal(new[0].deal_number, new, (one, two, three, four))


def _seat_change_inside(match: Match, found: sheets.SheetSubtotal) -> list[Problem]:
    """Nobody can part the sums between two people of one seat."""
    starts = {one.from_deal for own in sittings(seating_rows(match)) for one in own}
    inside = set(found.numbers[1:]) & starts
    return [Problem(RefusalCode.INSIDE_SUBTOTAL, "points", {"deal": min(inside)})] if inside else []


def _refresh(table: MatchSnapshot, rows: tuple[Subtotal, ...]) -> None:
    """The derived rows, anew: a kingdom may be on paper only."""
    current_deals.drop(table.match)
    current_deals.refresh(replace(table, known_subtotals=rows), [])
