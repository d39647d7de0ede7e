"""Hands that were not recorded, worked out from the plays; and hands that are impossible."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.replay.record import Hands, Play
from scoring.rules import Ruleset
from scoring.rules.cards import Card
from scoring.rules.seats import SEATS


def are_bad(hands: Hands, ruleset: Ruleset) -> bool:
    """Return whether a hand has the wrong size, or a card is dealt twice or not in the deck."""
    dealt = [card for hand in hands if hand is not None for card in hand]
    sizes = {len(hand) for hand in hands if hand is not None}
    if sizes - {ruleset.cards_per_hand} or len(set(dealt)) != len(dealt):
        return True
    return not set(dealt) <= set(ruleset.deck)


def worked_out(hands: Hands, plays: Sequence[Play], ruleset: Ruleset) -> Hands:
    """Return the hands with those filled in that follow from these plays.

    A seat that played all its cards held them, and three known hands give the fourth."""
    if None not in hands:
        return hands
    found = [_own(seat, hands, plays, ruleset) for seat in SEATS]
    if found.count(None) == 1:
        dealt = {card for hand in found if hand is not None for card in hand}
        rest = tuple(card for card in ruleset.deck if card not in dealt)
        found = [rest if hand is None else hand for hand in found]
    return found[0], found[1], found[2], found[3]


def _own(
    seat: int, hands: Hands, plays: Sequence[Play], ruleset: Ruleset
) -> tuple[Card, ...] | None:
    played = tuple(card for by, card in plays if by == seat)
    return played if hands[seat] is None and len(played) == ruleset.cards_per_hand else hands[seat]
