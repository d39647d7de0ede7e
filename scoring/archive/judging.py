"""Which deals of a block are without fault, and their tallies and scores.

A deal that is not plainly right goes to the explaining engine, which alone says what is wrong.
Tests hold the two together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from scoring.archive.card_bytes import Bytes, Flags, Numbers
from scoring.archive.columns import (
    CLAIMED,
    DOUBLE_BITS,
    DOUBLED_CARDS,
    FORCED,
    NO_SEAT,
    Columns,
    doubles_of,
)
from scoring.archive.pile_pass import PilePass
from scoring.archive.row_pass import LayingPass, RowPass
from scoring.archive.score_tables import (
    CardTable,
    ItemTable,
    PlacesTable,
    context_of,
    entry_of,
)
from scoring.archive.trick_pass import Taken, TrickPass
from scoring.rules import Contract, Item, Ruleset, Tally, doublable, points
from scoring.rules.cards import KING_OF_HEARTS, QUEENS, Card
from scoring.rules.deal.points import kabbout_item
from scoring.rules.items import COUNTED
from scoring.rules.schedule import first_leader
from scoring.rules.seats import SEATS


@dataclass
class PassOutcome:
    """What a pass found in the deals from number `start` on. Where `is_good` is false the rest
    means nothing."""

    start: int
    is_good: Flags
    scores: Numbers
    doubles: npt.NDArray[np.uint32]
    taken: Mapping[Card, Taken] = field(default_factory=dict)
    counts: Mapping[Item, list[Bytes]] = field(default_factory=dict)
    last: Bytes | None = None
    ended: Flags | None = None
    places: list[Bytes] = field(default_factory=list)

    def tally(self, deal: int) -> Tally:
        """The tally of a deal, of the items that were asked for."""
        if self.places:
            order = sorted(SEATS, key=lambda seat: int(self.places[seat][deal]))
            return Tally(finish_order=tuple(order))
        taken = {card: each for card, each in self.taken.items() if each.is_played[deal]}
        by = {card: int(each.by[deal]) for card, each in taken.items()}
        queens = {card: seat for card, seat in by.items() if card != KING_OF_HEARTS}
        seats = list(queens.values())
        counted: dict[str, Any] = {
            item.value: tuple(int(each[deal]) for each in counts)
            for item, counts in self.counts.items()
        }
        is_ended = self.last is not None and self.ended is not None and bool(self.ended[deal])
        return Tally(
            king_taken_by=by.get(KING_OF_HEARTS),
            queens_taken_by=queens,
            queens=(seats.count(0), seats.count(1), seats.count(2), seats.count(3)),
            last_trick_by=int(self.last[deal]) if is_ended and self.last is not None else None,
            doubles=doubles_of(int(self.doubles[deal])),
            trick_leader={card: int(each.leader[deal]) for card, each in taken.items()},
            **counted,
        )


def judged(columns: Columns, every_item: bool = False) -> Iterator[PassOutcome]:
    """What the pass finds, some thousand deals at a time. `every_item`: tallies hold items that the
    contract does not count, too, as the engine's do."""
    judge = judge_of(columns.contract, columns.ruleset)
    for start in range(0, len(columns), judge.chunk):
        yield judge.outcome(columns, slice(start, start + judge.chunk), every_item)


@lru_cache(maxsize=128)
def judge_of(contract: Contract, ruleset: Ruleset) -> Judge:
    """The judge of a contract by one set of rules, made once."""
    if contract.special == "trex":
        return LayingJudge(contract, ruleset)
    return TrickJudge(contract, ruleset)


