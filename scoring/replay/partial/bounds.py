"""Bounds of an incomplete record: the least and most of each item for each seat.

Over all ways to complete the deal without a further breach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from scoring.replay.partial.open_layings import OpenFiftyOne, OpenTrex
from scoring.replay.partial.open_tricks import OpenTricks, Position, Range, TooMany
from scoring.replay.play.fifty_one import FiftyOne
from scoring.replay.play.layout import Trex
from scoring.replay.play.outcome import tally_of_tricks, unseen_captures
from scoring.replay.play.quick import BITS
from scoring.replay.play.table import Table, leader_of, new_table
from scoring.replay.play.tricks import Tricks
from scoring.replay.record import Pass, Play, Record
from scoring.replay.result import Bounds, Ends
from scoring.rules import Contract, Double, Item, Ruleset, Tally
from scoring.rules.cards import Card
from scoring.rules.deal.points import taken_counts
from scoring.rules.items import counts_card
from scoring.rules.seats import SEATS, Seat

LIMIT = 20_000
"""How many plays are looked at before the bounds stop being exact: some tenths of a second."""
LIMIT_OF_TRICK = 2_000
"""The same for the rest of the open trick alone."""
LIMIT_OF_ENDS = 20_000
"""The same for the search for each end by itself, where the search for all was too long."""
LIMIT_TOGETHER = 10_000
"""The same for the search for one completion that brings several numbers at once."""
LIMIT_OF_LAYING = 2_000
"""The same for positions of Trex and fifty_one."""
MOST_LEFT = 32
"""With more cards left nobody counts to the end."""
MOST_LEFT_TO_LAY = 20
"""The same for Trex, where every card may bring four passes and each move goes one call deeper."""


class Proven(NamedTuple):
    """What an incomplete record proves.

    `bounds` are None if the record contradicts itself (captures that the tricks deny). They are
    `exact` if each of them is reached by some completion, else perhaps wider. `ends` are all
    possible ends of Trex or fifty_one, None where they were not counted."""

    bounds: Bounds | None
    exact: bool
    ends: tuple[Tally, ...] | None = None


def bounds_of(
    record: Record, table: Table, ruleset: Ruleset, plays: int, doubles: Sequence[Double] = ()
) -> Proven:
    """Return what is proven after the first `plays` plays, which led to this table.

    `doubles` are those that count: the doubler holds the card."""
    may = _may_hold(record, table, ruleset, plays, doubles)
    if isinstance(table, Tricks):
        return _of_tricks(record, table, ruleset, may)
    order = ruleset.layout_rank_order if isinstance(table, Trex) else "natural"
    masks = tuple(sum(BITS[order][card] for card in hand) for hand in may)
    unseen = sum(BITS[order][card] for card in _unseen(record, ruleset, plays))
    if isinstance(table, Trex):
        return _of_trex(table, ruleset, masks, unseen)
    return _of_fifty_one(table, ruleset, masks, unseen)


def _of_trex(table: Trex, ruleset: Ruleset, masks: tuple[int, ...], unseen: int) -> Proven:
    search = OpenTrex(ruleset, LIMIT_OF_LAYING if sum(table.left) <= MOST_LEFT_TO_LAY else 0)
    try:
        orders = search.orders(table, masks, unseen)
    except TooMany:
        return Proven({"trex": _any_place(table)}, exact=False)
    if not orders:
        return Proven(None, exact=True)
    places = [[order.index(seat) + 1 for order in orders] for seat in SEATS]
    ends = tuple(Tally(finish_order=order) for order in sorted(orders))
    return Proven({"trex": tuple((min(own), max(own)) for own in places)}, True, ends)


def _of_fifty_one(table: FiftyOne, ruleset: Ruleset, masks: tuple[int, ...], unseen: int) -> Proven:
    try:
        losers = OpenFiftyOne(ruleset, LIMIT_OF_LAYING).losers(masks, unseen, table.turn, table.sum)
    except TooMany:
        return Proven({"fifty_one": ((0, 1),) * 4}, exact=False)
    if not losers:
        return Proven(None, exact=True)
    bounds = tuple((int(losers == {seat}), int(seat in losers)) for seat in SEATS)
    return Proven({"fifty_one": bounds}, True, tuple(Tally(loser=seat) for seat in losers))


def _any_place(table: Trex) -> Ends:
    places = {seat: place for place, seat in enumerate(table.finish_order, start=1)}
    first = len(places) + 1
    return tuple((places.get(seat, first), places.get(seat, 4)) for seat in SEATS)


def _of_tricks(record: Record, table: Tricks, ruleset: Ruleset, may: Sequence[set[Card]]) -> Proven:
    assert record.contract is not None
    if _denied(record, table, ruleset):
        return Proven(None, exact=True)
    contract = record.contract
    position, lying, taker = _position(record, table, ruleset, may)
    rest, exact = _rest(lambda limit: OpenTricks(contract, ruleset, taker, limit), position, lying)
    if rest is None:
        return Proven(None, exact)
    return Proven(dict(_named(record, table, ruleset, rest)), exact)


def position_of(
    record: Record,
    table: Tricks,
    ruleset: Ruleset,
    plays: int,
    doubles: Sequence[Double] = (),
) -> tuple[Position, tuple[int, ...], dict[int, Seat]]:
    """Return where a search for completions begins.

    Before the open trick, whose cards come beside it, with known takers of cards."""
    return _position(record, table, ruleset, _may_hold(record, table, ruleset, plays, doubles))


def _position(
    record: Record, table: Tricks, ruleset: Ruleset, may: Sequence[set[Card]]
) -> tuple[Position, tuple[int, ...], dict[int, Seat]]:
    """Return where a search begins: before the open trick, with known takers of cards."""
    bits = BITS[ruleset.rank_order]
    taker = unseen_captures(table.tricks, record.captured, ruleset)
    lying = tuple(bits[card] for card in table.lying)
    seen = {card for trick in table.tricks for card in trick.cards}
    position = Position(
        leader=table.leader,
        broken=table.hearts_broken,
        masks=tuple(sum(bits[card] for card in hand) for hand in may),
        unseen=sum(bits[card] for card in ruleset.deck if card not in seen) & ~sum(lying),
        left=ruleset.cards_per_hand - len(table.tricks),
    )
    return position, lying, {bits[card]: seat for card, seat in taker.items()}


def _rest(
    search: Callable[[int], OpenTricks], position: Position, lying: tuple[int, ...]
) -> tuple[Range | None, bool]:
    """Search as far as the limits allow: to the end, to the end of this trick, or not at all."""
    can_look = position.unseen.bit_count() <= MOST_LEFT
    tries = [(position.left, LIMIT), (1, LIMIT_OF_TRICK)]
    widest = search(0).anything(position._replace(unseen=position.unseen | sum(lying)))
    for depth, limit in tries if can_look else tries[1:]:
        tried = search(limit)
        try:
            found = tried.rest(position, lying, depth)
        except TooMany:
            continue
        if not tried.is_cut or found is None:
            return found, True
        widest = found
        break
    if not can_look:
        return widest, False
    try:
        return search(LIMIT_OF_ENDS).narrowed(position, lying, widest), True
    except TooMany:
        return widest, False


def can_end(
    record: Record,
    table: Tricks,
    ruleset: Ruleset,
    plays: int,
    tallies: Iterable[Tally],
    doubles: Sequence[Double] = (),
) -> bool:
    """Return whether one completion has all numbers of one of these tallies.

    True where there are too many ways to play on."""
    assert record.contract is not None
    position, lying, taker = position_of(record, table, ruleset, plays, doubles)
    if position.unseen.bit_count() > MOST_LEFT:
        return True
    so_far = tally_of_tricks(table.tricks, (), ruleset)
    searches = {
        apart: OpenTricks(record.contract, ruleset, taker, LIMIT_TOGETHER, apart)
        for apart in (False, True)
    }
    try:
        return any(
            searches[apart].can_bring(position, lying, wanted)
            for tally in tallies
            for apart in [tally.queens_taken_by is not None]
            for wanted in [_wanted(record.contract, so_far, tally, apart)]
        )
    except TooMany:
        return True


def _wanted(contract: Contract, so_far: Tally, tally: Tally, apart: bool) -> Range:
    """Return what the rest has to bring for the tally, by item and seat."""
    have, whole = (_counts(contract, each, apart) for each in (so_far, tally))
    rest = tuple(n - m for n, m in zip(whole, have, strict=True))
    return Range(rest, rest)


def _counts(contract: Contract, tally: Tally, apart: bool) -> Iterator[int]:
    takers = tally.queens_taken_by or {}
    for item in contract.items:
        if apart and item is Item.QUEENS:
            cards = [card for card in BITS["natural"] if counts_card(item, card)]
            yield from (int(takers.get(card) == seat) for card in cards for seat in SEATS)
        else:
            yield from taken_counts(item, tally)


def _denied(record: Record, table: Tricks, ruleset: Ruleset) -> bool:
    """Return whether a captured card contradicts the tricks.

    It is with a seat that did not take it, with two seats, or not in the deck."""
    taken = {card: trick.winner for trick in table.tricks for card in trick.cards}
    return any(
        taken.setdefault(card, seat) != seat or card not in ruleset.deck
        for card, seat in record.captured
    )


def _named(
    record: Record, table: Tricks, ruleset: Ruleset, rest: Range
) -> Iterator[tuple[str, Ends]]:
    """Return what was taken in finished tricks, and what the rest may add."""
    assert record.contract is not None
    so_far = tally_of_tricks(table.tricks, (), ruleset)
    for number, item in enumerate(record.contract.items):
        have = taken_counts(item, so_far)
        yield (
            item.value,
            tuple(
                (
                    have[seat] + rest.least[4 * number + seat],
                    have[seat] + rest.most[4 * number + seat],
                )
                for seat in SEATS
            ),
        )


# -- which cards a seat may hold


def _may_hold(
    record: Record, table: Table, ruleset: Ruleset, plays: int, doubles: Sequence[Double]
) -> list[set[Card]]:
    """Return the cards each seat may still hold.

    Its own where the hand is known, else the unknown ones, without those that would make one of its
    plays a breach and those that another seat doubled."""
    unseen = _unseen(record, ruleset, plays)
    free = unseen.difference(*(hand for hand in table.hands if hand is not None))
    never = _never_held(record, table, ruleset, plays, free)
    may = [
        free - never[seat] if hand is None else set(hand) for seat, hand in enumerate(table.hands)
    ]
    for card, by in doubles:
        for seat in SEATS:
            if seat != by:
                may[seat].discard(card)
    return may


def _unseen(record: Record, ruleset: Ruleset, plays: int) -> set[Card]:
    played = {play.card for play in record.plays[:plays] if isinstance(play, Play)}
    return set(ruleset.deck) - played


def _never_held(
    record: Record, table: Table, ruleset: Ruleset, plays: int, free: set[Card]
) -> dict[Seat, set[Card]]:
    """Return for each seat with an unknown hand the cards that it cannot have had.

    A play that its own later cards have revealed as a revoke proves nothing more."""
    assert record.contract is not None
    never: dict[Seat, set[Card]] = {seat: set() for seat in SEATS}
    unknown = [seat for seat in SEATS if table.hands[seat] is None]
    if not unknown:
        return never
    again = new_table(record.contract, ruleset, (None,) * 4, leader_of(record, ruleset))
    for number, play in enumerate(record.plays[:plays]):
        if play.seat != again.turn:
            again.lay(None)  # type: ignore[arg-type]  # only Trex lets a turn go by in silence
        if play.seat in unknown:
            later = {
                each.card
                for each in record.plays[number + 1 : plays]
                if isinstance(each, Play) and each.seat == play.seat
            }
            if not any(_clashes(again, play, card) for card in later):
                never[play.seat] |= {card for card in free if _clashes(again, play, card)}
        again.lay(play.card if isinstance(play, Play) else None)  # type: ignore[arg-type]
    return never


def _clashes(table: Table, play: Play | Pass, card: Card) -> bool:
    """Return whether this play would be a breach of a hand that held the card too."""
    seat, own = play.seat, play.card if isinstance(play, Play) else None
    table.hands[seat] = {card} if own is None else {own, card}
    try:
        return table.fault(own) is not None  # type: ignore[arg-type]
    finally:
        table.hands[seat] = None
