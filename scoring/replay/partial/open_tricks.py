"""Range of what the remaining tricks may bring each seat: the least and most of each item.

Over every way to play on without a breach.

Cards that are worth the same and lie next to each other in one known hand are one way, not several.
Exact while the ways can be counted; else the search stops after some tricks, and what lies beyond
is only known to go to somebody, which makes the bounds wider, never wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import ge, le
from typing import NamedTuple

from scoring.replay.play.quick import BITS, HEARTS, OF_SUIT
from scoring.replay.play.tricks import DumpRule
from scoring.rules import Contract, Item, Ruleset
from scoring.rules.deal.legality import hearts_banned
from scoring.rules.items import counts_card
from scoring.rules.seats import SEATS, Seat

type Masks = tuple[int, ...]
"""By seat the cards that it may hold."""
type Sums = tuple[int, ...]


class TooMany(Exception):
    """Raised where there are more ways to play on than may be tried."""


class Range(NamedTuple):
    """The least and the most, by item and seat in one row: item * 4 + seat."""

    least: Sums
    most: Sums


class Position(NamedTuple):
    """The position before a trick.

    `masks` are the cards each seat may hold: all it holds where the hand is known, else more. Every
    seat has `left` cards; `unseen` are all that are left."""

    leader: Seat
    broken: bool
    masks: Masks
    unseen: int
    left: int


@dataclass
class OpenTricks:
    """A search through the rest of one deal. `taker` says who is known to take a card, by bit;
    `limit` is how many plays are looked at before `TooMany`. With `queens_apart` each queen is an
    item of its own. `is_cut` says after a search whether it stopped before the end of the deal."""

    contract: Contract
    ruleset: Ruleset
    taker: Mapping[int, Seat]
    limit: int
    queens_apart: bool = False

    def __post_init__(self) -> None:
        bits = BITS[self.ruleset.rank_order]
        self.items, self.masks = [], []
        for item in self.contract.items:
            cards = [bit for card, bit in bits.items() if counts_card(item, card)]
            apart = self.queens_apart and item is Item.QUEENS
            self.masks += cards if apart else [sum(cards)]
            self.items += [item] * (len(cards) if apart else 1)
        dump = DumpRule(self.contract, self.ruleset)
        self.dump = dump.kind
        self.penalties = sum(bits[card] for card in dump.penalties)
        self.king, self.ace = bits["KH"], bits["AH"]
        self.kinds = self._kinds()
        self.seen: dict[tuple[Position, int], Range | None] = {}
        self.spreads: dict[Position, dict[Sums, int]] = {}
        self.dead: set[tuple[Position, Range]] = set()
        self.is_cut = False

    @cached_property
    def hearts_closed(self) -> bool:
        """Whether hearts may not be led before they are broken."""
        return hearts_banned(False, self.contract.parts, self.ruleset)

    @cached_property
    def always_closed(self) -> bool:
        """Whether breaking hearts changes nothing."""
        return hearts_banned(True, self.contract.parts, self.ruleset)

    def rest(self, position: Position, lying: Sequence[int], depth: int) -> Range | None:
        """Return what the open trick, begun with the cards `lying`, and all later ones may bring.

        None if there is no way to play on. Only `depth` tricks are tried."""
        if not lying:
            return self._from(position, depth)
        order = [(position.leader + place) % 4 for place in range(4)]
        widest = self.anything(position._replace(unseen=position.unseen | sum(lying)))
        return self._union(self._trick(position, order, tuple(lying), depth), widest)

    def can_bring(self, position: Position, lying: Sequence[int], wanted: Range) -> bool:
        """Return whether some way to play on brings exactly the `wanted` numbers.

        By item and seat."""
        order = [(position.leader + place) % 4 for place in range(4)]
        if lying:
            return self._trick_brings(position, order, tuple(lying), wanted)
        if (position, wanted) in self.dead or not _can_be_dealt(position):
            return False
        if not position.left or not self._is_open(position):
            return not any(n > 0 for n in wanted.least)
        least, most = self.anything(position)
        within = all(map(le, least, wanted.most)) and all(map(ge, most, wanted.least))
        if within and self._trick_brings(position, order, (), wanted):
            return True
        self.dead.add((position, wanted))
        return False

    def _trick_brings(
        self, position: Position, order: Sequence[Seat], lying: tuple[int, ...], wanted: Range
    ) -> bool:
        if len(lying) < 4:
            return any(
                self._trick_brings(after, order, cards, wanted)
                for after, cards in self._plays(position, order, lying)
            )
        winner = self._winner(order, lying)
        if winner is None:
            return False
        left = position.left - 1
        least, most = list(wanted.least), list(wanted.most)
        for number, gain in enumerate(self._gains(lying, left)):
            least[4 * number + winner] -= gain
            most[4 * number + winner] -= gain
        after = position._replace(leader=winner, left=left)
        return min(most) >= 0 and self.can_bring(after, (), Range(tuple(least), tuple(most)))

    def narrowed(self, position: Position, lying: Sequence[int], widest: Range) -> Range | None:
        """Return the range of each number, searched one by one inside `widest`.

        None if there is no way to play on."""
        least, most = list(widest.least), list(widest.most)
        for number in range(len(least)):
            for end, step in ((least, 1), (most, -1)):
                while not self.can_bring(position, lying, _only(widest, number, end[number])):
                    end[number] += step
                    if least[number] > most[number]:
                        return None
        return Range(tuple(least), tuple(most))

    def outcomes(self, position: Position, lying: tuple[int, ...]) -> Mapping[Sums, int]:
        """Return in how many ways the rest brings what, by item and seat.

        A way is a sequence of cards. Raises TooMany."""
        if lying:
            return self._spread(position, lying)
        if not position.left:
            return {(0,) * (4 * len(self.items)): 1}
        if not _can_be_dealt(position):
            return {}
        if position not in self.spreads:
            self.spreads[position] = self._spread(position, ())
        return self.spreads[position]

    def _spread(self, position: Position, lying: tuple[int, ...]) -> dict[Sums, int]:
        order = [(position.leader + place) % 4 for place in range(4)]
        found: dict[Sums, int] = {}
        if len(lying) == 4:
            winner = self._winner(order, lying)
            if winner is None:
                return {}
            left = position.left - 1
            gains = list(self._gains(lying, left))
            rest = self.outcomes(position._replace(leader=winner, left=left), ())
            for sums, ways in rest.items():
                total = list(sums)
                for number, gain in enumerate(gains):
                    total[4 * number + winner] += gain
                found[tuple(total)] = found.get(tuple(total), 0) + ways
            return found
        seat = order[len(lying)]
        for bit, length in self._runs(position, seat, lying):
            after = self._after_play(position, seat, lying, bit)
            if after is None:
                continue
            for sums, ways in self._spread(after, (*lying, bit)).items():
                found[sums] = found.get(sums, 0) + length * ways
        return found

    def anything(self, position: Position) -> Range:
        """Return the range where known cards go to their takers and all others to anybody."""
        least, most = [], []
        known = [sum(bit for bit, by in self.taker.items() if by == seat) for seat in SEATS]
        known = [mask & position.unseen for mask in known]
        tricks = [-(-mask.bit_count() // 4) for mask in known]
        for item, mask in zip(self.items, self.masks, strict=True):
            if mask:
                own = [(mask & each).bit_count() for each in known]
                free = (mask & position.unseen).bit_count() - sum(own)
            elif item is Item.TRICKS:
                own, free = tricks, position.left - sum(tricks)
            else:
                own, free = [0] * 4, 1
            least += own
            most += [each + free for each in own]
        return Range(tuple(least), tuple(most))

    def _from(self, position: Position, depth: int) -> Range | None:
        if not _can_be_dealt(position):
            return None
        if not position.left or not self._is_open(position):
            return self._nothing
        if depth == 0:
            self.is_cut = True
            return self.anything(position)
        key = (position, depth)
        if key not in self.seen:
            order = [(position.leader + place) % 4 for place in range(4)]
            widest = self.anything(position)
            self.seen[key] = self._union(self._trick(position, order, (), depth), widest)
        return self.seen[key]

    def _is_open(self, position: Position) -> bool:
        """Return whether anything that counts can still be taken."""
        return any(mask & position.unseen or not mask for mask in self.masks)

    def _trick(
        self, position: Position, order: Sequence[Seat], lying: tuple[int, ...], depth: int
    ) -> Iterator[Range | None]:
        """Yield what follows from each way to finish this trick."""
        if len(lying) == 4:
            yield self._after(position, order, lying, depth)
            return
        for after, cards in self._plays(position, order, lying):
            yield from self._trick(after, order, cards, depth)

    def _plays(
        self, position: Position, order: Sequence[Seat], lying: tuple[int, ...]
    ) -> Iterator[tuple[Position, tuple[int, ...]]]:
        """Yield the next card of the trick in every way that differs, with the table after it."""
        seat = order[len(lying)]
        for bit in self._different(position, seat, lying):
            after = self._after_play(position, seat, lying, bit)
            if after is not None:
                yield after, (*lying, bit)

    def _after_play(
        self, position: Position, seat: Seat, lying: tuple[int, ...], bit: int
    ) -> Position | None:
        """Return the position after a card; None if the rest cannot be legal."""
        self.limit -= 1
        if self.limit < 0:
            raise TooMany
        left = position.masks[seat] & ~bit & ~self._excluded(position, lying, bit)
        if left.bit_count() < position.left - 1:
            return None
        masks = tuple(
            left if each == seat else mask & ~bit for each, mask in enumerate(position.masks)
        )
        return position._replace(
            masks=masks,
            unseen=position.unseen & ~bit,
            broken=position.broken or self._breaks(lying, bit),
        )

    def _different(self, position: Position, seat: Seat, lying: tuple[int, ...]) -> Iterator[int]:
        """Yield the cards that this seat may play, one of each run."""
        return (bit for bit, _ in self._runs(position, seat, lying))

    def _runs(
        self, position: Position, seat: Seat, lying: tuple[int, ...]
    ) -> list[tuple[int, int]]:
        """Return the lowest card of each run that this seat may play, and the length of the run.

        A run are cards that only this seat may hold, that count alike, and between which no other
        is still about."""
        present = position.unseen | sum(lying)
        own = position.masks[seat]
        for other, mask in enumerate(position.masks):
            own &= ~mask if other != seat else -1
        found: list[tuple[int, int]] = []
        for bit in bits_of(position.masks[seat]):
            below = present & (bit - 1) & _suit(bit)
            before = 1 << below.bit_length() - 1 if below else 0
            if bit & own and before & own and self.kinds[bit] == self.kinds[before]:
                first, length = found[-1]
                found[-1] = first, length + 1
            else:
                found.append((bit, 1))
        return found

    def _kinds(self) -> dict[int, tuple[object, ...]]:
        """Return for each card all that tells it from its neighbour, except its rank."""
        marks = [*self.masks, *([self.king, self.ace] if self.dump == "king" else ())]
        return {
            bit: (self.taker.get(bit), *(bool(bit & mark) for mark in marks))
            for bit in BITS[self.ruleset.rank_order].values()
        }

    def _excluded(self, position: Position, lying: tuple[int, ...], bit: int) -> int:
        """Return the cards that this seat cannot hold if this play is legal."""
        if not lying:
            closed = self.hearts_closed and (self.always_closed or not position.broken)
            return ~HEARTS if bit & HEARTS and closed else 0
        suit = _suit(lying[0])
        if not self.dump:
            return 0 if bit & suit else suit
        if bit & suit:
            under_ace = self.dump == "king" and suit == HEARTS and self.ace in lying
            return self.king if under_ace else 0
        must = self.king if self.dump == "king" else self.penalties
        return suit | (0 if bit & must else must)

    def _breaks(self, lying: tuple[int, ...], bit: int) -> bool:
        """Return whether a heart that is led breaks hearts: it is forced, or else a breach."""
        if not bit & HEARTS or not self.hearts_closed:
            return False
        if lying:
            return not lying[0] & HEARTS
        return self.ruleset.hearts_lead.forced_lead_breaks

    def _after(
        self, position: Position, order: Sequence[Seat], lying: tuple[int, ...], depth: int
    ) -> Range | None:
        winner = self._winner(order, lying)
        if winner is None:
            return None
        left = position.left - 1
        rest = self._from(position._replace(leader=winner, left=left), depth - 1)
        if rest is None:
            return None
        least, most = list(rest.least), list(rest.most)
        for number, gain in enumerate(self._gains(lying, left)):
            least[4 * number + winner] += gain
            most[4 * number + winner] += gain
        return Range(tuple(least), tuple(most))

    def _winner(self, order: Sequence[Seat], lying: tuple[int, ...]) -> Seat | None:
        """Return who takes these four cards.

        None if one of them is known to be with another seat."""
        suit = _suit(lying[0])
        follow = [bit & suit for bit in lying]
        winner = order[follow.index(max(follow))]
        return winner if all(self.taker.get(bit, winner) == winner for bit in lying) else None

    def _gains(self, lying: tuple[int, ...], left: int) -> Iterator[int]:
        """Return what these four cards bring their winner, by item; `left` tricks follow."""
        pile = sum(lying)
        for item, mask in zip(self.items, self.masks, strict=True):
            yield (pile & mask).bit_count() if mask else int(item is Item.TRICKS or not left)

    @property
    def _nothing(self) -> Range:
        zeros = (0,) * (4 * len(self.items))
        return Range(zeros, zeros)

    def _union(self, ranges: Iterator[Range | None], widest: Range) -> Range | None:
        """Return the least and the most of all ranges, ending once `widest` is reached."""
        least: Sums | None = None
        most: Sums = ()
        for each in ranges:
            if each is None:
                continue
            if least is None:
                least, most = each
            elif each.least != least or each.most != most:
                least = tuple(map(min, least, each.least))
                most = tuple(map(max, most, each.most))
            if least == widest.least and most == widest.most:
                break
        return None if least is None else Range(least, most)


def _only(widest: Range, number: int, value: int) -> Range:
    """Return these ends with one number fixed."""
    least, most = list(widest.least), list(widest.most)
    least[number] = most[number] = value
    return Range(tuple(least), tuple(most))


def _suit(bit: int) -> int:
    return next(mask for mask in OF_SUIT.values() if mask & bit)


def bits_of(mask: int) -> Iterator[int]:
    """Yield the single bits of a mask, from the lowest."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def _can_be_dealt(position: Position) -> bool:
    """Return whether the cards left can be dealt to the seats that may hold them."""
    return can_be_dealt(position.masks, position.unseen, (position.left,) * 4)


def can_be_dealt(masks: Masks, unseen: int, left: Sequence[int]) -> bool:
    """Check Hall's condition over the sets of seats.

    No set of seats may have fewer cards, or be the only ones for more, than it has room for."""
    sizes = [mask.bit_count() for mask in masks]
    if sizes == list(left):  # all known: dealt already
        return masks[0] | masks[1] | masks[2] | masks[3] == unseen
    if any(size < least for size, least in zip(sizes, left, strict=True)):
        return False
    for chosen in range(16):
        others = room = 0
        for seat in SEATS:
            if chosen >> seat & 1:
                room += left[seat]
            else:
                others |= masks[seat]
        if (unseen & ~others).bit_count() > room:
            return False
    return True
