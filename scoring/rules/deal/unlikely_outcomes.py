"""Outcomes that are possible but so unlikely that a page asks before it saves them.

A question, never a refusal.

What is asked about comes up once in ten deals at most where everybody lays any card that is legal,
and much more seldom where people know what to keep away from. Having nothing at all is common in
every deal, a combined one too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scoring.rules.cards import QUEENS
from scoring.rules.deal.doubling import captures
from scoring.rules.deal.points import taken_counts
from scoring.rules.items import Item
from scoring.rules.rulesets.ruleset import Ruleset
from scoring.rules.seats import SEATS, Seat
from scoring.rules.tally import Entry

NEARLY = 90
"""Percent of all there is in a combined deal from which on one seat has nearly everything."""

MANY = 5
"""With fewer things in a deal than these, one seat often has them all: K♥ and the last trick."""


@dataclass(frozen=True, slots=True)
class UnlikelyOutcome:
    """One unlikely thing in an entry.

    code                who and what
    all_of_item         the seat took all `count` of `item`
    everything          it took all `count` things of a combined deal or of general
    nearly_everything   it took `count` of them, and little is left for the others
    own_double          it took `count` cards of `item` that it had doubled itself
    doubled_all         it held and doubled all four queens"""

    code: str
    seat: Seat
    item: Item | None
    count: int


def unlikely_outcomes(entry: Entry, ruleset: Ruleset) -> tuple[UnlikelyOutcome, ...]:
    """Return what is unlikely in this entry, which must have no problems.

    Empty for a deal that was broken off because of cheating or not played. Cards charged for a
    revoke do not count as taken."""
    if entry.tally.cheat_by is not None or entry.tally.forfeited:
        return ()
    return (*_taken(entry, ruleset), *_own_doubles(entry, ruleset), *_doubled_all(entry, ruleset))


def _taken(entry: Entry, ruleset: Ruleset) -> Iterator[UnlikelyOutcome]:
    items = entry.contract.items
    taken = {item: taken_counts(item, entry.tally) for item in items}
    exist = sum(map(ruleset.how_many, items))
    for seat in SEATS:
        count = sum(taken[item][seat] for item in items)
        if len(items) > 1 and exist >= MANY and count * 100 >= exist * NEARLY:
            yield UnlikelyOutcome(
                "everything" if count == exist else "nearly_everything", seat, None, count
            )
            continue
        for item in items:
            if taken[item][seat] == ruleset.how_many(item) > 1:
                yield UnlikelyOutcome("all_of_item", seat, item, taken[item][seat])


def _own_doubles(entry: Entry, ruleset: Ruleset) -> Iterator[UnlikelyOutcome]:
    """Yield doubled cards taken by their own doubler.

    A player who announced all four queens at once is expected to take some."""
    whole = ruleset.doubling.queens_unit == "whole_contract"
    own = [
        (capture.taker, capture.item)
        for capture in captures(entry.tally, ruleset)
        if capture.in_trick and capture.taker == capture.doubler
    ]
    for seat, item in sorted(set(own)):
        if not (whole and item is Item.QUEENS):
            yield UnlikelyOutcome("own_double", seat, item, own.count((seat, item)))


def _doubled_all(entry: Entry, ruleset: Ruleset) -> Iterator[UnlikelyOutcome]:
    doublers = [double.by for double in entry.tally.doubles if double.card in QUEENS]
    if len(doublers) == len(QUEENS) and len(set(doublers)) == 1:
        yield UnlikelyOutcome("doubled_all", doublers[0], Item.QUEENS, len(QUEENS))
