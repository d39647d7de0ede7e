"""The deals of a match from first to last, each read by the rules in its turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from scoring.importing.comparing import WrittenPoints, slips, total
from scoring.importing.faults import FaultCode, Path
from scoring.importing.notes import MatchNotes, quoted
from scoring.rules import Entry, Problem, ProblemCode, Ruleset, RulesRefused, points, read_entry
from scoring.rules.contracts import Contract
from scoring.rules.course import Played
from scoring.rules.ranking import Four
from scoring.rules.schedule import Turn, check_turn, turn
from scoring.rules.scoresheet import SheetDeal, scoresheet
from scoring.rules.seats import SEATS, Seat
from scoring.rules.tally import TALLY_KEYS

HIGHEST = 9_999


@dataclass(frozen=True)
class FoundDeal:
    """One deal of a match, as it will be stored; `leader` None: unknown."""

    number: int
    dealer: Seat
    chooser: Seat
    leader: Seat | None
    entry: Entry
    uses_contract: bool
    played_at: datetime | None = None


class Playing:
    """Replays the deals of a file.

    Continues after a wrong deal, so that all that is wrong is reported at once."""

    def __init__(
        self,
        notes: MatchNotes,
        rules: Ruleset,
        first_chooser: Seat | None,
        first_dealer: Seat | None,
    ) -> None:
        self.notes = notes
        self.rules = rules
        self.first = (first_chooser, first_dealer)
        self.played: list[Played] = []
        self.sheet_deals: list[SheetDeal] = []
        self.deals: list[FoundDeal] = []
        self.worth: list[Four | None] = []
        self.is_lost = False  # a deal has no place: the turns behind it are a guess

    def play(self, rows: Sequence[Any], totals: object) -> None:
        """Play all deals, then compare the points of the file with theirs."""
        order = in_order(rows, self.notes)
        written = []
        for number, place in enumerate(order, start=1):
            row = rows[place] if isinstance(rows[place], Mapping) else {}
            way: Path = ("deals", place)
            now = self.turn(number)
            if now.over:
                found = {"deals": now.deals_total}
                self.notes.add(way, Problem(ProblemCode.MATCH_OVER, "deal_number", found), number)
                return
            self.worth.append(None)
            self._deal(way, row, now)
            written.append(_written(way, row, number, self.notes))
        claimed = _four(("totals",), totals, None, self.notes)
        for slip in slips(written, self.worth, claimed):
            way = ("deals", order[slip.deal - 1], slip.key) if slip.deal else (slip.key,)
            self.notes.say(way, slip.code, slip.deal or None, **slip.numbers)

    def turn(self, number: int | None = None) -> Turn:
        """Return the next turn, as far as it is known where an earlier deal has no place."""
        given = (self.rules, *self.first, self.played, number if self.is_lost else None)
        now = turn(*given)
        if now.over and len(self.sheet_deals) == len(self.played):
            tied = scoresheet(self.rules, self.sheet_deals).extra_due
            return turn(*given, tied=tied) if tied else now
        return now

    @property
    def is_finished(self) -> bool:
        """Whether every deal was played; a due tie-break deal may be missing."""
        now = self.turn()
        return now.over or now.is_extra

    @property
    def deals_total(self) -> int:
        return max(self.turn().deals_total, len(self.worth))

    @property
    def totals(self) -> Four:
        """The totals of the deals, as far as they could be read."""
        return total([each for each in self.worth if each is not None])

    def _deal(self, way: Path, row: Mapping[str, Any], now: Turn) -> None:
        number = now.deal_number
        contract = _contract(way, row, number, self.notes)
        dealer = self._seat(way, row, "dealer", now.dealer, number)
        chooser = self._seat(way, row, "chooser", now.chooser, number)
        leader = self.notes.seat((*way, "leader"), row.get("leader"), number)
        if contract is None or dealer is None or chooser is None:
            self.is_lost = True
            return
        if leader is None:
            leader = now.leader(contract, dealer, chooser)
        forced = row.get("forced")
        forced = now.is_forced(contract, chooser) if forced is None else forced
        entry = self._entry(way, {**row, "chooser": chooser, "forced": forced}, now)
        if entry is None:
            self.played.append(Played(number, dealer, chooser, contract, forced is True))
            return
        uses = now.uses_contract(entry)
        played_at = self.notes.moment((*way, "played_at"), row.get("played_at"), number)
        self.deals.append(FoundDeal(number, dealer, chooser, leader, entry, uses, played_at))
        sheet_deal = SheetDeal(number, dealer, chooser, entry, uses_contract=uses)
        self.sheet_deals.append(sheet_deal)
        self.played.append(sheet_deal.played(self.rules))
        self.worth[-1] = points(entry, self.rules).scores

    def _seat(
        self, way: Path, row: Mapping[str, Any], key: str, proposed: Seat | None, number: int
    ) -> Seat | None:
        """Return the seat as given, else as the rules propose it."""
        given = row.get(key)
        if given is not None:
            return self.notes.seat((*way, key), given, number)
        if proposed is None and not self.is_lost:
            code = ProblemCode.CHOOSER_MISSING if key == "chooser" else ProblemCode.MISSING
            self.notes.say((*way, key), code, number)
        return proposed

    def _entry(self, way: Path, row: Mapping[str, Any], now: Turn) -> Entry | None:
        """Return the deal as the rules read it, unless something is wrong with it."""
        if any(said[:2] == way for said in self.notes.said):
            return None
        reading = read_entry(row, self.rules)
        problems = list(reading.problems)
        if reading.entry is not None:
            problems += check_turn(reading.entry, now)
            problems += _misspelt(row.get("input") or {})
        for problem in problems:
            self.notes.add((*way, *_way_to(problem.field)), problem, now.deal_number)
        return None if reading.problems else reading.entry


def in_order(rows: Sequence[Any], notes: MatchNotes) -> list[int]:
    """Return the positions of the deals in the order of their numbers, which have no gap.

    Numbers count from 1. Where a deal has no number the order stays."""
    numbers: list[int] = []
    for place, row in enumerate(rows):
        number = row.get("deal_number") if isinstance(row, Mapping) else None
        if type(number) is int:
            numbers.append(number)
        elif isinstance(row, Mapping):
            code = ProblemCode.MISSING if number is None else FaultCode.BAD_NUMBER
            notes.say(("deals", place, "deal_number"), code, found=quoted(number or ""))
        else:
            notes.say(("deals", place), FaultCode.NO_DEAL)
    if len(numbers) < len(rows):
        return list(range(len(rows)))
    order = sorted(range(len(rows)), key=numbers.__getitem__)
    for expected, place in enumerate(order, start=1):
        if numbers[place] != expected:
            _wrong_number(place, expected, numbers[place], notes)
            break
    return order


def _wrong_number(place: int, expected: int, number: int, notes: MatchNotes) -> None:
    is_twice = number == expected - 1 and number > 0
    found = max(min(number, HIGHEST), -HIGHEST)
    code = FaultCode.DEAL_TWICE if is_twice else ProblemCode.WRONG_NUMBER
    notes.say(("deals", place, "deal_number"), code, found, expected=expected, found=found)


def _contract(way: Path, row: Mapping[str, Any], number: int, notes: MatchNotes) -> Contract | None:
    value = row.get("contract")
    if value is None:
        notes.say((*way, "contract"), ProblemCode.MISSING, number)
        return None
    try:
        return Contract.read(value)
    except RulesRefused as refused:
        for problem in refused.problems:
            notes.add((*way, "contract"), problem, number)
        return None


def _misspelt(facts: Mapping[str, Any]) -> Iterator[Problem]:
    """Find facts that no contract has; those of other contracts are allowed and ignored."""
    # Among one more than there are at least one is unknown.
    for key in islice(facts, len(TALLY_KEYS) + 1):
        if key not in TALLY_KEYS:
            yield Problem(FaultCode.UNKNOWN_FACT, "input", {"found": quoted(key)})


def _written(way: Path, row: Mapping[str, Any], number: int, notes: MatchNotes) -> WrittenPoints:
    scores = _four((*way, "scores"), row.get("scores"), number, notes)
    return WrittenPoints(scores, _four((*way, "totals"), row.get("totals"), number, notes))


def _four(path: Path, value: object, number: int | None, notes: MatchNotes) -> Four | None:
    """Return four whole numbers, None where none are given or they are invalid."""
    if value is None:
        return None
    if isinstance(value, list) and len(value) == len(SEATS):
        numbers = [each for each in value if type(each) is int and abs(each) < 10**9]
        if len(numbers) == len(SEATS):
            return numbers[0], numbers[1], numbers[2], numbers[3]
    if not any(said[: len(path)] == path for said in notes.said):
        notes.say(path, FaultCode.BAD_POINTS, number)
    return None


def _way_to(field: str) -> Path:
    """Return the path within a deal of a field of the rules."""
    key, _, inner = field.partition(".")
    if key in ("contract", "chooser", "forced", "input"):
        return (key,)
    if key == "doubles" or not inner:
        return ("input", key)
    return ("input", key, int(inner) if inner.isdecimal() else inner)
