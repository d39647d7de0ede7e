"""Possible ends of Trex and fifty_one: orders of going out and losers.

Over every way to play on without a breach.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from scoring.replay.partial.open_tricks import Masks, TooMany, bits_of, can_be_dealt
from scoring.replay.play.layout import PIVOT, SinglePile, SuitRows, Trex, next_cards
from scoring.replay.play.quick import BITS
from scoring.rules import Ruleset
from scoring.rules.cards import SUITS
from scoring.rules.seats import SEATS, Seat

type Orders = frozenset[tuple[Seat, ...]]
type Losers = frozenset[Seat | None]


class Laying(NamedTuple):
    """A position in Trex before a move; the names are those of the table.

    `fitting` are the cards that fit in rows; `top` is the rank on the pile."""

    masks: Masks
    unseen: int
    left: tuple[int, ...]
    turn: Seat
    again: bool
    free: bool
    fitting: int
    top: str
    passes: int
    last: Seat | None


@dataclass
class OpenTrex:
    """A search through the rest of a Trex deal."""

    ruleset: Ruleset
    limit: int

    def __post_init__(self) -> None:
        order = self.ruleset.layout_rank_order
        self.bits = BITS[order]
        self.card_of = {bit: card for card, bit in self.bits.items()}
        self.opens = {
            self.bits[card]: sum(self.bits[each] for each in next_cards(order)[card])
            for card in self.bits
        }
        self.jacks = sum(self.bits[PIVOT + suit] for suit in SUITS)
        self.step = -1 if self.ruleset.trex_direction == "reverse" else 1
        self.pile = self.ruleset.trex_layout == "single_pile"
        self.beside = self._beside() if self.pile else {}
        self.seen: dict[Laying, Orders] = {}

    def orders(self, table: Trex, masks: Masks, unseen: int) -> Orders:
        """Return the orders in which all seats may go out; empty if there is no way to play on."""
        fitting, top = 0, ""
        if isinstance(table.layout, SinglePile):
            top = table.layout.top[0] if table.layout.top else ""
        elif isinstance(table.layout, SuitRows):
            fitting = sum(self.bits[card] for card in table.layout.open)
        passes, last = table.stuck() if self.pile else (0, None)
        left, turn, again, free = tuple(table.left), table.turn, table.again, table.free
        found = self._from(
            Laying(masks, unseen, left, turn, again, free, fitting, top, passes, last)
        )
        return frozenset((*table.finish_order, *order) for order in found)

    def _from(self, at: Laying) -> Orders:
        still_in = tuple(seat for seat in SEATS if at.left[seat])
        if len(still_in) == 1:
            possible = can_be_dealt(at.masks, at.unseen, at.left)
            return frozenset({still_in} if possible else ())
        if at not in self.seen:
            self.limit -= 1
            if self.limit < 0:
                raise TooMany
            moves = self._moves(at) if self._is_possible(at) else ()
            self.seen[at] = frozenset().union(*moves)
        return self.seen[at]

    def _is_possible(self, at: Laying) -> bool:
        return all(
            mask.bit_count() >= left for mask, left in zip(at.masks, at.left, strict=True)
        ) and can_be_dealt(at.masks, at.unseen, at.left)

    def _moves(self, at: Laying) -> Iterator[Orders]:
        hand = at.masks[at.turn]
        able = hand & self._fitting(at)
        declines = at.again and self.ruleset.ace_replay == "may"
        yield self._passed(at, hand if declines else hand & ~able)
        opens = self.pile and not at.top and not at.free
        for bit in bits_of(able):
            kept = hand & ~bit
            if opens and not bit & self.jacks:
                kept &= ~self.jacks
            yield self._laid(at, bit, kept)

    def _fitting(self, at: Laying) -> int:
        if at.free or (self.pile and not at.top):
            return -1
        return self.beside[at.top] if self.pile else at.fitting

    def _passed(self, at: Laying, kept: int) -> Orders:
        """Continue after a pass of a hand that can only be `kept`."""
        if kept.bit_count() < at.left[at.turn]:
            return frozenset()
        masks = _with(at.masks, at.turn, kept)
        at = at._replace(masks=masks)
        if at.again:
            return self._from(self._to(at, self._after(at, at.turn)))
        passes = 0 if at.free else at.passes + 1
        still_in = sum(1 for left in at.left if left)
        if self.pile and at.last is not None and passes >= still_in:
            stays = self.ruleset.pile.stuck == "last_player_any" and at.left[at.last] > 0
            seat = at.last if stays else self._after(at, at.last)
            return self._from(self._to(at, seat)._replace(free=True, passes=passes))
        passes = passes if self.pile else 0
        return self._from(self._to(at, self._after(at, at.turn))._replace(passes=passes))

    def _laid(self, at: Laying, bit: int, kept: int) -> Orders:
        seat, card = at.turn, self.card_of[bit]
        left = tuple(n - (each == seat) for each, n in enumerate(at.left))
        if kept.bit_count() < left[seat]:
            return frozenset()
        masks = tuple(kept if each == seat else mask & ~bit for each, mask in enumerate(at.masks))
        after = at._replace(
            masks=masks,
            unseen=at.unseen & ~bit,
            left=left,
            fitting=0 if self.pile else (at.fitting & ~bit) | self.opens[bit],
            top=card[0] if self.pile else "",
            passes=0,
            last=seat if self.pile else None,
        )
        replays = card[0] == "A" and self.ruleset.ace_replay != "off" and left[seat]
        if replays and (self.ruleset.ace_replay_chain or not at.again):
            return self._from(after._replace(again=True, free=False))
        found = self._from(self._to(after, self._after(after, seat)))
        return found if left[seat] else frozenset((seat, *order) for order in found)

    def _to(self, at: Laying, seat: Seat) -> Laying:
        return at._replace(turn=seat, again=False, free=False)

    def _after(self, at: Laying, seat: Seat) -> Seat:
        turns = [(seat + steps * self.step) % 4 for steps in (1, 2, 3, 4)]
        return next(each for each in turns if at.left[each])

    def _beside(self) -> dict[str, int]:
        deck, order = self.ruleset.deck, self.ruleset.layout_rank_order
        ranks = "".join({card[0] for card in deck})
        found = {}
        for rank in ranks:
            pile = SinglePile(ranks, wrap=self.ruleset.pile.wrap, order=order, top=rank + "S")
            found[rank] = sum(self.bits[card] for card in pile.layable(deck))
        return found


@dataclass
class OpenFiftyOne:
    """A search through the rest of a fifty_one deal."""

    ruleset: Ruleset
    limit: int

    def __post_init__(self) -> None:
        self.value = {
            bit: self.ruleset.fifty_one.values[card[0]]
            for card, bit in BITS["natural"].items()
            if card[0] in self.ruleset.fifty_one.values
        }
        self.seen: dict[tuple[Masks, int, Seat, int], Losers] = {}

    def losers(self, masks: Masks, unseen: int, turn: Seat, total: int) -> Losers:
        """Return who may lose, None for nobody; empty if there is no way to play on."""
        lefts = tuple((unseen.bit_count() + 3 - (seat - turn) % 4) // 4 for seat in SEATS)
        return self._from(masks, unseen, turn, total, lefts)

    def _from(
        self, masks: Masks, unseen: int, turn: Seat, total: int, left: tuple[int, ...]
    ) -> Losers:
        if not can_be_dealt(masks, unseen, left):
            return frozenset()
        most = total + sum(max(0, self.value[bit]) for bit in bits_of(unseen))
        if most < self.ruleset.fifty_one.target:
            return frozenset({None})
        key = (masks, unseen, turn, total)
        if key not in self.seen:
            self.limit -= 1
            if self.limit < 0:
                raise TooMany
            self.seen[key] = frozenset().union(*self._moves(masks, unseen, turn, total, left))
        return self.seen[key]

    def _moves(
        self, masks: Masks, unseen: int, turn: Seat, total: int, left: tuple[int, ...]
    ) -> Iterator[Losers]:
        opening = unseen.bit_count() == len(self.ruleset.deck)
        after = tuple(n - (seat == turn) for seat, n in enumerate(left))
        for bit in bits_of(masks[turn]):
            kept = masks[turn] & ~bit
            if opening:
                kept &= sum(each for each in self.value if self.value[each] <= self.value[bit])
            rest = tuple(kept if seat == turn else mask & ~bit for seat, mask in enumerate(masks))
            reached = total + self.value[bit]
            if reached < self.ruleset.fifty_one.target:
                yield self._from(rest, unseen & ~bit, (turn + 1) % 4, reached, after)
            elif can_be_dealt(rest, unseen & ~bit, after):
                yield frozenset({turn})


def _with(masks: Masks, seat: Seat, mask: int) -> Masks:
    return tuple(mask if each == seat else other for each, other in enumerate(masks))
