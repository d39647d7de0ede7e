"""All ways in which an incomplete trick deal may go on, and which claims they allow.

A way is a sequence of cards that completes the deal without a further breach. A claim says that a
seat took a card, or so many of an item."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from scoring.replay.partial.bounds import Proven, position_of
from scoring.replay.partial.open_tricks import OpenTricks, TooMany
from scoring.replay.play.outcome import tally_of_tricks, unseen_captures
from scoring.replay.play.table import Table
from scoring.replay.play.tricks import Tricks
from scoring.replay.record import Record
from scoring.rules import Contract, Double, Item, Ruleset, Tally
from scoring.rules.cards import KING_OF_HEARTS, QUEENS, Card
from scoring.rules.deal.points import taken_counts
from scoring.rules.items import COUNTED
from scoring.rules.seats import SEATS, Seat

LIMIT = 40_000
"""How many plays are looked at: less than two seconds."""
MOST_CARDS = 26
"""With more cards left nobody counts the ways."""
MOST_WAYS = 1_000_000
"""More ways than this are only called more."""

type Vector = tuple[int, ...]
"""By item (each queen is one) and seat, as `OpenTricks` has it."""


class Claim(NamedTuple):
    """That a seat took `number` of an item; with a `card` that it took this one."""

    item: Item
    seat: Seat
    number: int
    card: Card | None = None


class CompletionReason(NamedTuple):
    """Why a claim is impossible.

    taken         `seat` took the card in `trick`
    lies_before   the card lies face up before `seat`
    already       the seat had taken `number` by `trick`
    too_few_left  at most `number` are left for the seat
    no_way        in no way to complete the deal; `number` is the least or most, None if in between
    """

    code: str
    trick: int | None = None
    seat: Seat | None = None
    number: int | None = None


class Checked(NamedTuple):
    """A claim: whether it is possible (None: not known), in how many ways, and why not."""

    claim: Claim
    possible: bool | None
    ways: int | None = None
    reason: CompletionReason | None = None


class Together(NamedTuple):
    """Claims that are possible together, by their places, and in how many ways."""

    claims: tuple[int, ...]
    ways: int


class WhatIf(NamedTuple):
    """What an incomplete record allows.

    `ways` is None where they were too many to count; `together` are the largest sets of claims that
    are possible together, empty where that is not known."""

    proven: Proven
    ways: int | None
    claims: tuple[Checked, ...]
    together: tuple[Together, ...]


def what_if(
    record: Record,
    table: Table,
    ruleset: Ruleset,
    plays: int,
    claims: Sequence[Claim],
    proven: Proven,
    doubles: Sequence[Double] = (),
) -> WhatIf:
    """Return what the first `plays` plays, which led to this table, allow.

    `proven` is what `bounds_of` says of the same plays."""
    if not isinstance(table, Tricks):
        return WhatIf(proven, None, (), ())
    outcomes = None
    if proven.bounds is not None:
        outcomes = outcomes_of(record, table, ruleset, plays, doubles)
    checked = tuple(_checked(each, record, table, ruleset, proven, outcomes) for each in claims)
    ways = sum(outcomes.values()) if outcomes is not None else None
    return WhatIf(proven, ways, checked, tuple(_together(record, claims, outcomes or {})))


def outcomes_of(
    record: Record,
    table: Tricks,
    ruleset: Ruleset,
    plays: int,
    doubles: Sequence[Double] = (),
    limit: int = LIMIT,
) -> Mapping[Vector, int] | None:
    """Return in how many ways what is taken in the whole deal; None where they are too many."""
    assert record.contract is not None
    position, lying, taker = position_of(record, table, ruleset, plays, doubles)
    if position.unseen.bit_count() > MOST_CARDS:
        return None
    search = OpenTricks(record.contract, ruleset, taker, limit, queens_apart=True)
    try:
        rest = search.outcomes(position, lying)
    except TooMany:
        return None
    have = vector_of(record.contract, tally_of_tricks(table.tricks, (), ruleset))
    return {
        tuple(n + m for n, m in zip(have, sums, strict=True)): ways for sums, ways in rest.items()
    }


def vector_of(contract: Contract, tally: Tally) -> Vector:
    """Return the numbers of a tally, by item and seat."""
    found: list[int] = []
    for item in contract.items:
        if item is Item.QUEENS:
            takers = tally.queens_taken_by or {}
            found += [int(takers.get(card) == seat) for card in _queens() for seat in SEATS]
        else:
            found += taken_counts(item, tally)
    return tuple(found)


def tally_of(contract: Contract, vector: Vector, doubles: tuple[Double, ...] = ()) -> Tally:
    """Return the tally that has these numbers."""
    fours = iter([vector[start : start + 4] for start in range(0, len(vector), 4)])
    found: dict[str, Any] = {}
    for item in contract.items:
        if item is Item.QUEENS:
            found["queens_taken_by"] = {card: next(fours).index(1) for card in _queens()}
        elif item in COUNTED:
            found[item.value] = next(fours)
        else:
            key = "king_taken_by" if item is Item.KING else "last_trick_by"
            found[key] = next(fours).index(1)
    return Tally(doubles=doubles, **found)


def claims_of(contract: Contract, tally: Tally) -> Iterator[Claim]:
    """Yield what a tally claims, item by item."""
    for item in contract.items:
        takers = tally.queens_taken_by or {}
        if item is Item.KING and tally.king_taken_by is not None:
            yield Claim(item, tally.king_taken_by, 1, KING_OF_HEARTS)
        elif item is Item.QUEENS and takers:
            yield from (Claim(item, takers[card], 1, card) for card in QUEENS if card in takers)
        elif item is Item.LAST_TRICK and tally.last_trick_by is not None:
            yield Claim(item, tally.last_trick_by, 1)
        elif item in COUNTED or item is Item.QUEENS:
            counts = taken_counts(item, tally)
            yield from (Claim(item, seat, counts[seat]) for seat in SEATS if any(counts))


def _queens() -> list[Card]:
    """Return the queens in the order in which `OpenTricks` has them apart."""
    return ["QS", "QH", "QD", "QC"]


def _holds(claim: Claim, contract: Contract, vector: Vector) -> bool:
    """Return whether a claim is true of an outcome."""
    place = 0
    for item in contract.items:
        width = 4 if item is Item.QUEENS else 1
        if item is claim.item:
            if claim.card in _queens():
                return vector[4 * (place + _queens().index(claim.card)) + claim.seat] == 1
            own = [vector[4 * (place + each) + claim.seat] for each in range(width)]
            return sum(own) == claim.number
        place += width
    return False


def _together(
    record: Record, claims: Sequence[Claim], outcomes: Mapping[Vector, int]
) -> Iterator[Together]:
    """Yield the largest sets of claims that some way makes true, the largest first."""
    assert record.contract is not None
    counts: dict[frozenset[int], int] = {}
    for vector, ways in outcomes.items():
        true = frozenset(
            place for place, each in enumerate(claims) if _holds(each, record.contract, vector)
        )
        counts[true] = counts.get(true, 0) + ways
    largest = [each for each in counts if each and not any(each < other for other in counts)]
    for each in sorted(largest, key=lambda own: (-len(own), sorted(own))):
        yield Together(tuple(sorted(each)), counts[each])


def _checked(
    claim: Claim,
    record: Record,
    table: Tricks,
    ruleset: Ruleset,
    proven: Proven,
    outcomes: Mapping[Vector, int] | None,
) -> Checked:
    assert record.contract is not None
    reason = _reason(claim, record, table, ruleset)
    if reason is not None:
        return Checked(claim, False, 0, reason)
    if outcomes is not None:
        holding = (n for vector, n in outcomes.items() if _holds(claim, record.contract, vector))
        ways = sum(holding)
        return Checked(claim, ways > 0, ways, None if ways else _no_way(claim, proven))
    if proven.bounds is None:
        return Checked(claim, False, None, CompletionReason("no_way"))
    least, most = proven.bounds[claim.item.value][claim.seat]
    number = 1 if claim.card else claim.number
    if number > most or (claim.card is None and number < least):
        return Checked(claim, False, None, _no_way(claim, proven))
    return Checked(claim, None)


def _no_way(claim: Claim, proven: Proven) -> CompletionReason:
    if proven.bounds is None or claim.card is not None:
        return CompletionReason("no_way")
    least, most = proven.bounds[claim.item.value][claim.seat]
    end = least if claim.number < least else most if claim.number > most else None
    return CompletionReason("no_way", number=end)


def _reason(
    claim: Claim, record: Record, table: Tricks, ruleset: Ruleset
) -> CompletionReason | None:
    """Return what the finished tricks and the captures alone have against a claim."""
    lies = unseen_captures(table.tricks, record.captured, ruleset)
    if claim.card is not None:
        for number, trick in enumerate(table.tricks):
            if claim.card in trick.cards and trick.winner != claim.seat:
                return CompletionReason("taken", number, trick.winner)
        if lies.get(claim.card, claim.seat) != claim.seat:
            return CompletionReason("lies_before", seat=lies[claim.card])
        return None
    for number in range(len(table.tricks)):
        so_far = tally_of_tricks(table.tricks[: number + 1], (), ruleset)
        have = taken_counts(claim.item, so_far)[claim.seat]
        if have > claim.number:
            return CompletionReason("already", number, number=have)
    have_all = taken_counts(claim.item, tally_of_tricks(table.tricks, (), ruleset))
    left = ruleset.how_many(claim.item) - sum(have_all)
    most = have_all[claim.seat] + left
    if claim.number > most:
        return CompletionReason("too_few_left", number=most)
    return None
