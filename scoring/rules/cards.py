"""Cards as two letters, rank then suit (`KH`, `TS`, `7D`), the two decks and the order of ranks."""

from __future__ import annotations

type Card = str

SUITS = "SHDC"
RANKS = "23456789TJQKA"
RANK_ORDERS = {"natural": RANKS, "ten_high": "23456789JQKTA"}  # low to high (C-B2)

KING_OF_HEARTS: Card = "KH"
QUEENS: tuple[Card, ...] = ("QS", "QH", "QD", "QC")

DECK_52: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
DECK_32: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS[5:])


def rank(card: Card) -> str:
    """Return the rank letter: `T` of `TS`."""
    return card[0]


def suit(card: Card) -> str:
    """Return the suit letter: `S` of `TS`."""
    return card[1]


def strength(card: Card, order: str = "natural") -> int:
    """Return the card's position in an order of `RANK_ORDERS`, lowest first; the higher wins."""
    return RANK_ORDERS[order].index(card[0])
