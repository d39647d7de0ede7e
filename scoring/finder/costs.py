"""How likely a slip is: the lower its cost, the further up it stands in a list.

Only the order counts, and equal costs mean "equally likely". The reasons: a neighbour's number is
one tap or one stroke away, so one item more or less comes first; then two columns or several items
mistaken; then a whole card given to the wrong seat; then what is written apart from the takers and
so forgotten altogether, a double. A slip of the sum on paper comes after a slip of one deal that
explains the same numbers, and what an arbiter wrote down comes last."""

from __future__ import annotations

COSTS = {
    "moved": 10,  # one item; several of them: see cost()
    "left_out": 16,  # a penalty that stands in no total on paper
    "line_number": 18,  # one number of a line on paper
    "swapped": 20,  # two seats took each other's
    "line_exchanged": 21,  # two numbers of a line on paper stand in each other's place
    "several": 24,  # several items of one kind
    "taker": 30,
    "loser": 30,
    "places": 32,
    "card": 36,
    "exchanged": 38,
    "double_missing": 40,
    "double_extra": 42,
    "doubler": 44,
    "leader": 46,
    "total_number": 50,  # one number of one total
    "total_carried": 52,  # a slip in adding that went on into the totals after it
    "offender": 60,
}

LEAST = min(COSTS.values())


def cost(kind: str, count: int = 1) -> int:
    """What a change of this kind costs; `count` of an item."""
    return COSTS["several" if kind == "moved" and count > 1 else kind]
