"""Limit on the work of a search, counted and not timed.

So the same sheet always ends at the same place.
"""

from __future__ import annotations

from math import inf

FACTS = 40
"""What reckoning and judging some facts once costs, in steps of the innermost loops."""


class Enough(Exception):
    """Raised where the limit of tries is reached."""


class Effort:
    """The number of tries that are left; unlimited without a limit."""

    def __init__(self, most: float = inf) -> None:
        self.left = most

    def spend(self, tries: int = 1) -> None:
        """Count these tries; raises `Enough` where they are too many."""
        self.left -= tries
        if self.left < 0:
            raise Enough
