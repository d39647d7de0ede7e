"""Ratings as pages read them: derived rows only, nothing is worked out while somebody waits."""

from collections.abc import Collection
from dataclasses import dataclass
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
    """The rating of one person in one family with the steps that led to it, the oldest first, at
    most `DRAWN`; `is_dirty` while it is worked out anew."""

    family: Family
    skill: Skill
    steps: tuple[RatingStep, ...]
    is_dirty: bool

    @property
    def is_cut(self) -> bool:
        return self.skill.matches > len(self.steps)


def skill_of(row: Rating | RatingStep) -> Skill:
    return Skill(row.mu, row.sigma, row.matches)


def shown_ratings(club: Club, family: Family) -> dict[UUID, int]:
    """The number that is read, of everybody who has one. One query."""
    rows = Rating.objects.filter(club=club, system=family[0], win=family[1])
    return {row.player_id: skill_of(row).shown for row in rows}


def dirty_families(club: Club) -> frozenset[Family]:
    """Whose ratings are being worked out. One query."""
    states = RatingState.objects.filter(club=club, dirty_from__isnull=False)
    return frozenset((row.system, row.win) for row in states)  # type: ignore[misc]


def ratings_of(club: Club, player: Player) -> list[PlayerRating]:
    """What one person has, by family. Two queries, and one for each family."""
    dirty = dirty_families(club)
    rows = Rating.objects.filter(club=club, player=player).order_by("system", "win")
    return [_rating(row, dirty) for row in rows]


def newest_steps(rows: QuerySet[RatingStep], players: Collection[UUID]) -> list[RatingStep]:
    """The last of these steps of each person, in order of play. One query."""
    last = rows.filter(player=OuterRef("id")).order_by(*LATEST_FIRST).values("id")[:1]
    people = Player.objects.filter(id__in=players).values(step=Subquery(last))
    return list(RatingStep.objects.filter(id__in=people))


def _rating(row: Rating, dirty: frozenset[Family]) -> PlayerRating:
    family: Family = (row.system, row.win)  # type: ignore[assignment]
    steps = RatingStep.objects.filter(club=row.club_id, player=row.player_id)
    latest = steps.filter(system=row.system, win=row.win).order_by(*LATEST_FIRST)[:DRAWN]
    return PlayerRating(family, skill_of(row), tuple(latest)[::-1], family in dirty)
