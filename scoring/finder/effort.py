"""How much is tried before a search ends. Counted, not timed: the same sheet always ends at the
same place."""

from __future__ import annotations

from math import inf

FACTS = 40
"""What reckoning and judging some facts once costs, in steps of the innermost loops."""


class Enough(Exception):
    """No more is tried."""


class Effort:
    """What may still be tried; without a limit everything."""

    def __init__(self, most: float = inf) -> None:
        self.left = most

    def spend(self, tries: int = 1) -> None:
        """Counts these, and ends the search where they are too many."""
        self.left -= tries
        if self.left < 0:
            raise Enough
