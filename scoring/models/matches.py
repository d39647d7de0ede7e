"""Matches, their seatings and their kingdoms."""

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils.functional import cached_property

from scoring.models.canonical import plain
from scoring.models.chain import LedgerRow
from scoring.models.clubs import NAME_LENGTH, Club, Player
from scoring.models.evenings import Evening
from scoring.models.fixed_sets import presets, systems
from scoring.models.log import LoggedQuerySet
from scoring.rules.renumbering import Shift, number_now, numbers_then, start_now

TABLE_NAME_LENGTH = 40


class MatchState(models.TextChoices):
    """The states of a match; the database accepts others, which later versions add.

    Unfinished: broken off; it counts nowhere and may be taken up again. Voided: as if not played.
    """

    RUNNING = "running"
    FINISHED = "finished"
    UNFINISHED = "unfinished"
    VOIDED = "voided"


class MatchQuerySet(LoggedQuerySet["Match"]):
    def running(self) -> "MatchQuerySet":
        return self.filter(state=MatchState.RUNNING)

    def finished(self) -> "MatchQuerySet":
        return self.filter(state=MatchState.FINISHED)

    def on_lists(self) -> "MatchQuerySet":
        """Return those without results: running ones first, then broken off, then voided."""
        listed = (MatchState.RUNNING, MatchState.UNFINISHED, MatchState.VOIDED)
        return self.filter(state__in=listed).order_by("state", "-opened_at")

    def with_deal_counts(self) -> "MatchQuerySet":
        """Annotate `deal_count`, the number of current deals, and `has_paper`.

        `has_paper`: whether sums from paper were ever entered, whose open deals were played as
        well."""
        rows = self.model._meta.apps.get_model("scoring", "Subtotal").objects
        paper = models.Exists(rows.filter(match=models.OuterRef("pk")))
        told: dict[str, Any] = {"deal_count": models.Count("current_deals"), "has_paper": paper}
        return self.annotate(**told)


