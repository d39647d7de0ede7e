"""The check of Trex in suit rows, one array operation for many deals.

All cards of a deal are known: behind the cards laid stand those left in the hands. Passes are not
written; a seat between two that lay passed. It could not lay if none of the cards that it lays or
keeps later lay ready at that time. A card lies ready as soon as its inner neighbour is laid."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from scoring.archive.card_bytes import (
    RANK,
    SEAT,
    Bytes,
    Flags,
    by_strength,
    card_byte,
    mask_of,
)
from scoring.replay.play.layout import PIVOT
from scoring.rules import Ruleset
from scoring.rules.cards import RANK_ORDERS, SUITS
from scoring.rules.deal.completing import places_settled
from scoring.rules.seats import SEATS

NEVER = np.uint8(0xFF)
NOT_OUT = np.uint8(200)
"""Added to the seat: later than any card, lowest seat first."""
ALL_SEATS = np.array(SEATS, np.uint8)[:, None, None]
SLOTS = 64
"""Places for cards: four suits of sixteen ranks."""


class LayingPass:
    """Deals of Trex by one set of rules: what both layouts have in common.

    `cards` has a row for each card in the order laid, `laid` the number of cards that were laid of
    each deal, `starter` who begins. The card in row 0 is laid at time 1."""

    def __init__(self, ruleset: Ruleset, cards: Bytes, laid: Bytes, starter: Bytes) -> None:
        self.ruleset, self.laid, self.starter = ruleset, laid, starter
        self.order = ruleset.layout_rank_order
        self.cards = by_strength(np.ascontiguousarray(cards), self.order)
        self.seats = self.cards & np.uint8(SEAT)
        self.times = np.arange(1, len(cards) + 1, dtype=np.uint8)[:, None]
        self.is_laid = self.times <= laid
        self.own = mask_of(self.seats == ALL_SEATS)
        """By seat and row 0xFF where the seat has the card."""

    def legal(self) -> Flags:
        """Whether nothing is wrong with the cards laid, nor with the passes between them."""
        times, passed = self._by_card()
        ranks = sorted({RANK_ORDERS[self.order].index(card[0]) for card in self.ruleset.deck})
        whole = (times.reshape(4, 16, -1)[:, ranks] != NEVER).all(axis=(0, 1))
        counts = np.negative(np.add.reduce(self.own, axis=1, dtype=np.uint8))
        even = (counts == self.ruleset.cards_per_hand).all(axis=0)
        return whole & even & self._in_order(times, passed) & self._ends_in_time()

    def places(self) -> list[Bytes]:
        """By seat its place from 0. Open places are filled, lowest seat first."""
        return [
            np.add.reduce((self.out_at < self.out_at[seat]).view(np.uint8), axis=0, dtype=np.uint8)
            for seat in SEATS
        ]

    def is_settled(self) -> Flags:
        """Whether no points are open any more."""
        return self._number_out >= self._needed()

    def _needed(self) -> int:
        if self.ruleset.early_end == "off":
            return 3
        return next(n for n in range(4) if places_settled(self.ruleset, range(n + 1, 5)))

    def _in_order(self, times: Bytes, passed: Bytes) -> Flags:
        """Whether every card fitted, and no seat passed that could lay. By card, in 64 rows, when
        it was laid and when its seat had last passed before (0: never)."""
        raise NotImplementedError

    @cached_property
    def out_at(self) -> Bytes:
        """By seat when its last card was laid."""
        last = np.maximum.reduce(self.own & self.times, axis=1)
        return np.where(last <= self.laid, last, NOT_OUT + ALL_SEATS[:, 0])

    @cached_property
    def _number_out(self) -> Bytes:
        is_out = (self.out_at < NOT_OUT).view(np.uint8)
        return np.add.reduce(is_out, axis=0, dtype=np.uint8)

    def _ends_in_time(self) -> Flags:
        """Whether nothing is laid once three are out."""
        last = np.maximum.reduce(np.where(self.out_at < NOT_OUT, self.out_at, 0), axis=0)
        return (self._number_out < 3) | ((self._number_out == 3) & (last == self.laid))

    @cached_property
    def before(self) -> Bytes:
        """By row who laid the card before; at the start the seat before the starter."""
        return np.concatenate([(self.starter - self.step)[None], self.seats[:-1]])

    @property
    def step(self) -> np.uint8:
        """From a seat to the next: 1 or -1."""
        return np.uint8(255 if self.ruleset.trex_direction == "reverse" else 1)

    @cached_property
    def passed(self) -> Bytes:
        """By seat and row 0xFF where the seat stands between the card before and this one."""
        return mask_of(self._distance(ALL_SEATS) < self._distance(self.seats)) & mask_of(
            self.is_laid
        )

    def _distance(self, seats: Bytes) -> Bytes:
        """How many seats stand between the one that laid before and these."""
        apart = seats - self.before if self.step == 1 else self.before - seats
        return apart - np.uint8(1) & np.uint8(SEAT)

    def _by_card(self) -> tuple[Bytes, Bytes]:
        """By card when it was laid, and when its seat had last passed; 255 for a card that does not
        lie in any row."""
        count = self.cards.shape[1]
        last = np.bitwise_or.reduce(self._last_passed() & self.own, axis=0)
        both = last.astype(np.uint16) << np.uint16(8) | self.times
        found = np.full((SLOTS, count), 0xFF, np.uint16)
        places = np.multiply(self.cards >> np.uint8(2), count, dtype=np.intp, casting="unsafe")
        places += np.arange(count)
        found.ravel()[places] = both
        return found.astype(np.uint8), (found >> np.uint16(8)).astype(np.uint8)

    def _last_passed(self) -> Bytes:
        """By seat and row the time of the next card after its last pass, 0 without one."""
        last = self.passed & self.times
        for row in range(1, len(last[0])):
            np.maximum(last[:, row - 1], last[:, row], out=last[:, row])
        return last


class RowPass(LayingPass):
    """Suit rows, each opened by its jack."""

    def _in_order(self, times: Bytes, passed: Bytes) -> Flags:
        ranks = [RANK_ORDERS[self.order].index(card[0]) for card in self.ruleset.deck]
        low, high = min(ranks), max(ranks)
        pivot = card_byte(PIVOT + SUITS[0], self.order) >> 2
        times, passed = times.reshape(4, 16, -1), passed.reshape(4, 16, -1)
        # The card next to each card on the way to the jack is ready since this.
        since = np.zeros_like(times)
        since[:, low:pivot] = times[:, low + 1 : pivot + 1]
        since[:, pivot + 1 : high + 1] = times[:, pivot:high]
        fits = (since < times) | (times > self.laid)
        good = fits & (passed <= since)
        return good[:, low : high + 1].all(axis=(0, 1))

    @cached_property
    def passed(self) -> Bytes:
        """As without aces; and after an ace the same seat may lay again, or must."""
        passed = super().passed
        if self.ruleset.ace_replay == "off":
            return passed
        same = mask_of(self.seats == self.before)
        again = self._again(same)
        replays = again & same
        passed = passed & ~replays
        if self.ruleset.ace_replay == "must":
            declines = again & ~same & mask_of(self.is_laid)
            passed |= declines & mask_of(self.before == ALL_SEATS)
        return passed

    def _again(self, same: Bytes) -> Bytes:
        """By row 0xFF where the seat before has laid an ace that lets it lay again."""
        ace = np.uint8(card_byte("A" + SUITS[0], self.order) & RANK)
        aces = mask_of((self.cards & np.uint8(RANK)) == ace)
        again = np.concatenate([np.zeros_like(aces[:1]), aces[:-1]])
        if not self.ruleset.ace_replay_chain:
            for row in range(1, len(again)):
                again[row] &= ~(again[row - 1] & same[row - 1])
        return again
