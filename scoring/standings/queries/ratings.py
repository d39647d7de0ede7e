"""Ratings as pages read them: derived rows only, nothing is worked out while somebody waits."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery

from scoring.models import Club, Player, Rating, RatingState, RatingStep
from scoring.rules.rating import Skill
from scoring.rules.standings import Family

LATEST_FIRST = ("-played_at", "-opened_at", "-match_id")
DRAWN = 50
"""The curve is of so many matches, the last ones."""


@dataclass(frozen=True)
class PlayerRating:
    """The rating of one person in one family, None until there is one, with the steps that led to
    it, the oldest first, at most `DRAWN`; `is_dirty` while it is worked out anew."""

    skill: Skill | None
    steps: tuple[RatingStep, ...]
    is_dirty: bool

    @property
    def is_cut(self) -> bool:
        return self.skill is not None and self.skill.matches > len(self.steps)


def skill_of(row: Rating | RatingStep) -> Skill:
    return Skill(row.mu, row.sigma, row.matches)


def estimate() -> dict[str, Subquery]:
    """Beside a row of a person and a family: `mu` and `sigma` of their rating there, or None."""
    same = {name: OuterRef(name) for name in ("club", "player", "system", "win")}
    rating = Rating.objects.filter(**same)
    return {name: Subquery(rating.values(name)) for name in ("mu", "sigma")}


def estimate_before(club: Club, family: Family, end: datetime) -> dict[str, Subquery]:
    """The same as it was before that moment, beside a person's row of whatever kind."""
    own = {"club": club, "player": OuterRef("player_id"), "system": family[0], "win": family[1]}
    newest = RatingStep.objects.filter(**own, played_at__lt=end).order_by(*LATEST_FIRST)
    return {name: Subquery(newest.values(name)[:1]) for name in ("mu", "sigma")}


def dirty_families(club: Club) -> frozenset[Family]:
    """Whose ratings are being worked out. One query."""
    states = RatingState.objects.filter(club=club, dirty_from__isnull=False)
    return frozenset((row.system, row.win) for row in states)  # type: ignore[misc]


def rating_of(club: Club, player: Player, family: Family) -> PlayerRating:
    """Three queries."""
    own = {"club": club, "player": player, "system": family[0], "win": family[1]}
    row = Rating.objects.filter(**own).first()
    latest = RatingStep.objects.filter(**own).order_by(*LATEST_FIRST)[:DRAWN]
    steps, dirty = tuple(latest)[::-1], dirty_families(club)
    return PlayerRating(skill_of(row) if row else None, steps, family in dirty)


def newest_steps(rows: QuerySet[RatingStep], players: Collection[UUID]) -> list[RatingStep]:
    """The last of these steps of each person, in order of play. One query."""
    last = rows.filter(player=OuterRef("id")).order_by(*LATEST_FIRST).values("id")[:1]
    people = Player.objects.filter(id__in=players).values(step=Subquery(last))
    return list(RatingStep.objects.filter(id__in=people))
