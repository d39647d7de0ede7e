"""State of a fifty_one deal: the running sum, and who carries it over the target (C-B7)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from scoring.replay.breaches import BreachCode, PlayFault
from scoring.rules import Ruleset
from scoring.rules.cards import Card
from scoring.rules.seats import Seat


class FiftyOne:
    """One deal of fifty_one while it is played; unknown hands are None."""

    trick = None

    def __init__(
        self, ruleset: Ruleset, hands: Sequence[Collection[Card] | None], opener: Seat
    ) -> None:
        self.hands = [None if hand is None else set(hand) for hand in hands]
        self.turn = opener
        self.sum = 0
        self.laid: list[Card] = []
        self.loser: Seat | None = None
        self._deck = ruleset.deck
        self._target = ruleset.fifty_one.target
        self._values = ruleset.fifty_one.values

    @property
    def over(self) -> bool:
        """Whether the target is reached or every card was laid."""
        return self.loser is not None or len(self.laid) == len(self._deck)

    @property
    def settled(self) -> bool:
        """Whether the loser is certain.

        Somebody lost, or the cards left cannot reach the target."""
        if self.over:
            return True
        left = set(self._deck).difference(self.laid)
        return self.sum + sum(max(0, self._values[card[0]]) for card in left) < self._target

    def legal(self) -> list[Card]:
        """Return the cards that the seat on turn may lay; only for a known hand.

        Any card, except that the deal is opened with the highest."""
        hand = self.hands[self.turn]
        assert hand is not None
        if self.laid:
            return sorted(hand)
        highest = max((self._values[card[0]] for card in hand), default=0)
        return sorted(card for card in hand if self._values[card[0]] == highest)

    def moves(self) -> list[Card | None]:
        """Return the legal moves of the seat on turn."""
        return list(self.legal())

    def fault(self, card: Card) -> PlayFault | None:
        """Return the fault of this card, as far as the opener's hand is known."""
        if self.laid or self.hands[self.turn] is None:
            return None
        legal = self.legal()
        return None if card in legal else PlayFault(BreachCode.LEAD_NOT_HIGHEST, tuple(legal))

    def lay(self, card: Card) -> None:
        """Lay the card, whether legal or not."""
        hand = self.hands[self.turn]
        if hand is not None:
            hand.discard(card)
        self.laid.append(card)
        self.sum += self._values[card[0]]
        if self.sum >= self._target:
            self.loser = self.turn
        self.turn = (self.turn + 1) % 4
