"""Signatures, flags, rulings and disputes about deals.

Rows are only added, except the derived ones.

`Dispute` is derived from them and from the events: how far the judging of a deal number is.
"""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from scoring.models.chain import LedgerRow
from scoring.models.clubs import Club
from scoring.models.fixed_sets import disputed_rules
from scoring.models.ledger import Adjustment, Deal
from scoring.models.matches import Match


class Signature(LedgerRow):
    """A seat's statement that the deals of a kingdom or a round are right.

    `unit` counts from 1 in the order of the sheet; `deals` are the ids of the deals that stood when
    it was signed, `head` the head of the chain then: a deal corrected later was not signed.
    `by_scorer`: on the phone that keeps score, and not on one of that seat."""

    TABLE = "signature"
    FACTS = ("unit", "seat", "deals", "head", "by_scorer", "payload_version")

    unit = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    deals = models.JSONField()
    head = models.CharField(max_length=64)
    by_scorer = models.BooleanField()
    payload_version = models.PositiveSmallIntegerField(default=1)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(unit__gte=1), name="signature_unit_from_one"),
            models.CheckConstraint(condition=Q(seat__range=(0, 3)), name="signature_seat"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat} signs {self.unit}"


class Flag(LedgerRow):
    """Somebody's doubt about a deal number; the words are the reason of the event."""

    TABLE = "flag"
    FACTS = ("deal_number", "seat", "payload_version")

    deal_number = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField(null=True)
    payload_version = models.PositiveSmallIntegerField(default=1)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(deal_number__gte=1), name="flag_number_from_one"),
            models.CheckConstraint(
                condition=Q(seat__isnull=True) | Q(seat__range=(0, 3)), name="flag_seat"
            ),
        ]

    def __str__(self) -> str:
        return f"flag at deal {self.deal_number}"


class Outcome(models.TextChoices):
    """The outcome of a ruling; the database accepts others, which later versions add."""

    STANDS = "stands"
    CORRECTED = "corrected"
    REVOKE = "revoke"
    ADJUSTED = "adjusted"


class Ruling(LedgerRow):
    """An arbiter's ruling about a deal number; a later one names the one it replaces.

    `deal` is the correction and `adjustment` the points that came with it, if any; `rule` the id of
    the rule it rests on (`C-L5`), or empty; `before` and `after` are the points of the deal and of
    what stands beside it, by seat. The grounds are the reason of the event."""

    TABLE = "ruling"
    FACTS = (
        "deal_number",
        "outcome",
        "rule",
        "deal_id",
        "adjustment_id",
        "before",
        "after",
        "replaces_id",
        "payload_version",
    )

    deal_number = models.PositiveSmallIntegerField()
    outcome = models.CharField(max_length=20, choices=Outcome)
    rule = models.CharField(max_length=20, choices=disputed_rules, blank=True, default="")
    deal = models.ForeignKey(Deal, models.PROTECT, null=True, related_name="rulings")
    adjustment = models.ForeignKey(Adjustment, models.PROTECT, null=True, related_name="rulings")
    before = models.JSONField()
    after = models.JSONField()
    replaces = models.OneToOneField("self", models.PROTECT, null=True, related_name="replaced_by")
    payload_version = models.PositiveSmallIntegerField(default=1)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(deal_number__gte=1), name="ruling_number_from_one"),
            models.CheckConstraint(condition=~Q(replaces=F("id")), name="ruling_replaces_another"),
        ]

    def __str__(self) -> str:
        return f"ruling on deal {self.deal_number}: {self.outcome}"


class DisputeState(models.TextChoices):
    """The states of a dispute.

    Open until an arbiter claims it; ruled when the ruling is published; closed when nothing is left
    to be done."""

    OPEN = "open"
    CLAIMED = "claimed"
    RULED = "ruled"
    CLOSED = "closed"


UNDER_REVIEW = (DisputeState.OPEN, DisputeState.CLAIMED)


class DisputeQuerySet(models.QuerySet["Dispute"]):
    def under_review(self) -> "DisputeQuerySet":
        """Return those without a published ruling, whose points are frozen for the public."""
        return self.filter(state__in=UNDER_REVIEW)


class Dispute(models.Model):
    """The state of the judging of a deal number, derived from the events of the match.

    `frozen` is the deal that stood when it was opened (None: none stood), `opened_seq` the event.
    """

    TABLE = "dispute"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    match = models.ForeignKey(Match, models.PROTECT, related_name="disputes", db_index=False)
    club = models.ForeignKey(
        Club, models.PROTECT, null=True, related_name="disputes", db_index=False
    )
    deal_number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=DisputeState, default=DisputeState.OPEN)
    opened_at = models.DateTimeField()
    opened_seq = models.PositiveIntegerField()
    frozen = models.ForeignKey(Deal, models.PROTECT, null=True, related_name="+")
    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    ruling = models.ForeignKey(Ruling, models.PROTECT, null=True, related_name="+")

    objects = DisputeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=DisputeState.values), name="dispute_state"
            ),
            models.UniqueConstraint(fields=["match", "deal_number"], name="one_dispute_per_number"),
        ]
        indexes = [models.Index(fields=["club", "state", "opened_at"], name="dispute_of_club")]

    def __str__(self) -> str:
        return f"dispute about deal {self.deal_number}: {self.state}"

    @property
    def is_under_review(self) -> bool:
        return self.state in UNDER_REVIEW
