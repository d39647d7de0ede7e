"""Card records and photos of deals, and the verdicts of their audits."""

import uuid
from pathlib import Path

from django.conf import settings
from django.db import models
from django.db.models import Q

from scoring.models.chain import LedgerRow
from scoring.models.clubs import Club
from scoring.models.matches import Match
from scoring.rules import Contract

CODES_LENGTH = 600


class CardRecordQuerySet(models.QuerySet["CardRecord"]):
    def standing(self) -> "CardRecordQuerySet":
        """Return those not withdrawn, in order of events; the last of a deal number counts."""
        return self.filter(void__isnull=True).order_by("event__seq")


class CardRecord(LedgerRow):
    """One deal card by card, as it was given. Never mended: what is wrong with it is for the audit
    to say. `content` is a record as `replay.notation_json` writes it, less its id and its tags:
    they hold names, which stand in `Words` as everybody's words do, under `tags` of the event.

    It belongs to a deal number, whether a deal stands there or not; of several that were not taken
    back the newest counts.
    """

    TABLE = "record"
    FACTS = ("deal_number", "content", "payload_version")

    deal_number = models.PositiveSmallIntegerField()
    content = models.JSONField()
    payload_version = models.PositiveSmallIntegerField(default=1)

    number_then: int | None = None  # where it was attached, if deals were moved since

    objects = CardRecordQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(deal_number__gte=1), name="record_number_from_one"),
        ]

    def __str__(self) -> str:
        return f"record of deal {self.deal_number}"

    @property
    def contract(self) -> str:
        """The key of what was played by the record."""
        return Contract.read(self.content["contract"]).key


class PhotoKind(models.TextChoices):
    """What a photo shows; the database accepts others, which later versions add."""

    SHEET = "sheet"
    CARDS = "cards"
    OTHER = "other"


class PhotoQuerySet(models.QuerySet["Photo"]):
    def standing(self) -> "PhotoQuerySet":
        """Return those not withdrawn, in order of events."""
        return self.filter(void__isnull=True).order_by("event__seq")


class Photo(LedgerRow):
    """A photo of the paper sheet or of the captured cards.

    The file is in the data folder under the id of the row; `sha256` is of its bytes. A withdrawn
    photo keeps its file, for the arbiter."""

    TABLE = "photo"
    FACTS = ("deal_number", "sha256", "kind", "width", "height", "size", "payload_version")

    deal_number = models.PositiveSmallIntegerField()
    sha256 = models.CharField(max_length=64)
    kind = models.CharField(max_length=20, choices=PhotoKind)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    size = models.PositiveIntegerField()
    payload_version = models.PositiveSmallIntegerField(default=1)

    objects = PhotoQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(deal_number__gte=1), name="photo_number_from_one"),
            models.CheckConstraint(
                condition=Q(width__gte=1) & Q(height__gte=1) & Q(size__gte=1),
                name="photo_not_empty",
            ),
        ]

    def __str__(self) -> str:
        return f"photo ({self.kind}) of deal {self.deal_number}"

    @property
    def path(self) -> Path:
        return Path(settings.MEDIA_ROOT) / self.id.hex[:2] / f"{self.id}.jpg"


class VerdictQuerySet(models.QuerySet["Verdict"]):
    def disagreeing(self) -> "VerdictQuerySet":
        """Return those whose record and entry cannot both be right."""
        return self.filter(agrees=False)

    def with_code(self, code: str) -> "VerdictQuerySet":
        """Return those of which an audit reports this code."""
        return self.filter(codes__contains=f" {code} ")


class Verdict(models.Model):
    """The result of the audit of a deal number's record.

    Derived: replaced with the record, and with the deal.

    `contract` is that of the record, `played_at` that of the match. `agrees` is None where there is
    no entry to compare; `codes` are those of breaches and findings, each once, with blanks between
    and around."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    match = models.ForeignKey(Match, models.PROTECT, related_name="verdicts", db_index=False)
    club = models.ForeignKey(
        Club, models.PROTECT, null=True, related_name="verdicts", db_index=False
    )
    record = models.OneToOneField(CardRecord, models.PROTECT, related_name="verdict")
    deal = models.ForeignKey("scoring.Deal", models.PROTECT, null=True, related_name="verdicts")
    deal_number = models.PositiveSmallIntegerField()
    contract = models.CharField(max_length=80)
    agrees = models.BooleanField(null=True)
    complete = models.BooleanField()
    codes = models.CharField(max_length=CODES_LENGTH, blank=True, default="")
    played_at = models.DateTimeField()

    objects = VerdictQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "deal_number"], name="one_verdict_per_number"),
        ]
        indexes = [
            models.Index(fields=["club", "agrees"], name="verdict_of_club"),
            models.Index(
                fields=["club", "-played_at", "match", "deal_number"], name="verdict_by_time"
            ),
        ]

    def __str__(self) -> str:
        return f"record of deal {self.deal_number}:{self.codes or ' sound'}"
