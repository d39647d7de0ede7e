"""Whether claimed scores are possible for an incomplete record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, permutations, product
from typing import Any

from scoring.replay.partial.bounds import Proven, can_end
from scoring.replay.play.table import Table
from scoring.replay.play.tricks import Tricks
from scoring.replay.record import Record
from scoring.replay.result import Ends
from scoring.rules import Item, Ruleset, Tally, points
from scoring.rules.cards import QUEENS
from scoring.rules.deal.doubling import asks_for_leader
from scoring.rules.seats import SEATS

MOST = 5_000
"""How many tallies are scored; with more the claim is not called impossible."""


def claim_is_possible(
    record: Record, table: Table, ruleset: Ruleset, plays: int, tally: Tally, proven: Proven
) -> bool:
    """Return False only if no completion has the claimed scores.

    Arguments as for `bounds_of`; `tally` is what is known so far."""
    assert record.contract is not None
    if proven.bounds is None:
        return False
    if tally.doubles and asks_for_leader(ruleset):
        return True  # who led the trick is not within any bounds
    tallies = list(islice(_tallies(record, tally, proven, ruleset), MOST + 1))
    if len(tallies) > MOST:
        return True
    entry = record.entry(tally)
    fitting = [
        each
        for each in tallies
        if points(replace(entry, tally=each), ruleset).scores == record.claimed
    ]
    if isinstance(table, Tricks) and fitting:
        return can_end(record, table, ruleset, plays, fitting, tally.doubles)
    return bool(fitting)


def _tallies(record: Record, tally: Tally, proven: Proven, ruleset: Ruleset) -> Iterator[Tally]:
    assert record.contract is not None
    assert proven.bounds is not None
    bounds = proven.bounds
    if proven.ends is not None:
        yield from proven.ends
    elif "trex" in bounds:
        for order in permutations(SEATS):
            if _within(tuple(order.index(seat) + 1 for seat in SEATS), bounds["trex"]):
                yield Tally(finish_order=order)
    elif "fifty_one" in bounds:
        yield from (Tally(loser=loser) for loser in (*SEATS, None))
    else:
        ways = [_ways(item, tally, bounds[item.value], ruleset) for item in record.contract.items]
        for facts in product(*map(list, ways)):
            together = {key: value for fact in facts for key, value in fact.items()}
            yield replace(tally, **together)


def _ways(item: Item, tally: Tally, ends: Ends, ruleset: Ruleset) -> Iterator[dict[str, Any]]:
    """Yield each way in which an item may have been taken, under its key of a tally."""
    if item is Item.QUEENS:
        known = dict(tally.queens_taken_by or {})
        rest = [card for card in QUEENS if card not in known]
        for takers in product(SEATS, repeat=len(rest)):
            found = known | dict(zip(rest, takers, strict=True))
            counts = tuple(list(found.values()).count(seat) for seat in SEATS)
            if _within(counts, ends):
                yield {"queens_taken_by": found, "queens": counts}
    elif item in (Item.KING, Item.LAST_TRICK):
        key = "king_taken_by" if item is Item.KING else "last_trick_by"
        yield from ({key: seat} for seat in SEATS if ends[seat][1])
    else:
        total = ruleset.how_many(item)
        for counts in product(*(range(least, most + 1) for least, most in ends[:3])):
            last = total - sum(counts)
            if ends[3][0] <= last <= ends[3][1]:
                yield {item.value: (*counts, last)}


def _within(numbers: tuple[int, ...], ends: Ends) -> bool:
    return all(least <= number <= most for number, (least, most) in zip(numbers, ends, strict=True))
