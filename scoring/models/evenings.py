"""Game nights: several tables, their people, the rounds, and who was drawn to which table."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from scoring.models.clubs import NAME_LENGTH, Club, Player
from scoring.models.fixed_sets import presets, systems
from scoring.models.log import LoggedQuerySet


class Evening(models.Model):
    """A game night: several tables under one name, planned, running or over (`ended_at`).

    Its matches are opened with the rules it was planned with.

    `tables_are_open`: those who play may look at the other tables while a round runs (C103).
    `in_pairs`: partners stay together all evening."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, related_name="evenings", db_index=False)
    name = models.CharField(max_length=NAME_LENGTH)
    starts_at = models.DateTimeField()
    system = models.CharField(max_length=20, choices=systems)
    options = models.JSONField(default=dict, blank=True)
    preset = models.CharField(max_length=40, choices=presets, blank=True, default="")
    rules_name = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    tables_are_open = models.BooleanField(default=True)
    in_pairs = models.BooleanField(default=False)
    ended_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField()

    objects = LoggedQuerySet["Evening"].as_manager()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="evening_has_a_name")]
        indexes = [models.Index(fields=["club", "-starts_at"], name="evening_of_club")]

    def __str__(self) -> str:
        return self.name


class EveningPlayer(models.Model):
    """A person of a game night, from which round to which; partners share a `pair` number."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    evening = models.ForeignKey(Evening, models.CASCADE, related_name="players", db_index=False)
    player = models.ForeignKey(Player, models.PROTECT, related_name="evenings")
    from_round = models.PositiveSmallIntegerField(default=1)
    until_round = models.PositiveSmallIntegerField(null=True)
    pair = models.PositiveSmallIntegerField(null=True)

    objects = LoggedQuerySet["EveningPlayer"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["evening", "player"], name="once_on_an_evening"),
            models.CheckConstraint(
                condition=Q(until_round__isnull=True) | Q(until_round__gte=models.F("from_round")),
                name="evening_player_rounds",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} from round {self.from_round}"


class DrawMethod(models.TextChoices):
    """How the seats of a round are drawn."""

    LOT = "lot"
    STANDING = "standing"  # the best so far sit together
    MEET = "meet"  # people meet those whom they have met least
    HAND = "hand"


class EveningRound(models.Model):
    """One draw: all tables that play at once.

    The same `seed` draws the same seats again."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    evening = models.ForeignKey(Evening, models.CASCADE, related_name="rounds", db_index=False)
    number = models.PositiveSmallIntegerField()
    method = models.CharField(max_length=10, choices=DrawMethod)
    seed = models.PositiveBigIntegerField()
    drawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    drawn_at = models.DateTimeField()

    objects = LoggedQuerySet["EveningRound"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["evening", "number"], name="one_round_per_number")
        ]

    def __str__(self) -> str:
        return f"round {self.number} by {self.method}"


class DrawnSeat(models.Model):
    """The seat to which a person was drawn; without a table a bye."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    round = models.ForeignKey(EveningRound, models.CASCADE, related_name="seats", db_index=False)
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    table_number = models.PositiveSmallIntegerField(null=True)
    seat = models.PositiveSmallIntegerField(null=True)

    objects = LoggedQuerySet["DrawnSeat"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "player"], name="drawn_once"),
            models.UniqueConstraint(
                fields=["round", "table_number", "seat"], name="one_player_per_drawn_seat"
            ),
            models.CheckConstraint(
                condition=Q(seat__isnull=True, table_number__isnull=True)
                | Q(seat__range=(0, 3), table_number__gte=1),
                name="drawn_seat_at_a_table_or_bye",
            ),
        ]

    def __str__(self) -> str:
        return f"table {self.table_number} seat {self.seat}"