class Judge:
    """What all deals of a contract by one set of rules have in common. So many deals at a time
    (`chunk`) stay in the cache of a core."""

    chunk: int

    def __init__(self, contract: Contract, ruleset: Ruleset) -> None:
        self.contract, self.ruleset = contract, ruleset
        seats = (*SEATS, None)
        leaders = [first_leader(contract, ruleset, *pair) for pair in product(seats, seats)]
        self.leaders = np.array([NO_SEAT if each is None else each for each in leaders], np.uint8)
        """Who leads by the rules, by dealer * 5 + chooser."""

    def outcome(self, columns: Columns, part: slice, every_item: bool) -> PassOutcome:
        """What the pass finds in a part of a block."""
        dealer, chooser, leader, starter = columns.seats[:, part]
        flags, count = columns.flags[part], columns.count[part]
        context = context_of(chooser, (flags & np.uint8(FORCED)) != 0)
        found = self._outcome(columns, part, context, every_item)
        due = np.where(leader == NO_SEAT, self.leaders.take(dealer * np.uint8(5) + chooser), leader)
        good = found.is_good
        good &= ((due == NO_SEAT) | (due == starter)) & (count > 0)
        if self.ruleset.chooser_factor != 1:
            good &= chooser != NO_SEAT
        claimed = (flags & np.uint8(CLAIMED)) != 0
        if claimed.any():
            good &= ~claimed | (found.scores == columns.claims[:, part].T).all(axis=1)
        return found

    def _outcome(
        self, columns: Columns, part: slice, context: Bytes, every_item: bool
    ) -> PassOutcome:
        raise NotImplementedError


class TrickJudge(Judge):
    """Deals of a trick contract."""

    chunk = 5_000

    def __init__(self, contract: Contract, ruleset: Ruleset) -> None:
        super().__init__(contract, ruleset)
        self.offered = doublable(contract, ruleset)
        self.has_one_announcer = ruleset.doubling.queens_unit == "whole_contract"
        self.card_tables = {card: CardTable(card, ruleset) for card in _cards_of(contract.items)}
        self.item_tables = {
            item: ItemTable(item, ruleset)
            for item in contract.items
            if item in COUNTED or item is Item.LAST_TRICK
        }
        self.whole = kabbout_item(contract, ruleset)
        self.whole_scores: dict[bytes, Sequence[int]] = {}

    def _outcome(
        self, columns: Columns, part: slice, context: Bytes, every_item: bool
    ) -> PassOutcome:
        count, doubles = columns.count[part], columns.doubles[part]
        items = tuple(Item) if every_item else self.contract.items
        deals = TrickPass(
            self.contract,
            self.ruleset,
            columns.cards[:, part],
            count >> np.uint8(2),
            columns.seats[3, part],
        )
        counts = {item: deals.counts(item) for item in items if item in COUNTED}
        taken = {card: deals.taken(card) for card in _cards_of(items)}
        good = deals.legal() & (count & np.uint8(3) == 0) & deals.is_settled(taken, counts)
        doublers = self._doublers(doubles)
        if doublers:
            good &= self._are_doubled_right(doubles, taken)
        ended = deals.played == self.ruleset.cards_per_hand
        none = np.zeros((len(count), 4), np.int32)
        found = PassOutcome(part.start, good, none, doubles, taken, counts, deals.last, ended)
        for scores in self._scores(found, doublers, context):
            found.scores += scores
        if self.whole is not None:
            self._score_whole(found, self.whole, doublers, context)
        return found

    def _scores(
        self, found: PassOutcome, doublers: Mapping[Card, Bytes], context: Bytes
    ) -> Iterator[Numbers]:
        """What each item and each card adds."""
        for card, table in self.card_tables.items():
            yield table.find(found.is_good, found.taken[card], doublers.get(card), context)
        for item, item_table in self.item_tables.items():
            assert found.last is not None
            counts = found.counts.get(item) or [found.last]
            yield item_table.find(found.is_good, counts, context)

    def _doublers(self, doubles: npt.NDArray[np.uint32]) -> dict[Card, Bytes]:
        """By card 0, or the doubler + 1; who announces one queen may double all four (C-K3). Empty
        where nobody doubled."""
        if not doubles.any():
            return {}
        found = {card: np.minimum(_double_code(doubles, card), 4) for card in DOUBLED_CARDS}
        if self.has_one_announcer:
            announcer = reduce(np.maximum, (found[card] for card in QUEENS))
            found |= dict.fromkeys(QUEENS, announcer)
        return found

    def _are_doubled_right(
        self, doubles: npt.NDArray[np.uint32], taken: Mapping[Card, Taken]
    ) -> Flags:
        """Whether each doubled card is held by its doubler, may be doubled, and is doubled once."""
        good = np.ones(len(doubles), np.bool_)
        queens = np.zeros(len(doubles), np.uint8)
        for card in DOUBLED_CARDS:
            code = _double_code(doubles, card)
            good &= code <= 4
            if card in self.offered:
                good &= (code == 0) | (code == taken[card].holder + np.uint8(1))
            else:
                good &= code == 0
            if card in QUEENS:
                queens += code != 0
        return good & (queens <= 1) if self.has_one_announcer else good

    def _score_whole(
        self, found: PassOutcome, item: Item, doublers: Mapping[Card, Bytes], context: Bytes
    ) -> None:
        """Scores the deals in which a seat took everything of the item as a whole."""
        if item in found.counts:
            everything = self.ruleset.how_many(item)
            is_whole = np.logical_or.reduce([each == everything for each in found.counts[item]])
        elif item is Item.QUEENS:
            first = found.taken[QUEENS[0]].by
            is_whole = np.logical_and.reduce([found.taken[card].by == first for card in QUEENS])
        else:
            is_whole = np.ones(len(found.scores), np.bool_)
        deals = np.flatnonzero(is_whole & found.is_good)
        columns = [
            context,
            *doublers.values(),
            *(n for four in found.counts.values() for n in four),
        ]
        columns += [each for taken in found.taken.values() for each in (taken.by, taken.leader)]
        keys = np.stack([*columns, found.last if found.last is not None else context])[:, deals].T
        for deal, key in zip(deals.tolist(), keys.copy(), strict=True):
            scores = self.whole_scores.get(bytes(key))
            if scores is None:
                scores = self._scores_of(found, deal, int(context[deal]))
                self.whole_scores[bytes(key)] = scores
            found.scores[deal] = scores

    def _scores_of(self, found: PassOutcome, deal: int, context: int) -> Sequence[int]:
        return points(entry_of(self.contract, context, found.tally(deal)), self.ruleset).scores


