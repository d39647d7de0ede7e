"""Facts that can stand behind a line of points, likeliest first.

Fewest doubles first, then what an arbiter wrote down.

Three things cannot be seen in points and are left out: a double that changed nothing (`unseen` has
them), which of several like queens was which, and a revoke (its offender has what he might as well
have taken), unless the points can come about in no other way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product
from typing import Any

from scoring.finder.effort import FACTS, Effort
from scoring.finder.prices import NOTHING, Fate, Prices, Ways, doubles_in
from scoring.finder.sheet import WrittenLine
from scoring.finder.single import unseen_doubles
from scoring.rules import Contract, Double, Entry, Item, Ruleset, Tally, check
from scoring.rules.cards import KING_OF_HEARTS, QUEENS
from scoring.rules.deal.points import kabbout_item
from scoring.rules.ranking import Four
from scoring.rules.rulesets.offers import any_offer
from scoring.rules.seats import SEATS, Seat

type Counts = tuple[int, ...]
"""How many of each counted item one seat has."""


class PossibleFacts:
    """The possible facts of lines under one table's rules; results are cached."""

    def __init__(self, ruleset: Ruleset, effort: Effort | None = None) -> None:
        self.ruleset = ruleset
        self.effort = effort or Effort()
        self._prices: dict[tuple[Contract, Seat | None, bool], Prices] = {}
        self.offers = tuple(any_offer(ruleset))
        self._possible: dict[WrittenLine, bool] = {}

    def behind(self, line: WrittenLine) -> Iterator[Entry]:
        """Yield every entry that gives these points."""
        seen = False
        for prices in self.frames_of(line):
            for tally in _tallies(prices, line.points):
                seen = True
                yield prices.entry(tally)
        if not seen:
            for prices in self.frames_of(line):
                yield from map(prices.entry, _sound(at_fault(prices), prices, line.points))

    def is_possible(self, line: WrittenLine) -> bool:
        """Return whether any table can have produced the line."""
        if line not in self._possible:
            self._possible[line] = next(self.behind(line), None) is not None
        return self._possible[line]

    def unseen(self, entry: Entry) -> Iterator[Entry]:
        """Yield an entry without doubles with each double that changes no number."""
        prices = self.prices(entry.contract, entry.chooser, entry.forced)
        if entry.tally.doubles or not any(prices.unseen.values()):
            return
        for doubled in unseen_doubles(entry, self.ruleset, prices.unseen):
            self.effort.spend(FACTS)
            if not check(doubled, self.ruleset) and prices.scores(doubled.tally) == prices.scores(
                entry.tally
            ):
                yield doubled

    def prices(self, contract: Contract, chooser: Seat | None, forced: bool) -> Prices:
        """Return the prices of one kind of deal."""
        key = contract, chooser, forced
        if key not in self._prices:
            self._prices[key] = Prices(self.ruleset, *key, self.effort)
        return self._prices[key]

    def _frames(self, line: WrittenLine) -> Iterator[tuple[Contract, Seat | None, bool]]:
        """Yield possible contract, chooser and forced of a line, likeliest first.

        Only what is unknown and makes a difference varies."""
        rules = self.ruleset
        choosers: Sequence[Seat | None] = (line.chooser,)
        if line.chooser is None and rules.chooser_factor != 1:
            choosers = SEATS
        forced: Sequence[bool] = (False, True) if rules.forced_factor != 1 else (False,)
        if line.forced is not None:
            forced = (line.forced,)
        contracts = self.offers if line.contract is None else (line.contract,)
        for is_forced, contract, chooser in product(forced, contracts, choosers):
            yield contract, chooser, is_forced

    def frames_of(self, line: WrittenLine) -> Iterator[Prices]:
        """Yield the prices of each kind of deal that the line may be."""
        return (self.prices(*frame) for frame in self._frames(line))


def _tallies(prices: Prices, target: Four) -> Iterator[Tally]:
    special = prices.contract.special
    if special == "trex":
        yield from _one_each(orders(), prices, target)
    elif special == "fifty_one":
        yield from _sound(_losers(prices.ruleset), prices, target)
    else:
        yield from _sound(kabbouts(prices), prices, target)
        yield from _sound(_solved(prices, target), prices, target)


