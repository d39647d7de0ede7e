"""A club, its people and what each of them may do."""

import uuid
from functools import cached_property

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual

from scoring.rules import Ruleset, ruleset

NAME_LENGTH = 40


class Role(models.TextChoices):
    """What a member of a club may do; the access table says what that is."""

    MEMBER = "member"
    SCORER = "scorer"
    ARBITER = "arbiter"
    OWNER = "owner"


class Club(models.Model):
    """A group of people that plays. `house_rules` are those that a new match is offered first; a
    club without any plays the first preset."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(max_length=50, unique=True)
    name = models.CharField(max_length=80)
    is_public = models.BooleanField(default=False)
    time_zone = models.CharField(max_length=64, default="Asia/Beirut")
    language = models.CharField(max_length=10, default="en")
    house_rules = models.ForeignKey(
        "HouseRules", models.SET_NULL, null=True, blank=True, related_name="+"
    )
    correction_minutes = models.PositiveSmallIntegerField(default=10)
    links_hours = models.PositiveSmallIntegerField(default=6)
    acceptance_hours = models.PositiveSmallIntegerField(default=24)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="club_has_a_name"),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("name"), 80), name="club_name_length"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class HouseRules(models.Model):
    """A named set of rules of a club, for matches to come. A match takes the options with it when
    it is opened, so nothing that happens here changes it.

    `preset` is what the set was started from.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="rule_sets", db_index=False)
    name = models.CharField(max_length=NAME_LENGTH)
    preset = models.CharField(max_length=40)
    system = models.CharField(max_length=20)
    options = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "house rules"
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="house_rules_have_a_name"),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("name"), NAME_LENGTH),
                name="house_rules_name_length",
            ),
            models.UniqueConstraint(fields=["club", "name"], name="one_set_per_name"),
        ]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def ruleset(self) -> Ruleset:
        """The rules as they stand in this row."""
        return ruleset(self.system, self.options)


class Player(models.Model):
    """A person who sits at tables: of a club, or (without one) of a single evening.

    The name stands here only, never in the ledger, so that it can be changed or taken out.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(
        Club, models.PROTECT, null=True, related_name="players", db_index=False
    )
    name = models.CharField(max_length=NAME_LENGTH)
    is_guest = models.BooleanField(default=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="players"
    )
    archived_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="player_has_a_name"),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("name"), NAME_LENGTH), name="player_name_length"
            ),
            models.UniqueConstraint(fields=["club", "user"], name="one_player_per_club_and_user"),
        ]
        indexes = [models.Index(fields=["club", "name"], name="player_by_name")]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """The role of an account in a club. Which player it is there stands in `Player.user`."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.MEMBER)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="one_membership_per_club"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role} of {self.club_id}"
