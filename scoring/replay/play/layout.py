"""State of a Trex deal: the rows or the single pile, who is out, who may lay what."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Protocol

from scoring.replay.breaches import BreachCode, PlayFault
from scoring.rules import Ruleset
from scoring.rules.cards import RANK_ORDERS, SUITS, Card
from scoring.rules.seats import Seat

PIVOT = "J"


class Layout(Protocol):
    """The cards laid so far, as far as they decide what fits."""

    def layable(self, hand: Collection[Card]) -> list[Card]:
        """Return the cards of a hand that fit, in the order of the hand."""

    def fits(self, card: Card, hand: Collection[Card] | None) -> bool:
        """Return whether this card of a hand fits; `hand` is None if unknown."""

    def lay(self, card: Card) -> None:
        """Add a card."""


class SuitRows:
    """A row for each suit, opened by its jack, growing by the next card at either end."""

    def __init__(self, order: str = "natural") -> None:
        self._next = next_cards(order)
        self.open = {PIVOT + suit for suit in SUITS}
        """The cards that fit now."""

    @classmethod
    def from_ends(cls, rows: Mapping[str, Sequence[str]], order: str = "natural") -> SuitRows:
        """Return rows with these ends: `{"S": ["9", "A"]}` has the spades from nine to ace."""
        layout, ranks = cls(order), RANK_ORDERS[order]
        pivot = ranks.index(PIVOT)
        for suit, (low, high) in rows.items():
            down = ranks[ranks.index(low) : pivot + 1][::-1]
            up = ranks[pivot + 1 : ranks.index(high) + 1]
            for rank in down + up:
                layout.lay(rank + suit)
        return layout

    def layable(self, hand: Collection[Card]) -> list[Card]:
        """Return the cards of a hand that open a row or extend one."""
        return [card for card in hand if card in self.open]

    def fits(self, card: Card, hand: Collection[Card] | None) -> bool:
        """Return whether the card opens a row or extends one."""
        return card in self.open

    def lay(self, card: Card) -> None:
        """Lay a card that fits; its outer neighbours fit from now on."""
        self.open.discard(card)
        self.open.update(self._next[card])


class SinglePile:
    """One pile, on which a card must be one rank above or below the top one.

    Whatever its suit. The pile is opened with a jack, or with any card by a hand that has none
    (C-K1)."""

    def __init__(
        self, ranks: str, *, wrap: bool, order: str = "natural", top: Card | None = None
    ) -> None:
        self._beside = _beside(tuple(rank for rank in RANK_ORDERS[order] if rank in ranks), wrap)
        self.top = top

    def layable(self, hand: Collection[Card]) -> list[Card]:
        """Return the cards of a hand that may be laid on the top one, or open the pile."""
        if self.top is None:
            jacks = [card for card in hand if card[0] == PIVOT]
            return jacks or list(hand)
        beside = self._beside[self.top[0]]
        return [card for card in hand if card[0] in beside]

    def fits(self, card: Card, hand: Collection[Card] | None) -> bool:
        """Return whether the card may be laid on the top one, or open the pile."""
        if self.top is not None:
            return card[0] in self._beside[self.top[0]]
        return hand is None or card in self.layable(hand)

    def lay(self, card: Card) -> None:
        """Lay a card on top."""
        self.top = card


class Trex:
    """One deal of Trex while it is played; unknown hands are None.

    `again` is the seat that laid an ace and may lay once more; it is then on turn, and may decline
    silently. `free` means that everybody was stuck and the seat on turn lays any card."""

    trick = None

    def __init__(
        self, ruleset: Ruleset, hands: Sequence[Collection[Card] | None], starter: Seat
    ) -> None:
        self.hands = [None if hand is None else set(hand) for hand in hands]
        self.left = [ruleset.cards_per_hand] * 4
        self.turn = starter
        self.finish_order: list[Seat] = []
        self.again = self.free = False
        self.layout = new_layout(ruleset)
        self._ruleset = ruleset
        self._step = -1 if ruleset.trex_direction == "reverse" else 1
        self._passes = 0
        self._last: Seat | None = None

    @property
    def over(self) -> bool:
        """Whether only one seat is left."""
        return len(self.finish_order) >= 3

    def legal(self) -> list[Card]:
        """Return the cards that the seat on turn may lay; only for a known hand."""
        hand = self.hands[self.turn]
        assert hand is not None
        return sorted(hand if self.free else self.layout.layable(hand))

    def moves(self) -> list[Card | None]:
        """Return the moves of the seat on turn: a legal card, or a pass (None) where allowed."""
        legal = self.legal()
        may_pass = not legal or (self.again and self._ruleset.ace_replay == "may")
        return [*legal, None] if may_pass else list(legal)

    def fault(self, card: Card | None) -> PlayFault | None:
        """Return the fault of a card, or of a pass (None), of the seat on turn."""
        if card is None:
            return self._pass_fault()
        hand = self.hands[self.turn]
        if self.free or self.layout.fits(card, hand):
            return None
        return PlayFault(BreachCode.NOT_ADJACENT, () if hand is None else tuple(self.legal()))

    def lay(self, card: Card | None) -> None:
        """Lay a card that fits, or pass (None)."""
        if card is None:
            self._pass()
            return
        seat = self.turn
        hand = self.hands[seat]
        if hand is not None:
            hand.discard(card)
        self.left[seat] -= 1
        self.layout.lay(card)
        self._passes, self._last = 0, seat
        if self.left[seat] == 0:
            self.finish_order.append(seat)
        elif self._replays(card):
            self.again = True
            return
        self._to(self._after(seat))

    def yields_to(self, seat: Seat) -> bool:
        """Return whether the seat on turn may silently leave its turn to this seat.

        As after an ace."""
        return self.again and seat == self._after(self.turn)

    def stuck(self) -> tuple[int, Seat | None]:
        """How many have passed in a row, and who laid the last card."""
        return self._passes, self._last

    def _pass_fault(self) -> PlayFault | None:
        if self.hands[self.turn] is None or (self.again and self._ruleset.ace_replay == "may"):
            return None
        legal = self.legal()
        return PlayFault(BreachCode.PASS_WHEN_ABLE, tuple(legal)) if legal else None

    def _replays(self, card: Card) -> bool:
        """Return whether this ace, not the last card, gives the right to lay again (C-B11)."""
        if card[0] != "A" or self._ruleset.ace_replay == "off":
            return False
        return not self.again or self._ruleset.ace_replay_chain

    def _pass(self) -> None:
        if self.again:
            self._to(self._after(self.turn))
            return
        self._passes = 0 if self.free else self._passes + 1
        if self._last is not None and self._passes >= 4 - len(self.finish_order):
            self._to(self._freed(self._last))
            self.free = True
        else:
            self._to(self._after(self.turn))

    def _freed(self, last: Seat) -> Seat:
        """Return who may lay any card when all still in have passed in a row (C-K1)."""
        stays = self._ruleset.pile.stuck == "last_player_any" and self.left[last] > 0
        return last if stays else self._after(last)

    def _to(self, seat: Seat) -> None:
        self.turn = seat
        self.again = self.free = False

    def _after(self, seat: Seat) -> Seat:
        """Return the next seat in Trex direction that still has cards."""
        for steps in (1, 2, 3):
            following = (seat + steps * self._step) % 4
            if self.left[following]:
                return following
        return seat


def new_layout(ruleset: Ruleset) -> Layout:
    """Return the empty layout of a table."""
    if ruleset.trex_layout == "suit_rows":
        return SuitRows(ruleset.layout_rank_order)
    ranks = "".join({card[0] for card in ruleset.deck})
    return SinglePile(ranks, wrap=ruleset.pile.wrap, order=ruleset.layout_rank_order)


@cache
def next_cards(order: str) -> Mapping[Card, tuple[Card, ...]]:
    """Return for each card those that fit once it is laid.

    Outward from the jack, both ways for a jack."""
    ranks = RANK_ORDERS[order]
    pivot = ranks.index(PIVOT)
    return {
        rank + suit: tuple(ranks[there] + suit for there in _outward(place, pivot, len(ranks)))
        for place, rank in enumerate(ranks)
        for suit in SUITS
    }


def _outward(place: int, pivot: int, count: int) -> Iterable[int]:
    ways = (-1, 1) if place == pivot else ((-1,) if place < pivot else (1,))
    return [place + way for way in ways if 0 <= place + way < count]


@cache
def _beside(ranks: tuple[str, ...], wrap: bool) -> Mapping[str, frozenset[str]]:
    """Return for each rank the ranks that may follow it on the pile."""
    last = len(ranks) - 1
    beside = {
        rank: {ranks[place] for place in (at - 1, at + 1) if 0 <= place <= last}
        for at, rank in enumerate(ranks)
    }
    if wrap:
        beside[ranks[0]].add(ranks[last])
        beside[ranks[last]].add(ranks[0])
    return {rank: frozenset(both) for rank, both in beside.items()}
