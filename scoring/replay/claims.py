"""Whether scores that somebody claims can come of a record that leaves something open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, permutations, product
from typing import Any

from scoring.replay.record import Record
from scoring.replay.result import Bounds, Ends
from scoring.rules import Entry, Item, Ruleset, Tally, points
from scoring.rules.cards import QUEENS
from scoring.rules.doubling import asks_for_leader
from scoring.rules.seats import SEATS

MOST = 5_000
"""How many tallies are scored; with more the claim is not called impossible."""


def claim_is_possible(
    record: Record, tally: Tally, bounds: Bounds | None, ruleset: Ruleset
) -> bool:
    """False only if no tally within the bounds gives the claimed scores."""
    assert record.contract is not None
    if bounds is None:
        return False
    if tally.doubles and asks_for_leader(ruleset):
        return True  # who led the trick is not within any bounds
    tallies = list(islice(_tallies(record, tally, bounds, ruleset), MOST + 1))
    entries = (Entry(record.contract, record.chooser, record.forced, each) for each in tallies)
    return len(tallies) > MOST or any(
        points(entry, ruleset).scores == record.claimed for entry in entries
    )


def _tallies(record: Record, tally: Tally, bounds: Bounds, ruleset: Ruleset) -> Iterator[Tally]:
    assert record.contract is not None
    if "trex" in bounds:
        for order in permutations(SEATS):
            if _within(tuple(order.index(seat) + 1 for seat in SEATS), bounds["trex"]):
                yield Tally(finish_order=order)
    elif "fifty_one" in bounds:
        for loser in (*SEATS, None):
            if _within(tuple(int(seat == loser) for seat in SEATS), bounds["fifty_one"]):
                yield Tally(loser=loser)
    else:
        ways = [_ways(item, tally, bounds[item.value], ruleset) for item in record.contract.items]
        for facts in product(*map(list, ways)):
            together = {key: value for fact in facts for key, value in fact.items()}
            yield replace(tally, **together)


def _ways(item: Item, tally: Tally, ends: Ends, ruleset: Ruleset) -> Iterator[dict[str, Any]]:
    """Each way in which an item may have been taken, under its key of a tally."""
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
