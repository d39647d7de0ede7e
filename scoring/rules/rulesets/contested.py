"""Ids of contested rules: those that differ between groups and that a ruling may be based on.

Each id is listed with its option or check.
"""

from collections.abc import Mapping

DISPUTED: Mapping[str, tuple[str, ...]] = {
    "levant": (
        *(f"C-L{number}" for number in range(1, 14)),
        "C-L13b",
        *(f"C-L{number}" for number in range(14, 23)),
    ),
    "kleshchi": tuple(f"C-K{number}" for number in range(1, 13)),
    "barbu": tuple(f"C-B{number}" for number in range(1, 22)),
}
"""By the system whose text contradicts itself; a variant may borrow a rule of another system."""

DISPUTED_RULES = tuple(rule for rules in DISPUTED.values() for rule in rules)
