"""The check of Trex on a single pile, one array operation for many deals.

Suits do not matter. A seat that passed had no card one rank above or below the top one; once all
still in have passed, one of them lays any card (C-K1)."""

from __future__ import annotations

import numpy as np

from scoring.archive.card_bytes import RANK, Bits, Bytes, Flags, card_byte, mask_of
from scoring.archive.row_pass import ALL_SEATS, LayingPass
from scoring.replay.play.layout import PIVOT
from scoring.rules.cards import SUITS


class PilePass(LayingPass):
    """A single pile. Ranks are bits."""

    def _in_order(self, times: Bytes, passed: Bytes) -> Flags:
        ranks = self.cards >> np.uint8(2) & np.uint8(RANK >> 2)
        bits = np.uint16(1) << ranks.astype(np.uint16)
        beside = self._beside(bits)
        beside = np.concatenate([np.zeros_like(beside[:1]), beside[:-1]])
        freed = ((beside & bits) == 0) & self.is_laid
        freed[0] = False
        good: Flags = (self.seats[0] == self.starter) & (~freed | self._may_be_free()).all(axis=0)
        lacks = _wide(self.passed | mask_of(freed)) & beside
        lacks[:, 0] = _wide(self.own[:, 0]) & self._no_pivot(bits[0])
        for row in range(1, len(bits)):
            lacks[:, row] |= lacks[:, row - 1]
        held = np.bitwise_or.reduce(lacks & _wide(self.own), axis=0) & bits
        return good & (held == 0).all(axis=0)

    def _beside(self, bits: Bits) -> Bits:
        """The ranks next to these."""
        ranks = {card_byte(card, self.order) >> 2 & 0xF for card in self.ruleset.deck}
        low, high = np.uint16(1 << min(ranks)), np.uint16(1 << max(ranks))
        beside = (bits << np.uint16(1)) | (bits >> np.uint16(1))
        if self.ruleset.pile.wrap:
            beside |= np.where(bits == low, high, np.uint16(0))
            beside |= np.where(bits == high, low, np.uint16(0))
        return beside

    def _no_pivot(self, bits: Bits) -> Bits:
        """The jack, which a seat lacks that opens with another card."""
        pivot = card_byte(PIVOT + SUITS[0], self.order) >> 2 & 0xF
        return (bits != np.uint16(1 << pivot)).astype(np.uint16) << np.uint16(pivot)

    def _may_be_free(self) -> Flags:
        """By row whether this seat lays any card once all have passed: who laid last if he is still
        in and the rule says so, else the next seat still in."""
        is_in = self.out_at[:, None] >= self.times
        is_next: Flags = ~((self.passed != 0) & is_in).any(axis=0)
        if self.ruleset.pile.stuck == "next_player_any":
            return is_next
        last_is_in = (is_in & (self.before == ALL_SEATS)).any(axis=0)
        same = self.seats == self.before
        return (same & last_is_in) | (is_next & ~last_is_in)


def _wide(mask: Bytes) -> Bits:
    """The same mask of sixteen bits."""
    return mask.view(np.int8).astype(np.int16).view(np.uint16)
