"""State of a trick contract: whose turn it is, legal cards, who took what."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from scoring.replay.breaches import BreachCode, PlayFault
from scoring.rules import Contract, Ruleset, legal_leads
from scoring.rules.cards import KING_OF_HEARTS, RANK_ORDERS, SUITS, Card
from scoring.rules.deal.legality import hearts_banned
from scoring.rules.items import counts_card
from scoring.rules.seats import Seat

STRENGTH = {
    order: {rank + suit: place for place, rank in enumerate(ranks) for suit in SUITS}
    for order, ranks in RANK_ORDERS.items()
}
"""By rank order: what beats what within a suit; the higher wins."""


class Trick(NamedTuple):
    """The cards of a trick in the order played; no winner while one is missing."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat | None


class Tricks:
    """One deal of a trick contract while it is played; unknown hands are None."""

    def __init__(
        self,
        contract: Contract,
        ruleset: Ruleset,
        hands: Sequence[Collection[Card] | None],
        leader: Seat,
    ) -> None:
        self.hands = [None if hand is None else set(hand) for hand in hands]
        self.turn = self.leader = leader
        self.lying: list[Card] = []
        self.tricks: list[Trick] = []
        self.hearts_broken = False
        self._ruleset = ruleset
        self._parts = contract.parts
        self._dump = DumpRule(contract, ruleset)
        self._strength = STRENGTH[ruleset.rank_order]

    @property
    def over(self) -> bool:
        """Whether every card has been played."""
        return len(self.tricks) == self._ruleset.cards_per_hand

    @property
    def trick(self) -> int:
        """The number of the trick that is being played, from 0."""
        return len(self.tricks)

    def legal(self) -> list[Card]:
        """Return the cards that the seat on turn may play; only for a known hand."""
        hand = self.hands[self.turn]
        assert hand is not None
        if not self.lying:
            return legal_leads(sorted(hand), self.hearts_broken, self._parts, self._ruleset)
        led = self.lying[0][1]
        following = [card for card in hand if card[1] == led]
        return sorted(self._dump.bind(hand, following, self.lying))

    def moves(self) -> list[Card | None]:
        """Return the legal moves of the seat on turn."""
        return list(self.legal())

    def fault(self, card: Card) -> PlayFault | None:
        """Return the fault of this card of the seat on turn, as far as its hand shows."""
        hand = self.hands[self.turn]
        if hand is None or self._is_plain(card, hand):
            return None
        legal = self.legal()
        return None if card in legal else PlayFault(self._code(card, hand), tuple(legal))

    def lay(self, card: Card) -> None:
        """Play the card, whether legal or not."""
        if card[1] == "H" and not self.hearts_broken:
            self.hearts_broken = self._breaks(card)
        hand = self.hands[self.turn]
        if hand is not None:
            hand.discard(card)
        self.lying.append(card)
        self.turn = (self.turn + 1) % 4
        if len(self.lying) == 4:
            self._take()

    def all_tricks(self) -> list[Trick]:
        """Return the finished tricks and the open one."""
        if not self.lying:
            return self.tricks
        return [*self.tricks, Trick(self.leader, tuple(self.lying), None)]

    def _is_plain(self, card: Card, hand: set[Card]) -> bool:
        """Return whether a card is certainly legal without a search.

        It follows suit or has none of it, or leads another suit than hearts, and no dump rule may
        forbid it."""
        if not self.lying:
            return card[1] != "H"
        if self._dump.kind:
            return False
        led = self.lying[0][1]
        return card[1] == led or not any(other[1] == led for other in hand)

    def _code(self, card: Card, hand: set[Card]) -> BreachCode:
        if not self.lying:
            return BreachCode.HEART_LEAD
        led = self.lying[0][1]
        could_follow = any(other[1] == led for other in hand)
        return BreachCode.REVOKE if could_follow and card[1] != led else BreachCode.MUST_DUMP

    def _breaks(self, card: Card) -> bool:
        """Return whether this heart breaks hearts.

        One thrown on another suit does, even in a revoke; of led ones only a forced one, and only
        by option (C-L13b)."""
        if self.lying:
            return self.lying[0][1] != "H"
        if not self._ruleset.hearts_lead.forced_lead_breaks:
            return False
        hand = self.hands[self.turn]
        banned = hearts_banned(self.hearts_broken, self._parts, self._ruleset)
        return banned and (hand is None or all(other[1] == "H" for other in hand))

    def _take(self) -> None:
        winner = (self.leader + winning_place(self.lying, self._strength)) % 4
        self.tricks.append(Trick(self.leader, tuple(self.lying), winner))
        self.turn = self.leader = winner
        self.lying = []


def winning_place(cards: Sequence[Card], strength: dict[Card, int]) -> int:
    """Return which card of a trick takes it: the highest of the suit led.

    0 is the lead."""
    led, best = cards[0][1], 0
    for place in (1, 2, 3):
        card = cards[place]
        if card[1] == led and strength[card] > strength[cards[best]]:
            best = place
    return best


class DumpRule:
    """The option `must_dump` for one contract; `kind` is "" where it asks for nothing."""

    def __init__(self, contract: Contract, ruleset: Ruleset) -> None:
        self.kind = "" if ruleset.must_dump == "off" else ruleset.must_dump
        self.penalties = _penalty_cards(contract, ruleset.deck) if self.kind else frozenset()
        if not self.penalties or (self.kind == "king" and KING_OF_HEARTS not in self.penalties):
            self.kind = ""

    def bind(
        self, hand: Collection[Card], following: Collection[Card], lying: Sequence[Card]
    ) -> Iterable[Card]:
        """Return the legal cards of a hand that follows to a trick.

        `following` are its cards of the suit led."""
        if not self.kind:
            return following or hand
        if following:
            under_ace = self.kind == "king" and lying[0][1] == "H" and "AH" in lying
            return [KING_OF_HEARTS] if under_ace and KING_OF_HEARTS in following else following
        if self.kind == "king":
            return [KING_OF_HEARTS] if KING_OF_HEARTS in hand else hand
        return [card for card in hand if card in self.penalties] or hand


def _penalty_cards(contract: Contract, deck: Iterable[Card]) -> frozenset[Card]:
    items = contract.items
    return frozenset(card for card in deck if any(counts_card(item, card) for item in items))