def _sound(tallies: Iterator[Tally], prices: Prices, target: Four) -> Iterator[Tally]:
    """Yield those tallies that give the points and are possible."""
    for tally in tallies:
        prices.effort.spend(FACTS)
        if prices.scores(tally) == target and not check(prices.entry(tally), prices.ruleset):
            yield tally


def _one_each(tallies: Iterator[Tally], prices: Prices, target: Four) -> Iterator[Tally]:
    """Yield only the first tally: places that are worth the same cannot be told apart."""
    found = next(_sound(tallies, prices, target), None)
    if found:
        yield found


def orders() -> Iterator[Tally]:
    return (Tally(finish_order=order) for order in permutations(SEATS))


def _losers(ruleset: Ruleset) -> Iterator[Tally]:
    yield from (Tally(loser=seat) for seat in SEATS)
    if ruleset.fifty_one_may_end_unlost:
        yield Tally()


def at_fault(prices: Prices) -> Iterator[Tally]:
    """Yield what an arbiter wrote down: a revoke from the first trick on, cheating, a forfeit."""
    rules, special = prices.ruleset, prices.contract.special
    if rules.revoke != "off" and not special:
        nothing: dict[str, Any] = {str(item): NOTHING for item in prices.counted}
        yield from (Tally(revoke_by=seat, **nothing) for seat in SEATS)
    if rules.cheat.amount is not None:
        yield from (Tally(cheat_by=seat) for seat in SEATS)
    if rules.forfeit_first_three and not special and prices.chooser is not None:
        yield Tally(forfeited=True)


# -- trick contracts


def kabbouts(prices: Prices) -> Iterator[Tally]:
    """Yield deals in which one seat took everything, where that reverses the deal."""
    contract, rules = prices.contract, prices.ruleset
    if kabbout_item(contract, rules) is not None:
        yield from (_all_to(seat, contract, rules) for seat in SEATS)


def _all_to(seat: Seat, contract: Contract, ruleset: Ruleset) -> Tally:
    found: dict[str, Any] = {}
    for item in contract.items:
        if item is Item.KING:
            found["king_taken_by"] = seat
        elif item is Item.LAST_TRICK:
            found["last_trick_by"] = seat
        else:
            found[item] = tuple(ruleset.how_many(item) * (each == seat) for each in SEATS)
    return Tally(**found)


def _solved(prices: Prices, target: Four) -> Iterator[Tally]:
    """Yield tallies that give the points: cards first, fewest doubles first, then counts.

    The takers of K♥ and of the last trick take turns, so that the first few facts are not all
    alike."""
    if prices.reduced(target) not in prices.sums:
        return
    solver = _Solver(prices)
    for doubles in range(MOST_DOUBLES + 1):
        yield from _in_turn(
            [_with_cards(prices, solver, target, cards) for cards in _cards(prices, doubles)]
        )


def _with_cards(prices: Prices, solver: _Solver, target: Four, cards: Cards) -> Iterator[Tally]:
    king, last, spent, ways = cards
    for queens_worth, queens_ways in ways.items():
        prices.effort.spend(2)
        left = _minus(target, _plus(spent, queens_worth))
        if prices.reduced(left) == prices.counted_sum:
            for counts, queens in product(solver.solve(left), queens_ways):
                yield from _named(prices, king, last, queens, counts)


def _in_turn[T](many: Sequence[Iterator[T]]) -> Iterator[T]:
    """Yield one of each iterator in turn, until all are exhausted."""
    left = list(many)
    while left:
        for one in list(left):
            try:
                yield next(one)
            except StopIteration:
                left.remove(one)


type Cards = tuple[Fate | None, Seat | None, Four, Ways]
"""What became of K♥ and the last trick, what that is worth, and how the queens may have gone."""


def _cards(prices: Prices, doubles: int) -> Iterator[Cards]:
    """Yield every way with so many doubled cards."""
    kings: Sequence[Fate | None] = prices.king_fates or (None,)
    lasts: Sequence[Seat | None] = SEATS if Item.LAST_TRICK in prices.contract.items else (None,)
    for king, last in product(kings, lasts):
        own = int(king is not None and king.doubler is not None)
        if own <= doubles and (ways := prices.queen_ways(doubles - own)):
            spent = king.worth if king else NOTHING
            if last is not None:
                spent = _plus(spent, _at(last, prices.units[Item.LAST_TRICK][last]))
            yield king, last, spent, ways