def _double_code(doubles: npt.NDArray[np.uint32], card: Card) -> Bytes:
    """0, or who doubled the card + 1; more than 4 where it was doubled twice."""
    first = 4 * DOUBLED_CARDS.index(card)
    found = np.zeros(len(doubles), np.uint8)
    for place in range(len(DOUBLED_CARDS)):
        code = (doubles >> np.uint32(DOUBLE_BITS * place) & np.uint32(31)).astype(np.uint8)
        own = np.where((code > first) & (code <= first + 4), code - np.uint8(first), np.uint8(0))
        found += np.where((own != 0) & (found != 0), np.uint8(5), own)
    return found


def _cards_of(items: tuple[Item, ...]) -> list[Card]:
    """The cards that these items name."""
    cards = [KING_OF_HEARTS] if Item.KING in items else []
    return [*cards, *QUEENS] if Item.QUEENS in items else cards


class LayingJudge(Judge):
    """Deals of Trex."""

    chunk = 2_000

    def __init__(self, contract: Contract, ruleset: Ruleset) -> None:
        super().__init__(contract, ruleset)
        self.table = PlacesTable(ruleset)
        is_rows = ruleset.trex_layout == "suit_rows"
        self.kind: type[LayingPass] = RowPass if is_rows else PilePass

    def _outcome(
        self, columns: Columns, part: slice, context: Bytes, every_item: bool
    ) -> PassOutcome:
        count, doubles = columns.count[part], columns.doubles[part]
        deals = self.kind(self.ruleset, columns.cards[:, part], count, columns.seats[3, part])
        good = deals.legal() & deals.is_settled() & (doubles == 0)
        places = deals.places()
        scores = self.table.find(good, places, context)
        return PassOutcome(part.start, good, scores, doubles, places=places)
