"""The check of trick contracts, one array operation for many deals.

All cards of a deal are known: behind the cards played stand those left in the hands, in made-up
tricks. A play is legal if the cards that its seat still holds contain none that would have bound
it: a card of the suit led, or another suit beside a heart that was led too early. So each play
excludes some cards, and none of these may be played by its seat later on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scoring.archive.card_bytes import (
    CARD,
    SEAT,
    SUIT,
    Bits,
    Bytes,
    Flags,
    by_strength,
    card_byte,
    deck_bits,
    distinct,
    mask_of,
    seats_equal,
)
from scoring.replay.play.tricks import DumpRule
from scoring.rules import Contract, Item, Ruleset
from scoring.rules.cards import KING_OF_HEARTS, QUEENS, Card
from scoring.rules.deal.legality import hearts_banned
from scoring.rules.seats import SEATS

HEART = 0x40
OTHER_SUITS = np.uint16(0x1101)
"""By suit (four bits each) the bit of seat 0 in spades, diamonds and clubs."""
ALL_SEATS = np.uint16(0xF)
HEARTS_SHOWN = 0xF0


@dataclass(frozen=True)
class Taken:
    """A named card by deal: who took it (0 where nobody has), who led the trick and who held it;
    whether it was played."""

    by: Bytes
    leader: Bytes
    holder: Bytes
    is_played: Flags


class TrickPass:
    """Deals of one trick contract by one set of rules.

    `cards` has a row for each card in the order played, `played` the number of tricks that were
    played of each deal, `leader` who leads first."""

    def __init__(
        self, contract: Contract, ruleset: Ruleset, cards: Bytes, played: Bytes, leader: Bytes
    ) -> None:
        self.contract, self.ruleset, self.played = contract, ruleset, played
        self.size = ruleset.cards_per_hand
        self.order = ruleset.rank_order
        self.cards = by_strength(np.ascontiguousarray(cards), self.order)
        self.tricks = self.cards.reshape(self.size, 4, -1)
        self.lead = self.tricks[:, 0]
        # Cards of the suit led get the highest suit, so that the highest byte takes the trick.
        turned = self.tricks ^ ((self.lead & SUIT) ^ SUIT)[:, None]
        highest = np.maximum(
            np.maximum(turned[:, 0], turned[:, 1]), np.maximum(turned[:, 2], turned[:, 3])
        )
        self.winner = highest & SEAT
        self.leader = np.concatenate([leader[None], self.winner[:-1]])
        self.all_played = bool((played == self.size).all())

    def legal(self) -> Flags:
        """Whether nothing is wrong with the cards played: each of the deck once, each seat in its
        turn, no breach."""
        good = distinct(self.cards, deck_bits(self.ruleset.deck, self.order))
        good &= self._in_turn()
        good &= self._keeps_excluded()
        dump = DumpRule(self.contract, self.ruleset)
        if dump.kind:
            good &= self._dumps(dump)
        return good

    def taken(self, card: Card) -> Taken:
        """What became of this card."""
        here = mask_of(self._bare == np.uint8(card_byte(card, self.order)))
        holder = np.bitwise_or.reduce(here & self.cards, axis=0) & SEAT
        tricks = np.bitwise_or.reduce(here.reshape(self.tricks.shape), axis=1)
        if not self.all_played:
            tricks &= self._counted
        return Taken(
            by=np.bitwise_or.reduce(tricks & self.winner, axis=0),
            leader=np.bitwise_or.reduce(tricks & self.leader, axis=0),
            holder=holder,
            is_played=np.bitwise_or.reduce(tricks, axis=0) != 0,
        )

    def counts(self, item: Item) -> list[Bytes]:
        """How many of an item of many (tricks, hearts, diamonds) each seat took."""
        amount = self._amount(item)
        return [np.add.reduce(each & amount, axis=0, dtype=np.uint8) for each in self._won]

    @property
    def last(self) -> Bytes:
        """Who took the last trick of a deal that was played to the end."""
        return self.winner[-1]

    def is_settled(self, taken: Mapping[Card, Taken], counts: Mapping[Item, list[Bytes]]) -> Flags:
        """Whether no points are open any more, by what was taken of each item."""
        ended = self.played == self.size
        if self.ruleset.early_end == "off" or self.all_played:
            return ended
        settled = np.ones(len(ended), np.bool_)
        for item in self.contract.items:
            settled &= self._is_taken(item, taken, counts)
        return settled | ended

    def _is_taken(
        self, item: Item, taken: Mapping[Card, Taken], counts: Mapping[Item, list[Bytes]]
    ) -> Flags:
        if item in (Item.TRICKS, Item.LAST_TRICK):
            return np.zeros(len(self.played), np.bool_)
        if item in counts:
            return np.add.reduce(counts[item]) == self.ruleset.how_many(item)
        cards = [KING_OF_HEARTS] if item is Item.KING else QUEENS
        return np.logical_and.reduce([taken[card].is_played for card in cards])

    @cached_property
    def _bare(self) -> Bytes:
        return self.cards & np.uint8(CARD)

    @cached_property
    def _counted(self) -> Bytes:
        """0xFF for each trick that was played."""
        return mask_of(np.arange(self.size, dtype=np.uint8)[:, None] < self.played)

    @cached_property
    def _won(self) -> list[Bytes]:
        """By seat 0xFF for each trick that it took."""
        if self.all_played:
            return [seats_equal(self.winner, seat) for seat in SEATS]
        return [seats_equal(self.winner, seat) & self._counted for seat in SEATS]

    def _amount(self, item: Item) -> Bytes:
        """How many of an item lie in each trick."""
        if item is Item.TRICKS:
            return np.ones((1, 1), np.uint8)
        suit = HEART if item is Item.HEARTS else 0x80
        here = ((self.tricks & SUIT) == suit).view(np.uint8)
        return here[:, 0] + here[:, 1] + here[:, 2] + here[:, 3]

    def _in_turn(self) -> Flags:
        wrong = np.bitwise_or.reduce(
            [self.tricks[:, place] ^ (self.leader + np.uint8(place)) for place in SEATS]
        )
        return (np.bitwise_or.reduce(wrong, axis=0) & SEAT) == 0

    def _keeps_excluded(self) -> Flags:
        """Whether no seat plays a card later that it had to play before. By trick a bit for each
        suit and seat: suit * 4 + seat."""
        places = (self.cards & np.uint8(SUIT)) >> np.uint8(4) | self.cards & np.uint8(SEAT)
        each = (np.uint16(1) << places.astype(np.uint16)).reshape(self.tricks.shape)
        shown = np.bitwise_or.reduce(each, axis=1)
        led = ((self.lead & np.uint8(SUIT)) >> np.uint8(4)).astype(np.uint16)
        excluded = (ALL_SEATS << led) & ~shown
        if hearts_banned(False, self.contract.parts, self.ruleset):
            early = np.negative(self._early_hearts(shown).view(np.uint8).astype(np.uint16))
            excluded |= (OTHER_SUITS << self.leader.astype(np.uint16)) & early
        return self._kept(shown, excluded)

    def _kept(self, shown: Bits | Bytes, excluded: Bits | Bytes) -> Flags:
        """Whether nothing that a played trick excludes is shown in a later one."""
        if not self.all_played:
            excluded &= mask_of_type(self._counted, excluded.dtype)
        for trick in range(1, self.size):
            excluded[trick] |= excluded[trick - 1]
        return np.bitwise_or.reduce(excluded[:-1] & shown[1:], axis=0) == 0

    def _early_hearts(self, shown: Bits) -> Flags:
        """By trick whether a heart is led that only a hand of hearts may lead."""
        rule = self.ruleset.hearts_lead
        is_led = (self.lead & np.uint8(SUIT)) == HEART
        if rule.mode != "until_broken":
            return is_led
        breaks = (shown & np.uint16(HEARTS_SHOWN)) != 0
        if not rule.forced_lead_breaks:
            breaks &= ~is_led
        for trick in range(1, self.size):
            breaks[trick] |= breaks[trick - 1]
        is_led[1:] &= ~breaks[:-1]
        return is_led

    def _dumps(self, rule: DumpRule) -> Flags:
        """Whether each seat that cannot follow, or follows hearts under the ace, plays the card
        that `must_dump` asks for. By trick a bit for each seat that plays such a card."""
        wanted = self._is_one_of([KING_OF_HEARTS] if rule.kind == "king" else rule.penalties)
        seats = np.uint8(1) << (self.tricks & SEAT)
        follows = ((self.tricks ^ self.lead[:, None]) & SUIT) == 0
        bound = ~follows
        if rule.kind == "king":
            bound |= follows & self._under_ace()
        shown = np.bitwise_or.reduce(seats * wanted.view(np.uint8), axis=1)
        failing = (bound & ~wanted)[:, 1:].view(np.uint8)
        excluded = np.bitwise_or.reduce(seats[:, 1:] * failing, axis=1)
        return self._kept(shown, excluded)

    def _under_ace(self) -> Flags:
        """Whether A♥ lies in a trick of hearts before a card is played."""
        is_ace = self._is_one_of(["AH"]) & ((self.lead & SUIT) == HEART)[:, None]
        under = np.zeros_like(is_ace)
        for place in (1, 2, 3):
            under[:, place] = under[:, place - 1] | is_ace[:, place - 1]
        return under

    def _is_one_of(self, cards: list[Card] | frozenset[Card]) -> Flags:
        bare = self._bare.reshape(self.tricks.shape)
        return np.logical_or.reduce([bare == card_byte(card, self.order) for card in cards])


def mask_of_type(mask: Bytes, dtype: np.dtype) -> Bits | Bytes:
    """The mask with all bits of the type set."""
    return np.negative((mask & 1).astype(dtype))
