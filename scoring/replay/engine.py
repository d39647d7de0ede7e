"""Replay of a record: breaches, the tally, and hands that can be worked out.

Plays that are physically impossible end the replay; all others lie as they were played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from scoring.replay.breaches import STOPPING, Breach, BreachCode, PlayFault
from scoring.replay.partial.bounds import bounds_of, can_end
from scoring.replay.partial.claims import claim_is_possible
from scoring.replay.play.hands import are_bad, worked_out
from scoring.replay.play.layout import Trex
from scoring.replay.play.outcome import is_settled, scores_of, tally_of
from scoring.replay.play.quick import quick
from scoring.replay.play.table import Table, leader_of, new_table
from scoring.replay.play.tricks import Tricks
from scoring.replay.record import Hands, Pass, Play, Record
from scoring.replay.result import Replay
from scoring.rules import Double, Entry, Ruleset, doublable, points
from scoring.rules.cards import QUEENS, Card
from scoring.rules.seats import SEATS, Seat

__all__ = ["Replay", "ReplayRun", "card_by_card", "replay", "run_record"]


def replay(record: Record, ruleset: Ruleset, report: bool = True) -> Replay:
    """Replay a record; never raises on what was played.

    A record with notation errors is not replayed at all. Without `report` tricks and bounds are
    left out, which takes a fraction of the time."""
    if not report:
        found = quick(record, ruleset) or card_by_card(record, ruleset)
        return replace(found, tricks=()) if found.tricks else found
    found = card_by_card(record, ruleset)
    is_open = not found.complete and found.tally is not None
    return _with_bounds(found, record, ruleset) if is_open else found


def card_by_card(record: Record, ruleset: Ruleset) -> Replay:
    """Replay a record without bounds, whatever is wrong with it."""
    if record.errors or record.contract is None:
        return Replay(record.id, claimed=record.claimed, errors=record.errors)
    if are_bad(record.hands, ruleset):
        return Replay(
            record.id,
            stopped_at=0,
            breaches=(Breach(BreachCode.BAD_HANDS),),
            claimed=record.claimed,
        )
    run = run_record(record, ruleset)
    doubles, not_held = _doubles(record, run, ruleset)
    tally = tally_of(run.table, record, ruleset, doubles)
    complete = is_settled(run.table, tally, record.contract, ruleset)
    scores = None
    if complete:
        scores, lacks_leader = scores_of(record, tally, ruleset)
        complete = not lacks_leader
    open_end = not complete and run.stopped_at is None
    return Replay(
        id=record.id,
        complete=complete,
        stopped_at=run.stopped_at,
        breaches=(*not_held, *run.all_breaches(), *((Breach(BreachCode.UNFINISHED),) * open_end)),
        tricks=tuple(run.table.all_tricks()) if isinstance(run.table, Tricks) else (),
        finish_order=tally.finish_order,
        loser=tally.loser,
        tally=tally,
        scores=scores,
        claimed=record.claimed,
        hands=run.hands,
    )


def _with_bounds(found: Replay, record: Record, ruleset: Ruleset) -> Replay:
    """Add what an incomplete record proves, and whether the claimed scores are possible."""
    assert found.tally is not None
    table = run_record(record, ruleset).table
    plays = found.possible_plays(record)
    proven = bounds_of(record, table, ruleset, plays, found.tally.doubles)
    possible = None
    if record.claimed is not None:
        possible = claim_is_possible(record, table, ruleset, plays, found.tally, proven)
    return replace(
        found, bounds=proven.bounds, exact=proven.exact, ends=proven.ends, possible=possible
    )


def entry_is_possible(record: Record, found: Replay, entry: Entry, ruleset: Ruleset) -> bool:
    """Return whether some completion of an incomplete record has all numbers of an entry.

    True where there are too many ways to play on."""
    assert found.tally is not None
    if entry.contract.special is None:
        table = run_record(record, ruleset).table
        assert isinstance(table, Tricks)
        plays = found.possible_plays(record)
        return can_end(record, table, ruleset, plays, [entry.tally], found.tally.doubles)
    # Places that nobody played for are filled in any order: only their points count.
    worth = points(entry, ruleset).scores
    tallies = (replace(entry, tally=end) for end in found.ends or ())
    return found.ends is None or any(points(each, ruleset).scores == worth for each in tallies)


@dataclass(slots=True)
class ReplayRun:
    """A record while it is being replayed."""

    table: Table
    hands: Hands
    ruleset: Ruleset
    breaches: list[Breach] = field(default_factory=list)
    played: dict[Card, Seat] = field(default_factory=dict)
    stopped_at: int | None = None
    holder: dict[Card, Seat] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.holder = {card: seat for seat in SEATS for card in self.hands[seat] or ()}

    def go(self, plays: Sequence[Play | Pass]) -> None:
        """Play until the deal is over or a play is impossible."""
        for number, play in enumerate(plays):
            if self.table.over:
                return
            if not self._play(number, play.seat, play.card if isinstance(play, Play) else None):
                self.stopped_at = number
                return

    def all_breaches(self) -> list[Breach]:
        """Return breaches in the order of plays, with revokes that a later card reveals."""
        found = [*self.breaches, *self._betrayed()]
        return sorted(found, key=lambda breach: breach.play or 0)

    def plays(self) -> list[Play]:
        """Return what was played before the stop, without passes."""
        return [Play(seat, card) for card, seat in self.played.items()]

    def held(self, seat: Seat, card: Card) -> bool:
        """Return whether the seat was dealt the card, or may have been as far as is known."""
        holder = self.played.get(card, self.holder.get(card))
        return holder == seat or (holder is None and self.hands[seat] is None)

    def _play(self, number: int, seat: Seat, card: Card | None) -> bool:
        """Play one card and return whether the deal goes on."""
        table = self.table
        if seat != table.turn and not self._yielded(number, seat):
            return self._note(PlayFault(BreachCode.OUT_OF_TURN, ()), number, seat, card)
        if card in self.played:
            return self._note(PlayFault(BreachCode.ALREADY_PLAYED, ()), number, seat, card)
        if not self._may_hold(seat, card):
            return self._note(PlayFault(BreachCode.NOT_HELD, ()), number, seat, card)
        fault = table.fault(card)  # type: ignore[arg-type]  # only Trex lets a pass come so far
        if fault and not self._note(fault, number, seat, card):
            return False
        table.lay(card)  # type: ignore[arg-type]
        if card is not None:
            self.played[card] = seat
        return True

    def _yielded(self, number: int, seat: Seat) -> bool:
        """Return whether the seat on turn gave up its right to lay again after its ace."""
        table = self.table
        if not isinstance(table, Trex) or not table.yields_to(seat):
            return False
        fault = table.fault(None)
        if fault:
            self._note(fault, number, table.turn, None)
        table.lay(None)
        return True

    def _may_hold(self, seat: Seat, card: Card | None) -> bool:
        if card is None:
            return isinstance(self.table, Trex)
        holder = self.holder.get(card)
        if holder is None:
            return self.hands[seat] is None and card in self.ruleset.deck
        return holder == seat

    def _note(self, fault: PlayFault, number: int, seat: Seat, card: Card | None) -> bool:
        known = fault.code not in STOPPING or (
            fault.code == BreachCode.NOT_ADJACENT and self.hands[seat] is not None
        )
        self.breaches.append(
            Breach(fault.code, number, self.table.trick, seat, card, fault.legal if known else None)
        )
        return fault.code not in STOPPING

    def _betrayed(self) -> Iterator[Breach]:
        """Return revokes of unknown hands that a later card of the suit led reveals."""
        unknown = {seat for seat in SEATS if self.hands[seat] is None}
        if not unknown or not isinstance(self.table, Tricks):
            return
        cards = list(self.played)
        for number, card in enumerate(cards):
            led = cards[number - number % 4][1]
            seat = self.played[card]
            if seat not in unknown or card[1] == led:
                continue
            later = [own for own in cards[number + 1 :] if self.played[own] == seat]
            could = tuple(sorted(own for own in later if own[1] == led))
            if could:
                yield Breach(BreachCode.REVOKE, number, number // 4, seat, card, could)


def run_record(record: Record, ruleset: Ruleset) -> ReplayRun:
    """Return a record replayed with all hands that can be worked out.

    The hands must not be bad, and there must be a contract."""
    run = _run(record, record.hands, ruleset)
    hands = worked_out(record.hands, run.plays(), ruleset)
    return run if hands == record.hands else _run(record, hands, ruleset)


def _run(record: Record, hands: Hands, ruleset: Ruleset) -> ReplayRun:
    assert record.contract is not None
    table = new_table(record.contract, ruleset, hands, leader_of(record, ruleset))
    run = ReplayRun(table, hands, ruleset)
    run.go(record.plays)
    return run


def _doubles(
    record: Record, run: ReplayRun, ruleset: Ruleset
) -> tuple[tuple[Double, ...], tuple[Breach, ...]]:
    """Return the doubles that count, and breaches of the others.

    The card is not held, may not be doubled here, or was doubled before."""
    assert record.contract is not None
    offered = doublable(record.contract, ruleset)
    whole = ruleset.doubling.queens_unit == "whole_contract"
    counted: dict[str, Double] = {}
    breaches = []
    for card, by in record.doubles:
        what = "queens" if whole and card in QUEENS else card
        if card in offered and run.held(by, card) and what not in counted:
            counted[what] = Double(card, by)
        else:
            breaches.append(Breach(BreachCode.DOUBLE_NOT_HELD, seat=by, card=card))
    return tuple(counted.values()), tuple(breaches)
