"""A played card as one byte: suit in the two high bits, then the rank, then the seat in two.

Ranks count from 0 (the 2) to 12 (the ace) in their natural order; `by_strength` renumbers them for
a table that plays another order, so that the higher byte of a suit is always the stronger card."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import numpy.typing as npt

from scoring.rules.cards import RANK_ORDERS, RANKS, SUITS, Card

type Bytes = npt.NDArray[np.uint8]
type Bits = npt.NDArray[np.uint16]
type Flags = npt.NDArray[np.bool_]
type Numbers = npt.NDArray[np.int32]

SEAT = 0x03
RANK = 0x3C
SUIT = 0xC0
CARD = SUIT | RANK
STEP = 4
"""From one rank to the next."""

NATURAL: Mapping[Card, int] = {
    rank + suit: SUITS.index(suit) << 6 | RANKS.index(rank) << 2 for suit in SUITS for rank in RANKS
}
"""The byte of a card at seat 0, as a file has it."""
CARD_OF: Mapping[int, Card] = {byte: card for card, byte in NATURAL.items()}


def card_byte(card: Card, order: str) -> int:
    """The byte of a card at seat 0 after `by_strength`."""
    return SUITS.index(card[1]) << 6 | RANK_ORDERS[order].index(card[0]) << 2


@cache
def deck_bits(deck: tuple[Card, ...], order: str) -> np.uint64:
    """A bit for each card of the deck, at the place that its byte has without the seat."""
    return np.uint64(sum(1 << (card_byte(card, order) >> 2) for card in deck))


def by_strength(cards: Bytes, order: str) -> Bytes:
    """The same bytes with ranks numbered from the weakest to the strongest; as they are where
    that is the natural order."""
    if order == "natural":
        return cards
    strengths = np.array([RANK_ORDERS[order].index(rank) for rank in RANKS], np.uint8)
    moved = cards.copy()
    ranks = cards & RANK
    for rank in np.flatnonzero(strengths != np.arange(len(RANKS))):
        change = (int(strengths[rank]) - int(rank)) * STEP % 256
        moved += (ranks == rank * STEP).view(np.uint8) * np.uint8(change)
    return moved


def seats_equal(seats: Bytes, seat: int) -> Bytes:
    """0xFF where the seat is this one, else 0."""
    return mask_of(seats == seat)


def mask_of(flags: Flags) -> Bytes:
    """0xFF for true, 0 for false."""
    return np.negative(flags.view(np.uint8))


def distinct(cards: Bytes, deck: np.uint64) -> Flags:
    """Whether the rows hold each card of the deck once."""
    one, found = np.uint64(1), np.zeros(cards.shape[1], np.uint64)
    bit = np.empty_like(found)
    for row in cards >> np.uint8(2):
        np.copyto(bit, row)
        found |= np.left_shift(one, bit, out=bit)
    return found == deck
