"""Stored ratings as pages read them."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import cast
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery

from scoring.models import Club, Player, Rating, RatingState, RatingStep
from scoring.rules.standings import Family, Win
from scoring.rules.statistics.rating import Skill

LATEST_FIRST = ("-played_at", "-opened_at", "-match_id")
DRAWN = 50
"""The curve is of so many matches, the last ones."""


@dataclass(frozen=True)
class PlayerRating:
    """The rating of a player in one family, with its latest steps, oldest first.

    `skill` is None until there is one; `is_dirty` while it is being recalculated."""

    skill: Skill | None
    steps: tuple[RatingStep, ...]
    is_dirty: bool

    @property
    def is_cut(self) -> bool:
        return self.skill is not None and self.skill.matches > len(self.steps)


def skill_of(row: Rating | RatingStep) -> Skill:
    return Skill(row.mu, row.sigma, row.matches)


def estimate() -> dict[str, Subquery]:
    """Annotate a row of a player and family with `mu` and `sigma` of their rating."""
    same = {name: OuterRef(name) for name in ("club", "player", "system", "win")}
    rating = Rating.objects.filter(**same)
    return {name: Subquery(rating.values(name)) for name in ("mu", "sigma")}


def estimate_before(club: Club, family: Family, end: datetime) -> dict[str, Subquery]:
    """Annotate a row of a player with the rating as it was before a moment."""
    own = {"club": club, "player": OuterRef("player_id"), "system": family[0], "win": family[1]}
    newest = RatingStep.objects.filter(**own, played_at__lt=end).order_by(*LATEST_FIRST)
    return {name: Subquery(newest.values(name)[:1]) for name in ("mu", "sigma")}


def dirty_families(club: Club) -> frozenset[Family]:
    """Return the families whose ratings are being recalculated. One query."""
    states = RatingState.objects.filter(club=club, dirty_from__isnull=False)
    return frozenset((row.system, cast(Win, row.win)) for row in states)


def rating_of(club: Club, player: Player, family: Family) -> PlayerRating:
    """Return the rating of a player. Three queries."""
    own = {"club": club, "player": player, "system": family[0], "win": family[1]}
    row = Rating.objects.filter(**own).first()
    latest = RatingStep.objects.filter(**own).order_by(*LATEST_FIRST)[:DRAWN]
    steps, dirty = tuple(latest)[::-1], dirty_families(club)
    return PlayerRating(skill_of(row) if row else None, steps, family in dirty)


def newest_steps(rows: QuerySet[RatingStep], players: Collection[UUID]) -> list[RatingStep]:
    """Return the last of these steps of each player, in order of play. One query."""
    last = rows.filter(player=OuterRef("id")).order_by(*LATEST_FIRST).values("id")[:1]
    people = Player.objects.filter(id__in=players).values(step=Subquery(last))
    return list(RatingStep.objects.filter(id__in=people))
