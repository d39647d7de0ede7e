"""Ratings of players from the places they finished in, by the Plackett-Luce model.

The model is openskill's with its own settings; here is only who is rated by what, and the number
that people read. Points do not count, only who finished before whom: places are all that matches of
different evenings have in common.

- Everybody starts alike, and nobody's rating changes by a day without a match.
- Where teams play, two people are rated together by the place of their team.
- A seat in which several people sat counts for whoever sat most of its deals there, of equals for
  the one who sat last; the others of that seat are not rated by this match (C75). Nobody counts for
  two seats: of those, for the one with more deals.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from openskill.models import PlackettLuce

from scoring.rules.ranking import ALONE, TEAMS

MODEL = PlackettLuce()
ORIGIN, UNIT, CAREFUL = 1000, 40, 3
"""What is read: 1000 at first, 40 points a unit of the model, three times the uncertainty off."""
ROUGH_UNTIL, STEADY_FROM = 5, 20
"""With fewer matches a rating says little; with so many a single match moves it little."""


@dataclass(frozen=True, slots=True)
class Skill:
    """The estimate `mu` of a player's strength, its uncertainty `sigma`, and its `matches`."""

    mu: float
    sigma: float
    matches: int = 0

    @property
    def shown(self) -> int:
        """The rating: the careful end of the estimate.

        New players begin at 1000, and the rating rises with every match that makes it surer, so
        that nobody ranks high by one lucky evening."""
        return round(self.exact)

    @property
    def exact(self) -> float:
        """The rating before it is rounded to be shown: what ranks.

        Cut where the noise of floating point begins."""
        return round(_scaled(self.mu - CAREFUL * self.sigma), NOISE)

    @property
    def middle(self) -> int:
        """The estimate without the care, on the same scale."""
        return round(_scaled(self.mu))

    @property
    def needs(self) -> int:
        """The number of matches that are missing until the rating counts (C79)."""
        return max(0, ROUGH_UNTIL - self.matches)

    @property
    def is_steady(self) -> bool:
        return self.matches >= STEADY_FROM


NOISE = 6
"""Decimals of a rating that say something."""
START = Skill(MODEL.mu, MODEL.sigma)


@dataclass(frozen=True, slots=True)
class RatedSeat[P: Hashable]:
    """One person in one seat of a match.

    Number of deals, from `since` on where they sat down for the last time; the place of the seat at
    the end."""

    player: P
    seat: int
    deals: int
    place: int
    since: int = 1


@dataclass(frozen=True, slots=True)
class RatedSide[P: Hashable]:
    """The people who are rated together, in the order of their seats, with one place."""

    place: int
    players: tuple[P, ...]


def rated_sides[P: Hashable](sats: Iterable[RatedSeat[P]], *, in_teams: bool) -> list[RatedSide[P]]:
    """Return the sides that a match rates, with their places.

    Empty where fewer than two sides are left."""
    chosen = _chosen(sats)
    found = [
        RatedSide(chosen[side[0]].place, tuple(chosen[seat].player for seat in side))
        for side in (TEAMS if in_teams else ALONE)
        if all(seat in chosen for seat in side)
    ]
    return found if len(found) > 1 else []


def rate[P: Hashable](sides: Sequence[RatedSide[P]], skills: Mapping[P, Skill]) -> dict[P, Skill]:
    """Return the skill of everybody of a match after it.

    People without a skill begin with the default."""
    if not sides:
        return {}
    before = [[skills.get(player, START) for player in side.players] for side in sides]
    teams = [[MODEL.rating(mu=one.mu, sigma=one.sigma) for one in team] for team in before]
    after = MODEL.rate(teams, ranks=[float(side.place) for side in sides])
    return {
        player: Skill(new.mu, new.sigma, old.matches + 1)
        for side, olds, news in zip(sides, before, after, strict=True)
        for player, old, new in zip(side.players, olds, news, strict=True)
    }


def _chosen[P: Hashable](sats: Iterable[RatedSeat[P]]) -> dict[int, RatedSeat[P]]:
    """Return for each seat the person whom it counts for."""
    chosen: dict[int, RatedSeat[P]] = {}
    placed: set[P] = set()
    for sat in sorted(sats, key=attrgetter("deals", "since", "seat"), reverse=True):
        if sat.deals and sat.seat not in chosen and sat.player not in placed:
            chosen[sat.seat] = sat
            placed.add(sat.player)
    return chosen


def _scaled(level: float) -> float:
    return ORIGIN + UNIT * level
