"""Seasons: their days, their rules, and their final standings."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from scoring.models.clubs import NAME_LENGTH, Club, Player, default_criteria
from scoring.models.fixed_sets import criteria, presets, systems, winning_totals
from scoring.models.log import LoggedQuerySet
from scoring.rules import Ruleset, rules_key


class Season(models.Model):
    """The matches of a club between two of its days, both included.

    A night belongs to the day on which it began (`evening_ends` is 05:00).

    With `rules_key` only matches count that were opened by these rules; `system`, `options` and
    `rules_name` say which, and are offered first while it runs. With `counted` only so many matches
    of each person count, the first ones in order of play (C117). Once it is closed its standings
    are the `FrozenStanding` rows."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="seasons", db_index=False)
    name = models.CharField(max_length=NAME_LENGTH)
    starts_on = models.DateField()
    ends_on = models.DateField()
    system = models.CharField(max_length=20, choices=systems, blank=True, default="")
    options = models.JSONField(default=dict, blank=True)
    preset = models.CharField(max_length=40, choices=presets, blank=True, default="")
    rules_name = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    rules_key = models.CharField(max_length=16, blank=True, default="")
    criteria = models.JSONField(default=default_criteria)
    minimum = models.PositiveSmallIntegerField(default=0)
    counted = models.PositiveSmallIntegerField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = LoggedQuerySet["Season"].as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="season_has_a_name"),
            models.CheckConstraint(
                condition=Q(ends_on__gte=F("starts_on")), name="season_ends_after_it_starts"
            ),
            models.UniqueConstraint(fields=["club", "name"], name="one_season_per_name"),
        ]
        indexes = [models.Index(fields=["club", "-starts_on"], name="season_of_club")]

    def __str__(self) -> str:
        return self.name

    def set_rules(self, rules: Ruleset | None, *, preset: str = "", name: str = "") -> None:
        """Count only matches with these rules; None: matches with any rules."""
        self.system = rules.system if rules else ""
        self.options = rules.options() if rules else {}
        self.rules_key = rules_key(rules) if rules else ""
        self.preset, self.rules_name = preset, name


class FrozenStanding(models.Model):
    """One row of the standings of a season as they were when it was closed.

    Not derived: what was announced then stays, whatever is corrected later. The person is the one
    whose points they were then; with a `partner` it is a pair's row."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    season = models.ForeignKey(Season, models.CASCADE, related_name="frozen", db_index=False)
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    partner = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    system = models.CharField(max_length=20, choices=systems)
    win = models.CharField(max_length=4, choices=winning_totals)
    position = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField(null=True)
    needs = models.PositiveSmallIntegerField(default=0)
    decided_by = models.CharField(max_length=20, choices=criteria, blank=True, default="")
    matches = models.PositiveIntegerField()
    total = models.IntegerField()
    wins = models.PositiveIntegerField()
    places = models.PositiveIntegerField()
    seats = models.PositiveIntegerField()
    rating = models.FloatField(null=True)

    objects = LoggedQuerySet["FrozenStanding"].as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["season", "system", "win", "position"], name="frozen_of_season")
        ]

    def __str__(self) -> str:
        return f"{self.rank or '–'} with {self.total}"
