"""The penalty items: the cards or tricks of each, how many exist, and their input keys."""

from __future__ import annotations

from enum import StrEnum
from functools import cache

from scoring.rules.cards import KING_OF_HEARTS, QUEENS, Card, suit


class Item(StrEnum):
    """One thing that costs points, in the order in which combined contracts name them."""

    KING = "king"
    QUEENS = "queens"
    DIAMONDS = "diamonds"
    HEARTS = "hearts"
    TRICKS = "tricks"
    LAST_TRICK = "last_trick"


COUNTED = (Item.DIAMONDS, Item.HEARTS, Item.TRICKS)
"""Items given as four counts under their own name."""

INPUT_KEYS: dict[Item, tuple[str, ...]] = {
    Item.KING: ("king_taken_by",),
    Item.QUEENS: ("queens_taken_by", "queens"),
    Item.DIAMONDS: ("diamonds",),
    Item.HEARTS: ("hearts",),
    Item.TRICKS: ("tricks",),
    Item.LAST_TRICK: ("last_trick_by",),
}
"""The keys of `input` that tell who took an item (rules.md, "Input of a deal")."""


def counts_card(item: Item, card: Card) -> bool:
    """Return whether taking this card counts for the item; never for tricks and last_trick."""
    match item:
        case Item.KING:
            return card == KING_OF_HEARTS
        case Item.QUEENS:
            return card in QUEENS
        case Item.DIAMONDS:
            return suit(card) == "D"
        case Item.HEARTS:
            return suit(card) == "H"
        case _:
            return False


@cache
def how_many(item: Item, cards_per_hand: int) -> int:
    """Return how many of an item exist: with 13 cards a hand 13 diamonds, 1 king."""
    if item is Item.QUEENS:
        return 4
    return cards_per_hand if item in COUNTED else 1
