"""Prices: what each fact is worth to each seat in one kind of deal.

Every price comes from `rules.points`: what a diamond costs a seat is the points of a tally with
that one diamond in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple

from scoring.finder.effort import Effort
from scoring.rules import Contract, Double, Entry, Item, Ruleset, Tally, doublable, points, worth
from scoring.rules.cards import KING_OF_HEARTS, QUEENS
from scoring.rules.deal.doubling import LEADER_RULES, captures
from scoring.rules.items import COUNTED
from scoring.rules.ranking import Four
from scoring.rules.seats import SEATS, Seat

NOTHING: Four = (0, 0, 0, 0)


class Fate(NamedTuple):
    """What became of one card, and what that is worth to the four.

    Who took it, who had doubled it, who led the trick (where that counts)."""

    taker: Seat
    doubler: Seat | None
    leader: Seat | None
    worth: Four


type Ways = dict[Four, list[tuple[Fate, ...]]]


class Prices:
    """The prices of one contract, chooser and "forced"."""

    def __init__(
        self,
        ruleset: Ruleset,
        contract: Contract,
        chooser: Seat | None,
        forced: bool,
        effort: Effort,
    ) -> None:
        self.ruleset = ruleset
        self.effort = effort
        self.contract = contract
        self.chooser = chooser
        self.forced = forced
        self._queen_ways: dict[int, Ways] = {}

    def entry(self, tally: Tally) -> Entry:
        """Return the entry with these facts."""
        return Entry(self.contract, self.chooser, self.forced, tally)

    def scores(self, tally: Tally) -> Four:
        """Return what these facts are worth, complete or not."""
        return points(self.entry(tally), self.ruleset).scores

    @cached_property
    def counted(self) -> tuple[Item, ...]:
        """The items that are four counts."""
        return tuple(item for item in self.contract.items if item in COUNTED)

    @cached_property
    def units(self) -> dict[Item, Four]:
        """What one of an item is worth to each seat that takes it."""
        return {item: self._unit(item) for item in self.contract.items}

    def _unit(self, item: Item) -> Four:
        by_seat = [self.scores(_one(item, seat))[seat] for seat in SEATS]
        return by_seat[0], by_seat[1], by_seat[2], by_seat[3]

    @cached_property
    def loss(self) -> Four:
        """What losing fifty_one is worth to each seat."""
        one, two, three, four = (self.scores(Tally(loser=seat))[seat] for seat in SEATS)
        return one, two, three, four

    @cached_property
    def factors(self) -> Four:
        """The factor by which each seat's points are multiplied."""
        one, two, three, four = (self._factor(seat) for seat in SEATS)
        return one, two, three, four

    def _factor(self, seat: Seat) -> int:
        for item, by_seat in self.units.items():
            if one := worth(self.ruleset, item, 1):
                return by_seat[seat] // one
        return 1

    def reduced(self, four: Four) -> int | None:
        """Return the sum of four numbers with the factors taken out.

        None where they do not divide."""
        if any(part % factor for part, factor in zip(four, self.factors, strict=True)):
            return None
        return sum(part // factor for part, factor in zip(four, self.factors, strict=True))

    @cached_property
    def counted_sum(self) -> int:
        """What all counted items add up to, factors taken out."""
        rules = self.ruleset
        return sum(worth(rules, item, rules.how_many(item)) for item in self.counted)

    @cached_property
    def sums(self) -> frozenset[int]:
        """Everything that four numbers can add up to, factors taken out.

        Unless a kabbout reverses the deal or an arbiter intervenes."""
        found = {self.counted_sum}
        cards = [self.king_fates, *[self.queen_fates] * 4]
        if Item.LAST_TRICK in self.contract.items:
            found = {self.counted_sum + worth(self.ruleset, Item.LAST_TRICK, 1)}
        for fates in filter(None, cards):
            found = {each + one for each in found for one in self._reduced(fates)}
        return frozenset(found)

    def _reduced(self, fates: Sequence[Fate]) -> set[int]:
        reduced = (self.reduced(fate.worth) for fate in fates)
        return {one for one in reduced if one is not None}

    @cached_property
    def king_fates(self) -> tuple[Fate, ...]:
        """Everything that can become of K♥."""
        if Item.KING not in self.contract.items:
            return ()
        return tuple(self._fates(Item.KING, KING_OF_HEARTS))

    @cached_property
    def queen_fates(self) -> tuple[Fate, ...]:
        """Everything that can become of one queen."""
        if Item.QUEENS not in self.contract.items:
            return ()
        return tuple(self._fates(Item.QUEENS, QUEENS[0]))

    def _fates(self, item: Item, card: str) -> Iterator[Fate]:
        for seat in SEATS:
            yield Fate(seat, None, None, self.scores(_one(item, seat)))
        if card in doublable(self.contract, self.ruleset):
            for seat, doubler in product(SEATS, SEATS):
                yield from self._doubled_fates(item, card, seat, doubler)

    def _doubled_fates(self, item: Item, card: str, seat: Seat, doubler: Seat) -> Iterator[Fate]:
        """Yield fates of a doubled card, without doubles that change nothing on a sheet."""
        plain = self.scores(_one(item, seat))
        for leader in self._leaders(item, card, seat, doubler):
            scores = self.scores(_one(item, seat, card, doubler, leader))
            if scores != plain:
                yield Fate(seat, doubler, leader, scores)

    def _leaders(self, item: Item, card: str, seat: Seat, doubler: Seat) -> Sequence[Seat | None]:
        rules = (c.rule for c in captures(_one(item, seat, card, doubler), self.ruleset))
        return SEATS if any(rule in LEADER_RULES for rule in rules) else (None,)

    @cached_property
    def unseen(self) -> dict[Item, frozenset[tuple[Seat, Seat]]]:
        """Taker and doubler of each double that changes nothing.

        None where that may depend on who led."""
        found: dict[Item, frozenset[tuple[Seat, Seat]]] = {}
        for card in doublable(self.contract, self.ruleset):
            item = Item.KING if card == KING_OF_HEARTS else Item.QUEENS
            if item not in found:
                pairs = product(SEATS, SEATS)
                found[item] = frozenset(pair for pair in pairs if self._is_unseen(item, *pair))
        return found

    def _is_unseen(self, item: Item, seat: Seat, doubler: Seat) -> bool:
        card = KING_OF_HEARTS if item is Item.KING else QUEENS[0]
        plain, doubled = _one(item, seat), _one(item, seat, card, doubler)
        known = self._leaders(item, card, seat, doubler) == (None,)
        return known and self.scores(plain) == self.scores(doubled)

    def queen_ways(self, doubles: int) -> Ways:
        """Return every way the four queens can go with so many doubled, by what it is worth.

        Which is which makes no difference. A double that counts for all four counts as one."""
        if doubles not in self._queen_ways:
            found: Ways = {}
            for way in self._ways(doubles):
                self.effort.spend(4)
                found.setdefault(total(fate.worth for fate in way), []).append(way)
            self._queen_ways[doubles] = found
        return self._queen_ways[doubles]

    def _ways(self, doubles: int) -> Iterator[tuple[Fate, ...]]:
        plain, doubled = self._plain_and_doubled
        if Item.QUEENS not in self.contract.items:
            yield from [()] if doubles == 0 else []
        elif doubles == 0:
            yield from combinations_with_replacement(plain, 4)
        elif self.ruleset.doubling.queens_unit == "per_queen" and doubles <= 4:
            for some in combinations_with_replacement(doubled, doubles):
                for rest in combinations_with_replacement(plain, 4 - doubles):
                    yield some + rest
        elif doubles == 1 and doubled:
            for doubler in SEATS:
                fates = [self._whole_fate(seat, doubler) for seat in SEATS]
                yield from combinations_with_replacement(fates, 4)

    @cached_property
    def _plain_and_doubled(self) -> tuple[tuple[Fate, ...], tuple[Fate, ...]]:
        plain = tuple(fate for fate in self.queen_fates if fate.doubler is None)
        return plain, tuple(fate for fate in self.queen_fates if fate.doubler is not None)

    def _whole_fate(self, seat: Seat, doubler: Seat | None) -> Fate:
        tally = _one(Item.QUEENS, seat, QUEENS[0], doubler)
        return Fate(seat, doubler, None, self.scores(tally))


def total(vectors: Iterator[Four]) -> Four:
    """Return the sum of some fours."""
    one = two = three = four = 0
    for vector in vectors:
        one, two = one + vector[0], two + vector[1]
        three, four = three + vector[2], four + vector[3]
    return one, two, three, four


def doubles_in(fates: Sequence[Fate]) -> int:
    """Return how many of these cards were doubled."""
    return sum(fate.doubler is not None for fate in fates)


def _one(
    item: Item,
    seat: Seat,
    card: str | None = None,
    doubler: Seat | None = None,
    leader: Seat | None = None,
) -> Tally:
    """Return a tally with nothing in it but one of an item."""
    card = card or (KING_OF_HEARTS if item is Item.KING else QUEENS[0])
    doubles = () if doubler is None else (Double(card, doubler),)
    leaders = None if leader is None else {card: leader}
    if item is Item.KING:
        return Tally(king_taken_by=seat, doubles=doubles, trick_leader=leaders)
    if item is Item.QUEENS:
        return Tally(queens_taken_by={card: seat}, doubles=doubles, trick_leader=leaders)
    if item is Item.LAST_TRICK:
        return Tally(last_trick_by=seat)
    counts = [int(each == seat) for each in SEATS]
    own: dict[str, Any] = {item: tuple(counts)}
    return Tally(**own)
