"""Ratings of people; derived, may be dropped and rebuilt."""

import uuid

from django.db import models
from django.db.models import Q

from scoring.models.clubs import Club
from scoring.models.fixed_sets import systems, winning_totals
from scoring.models.matches import Match
from scoring.models.results import OfPerson


class RatingStep(OfPerson):
    """A person's rating after a finished match of a club.

    `mu` is the estimate, `sigma` its uncertainty, both in openskill's units; `matches` how many
    were rated by then. Order of play as in `MatchResult`."""

    match = models.ForeignKey(Match, models.PROTECT, related_name="rating_steps", db_index=False)
    played_at = models.DateTimeField()
    opened_at = models.DateTimeField()
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "player"], name="one_rating_step")]
        indexes = [
            models.Index(
                fields=["player", "club", "system", "win", "played_at", "opened_at", "match"],
                name="rating_step_of_player",
            ),
            models.Index(fields=["club", "system", "win", "played_at"], name="rating_step_of_club"),
        ]

    def __str__(self) -> str:
        return f"{self.mu:.2f} ± {self.sigma:.2f}"


class Rating(OfPerson):
    """A person's current rating."""

    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField()
    last_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "system", "win", "player"], name="one_rating")
        ]
        indexes = [models.Index(fields=["player", "club"], name="rating_of_player")]

    def __str__(self) -> str:
        return f"{self.mu:.2f} ± {self.sigma:.2f}"


class RatingState(models.Model):
    """How far the ratings of one family of a club are correct.

    Up to everything played before `dirty_from` (None: all of it). `marked` counts the marks, so
    that one made during a rebuild is not lost."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="rating_states", db_index=False)
    system = models.CharField(max_length=20, choices=systems)
    win = models.CharField(max_length=4, choices=winning_totals)
    dirty_from = models.DateTimeField(null=True)
    marked = models.PositiveIntegerField(default=0)
    rebuilt_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "system", "win"], name="one_rating_state"),
            models.CheckConstraint(condition=Q(win__in=("high", "low")), name="rating_state_win"),
        ]

    def __str__(self) -> str:
        return f"{self.system} {self.win} from {self.dirty_from}"
