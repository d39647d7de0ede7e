"""Many deals of one contract by one set of rules as columns, and back to records.

A column has one value a deal. Of the cards there is a row for each card of the deck: first those
played, in order, then those left in the hands. A trick deal goes on in made-up tricks, in which
each seat plays its cards in the order of the deck. Passes of Trex are not written: they follow
from who lays next."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.archive.card_bytes import CARD, CARD_OF, NATURAL, SEAT, Bytes, Flags, Numbers
from scoring.replay.play.hands import are_bad, worked_out
from scoring.replay.play.layout import Trex
from scoring.replay.play.table import leader_of
from scoring.replay.play.tricks import STRENGTH, winning_place
from scoring.replay.record import Hands, Pass, Play, Record, in_order, ruleset_of
from scoring.replay.words import SEAT_TAGS
from scoring.rules import Contract, Double, Ruleset
from scoring.rules.cards import KING_OF_HEARTS, QUEENS, Card
from scoring.rules.seats import SEATS, Seat

NO_SEAT = 4
NO_NUMBER = -1
MOST_IN_CLAIM = 2**31 - 1
FORCED, CLAIMED, WRITTEN_DECLINES = 0x10, 0x20, 0x40
"""Flags of a deal, beside the four lowest bits: the seats whose hands were written."""
DOUBLED_CARDS = (KING_OF_HEARTS, *QUEENS)
DOUBLE_BITS = 5
"""Of each double, the first in the lowest: 1 + 4 * place of the card + doubler; 0 for none."""
MOST_PASSES = 9

type Tags = Mapping[str, str]


class Packed(NamedTuple):
    """One deal as bytes; `laid` is how many of the cards were played."""

    cards: bytes
    laid: int
    flags: int


@dataclass
class Columns:
    """Deals of one contract and one set of rules.

    `cards` has a row for each card of the deck. `seats` has four rows: dealer, chooser, leader as
    written (4: not written), and who played first. `table` is the place of the tags of a deal in
    `tables`; `number` its place among all records that were packed. `people` has by table the
    places in `names` of the club and of the four players, -1 without one."""

    system: str
    options: Mapping[str, Any]
    contract: Contract
    cards: Bytes
    count: Bytes
    seats: Bytes
    flags: Bytes
    doubles: npt.NDArray[np.uint32]
    claims: Numbers
    deal_number: Numbers
    number: Numbers
    table: Numbers
    id_ends: Numbers
    ids: Bytes
    people: Numbers
    table_text: Bytes
    names: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.count)

    @property
    def ruleset(self) -> Ruleset:
        return ruleset_of(self.system, self.options)

    @cached_property
    def tables(self) -> Sequence[Tags]:
        """Names, club, match and date of several deals."""
        return json.loads(self.table_text.tobytes())

    def flag(self, which: int) -> Flags:
        """Which deals have this flag."""
        return (self.flags & np.uint8(which)) != 0

    def id(self, deal: int) -> str:
        """The id of the record."""
        start = int(self.id_ends[deal - 1]) if deal else 0
        return self.ids[start : int(self.id_ends[deal])].tobytes().decode()

    def tags(self, deal: int) -> Tags:
        """Names, club, match and date."""
        return self.tables[int(self.table[deal])]

    def record(self, deal: int) -> Record:
        """The record, equal to the one that was packed."""
        flags, ruleset = int(self.flags[deal]), self.ruleset
        dealer, chooser, leader = (_seat(self.seats[row, deal]) for row in range(3))
        number = int(self.deal_number[deal])
        cards = self.cards[:, deal].tolist()
        starter = int(self.seats[3, deal])
        return Record(
            id=self.id(deal),
            system=self.system,
            contract=self.contract,
            options=self.options,
            tags=self.tags(deal),
            deal_number=None if number == NO_NUMBER else number,
            dealer=dealer,
            chooser=chooser,
            forced=bool(flags & FORCED),
            doubles=doubles_of(int(self.doubles[deal])),
            leader=leader,
            hands=_hands(cards, flags),
            plays=_plays(cards, int(self.count[deal]), starter, self, flags, ruleset),
            claimed=_claim(self.claims[:, deal]) if flags & CLAIMED else None,
        )


ARRAYS = tuple(
    each.name
    for each in fields(Columns)
    if each.name not in ("system", "options", "contract", "names")
)
"""The names of the arrays, in the order in which a file has them."""


@dataclass
class Packer:
    """Collects deals of one contract and one set of rules."""

    system: str
    options: Mapping[str, Any]
    contract: Contract
    ruleset: Ruleset
    _deals: list[Packed] = field(default_factory=list)
    _records: list[Record] = field(default_factory=list)
    _numbers: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self._deals)

    def add(self, record: Record, number: int) -> bool:
        """Takes a record of these rules, the how manieth is `number`; False if it does not fit into
        columns."""
        deal = packed(record, self.ruleset)
        if deal is None:
            return False
        self._deals.append(deal)
        self._records.append(record)
        self._numbers.append(number)
        return True

    def take(self) -> Columns:
        """The columns of all that was added; what is added next is another block."""
        deals, records, numbers = self._deals, self._records, self._numbers
        self._deals, self._records, self._numbers = [], [], []
        size = len(self.ruleset.deck)
        ids = [record.id.encode() for record in records]
        tables, places = _distinct(record.tags for record in records)
        names, people = _people(tables)
        return Columns(
            system=self.system,
            options=self.options,
            contract=self.contract,
            cards=np.frombuffer(b"".join(deal.cards for deal in deals), np.uint8)
            .reshape(-1, size)
            .T.copy(),
            count=np.array([deal.laid for deal in deals], np.uint8),
            seats=np.array([_seats(record, self.ruleset) for record in records], np.uint8).T.copy(),
            flags=np.array([deal.flags for deal in deals], np.uint8),
            doubles=np.array([_double_bits(record.doubles) for record in records], np.uint32),
            claims=np.array([record.claimed or (0,) * 4 for record in records], np.int32).T.copy(),
            deal_number=np.array(
                [NO_NUMBER if r.deal_number is None else r.deal_number for r in records], np.int32
            ),
            number=np.array(numbers, np.int32),
            table=np.array(places, np.int32),
            id_ends=np.cumsum([len(each) for each in ids], dtype=np.int32),
            ids=np.frombuffer(b"".join(ids), np.uint8),
            people=people,
            table_text=np.frombuffer(json.dumps(tables, ensure_ascii=False).encode(), np.uint8),
            names=names,
        )


def packed(record: Record, ruleset: Ruleset) -> Packed | None:
    """The deal as bytes; None where columns cannot hold it: gaps in the hands, captures, a card
    that is played twice or not held, a seat out of turn, a pass that no rule explains."""
    contract = record.contract
    if record.errors or record.captured or contract is None or contract.special == "fifty_one":
        return None
    hands = _known_hands(record, ruleset)
    if hands is None or not _fits(record):
        return None
    flags = sum(1 << seat for seat in SEATS if record.hands[seat] is not None)
    flags |= (FORCED if record.forced else 0) | (0 if record.claimed is None else CLAIMED)
    played = [play for play in record.plays if isinstance(play, Play)]
    if not _are_held(played, hands):
        return None
    if contract.special == "trex":
        declines = _declines(record, played, ruleset)
        if declines is None:
            return None
        flags |= declines
        left = _left(hands, played)
        cards = [*played, *(Play(seat, card) for seat in SEATS for card in left[seat])]
    else:
        whole = _in_tricks(record, hands, played, ruleset)
        if whole is None:
            return None
        cards = whole
    return Packed(bytes(NATURAL[card] | seat for seat, card in cards), len(played), flags)


def _known_hands(record: Record, ruleset: Ruleset) -> Sequence[tuple[Card, ...]] | None:
    if are_bad(record.hands, ruleset):
        return None
    plays = [play for play in record.plays if isinstance(play, Play)]
    hands = worked_out(record.hands, plays, ruleset)
    if None in hands or are_bad(hands, ruleset):
        return None
    return [hand or () for hand in hands]


def _fits(record: Record) -> bool:
    """Whether the small things fit into their columns."""
    cards = [double.card for double in record.doubles]
    return (
        bool(record.plays)
        and len(set(cards)) == len(cards)
        and set(cards) <= set(DOUBLED_CARDS)
        and all(-MOST_IN_CLAIM <= each <= MOST_IN_CLAIM for each in record.claimed or ())
        and (record.deal_number or 0) <= MOST_IN_CLAIM
    )


def _are_held(played: Sequence[Play], hands: Sequence[tuple[Card, ...]]) -> bool:
    return len({play.card for play in played}) == len(played) and all(
        play.card in hands[play.seat] for play in played
    )


def _left(hands: Sequence[tuple[Card, ...]], played: Sequence[Play]) -> list[list[Card]]:
    gone = {play.card for play in played}
    return [[card for card in hand if card not in gone] for hand in hands]


# -- tricks


def _in_tricks(
    record: Record, hands: Sequence[tuple[Card, ...]], played: Sequence[Play], ruleset: Ruleset
) -> list[Play] | None:
    """All cards in tricks, the last of them made up; None if a seat is out of turn."""
    if len(played) != len(record.plays):
        return None
    strength = STRENGTH[ruleset.rank_order]
    left = [iter(own) for own in _left(hands, played)]
    found: list[Play] = []
    leader = leader_of(record, ruleset)
    for start in range(0, len(ruleset.deck), 4):
        trick = list(played[start : start + 4])
        if [play.seat for play in trick] != [(leader + n) % 4 for n in range(len(trick))]:
            return None
        turn = [(leader + place) % 4 for place in range(len(trick), 4)]
        trick += [Play(seat, next(left[seat])) for seat in turn]
        leader = (leader + winning_place([play.card for play in trick], strength)) % 4
        found += trick
    return found


# -- Trex


def _declines(record: Record, played: Sequence[Play], ruleset: Ruleset) -> int | None:
    """The flag by which the passes of the record follow from its cards; None if neither does."""
    starter = leader_of(record, ruleset)
    for flag in (0, WRITTEN_DECLINES):
        if _with_passes(played, starter, ruleset, bool(flag)) == list(record.plays):
            return flag
    return None


def _with_passes(
    played: Sequence[Play], starter: Seat, ruleset: Ruleset, writes_declines: bool
) -> list[Play | Pass] | None:
    """The cards with the passes between them; None where no number of passes brings a seat its
    turn. The right to lay again is declined in silence, or always by a pass."""
    table = Trex(ruleset, (None,) * 4, starter)
    is_rows = ruleset.trex_layout == "suit_rows"
    found: list[Play | Pass] = []
    for play in played:
        passes = 0
        # In rows a card that does not fit never will, on a pile it may once all have passed.
        while table.turn != play.seat or not (
            is_rows or table.free or table.layout.fits(play.card, None)
        ):
            if passes > MOST_PASSES or table.over:
                return None
            if writes_declines or not table.again:
                found.append(Pass(table.turn))
            table.lay(None)
            passes += 1
        table.lay(play.card)
        found.append(play)
    return found


# -- small values


def _seats(record: Record, ruleset: Ruleset) -> list[int]:
    written = [record.dealer, record.chooser, record.leader]
    return [*(NO_SEAT if seat is None else seat for seat in written), leader_of(record, ruleset)]


def _seat(value: np.uint8) -> Seat | None:
    return None if value == NO_SEAT else int(value)


def _double_bits(doubles: Iterable[Double]) -> int:
    codes = (1 + 4 * DOUBLED_CARDS.index(card) + by for card, by in doubles)
    return sum(code << DOUBLE_BITS * place for place, code in enumerate(codes))


def doubles_of(bits: int) -> tuple[Double, ...]:
    """The doubles of a deal, in the order written."""
    codes = (bits >> DOUBLE_BITS * place & 31 for place in range(len(DOUBLED_CARDS)))
    pairs = (divmod(code - 1, 4) for code in codes if code)
    return tuple(Double(DOUBLED_CARDS[place], by) for place, by in pairs)


def _claim(claim: Numbers) -> tuple[int, int, int, int]:
    return int(claim[0]), int(claim[1]), int(claim[2]), int(claim[3])


def _hands(cards: Sequence[int], flags: int) -> Hands:
    found = [
        in_order([CARD_OF[byte & CARD] for byte in cards if byte & SEAT == seat])
        if flags >> seat & 1
        else None
        for seat in SEATS
    ]
    return found[0], found[1], found[2], found[3]


def _plays(
    cards: Sequence[int],
    count: int,
    starter: Seat,
    columns: Columns,
    flags: int,
    ruleset: Ruleset,
) -> tuple[Play | Pass, ...]:
    played = [Play(byte & SEAT, CARD_OF[byte & CARD]) for byte in cards[:count]]
    if not columns.contract.special:
        return tuple(played)
    found = _with_passes(played, starter, ruleset, bool(flags & WRITTEN_DECLINES))
    return tuple(played if found is None else found)


def _distinct(tags: Iterable[Tags]) -> tuple[list[Tags], list[int]]:
    """The different ones, and the place of each among them."""
    places: dict[tuple[tuple[str, str], ...], int] = {}
    found = [places.setdefault(tuple(each.items()), len(places)) for each in tags]
    return [dict(pairs) for pairs in places], found


def _people(tables: Sequence[Tags]) -> tuple[list[str], Numbers]:
    """All names of clubs and players, and which of them each table has; nobody twice."""
    places: dict[str, int] = {}
    rows = []
    for tags in tables:
        own = [tags.get(tag) for tag in SEAT_TAGS]
        seen = [name if name not in own[:seat] else None for seat, name in enumerate(own)]
        named = [tags.get("Club"), *seen]
        rows.append([-1 if n is None else places.setdefault(n, len(places)) for n in named])
    return list(places), np.array(rows, np.int32).reshape(-1, 5).T.copy()
