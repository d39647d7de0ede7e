"""Signatures of kingdoms and rounds, and when silence counts as agreement.

A signature counts while the deals that it names are those that stand. After a correction it stays
in the history and the seat is asked again. A published ruling settles a kingdom or round without
signatures, until one of its deals is written anew.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from scoring.ledger.queries.match_view import MatchView
from scoring.ledger.queries.snapshots import MatchSnapshot, snapshot_of
from scoring.models import Deal, Dispute, Match, MatchState, Ruling, Signature
from scoring.rules.scoresheet import SheetKingdom
from scoring.rules.seats import SEATS, Seat

# Of a match without a club, which has no settings.
ACCEPTANCE_HOURS = 24


class UnitState(StrEnum):
    """The state of a kingdom or round.

    Open: a deal is missing or only on paper. Waiting: for signatures, or for silence to be long
    enough. The last four say how it was settled, or that it is disputed."""

    OPEN = "open"
    WAITING = "waiting"
    SIGNED = "signed"
    ACCEPTED = "accepted"
    RULED = "ruled"
    DISPUTED = "disputed"


SETTLED = (UnitState.SIGNED, UnitState.ACCEPTED, UnitState.RULED)


@dataclass(frozen=True)
class Unit:
    """A kingdom, or a round where the chooser rotates, as it is signed; `number` counts from 1.

    `signatures` are by seat those that count; `earlier` those given before a deal was corrected.
    `reviews` are the disputes that stop silence. `ends_at` is when it was settled, or will be if
    nobody says a word."""

    number: int
    match: Match
    kingdom: SheetKingdom
    deals: tuple[Deal, ...]
    complete: bool
    signatures: tuple[Signature | None, ...]
    earlier: tuple[Signature, ...]
    reviews: tuple[Dispute, ...]
    ruling: Ruling | None
    state: UnitState
    ends_at: datetime | None

    @property
    def chooser(self) -> Seat | None:
        return self.kingdom.chooser

    @property
    def numbers(self) -> list[int]:
        return [deal.deal_number for deal in self.deals]

    @property
    def deal_ids(self) -> frozenset[UUID]:
        return frozenset(deal.id for deal in self.deals)

    @property
    def open_seats(self) -> list[Seat]:
        """The seats that have not signed the current deals."""
        return [seat for seat in SEATS if self.signatures[seat] is None]

    @property
    def since(self) -> datetime | None:
        """Since when silence counts: the last of its deals was entered or corrected then."""
        return _since(self.match, self.deals) if self.complete else None

    @property
    def accepted_at(self) -> datetime | None:
        return self.ends_at if self.state == UnitState.ACCEPTED else None

    @property
    def is_settled(self) -> bool:
        return self.state in SETTLED


def units(view: MatchView, now: datetime) -> tuple[Unit, ...]:
    """Return every kingdom or round of the sheet.

    One query where anything was signed, one where anything was ever disputed."""
    return units_of(view.table, now)


def units_of(table: MatchSnapshot, now: datetime) -> tuple[Unit, ...]:
    return tuple(
        _unit(table, number, kingdom, now)
        for number, kingdom in enumerate(table.sheet.kingdoms, start=1)
    )


def signed_off(match: Match, deal: Deal | None, now: datetime) -> bool:
    """Return whether this deal was settled with its kingdom or round.

    False for a deal that is not current and for an extra deal."""
    if deal is None:
        return False
    settled = (unit for unit in units_of(snapshot_of(match), now) if unit.is_settled)
    return any(deal.id in unit.deal_ids for unit in settled)


def gone(table: MatchSnapshot, known: Sequence[Unit]) -> tuple[Signature, ...]:
    """Return signatures whose deals, and everything written for them since, no longer count."""
    shown = {row for unit in known for row in (*unit.signatures, *unit.earlier)}
    return tuple(row for row in table.signatures if row not in shown)


def acceptance(match: Match) -> timedelta:
    """Return how long silence must last to count as agreement."""
    return timedelta(hours=match.club.acceptance_hours if match.club else ACCEPTANCE_HOURS)


def _since(match: Match, deals: Sequence[Deal]) -> datetime:
    """Return since when silence counts."""
    return max(_known_from(match, deal) for deal in deals)


def _known_from(match: Match, deal: Deal) -> datetime:
    """Return when the table knew of a deal: once it was entered.

    A deal that came with its match, from a file, was on paper since it was played."""
    entered_at = deal.event.entered_at
    if deal.played_at and entered_at == match.opened_at:
        return min(deal.played_at, entered_at)
    return entered_at


def _silent_until(match: Match, closed_at: datetime) -> datetime:
    """Return when silence after the end of the match counts as agreement."""
    return (match.played_at if closed_at == match.opened_at else closed_at) + acceptance(match)


def _unit(table: MatchSnapshot, number: int, kingdom: SheetKingdom, now: datetime) -> Unit:
    standing = {deal.deal_number: deal for deal in table.deals}
    deals = tuple(standing[row.number] for row in kingdom.rows if row.deal)
    complete = kingdom.complete and not any(row.paper for row in kingdom.rows)
    signatures = _signatures(table, deals)
    numbers = {deal.deal_number for deal in deals}
    disputes = [one for number, one in table.disputes.items() if number in numbers]
    reviews = tuple(one for one in disputes if one.is_under_review)
    ruling = _ruling(disputes, deals)
    state, ends_at = UnitState.OPEN, None
    if complete:
        state, ends_at = _settled(table.match, deals, signatures, ruling, now)
    return Unit(
        number=number,
        match=table.match,
        kingdom=kingdom,
        deals=deals,
        complete=complete,
        signatures=signatures,
        earlier=tuple(_earlier(table, deals, signatures)),
        reviews=reviews,
        ruling=ruling,
        state=UnitState.DISPUTED if reviews else state,
        ends_at=None if reviews else ends_at,
    )


def _settled(
    match: Match,
    deals: Sequence[Deal],
    signatures: Sequence[Signature | None],
    ruling: Ruling | None,
    now: datetime,
) -> tuple[UnitState, datetime]:
    """Return how the unit was settled, and when, or by when at the latest."""
    if ruling:
        return UnitState.RULED, ruling.event.entered_at
    given = [row.event.entered_at for row in signatures if row]
    if len(given) == len(SEATS):
        return UnitState.SIGNED, max(given)
    ends_at = _since(match, deals) + acceptance(match)
    return UnitState.ACCEPTED if ends_at <= now else UnitState.WAITING, ends_at


def _signatures(table: MatchSnapshot, deals: Sequence[Deal]) -> tuple[Signature | None, ...]:
    """Return by seat the signature of exactly these deals."""
    named = {str(deal.id) for deal in deals}
    found = {row.seat: row for row in table.signatures if set(row.deals) == named}
    return tuple(found.get(seat) for seat in SEATS)


def _earlier(
    table: MatchSnapshot, deals: Sequence[Deal], counting: Sequence[Signature | None]
) -> Iterator[Signature]:
    """Yield signatures of some of these deals, or of deals that they replaced."""
    known = {str(one) for deal in deals for one in (deal.id, deal.replaces_id)}
    for row in table.signatures:
        if row not in counting and known.intersection(row.deals):
            yield row


def _ruling(disputes: Sequence[Dispute], deals: Sequence[Deal]) -> Ruling | None:
    """Return the newest ruling, if no deal was written after it."""
    rulings = [one.ruling for one in disputes if one.ruling]
    newest = max(rulings, key=lambda ruling: ruling.event.seq, default=None)
    if newest is None or any(deal.event.seq > newest.event.seq for deal in deals):
        return None
    return newest


# ── the match as a whole ────────────────────────────────────────────────


@dataclass(frozen=True)
class StandingState:
    """Whether the result of a match may still change.

    `open` while it runs, `provisional` until everything is settled, then `final`. `at` is since
    when it is open or final, or until when it is provisional; None where an arbiter has to decide
    first."""

    state: str
    at: datetime | None


def standing_state(view: MatchView, known: Sequence[Unit], now: datetime) -> StandingState | None:
    """Return the state of the result, None for a match that counts nowhere.

    What nobody can sign, an extra deal or what is only on paper, is settled by silence after the
    end of the match."""
    match = view.match
    if match.is_running:
        return StandingState("open", match.opened_at)
    if match.state != MatchState.FINISHED or match.closed_at is None:
        return None
    if view.table.reviews:
        return StandingState("provisional", None)
    silence = _silent_until(match, match.closed_at)
    ends = [unit.ends_at or silence for unit in known]
    if any(row.played and row.played.is_extra for row in view.sheet.rows):
        ends.append(silence)
    settled = max([match.closed_at, *ends])
    return StandingState("final" if settled <= now else "provisional", settled)