MOST_DOUBLES = 5


class _Solver:
    """Solver for counts that are worth given points: each seat alone, then all together."""

    def __init__(self, prices: Prices) -> None:
        self.effort = prices.effort
        self.items = prices.counted
        self.units = [[prices.units[item][seat] for item in self.items] for seat in SEATS]
        self.totals = tuple(prices.ruleset.how_many(item) for item in self.items)
        self.per_seat: list[dict[int, list[Counts]]] = [{}, {}, {}, {}]

    def solve(self, left: Four) -> Iterator[tuple[Counts, Counts, Counts, Counts]]:
        """Yield every way that uses up all there is."""
        options = [self._options(seat, left[seat]) for seat in SEATS]
        if not all(options):
            return
        last = dict.fromkeys(options[3])
        for one, two, three in product(*options[:3]):
            self.effort.spend()
            rest = tuple(
                everything - a - b - c
                for everything, a, b, c in zip(self.totals, one, two, three, strict=True)
            )
            if rest in last:
                yield one, two, three, rest

    def _options(self, seat: Seat, left: int) -> list[Counts]:
        known = self.per_seat[seat]
        if left not in known:
            self.effort.spend(FACTS)
            known[left] = list(_makings(left, self.units[seat], self.totals))
        return known[left]


def _makings(left: int, units: Sequence[int], totals: Sequence[int]) -> Iterator[Counts]:
    """Yield so many of each item that together they are worth this much."""
    if not units:
        if left == 0:
            yield ()
        return
    for count in range(totals[0] + 1):
        for rest in _makings(left - count * units[0], units[1:], totals[1:]):
            yield (count, *rest)


def _named(
    prices: Prices,
    king: Fate | None,
    last: Seat | None,
    queens: Sequence[Fate],
    counts: Sequence[Counts],
) -> Iterator[Tally]:
    """Return the tally of these fates.

    Doubled queens need names: the first that the rest allows."""
    found: dict[str, Any] = {"last_trick_by": last}
    doubles: list[Double] = []
    leaders: dict[str, Seat] = {}
    if king:
        found["king_taken_by"] = king.taker
        _note(king, KING_OF_HEARTS, doubles, leaders)
    for place, item in enumerate(prices.counted):
        found[item] = tuple(of_seat[place] for of_seat in counts)
    if not queens:
        yield _tally(found, doubles, leaders)
        return
    if not doubles_in(queens):
        found["queens"] = tuple(sum(fate.taker == seat for fate in queens) for seat in SEATS)
        yield _tally(found, doubles, leaders)
        return
    found["queens_taken_by"] = {}
    for way in dict.fromkeys(permutations(queens)):
        prices.effort.spend(FACTS)
        tally = _with_names(_tally(found, doubles, leaders), way, prices)
        if not check(prices.entry(tally), prices.ruleset):
            yield tally
            return


def _with_names(tally: Tally, way: Sequence[Fate], prices: Prices) -> Tally:
    doubles = list(tally.doubles)
    leaders = dict(tally.trick_leader or {})
    whole = prices.ruleset.doubling.queens_unit == "whole_contract"
    for card, fate in zip(QUEENS, way, strict=True):
        if not whole or card == QUEENS[0]:
            _note(fate, card, doubles, leaders)
    takers = {card: fate.taker for card, fate in zip(QUEENS, way, strict=True)}
    return replace(
        tally,
        queens_taken_by=takers,
        doubles=tuple(doubles),
        trick_leader=leaders or None,
    )


def _note(fate: Fate, card: str, doubles: list[Double], leaders: dict[str, Seat]) -> None:
    if fate.doubler is not None:
        doubles.append(Double(card, fate.doubler))
    if fate.leader is not None:
        leaders[card] = fate.leader


def _tally(found: dict[str, Any], doubles: list[Double], leaders: dict[str, Seat]) -> Tally:
    return Tally(**found, doubles=tuple(doubles), trick_leader=leaders or None)


def _at(seat: Seat, number: int) -> Four:
    by_seat = [number * (each == seat) for each in SEATS]
    return by_seat[0], by_seat[1], by_seat[2], by_seat[3]


def _plus(one: Four, other: Four) -> Four:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3]


def _minus(one: Four, other: Four) -> Four:
    return one[0] - other[0], one[1] - other[1], one[2] - other[2], one[3] - other[3]
