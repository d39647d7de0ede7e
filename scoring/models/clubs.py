"""Clubs, their people, members and house rules."""

import uuid
from functools import cached_property
from typing import Any

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual

from scoring.models.fixed_sets import languages, presets, systems
from scoring.models.log import LoggedQuerySet
from scoring.models.namesakes import NUMBER_LENGTH, numbered, numbers
from scoring.rules import Ruleset, ruleset

NAME_LENGTH = 40


class Role(models.TextChoices):
    """The role of a member of a club; the table of permissions says what it may do."""

    MEMBER = "member"
    SCORER = "scorer"
    ARBITER = "arbiter"
    OWNER = "owner"


def default_criteria() -> list[str]:
    """Return the criteria of standings that a new club has."""
    return ["total", "wins"]


class Club(models.Model):
    """A group of people that plays.

    `house_rules` are those that a new match is offered first; a club without any plays the first
    preset.

    `criteria` (names of `rules.standings.CRITERIA`) rank its people, who are provisional with
    fewer than `minimum` matches.

    `names_version` moves on whenever somebody of the club is called otherwise, so that nothing that
    was drawn before is shown on. `hidden_accounts`: what the account of a hidden person is called
    where accounts are named, by its id, whether it still is theirs or not; empty for an anonymous
    one. Derived from the people."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(max_length=50, unique=True)
    name = models.CharField(max_length=80)
    is_public = models.BooleanField(default=False)
    time_zone = models.CharField(max_length=64, default="Asia/Beirut")
    language = models.CharField(max_length=10, choices=languages, default="en")
    house_rules = models.ForeignKey(
        "HouseRules", models.SET_NULL, null=True, blank=True, related_name="+"
    )
    correction_minutes = models.PositiveSmallIntegerField(default=10)
    links_hours = models.PositiveSmallIntegerField(default=6)
    acceptance_hours = models.PositiveSmallIntegerField(default=24)
    criteria = models.JSONField(default=default_criteria)
    minimum = models.PositiveSmallIntegerField(default=0)
    names_version = models.PositiveIntegerField(default=0)
    hidden_accounts = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = LoggedQuerySet["Club"].as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="club_has_a_name"),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("name"), 80), name="club_name_length"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def account_names(self) -> dict[uuid.UUID, str]:
        """The names of the people here who have an account, by its id. One query."""
        people = Player.objects.filter(club=self, user__isnull=False)
        return dict(people.values_list("user_id", "name"))

    @cached_property
    def account_roles(self) -> dict[uuid.UUID, str]:
        """The roles of the accounts here by their ids, in order of joining. One query."""
        members = Membership.objects.filter(club=self).order_by("created_at", "id")
        return dict(members.values_list("user_id", "role"))


class HouseRules(models.Model):
    """A named set of rules of a club, for new matches.

    A match copies the options when it is opened, so a change here affects no match.

    `preset` is what the set was started from."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="rule_sets", db_index=False)
    name = models.CharField(max_length=NAME_LENGTH)
    preset = models.CharField(max_length=40, choices=presets)
    system = models.CharField(max_length=20, choices=systems)
    options = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = LoggedQuerySet["HouseRules"].as_manager()

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
        """The ruleset of this row."""
        return ruleset(self.system, self.options)


