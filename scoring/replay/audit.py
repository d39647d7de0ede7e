"""Comparison of a card record with entries: item by item, and where they first differ.

Neither side is assumed to be right. `words` has the findings in English.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from scoring.replay.breaches import BreachCode
from scoring.replay.engine import entry_is_possible, run_record
from scoring.replay.play.layout import Trex
from scoring.replay.play.tricks import Trick
from scoring.replay.record import Play, Record
from scoring.replay.result import Bounds, Ends, Replay
from scoring.rules import Entry, Item, Ruleset, Tally
from scoring.rules.cards import KING_OF_HEARTS, Card
from scoring.rules.deal.points import taken_counts
from scoring.rules.items import counts_card
from scoring.rules.seats import SEATS, Seat


class FindingCode(StrEnum):
    """A difference between a record and an entry; `Finding` says what each means."""

    OTHER_CONTRACT = "other_contract"
    OTHER_DEALER = "other_dealer"
    OTHER_CHOOSER = "other_chooser"
    OTHER_FORCED = "other_forced"
    NUMBER_DIFFERS = "number_differs"
    TAKER_DIFFERS = "taker_differs"
    DOUBLE_NOT_ENTERED = "double_not_entered"
    DOUBLE_NOT_RECORDED = "double_not_recorded"
    REVOKE_NOT_ENTERED = "revoke_not_entered"
    REVOKE_NOT_RECORDED = "revoke_not_recorded"
    NOT_TOGETHER = "not_together"
    CONTRADICTION = "contradiction"


FRAME = (
    FindingCode.OTHER_DEALER,
    FindingCode.OTHER_CONTRACT,
    FindingCode.OTHER_CHOOSER,
    FindingCode.OTHER_FORCED,
    FindingCode.CONTRADICTION,
)
"""Findings that show at no card."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One number of an entry and the range that the cards allow.

    `item` is an item, `trex` (the place, from 1) or `fifty_one` (1: loses); `least` and `most` are
    equal where the record shows it all. `differs`: the entered number cannot be right."""

    item: str
    seat: Seat
    entered: int
    least: int
    most: int
    differs: bool


@dataclass(frozen=True, slots=True)
class Finding:
    """One difference between record and entry.

    `entry` counts the entries from 0; `trick` and `play` are where it shows, None where no single
    place does.

    code                  and what it says
    other_contract        the entry is of another contract
    other_dealer          the deal is stored with another dealer; its entry can still be right
    other_chooser         of another chooser
    other_forced          forced in one and not in the other
    number_differs        `entered` of `item` for `seat`, but the cards say `least` to `most`
    taker_differs         `card` was taken by seat `least`, entered is `entered`
    double_not_entered    the record has `card` doubled by `seat`, the entry not
    double_not_recorded   the other way round
    revoke_not_entered    a revoke of `seat` that the entry does not punish
    revoke_not_recorded   the entry punishes a revoke of `seat` that the record does not show
    not_together          each number is possible, but no completion brings all of them
    contradiction         the record contradicts itself and proves nothing"""

    code: FindingCode
    entry: int = 0
    play: int | None = None
    trick: int | None = None
    seat: Seat | None = None
    item: str | None = None
    card: Card | None = None
    entered: int | None = None
    least: int | None = None
    most: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return codes and numbers only."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Report:
    """The audit of one record.

    `comparisons` are by entry; `findings` are in the order in which they show, those that show at
    no place last."""

    id: str
    deal_number: int | None
    replay: Replay
    comparisons: tuple[tuple[Comparison, ...], ...]
    findings: tuple[Finding, ...]

    @property
    def first_difference(self) -> Finding | None:
        """Where record and entry first differ."""
        return self.findings[0] if self.findings else None

    @property
    def agrees(self) -> bool | None:
        """Whether every entry can be right; None without an entry.

        Another dealer is no fact of an entry."""
        if not self.comparisons:
            return None
        return all(finding.code == FindingCode.OTHER_DEALER for finding in self.findings)

    @property
    def possible(self) -> bool | None:
        """Whether the entries are possible for an incomplete record.

        None for a complete record, and without an entry."""
        if self.replay.complete or not self.comparisons:
            return None
        differs = any(each.differs for own in self.comparisons for each in own)
        return not differs and all(
            found.code != FindingCode.NOT_TOGETHER for found in self.findings
        )

    def to_json(self) -> dict[str, Any]:
        """Return the audit in the format of record-notation.md."""
        return {
            "id": self.id,
            "deal_number": self.deal_number,
            "agrees": self.agrees,
            "possible": self.possible,
            "comparisons": [[asdict(each) for each in own] for own in self.comparisons],
            "findings": [finding.to_json() for finding in self.findings],
        }


def audit(
    record: Record,
    replay: Replay,
    entries: Sequence[Entry],
    ruleset: Ruleset,
    dealer: Seat | None = None,
) -> Report:
    """Compare entries of a deal, which is stored with this `dealer`, with its record.

    An entry broken off by a revoke may fall short of the cards; one with cheating or a forfeit has
    no facts to compare."""
    comparisons: list[tuple[Comparison, ...]] = []
    findings: list[Finding] = []
    if None not in (record.dealer, dealer) and record.dealer != dealer:
        findings.append(Finding(FindingCode.OTHER_DEALER, seat=record.dealer, entered=dealer))
    for number, entry in enumerate(entries):
        case = _Case(record, replay, entry, ruleset, number)
        comparisons.append(case.comparisons)
        findings += case.findings()
    findings.sort(key=_place)
    return Report(record.id, record.deal_number, replay, tuple(comparisons), tuple(findings))


def _place(finding: Finding) -> tuple[bool, int]:
    """Return a sort key: differences of the frame first, those that show at no place last."""
    if finding.code in FRAME:
        return False, -1
    return finding.play is None, finding.play or 0


class _Case:
    """One entry compared with one record."""

    def __init__(
        self, record: Record, replay: Replay, entry: Entry, ruleset: Ruleset, number: int
    ) -> None:
        self.record, self.replay, self.entry = record, replay, entry
        self.ruleset, self.number = ruleset, number
        self.facts = self._has_facts()
        self.bounds = known(record, replay, ruleset) if self.facts else {}
        self.comparisons = tuple(self._compared()) if self.bounds else ()

    def findings(self) -> Iterator[Finding]:
        yield from self._frame()
        if not self.facts:
            return
        if self.bounds is None:
            yield Finding(FindingCode.CONTRADICTION, self.number)
        takers = list(self._takers())
        yield from takers
        told = {finding.item for finding in takers}
        for each in self.comparisons:
            if each.differs and each.item not in told:
                yield self._number(each)
        if self._excludes_itself():
            yield Finding(FindingCode.NOT_TOGETHER, self.number)
        yield from self._doubles()
        yield from self._revokes()

    def _excludes_itself(self) -> bool:
        """Return whether the numbers of the entry are possible one by one but not together."""
        if self.replay.complete or not self.comparisons or self.entry.tally.revoke_by is not None:
            return False
        if any(each.differs for each in self.comparisons):
            return False
        return not entry_is_possible(self.record, self.replay, self.entry, self.ruleset)

    def _has_facts(self) -> bool:
        tally = self.entry.tally
        if self.replay.tally is None or self.entry.contract != self.record.contract:
            return False
        return tally.cheat_by is None and not tally.forfeited

    def _frame(self) -> Iterator[Finding]:
        entry, record = self.entry, self.record
        if record.contract is not None and entry.contract != record.contract:
            yield Finding(FindingCode.OTHER_CONTRACT, self.number)
        if None not in (entry.chooser, record.chooser) and entry.chooser != record.chooser:
            yield Finding(
                FindingCode.OTHER_CHOOSER, self.number, seat=record.chooser, entered=entry.chooser
            )
        if entry.forced != record.forced:
            yield Finding(FindingCode.OTHER_FORCED, self.number, entered=int(entry.forced))

    def _compared(self) -> Iterator[Comparison]:
        short = self.entry.tally.revoke_by is not None
        for item, ends in (self.bounds or {}).items():
            for seat, entered in enumerate(_entered(item, self.entry.tally)):
                least, most = ends[seat]
                differs = entered > most or (entered < least and not short)
                yield Comparison(item, seat, entered, least, most, differs)

    def _takers(self) -> Iterator[Finding]:
        """Yield K♥ and queens that another seat took than was entered."""
        found, entered = _taker_of(self.replay.tally), _taker_of(self.entry.tally)
        for card, seat in found.items():
            if entered.get(card, seat) == seat or not self._counts(card):
                continue
            play, trick = self._where_taken(card)
            item = Item.KING if card == KING_OF_HEARTS else Item.QUEENS
            yield Finding(
                FindingCode.TAKER_DIFFERS,
                self.number,
                play,
                trick,
                item=item.value,
                card=card,
                entered=entered[card],
                least=seat,
                most=seat,
            )

    def _counts(self, card: Card) -> bool:
        items = [item for item in self.entry.contract.items if item in (Item.KING, Item.QUEENS)]
        return any(counts_card(item, card) for item in items)

    def _number(self, each: Comparison) -> Finding:
        play, trick = _where(each, self.record, self.replay, self.ruleset)
        return Finding(
            FindingCode.NUMBER_DIFFERS,
            self.number,
            play,
            trick,
            each.seat,
            each.item,
            entered=each.entered,
            least=each.least,
            most=each.most,
        )

    def _where_taken(self, card: Card) -> tuple[int | None, int | None]:
        for number, trick in enumerate(self.replay.tricks):
            if card in trick.cards:
                return 4 * number + trick.cards.index(card), number
        return None, None

    def _doubles(self) -> Iterator[Finding]:
        assert self.replay.tally is not None
        recorded, entered = set(self.replay.tally.doubles), set(self.entry.tally.doubles)
        for card, by in sorted(recorded - entered):
            yield Finding(FindingCode.DOUBLE_NOT_ENTERED, self.number, seat=by, card=card)
        for card, by in sorted(entered - recorded):
            yield Finding(FindingCode.DOUBLE_NOT_RECORDED, self.number, seat=by, card=card)

    def _revokes(self) -> Iterator[Finding]:
        offender = self.entry.tally.revoke_by
        revokes = [breach for breach in self.replay.breaches if breach.code == BreachCode.REVOKE]
        if offender is None and self.ruleset.revoke != "off":
            for breach in revokes[:1]:
                yield Finding(
                    FindingCode.REVOKE_NOT_ENTERED,
                    self.number,
                    breach.play,
                    breach.trick,
                    breach.seat,
                )
        elif offender is not None and offender not in [breach.seat for breach in revokes]:
            yield Finding(FindingCode.REVOKE_NOT_RECORDED, self.number, seat=offender)


def known(record: Record, replay: Replay, ruleset: Ruleset) -> Bounds | None:
    """Return the bounds of an incomplete record, or what was taken as bounds of no width."""
    assert record.contract is not None
    assert replay.tally is not None
    if not replay.complete:
        return replay.bounds
    if record.contract.special == "trex":
        return {"trex": _places(record, replay, ruleset)}
    if record.contract.special:
        return {"fifty_one": _exactly(int(seat == replay.loser) for seat in SEATS)}
    return {
        item.value: _exactly(taken_counts(item, replay.tally)) for item in record.contract.items
    }


def _places(record: Record, replay: Replay, ruleset: Ruleset) -> Ends:
    """Return bounds of places: those that were filled without being played for may be any."""
    table = run_record(record, ruleset).table
    assert isinstance(table, Trex)
    out = list(table.finish_order)
    if len(out) == 3:
        out = list(replay.finish_order or ())
    return tuple(
        (out.index(s) + 1, out.index(s) + 1) if s in out else (len(out) + 1, 4) for s in SEATS
    )


def _exactly(numbers: Iterable[int]) -> Ends:
    return tuple((number, number) for number in numbers)


def _entered(item: str, tally: Tally) -> Sequence[int]:
    if item == "trex":
        order = tally.finish_order or ()
        return [order.index(seat) + 1 for seat in SEATS] if len(order) == 4 else ()
    if item == "fifty_one":
        return [int(tally.loser == seat) for seat in SEATS]
    return taken_counts(Item(item), tally)


def _taker_of(tally: Tally | None) -> dict[Card, Seat]:
    if tally is None:
        return {}
    takers = dict(tally.queens_taken_by or {})
    if tally.king_taken_by is not None:
        takers[KING_OF_HEARTS] = tally.king_taken_by
    return takers


def _where(
    each: Comparison, record: Record, replay: Replay, ruleset: Ruleset
) -> tuple[int | None, int | None]:
    """Return the play and the trick at which a seat got more than was entered, or went out.

    None, None where it had too little, which shows at no single card."""
    if each.item == "trex":
        return _went_out(each.seat, record, ruleset), None
    if each.item == "fifty_one":
        return (len(record.plays) - 1, None) if each.least else (None, None)
    have = 0
    for number, trick in enumerate(replay.tricks):
        if trick.winner == each.seat:
            have += _worth(Item(each.item), number, trick, replay)
        if have > each.entered:
            return 4 * number + 3, number
    return None, None


def _worth(item: Item, number: int, trick: Trick, replay: Replay) -> int:
    if item is Item.TRICKS:
        return 1
    if item is Item.LAST_TRICK:
        return int(number == len(replay.tricks) - 1)
    return sum(counts_card(item, card) for card in trick.cards)


def _went_out(seat: Seat, record: Record, ruleset: Ruleset) -> int | None:
    own = [
        number
        for number, play in enumerate(record.plays)
        if isinstance(play, Play) and play.seat == seat
    ]
    size = ruleset.cards_per_hand
    return own[size - 1] if len(own) >= size else None
