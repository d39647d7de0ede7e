"""Costs of mistakes: the likelier a mistake, the lower its cost.

Only the order counts, and equal costs mean "equally likely". The order is measured:
`bin/bench finder` plants each kind of slip as often as the next and counts how often a change of a
kind that is listed is the right one. What an arbiter wrote down comes last.
"""

from __future__ import annotations

COSTS = {
    "left_out": 4,  # a penalty that stands in no total on paper
    "line_negated": 5,
    "line_contract": 5,
    "contract": 6,
    "forced_extra": 6,
    "line_elsewhere": 8,
    "line_signs": 8,
    "totals_exchanged": 10,
    "card": 12,
    "line_skipped": 14,
    "loser": 14,
    "line_number": 16,  # one number of a line on paper
    "places": 16,
    "taker": 16,
    "line_twice": 18,
    "forced_missing": 21,
    "moved": 22,  # one item; several of them: see cost()
    "double_extra": 22,
    "double_missing": 22,
    "doubler": 22,
    "several": 23,  # several items of one kind
    "exchanged": 24,
    "line_exchanged": 25,  # two numbers of a line on paper stand in each other's place
    "swapped": 26,  # two seats took each other's
    "chooser": 26,
    "line_chooser": 30,
    "total_number": 34,  # one number of one total
    "total_carried": 36,  # a slip in adding that went on into the totals after it
    "leader": 46,
    "offender": 60,
}

OF_DOUBLES = ("double_extra", "double_missing", "doubler")
"""One explanation, whose cost is one: "the doubles of this deal are noted wrongly"."""
LATE = 30
"""More, for a line that an earlier total already had: it was added up long before."""
OF_FACTS = ("moved", "swapped", "several", "taker", "loser", "places", "card", "exchanged")
LEAST = min(COSTS[kind] for kind in OF_FACTS)


def cost(kind: str, count: int = 1) -> int:
    """Return the cost of a change of this kind; `count` of an item."""
    return COSTS["several" if kind == "moved" and count > 1 else kind]