class Player(models.Model):
    """A person who sits at tables: of a club, or (without one) of a single match.

    The name stands here only, never in the ledger, so that it can be changed or taken out. `name`
    is what everybody reads: of a merged person the other one's, of a hidden or anonymous one what
    they are called instead. Where several people of the club have one name, it ends with a number
    (`namesake_number`, 0 for none) in order of joining: "Ahmad (1)". `own_name` is the one to go
    back to, without a number. `former_names` are digests of the names before a change: they are
    found again in old files, and nobody can read them.

    `merged_into` is the person whom this one is the same as; `counts_for` follows from it: whom
    the points of this one belong to at last, None for those who count for themselves."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(
        Club, models.PROTECT, null=True, related_name="players", db_index=False
    )
    name = models.CharField(max_length=NAME_LENGTH + NUMBER_LENGTH)
    namesake_number = models.PositiveSmallIntegerField(default=0)
    is_guest = models.BooleanField(default=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="players"
    )
    is_unverified = models.BooleanField(default=False)
    merged_into = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="merged", db_index=False
    )
    counts_for = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="others", db_index=True
    )
    own_name = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    former_names = models.JSONField(default=list, blank=True)
    hidden_at = models.DateTimeField(null=True, blank=True)
    anonymised_at = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = LoggedQuerySet["Player"].as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="player_has_a_name"),
            models.CheckConstraint(
                condition=Q(merged_into__isnull=True) | ~Q(merged_into=models.F("id")),
                name="player_not_merged_into_itself",
            ),
            models.CheckConstraint(
                condition=Q(anonymised_at__isnull=True) | Q(own_name=""),
                name="anonymous_player_keeps_no_name",
            ),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("name"), NAME_LENGTH)
                | Q(namesake_number__gt=0)
                & LessThanOrEqual(Length("name"), NAME_LENGTH + NUMBER_LENGTH),
                name="player_name_length",
            ),
            models.UniqueConstraint(fields=["club", "user"], name="one_player_per_club_and_user"),
        ]
        indexes = [models.Index(fields=["club", "name"], name="player_by_name")]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save the person; in a club, number people of the same name."""
        is_new = self._state.adding
        with transaction.atomic(savepoint=False):
            super().save(*args, **kwargs)
            if is_new and self.club_id:
                called = number_namesakes(self.club_id)
                self.name, self.namesake_number = called.get(
                    self.id, (self.name, self.namesake_number)
                )

    @property
    def counted_id(self) -> uuid.UUID:
        """The person whose points these are."""
        return self.counts_for_id or self.id

    @property
    def plain_name(self) -> str:
        """The name without the number that tells namesakes apart."""
        return self.name.removesuffix(numbered("", self.namesake_number))


def number_namesakes(club_id: uuid.UUID) -> dict[uuid.UUID, tuple[str, int]]:
    """Number the people of a club who share a name, and return those whose name changed.

    The number is removed from a name that only one person has. Locks the club. Two queries; one
    more for each of those, and one for the club."""
    Club.objects.select_for_update(no_key=True).only("pk").get(pk=club_id)
    known = Player.objects.filter(club=club_id, merged_into=None).order_by("created_at", "id")
    people = list(known.only("name", "namesake_number"))
    names = [one.plain_name for one in people]
    called = {
        one.id: (numbered(name, number), number)
        for one, name, number in zip(people, names, numbers(names), strict=True)
        if number != one.namesake_number
    }
    for one, (name, number) in called.items():
        same = Q(id=one) | Q(counts_for=one)
        Player.objects.filter(same).update(name=name, namesake_number=number)
    if called:
        Club.objects.filter(pk=club_id).update(names_version=models.F("names_version") + 1)
    return called


class PersonEventKind(models.TextChoices):
    """The kinds of changes of a person; later versions add more."""

    MERGED = "merged"  # `other` is the one who stays
    UNMERGED = "unmerged"
    RENAMED = "renamed"
    HIDDEN = "hidden"
    SHOWN = "shown"
    ANONYMISED = "anonymised"
    ARCHIVED = "archived"
    BROUGHT_BACK = "brought_back"
    CLAIMED = "claimed"
    RELEASED = "released"
    VERIFIED = "verified"


class PersonEvent(models.Model):
    """A change of a person of a club, by whom and when; without any name."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="person_events", db_index=False)
    player = models.ForeignKey(Player, models.PROTECT, related_name="person_events")
    other = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+", db_index=False)
    kind = models.CharField(max_length=20, choices=PersonEventKind)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    device = models.UUIDField(null=True)
    at = models.DateTimeField()

    objects = LoggedQuerySet["PersonEvent"].as_manager()

    class Meta:
        indexes = [models.Index(fields=["club", "-at"], name="person_event_of_club")]

    def __str__(self) -> str:
        return f"{self.kind} {self.player_id}"


class Membership(models.Model):
    """The role of an account in a club; `Player.user` says which person it is there."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.MEMBER)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = LoggedQuerySet["Membership"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="one_membership_per_club"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role} of {self.club_id}"
