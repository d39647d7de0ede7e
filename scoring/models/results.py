"""What closed matches came to. Derived: may be dropped and is rebuilt the same."""

import uuid

from django.db import models
from django.db.models import Q

from scoring.models.clubs import Club, Player
from scoring.models.matches import Match


class MatchResult(models.Model):
    """One person in one seat of a closed match.

    `points` are of the deals this person sat; `total` and `place` are the seat's at the end (the
    team's where teams play), so that a substitute's points follow the person (C75). `win` says
    whether high or low totals win: the two never mix, even in one system (C-X1, C-K6).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    match = models.ForeignKey(Match, models.PROTECT, related_name="results", db_index=False)
    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="results")
    player = models.ForeignKey(Player, models.PROTECT, related_name="results")
    system = models.CharField(max_length=20)
    win = models.CharField(max_length=4, default="high")
    in_teams = models.BooleanField(default=False)
    seat = models.PositiveSmallIntegerField()
    deals = models.PositiveSmallIntegerField()
    points = models.IntegerField()
    total = models.IntegerField()
    place = models.PositiveSmallIntegerField()
    played_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(seat__range=(0, 3)), name="result_seat"),
            models.CheckConstraint(condition=Q(win__in=("high", "low")), name="result_win"),
            models.UniqueConstraint(fields=["match", "seat", "player"], name="one_result"),
        ]
        indexes = [
            models.Index(fields=["club", "system", "player"], name="result_of_club"),
            models.Index(fields=["player", "-played_at"], name="result_of_player"),
        ]

    def __str__(self) -> str:
        return f"place {self.place} with {self.total}"
