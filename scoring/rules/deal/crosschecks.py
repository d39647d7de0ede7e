"""Contradictions between the facts of one deal that no table can have produced.

A seat with t tricks holds 4t cards. K♥ and Q♥ are hearts, Q♦ is a diamond, so a card may cost
points in two ways and is one card all the same. Where queens are only counted, Q♥ and Q♦ may lie
with any seat that has a queen and a card of the suit: an entry is possible if one such way is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product

from scoring.rules.cards import Card
from scoring.rules.deal.points import taken_counts
from scoring.rules.items import Item
from scoring.rules.problems import Problem, ProblemCode
from scoring.rules.seats import SEATS, Seat
from scoring.rules.tally import Tally

SUIT_QUEENS = {Item.HEARTS: "QH", Item.DIAMONDS: "QD"}

type Spread = Sequence[Seat | None]
"""Who has Q♥ and Q♦, as far as their suits are asked for; None: a revoke left it untaken."""


def cross_problems(items: Collection[Item], tally: Tally) -> Iterator[Problem]:
    """Find contradictions (`impossible`) between items that are each possible alone."""
    taken = {item: taken_counts(item, tally) for item in items}
    problems = [*_king_problems(taken, tally), *_last_trick_problems(taken, tally)]
    yield from problems
    if not problems:
        yield from _card_problems(taken, tally)


def _king_problems(taken: dict[Item, Sequence[int]], tally: Tally) -> Iterator[Problem]:
    taker = tally.king_taken_by
    if Item.KING not in taken or taker is None:
        return
    if Item.HEARTS in taken and not taken[Item.HEARTS][taker]:
        yield Problem(ProblemCode.IMPOSSIBLE, "king_taken_by", {"seat": taker, "lacks": "hearts"})
    if Item.TRICKS in taken and not taken[Item.TRICKS][taker]:
        yield Problem(ProblemCode.IMPOSSIBLE, "king_taken_by", {"seat": taker, "lacks": "tricks"})


def _last_trick_problems(taken: dict[Item, Sequence[int]], tally: Tally) -> Iterator[Problem]:
    taker = tally.last_trick_by
    if Item.LAST_TRICK not in taken or taker is None:
        return
    if Item.TRICKS in taken and not taken[Item.TRICKS][taker]:
        yield Problem(ProblemCode.IMPOSSIBLE, "last_trick_by", {"seat": taker, "lacks": "tricks"})


def _card_problems(taken: dict[Item, Sequence[int]], tally: Tally) -> Iterator[Problem]:
    suits = [item for item in SUIT_QUEENS if item in taken and Item.QUEENS in taken]
    places = [_places(SUIT_QUEENS[item], item, taken, tally) for item in suits]
    for item, seats in zip(suits, places, strict=True):
        if not seats:
            yield Problem(ProblemCode.IMPOSSIBLE, item, {"card": SUIT_QUEENS[item]})
    if not all(places):
        return
    ways = [way for way in product(*places) if _enough_queens(way, taken)]
    if not ways:
        yield Problem(ProblemCode.IMPOSSIBLE, "queens", {"card": "QD"})
    elif Item.TRICKS in taken and not any(_fits(way, taken) for way in ways):
        yield from _overfull(ways, taken)


def _places(
    card: Card, suit: Item, taken: dict[Item, Sequence[int]], tally: Tally
) -> list[Seat | None]:
    """Return the seats that can have taken a queen of a counted suit."""
    king = taken.get(Item.KING, _NONE) if suit is Item.HEARTS else _NONE
    could = [seat for seat in SEATS if taken[suit][seat] > king[seat]]
    if tally.queens_taken_by:
        seat = tally.queens_taken_by.get(card)
        return [seat] if seat is None or seat in could else []
    places: list[Seat | None] = [seat for seat in could if taken[Item.QUEENS][seat]]
    return [*places, None] if sum(taken[Item.QUEENS]) < 4 else places


def _enough_queens(way: Spread, taken: dict[Item, Sequence[int]]) -> bool:
    """Return whether the counts of queens leave room for both red queens where `way` puts them."""
    if len(way) < 2:
        return True
    queens = taken[Item.QUEENS]
    have = 4 - sum(queens) if way[0] is None else queens[way[0]]
    return way[0] != way[1] or have >= 2


def _fits(way: Spread, taken: dict[Item, Sequence[int]]) -> bool:
    tricks = taken[Item.TRICKS]
    return all(_cards(seat, way, taken) <= 4 * tricks[seat] for seat in SEATS)


def _cards(seat: Seat, way: Spread, taken: dict[Item, Sequence[int]]) -> int:
    """Return how many different cards that cost points the seat took."""
    cards = sum(taken[item][seat] for item in _CARD_ITEMS if item in taken)
    if Item.KING in taken and Item.HEARTS not in taken:
        cards += taken[Item.KING][seat]
    return cards - way.count(seat)


def _overfull(ways: Sequence[Spread], taken: dict[Item, Sequence[int]]) -> Iterator[Problem]:
    """Return the seats whose cards exceed their tricks, in the way that offends least."""
    tricks = taken[Item.TRICKS]

    def too_many(way: Spread) -> list[tuple[Seat, int]]:
        cards = [(seat, _cards(seat, way, taken)) for seat in SEATS]
        return [(seat, number) for seat, number in cards if number > 4 * tricks[seat]]

    for seat, cards in min(map(too_many, ways), key=len):
        numbers = {"seat": seat, "cards": cards, "tricks": tricks[seat]}
        yield Problem(ProblemCode.IMPOSSIBLE, "tricks", numbers)


_NONE = (0, 0, 0, 0)
_CARD_ITEMS = (Item.QUEENS, Item.DIAMONDS, Item.HEARTS)