class Match(models.Model):
    """A match under the rules it was opened with.

    The row says where its ledger stands: `version` is the number of its last event, `head` that
    event's hash. All else in it follows from the events and is compared with them by
    `verify_ledger`."""

    FACTS = (
        "club_id",
        "system",
        "options",
        "state",
        "first_chooser",
        "first_dealer",
        "played_at",
        "closed_at",
        "external_id",
        "rematch_of_id",
        "shifts",
    )

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="matches")
    system = models.CharField(max_length=20, choices=systems)
    options = models.JSONField(default=dict)
    preset = models.CharField(max_length=40, choices=presets, blank=True, default="")
    rules_name = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    table_name = models.CharField(max_length=TABLE_NAME_LENGTH, blank=True, default="")
    # Where it belongs on an evening of several tables. No fact of the game: not chained.
    evening = models.ForeignKey(
        Evening, models.PROTECT, null=True, related_name="matches", db_index=False
    )
    round_number = models.PositiveSmallIntegerField(null=True)
    table_number = models.PositiveSmallIntegerField(null=True)
    state = models.CharField(max_length=20, choices=MatchState, default=MatchState.RUNNING)
    version = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64, blank=True, default="")
    first_chooser = models.PositiveSmallIntegerField(null=True)
    first_dealer = models.PositiveSmallIntegerField(null=True)
    holder_device = models.UUIDField(null=True, db_index=True)
    # The table lease: which phone keeps score, and since when. No fact of the game: not chained.
    lease_device = models.UUIDField(null=True)
    lease_user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    lease_at = models.DateTimeField(null=True)
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="opened_matches"
    )
    opened_at = models.DateTimeField()
    played_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    rematch_of = models.ForeignKey("self", models.PROTECT, null=True, related_name="rematches")
    external_id = models.CharField(max_length=200, blank=True, default="")
    # Deals inserted and removed: the fields of each `rules.renumbering.Shift`, oldest first.
    shifts = models.JSONField(default=list, blank=True)

    deal_count: int  # only after `with_deal_counts`
    has_paper: bool  # the same
    names_club = True  # not where a page is drawn for somebody who may not know the club
    has_phones = True  # not where it was seen that none came by a link or has a seat

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "matches"
        constraints = [
            models.CheckConstraint(
                condition=Q(first_chooser__isnull=True) | Q(first_chooser__range=(0, 3)),
                name="match_first_chooser_is_a_seat",
            ),
            models.CheckConstraint(
                condition=Q(first_dealer__isnull=True) | Q(first_dealer__range=(0, 3)),
                name="match_first_dealer_is_a_seat",
            ),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("table_name"), TABLE_NAME_LENGTH),
                name="match_table_name_length",
            ),
            models.UniqueConstraint(
                fields=["club", "external_id"],
                condition=~Q(external_id=""),
                name="one_match_per_external_id",
            ),
        ]
        indexes = [
            models.Index(fields=["club", "state", "-played_at"], name="match_of_club"),
            models.Index(
                fields=["club", "-played_at", "-opened_at", "-id"], name="match_of_club_by_day"
            ),
            models.Index(
                fields=["evening", "round_number", "table_number"], name="match_of_evening"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.system} {self.played_at:%Y-%m-%d} {self.table_name}".strip()

    @property
    def is_running(self) -> bool:
        return self.state == MatchState.RUNNING

    @property
    def is_finished(self) -> bool:
        return self.state == MatchState.FINISHED

    @property
    def is_closed_table(self) -> bool:
        """Whether it is hidden from players of other tables while it runs (C103)."""
        return self.evening is not None and self.is_running and not self.evening.tables_are_open

    @property
    def tag(self) -> str:
        """A cache key that changes with the pages of the match.

        With an event, a new keeper or new names. Needs the club."""
        since = int(self.lease_at.timestamp() * 1000) if self.lease_at else 0
        return f"{self.version}-{since}-{self.club.names_version if self.club else 0}"

    @property
    def accounts(self) -> frozenset[uuid.UUID]:
        """The accounts of those who sit or sat here."""
        return frozenset[uuid.UUID]().union(*self.accounts_of.values())

    @cached_property
    def accounts_of(self) -> dict[uuid.UUID, frozenset[uuid.UUID]]:
        """The accounts of each person who sits or sat here, merged people included.

        One query for each object."""
        found = Player.objects.filter(seatings__match=self).distinct()
        links = ("user", "others__user", "counts_for__user", "counts_for__others__user")
        known: dict[uuid.UUID, set[uuid.UUID]] = {}
        for person, *users in found.values_list("id", *links):
            known.setdefault(person, set()).update(filter(None, users))
        return {person: frozenset(users) for person, users in known.items()}

    def is_renumbered_since(self, seq: int) -> bool:
        """Return whether a deal was inserted or removed after this event."""
        return any(shift[0] > seq for shift in self.shifts)

    def number_now(self, number: int, seq: int) -> int | None:
        """Return today's number of the deal that had this number at event `seq`.

        None once that deal was removed."""
        return number_now(self._shifts, number, seq)

    def start_now(self, number: int, seq: int) -> int:
        """Return today's number of the deal from which something applies."""
        return start_now(self._shifts, number, seq)

    def numbered(self, number: int, of: str = "deal_number", seq: str = "event__seq") -> Q:
        """Return a filter for rows about the deal that has this number today.

        `of` and `seq` are the fields of the number and of the event."""
        if not self.shifts:
            return Q(**{of: number})
        found = Q(pk=None)
        for first, end, then in numbers_then(self._shifts, number):
            own = Q(**{of: then, f"{seq}__gte": first})
            found |= own if end is None else own & Q(**{f"{seq}__lt": end})
        return found

    @property
    def _shifts(self) -> list[Shift]:
        return [Shift(*shift) for shift in self.shifts]

    def facts(self) -> dict[str, Any]:
        """Return the values that the match's events must add up to, without names and labels."""
        return {name: plain(getattr(self, name)) for name in self.FACTS}


class Seating(LedgerRow):
    """A person in a seat from a deal on; the last row for a seat and deal counts."""

    TABLE = "seating"
    FACTS = ("seat", "player_id", "from_deal")

    seat = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, related_name="seatings")
    from_deal = models.PositiveSmallIntegerField(default=1)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(seat__range=(0, 3)), name="seating_seat"),
            models.CheckConstraint(condition=Q(from_deal__gte=1), name="seating_from_deal"),
            models.UniqueConstraint(fields=["event", "seat"], name="one_player_per_seat"),
            models.UniqueConstraint(fields=["event", "player"], name="one_seat_per_player"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} from deal {self.from_deal}"


class Kingdom(models.Model):
    """The set of contracts of one chooser; derived from current deals, also in rotating systems.

    Positions count from 1 in the order in which the choosers first chose."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    match = models.ForeignKey(Match, models.PROTECT, related_name="kingdoms", db_index=False)
    chooser = models.PositiveSmallIntegerField()
    position = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(chooser__range=(0, 3)), name="kingdom_chooser"),
            models.UniqueConstraint(fields=["match", "chooser"], name="one_kingdom_per_chooser"),
            models.UniqueConstraint(fields=["match", "position"], name="one_kingdom_per_position"),
        ]

    def __str__(self) -> str:
        return f"kingdom {self.position} of seat {self.chooser}"
