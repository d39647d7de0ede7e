"""Rivals of a player: who beats them, whom they beat, with whom they win.

Nothing is claimed of people who met seldom: `ENOUGH` matches against each other, or together.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

ENOUGH = 5


@dataclass(frozen=True, slots=True)
class Rival:
    """One person's matches with another person.

    Matches against each other, how many of them ahead and how many behind (level in the rest);
    matches `together` and how many of those were won."""

    other: Hashable
    name: str
    matches: int
    ahead: int
    behind: int
    together: int
    together_won: int

    @property
    def level(self) -> int:
        """Matches in which both had the same place."""
        return self.matches - self.ahead - self.behind

    @property
    def lead(self) -> Fraction:
        """How much more often ahead than behind, from -1 to 1."""
        return Fraction(self.ahead - self.behind, self.matches or 1)

    @property
    def wins(self) -> Fraction:
        """The share of the matches together that were won."""
        return Fraction(self.together_won, self.together or 1)


@dataclass(frozen=True, slots=True)
class Rivals:
    """The rivals that stand out, None where nobody does, and everybody by number of meetings."""

    nemesis: Rival | None
    victim: Rival | None
    partner: Rival | None
    opponents: tuple[Rival, ...]
    partners: tuple[Rival, ...]


def rivals(found: Iterable[Rival]) -> Rivals:
    """Return the rivals that stand out.

    The nemesis is ahead most often, for each match that they met, and more often than behind; the
    favourite victim the other way round; the best partner is the one with whom most of the matches
    together are won. Of equals the one met more often, then by name."""
    every = sorted(found, key=lambda each: each.name)
    against = sorted(
        (each for each in every if each.matches), key=lambda each: each.matches, reverse=True
    )
    beside = sorted(
        (each for each in every if each.together), key=lambda each: each.together, reverse=True
    )
    known = [each for each in against if each.matches >= ENOUGH]
    partners = [each for each in beside if each.together >= ENOUGH and each.together_won]
    return Rivals(
        nemesis=_most([each for each in known if each.lead < 0], lambda each: -each.lead),
        victim=_most([each for each in known if each.lead > 0], lambda each: each.lead),
        partner=_most(partners, lambda each: each.wins),
        opponents=tuple(against),
        partners=tuple(beside),
    )


def _most(found: Sequence[Rival], measure: Callable[[Rival], Fraction]) -> Rival | None:
    """Return the first of those with the highest measure, None where there are none."""
    return max(found, key=measure, default=None)
