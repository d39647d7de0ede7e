"""Events of a match as a hash chain: one event a write, with the hash of the one before.

Typed rows (`LedgerRow`) hold the facts; the event that made them holds their digests. Free words
stand in `Words`, outside: the event keeps only their salted digest, so that deleting the words
erases them for good and leaves the chain whole.
"""

import secrets
import uuid
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from scoring.models.canonical import digest


class EventKind(models.TextChoices):
    """The kinds of events; the database accepts others, which later versions add."""

    MATCH_OPENED = "match_opened"
    FIRST_CHOOSER_SET = "first_chooser_set"
    DAY_CHANGED = "day_changed"
    DEAL_RECORDED = "deal_recorded"
    DEAL_CORRECTED = "deal_corrected"
    DEAL_VOIDED = "deal_voided"
    MATCH_FINISHED = "match_finished"
    MATCH_REOPENED = "match_reopened"
    MATCH_BROKEN_OFF = "match_broken_off"
    MATCH_VOIDED = "match_voided"
    REMATCH_OPENED = "rematch_opened"
    MATCH_TAKEN_IN = "match_taken_in"  # by a club
    MATCH_REPAIRED = "match_repaired"
    SEATS_CHANGED = "seats_changed"
    REDEAL_RECORDED = "redeal_recorded"
    REDEAL_VOIDED = "redeal_voided"
    POINTS_ADJUSTED = "points_adjusted"
    ADJUSTMENT_VOIDED = "adjustment_voided"
    SUBTOTAL_ENTERED = "subtotal_entered"
    SUBTOTAL_VOIDED = "subtotal_voided"
    RECORD_ATTACHED = "record_attached"
    RECORD_VOIDED = "record_voided"
    PHOTO_ATTACHED = "photo_attached"
    PHOTO_VOIDED = "photo_voided"
    SIGNED = "signed"
    SIGNATURE_VOIDED = "signature_voided"
    DEAL_FLAGGED = "deal_flagged"
    FLAG_VOIDED = "flag_voided"
    DISPUTE_CLAIMED = "dispute_claimed"
    DISPUTE_RELEASED = "dispute_released"
    DISPUTE_CLOSED = "dispute_closed"
    DISPUTE_REOPENED = "dispute_reopened"
    RULING_PUBLISHED = "ruling_published"


class MatchEvent(models.Model):
    """One write to a match: kind, actor, rows, time of play and time of entry.

    `content` is hashed: {"rows": [[table, id, digest], …], "facts": {…}, "words": {…}}.
    `on_version` is the version of the match that the writer had seen."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    match = models.ForeignKey(
        "scoring.Match", models.PROTECT, related_name="events", db_index=False
    )
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=40, choices=EventKind)
    subject_kind = models.CharField(max_length=40)
    subject_id = models.UUIDField()
    content = models.JSONField()
    payload_version = models.PositiveSmallIntegerField(default=1)
    prev_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)
    entry_key = models.UUIDField(unique=True)
    on_version = models.PositiveIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    device = models.UUIDField(null=True)
    played_at = models.DateTimeField(null=True)
    entered_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "seq"], name="one_event_per_number"),
            models.CheckConstraint(condition=Q(seq__gte=1), name="event_seq_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"

    def work_out_hash(self) -> str:
        """Return the hash that these values must have."""
        facts = {
            "id": self.id,
            "match": self.match_id,
            "seq": self.seq,
            "kind": self.kind,
            "subject": [self.subject_kind, self.subject_id],
            "content": self.content,
            "version": self.payload_version,
            "prev": self.prev_hash,
            "entry_key": self.entry_key,
            "on_version": self.on_version,
            "user": self.user_id,
            "device": self.device,
            "played_at": self.played_at,
            "entered_at": self.entered_at,
        }
        return digest(facts)


class LedgerRow(models.Model):
    """Base class of rows that are only added; database triggers refuse anything else."""

    TABLE: ClassVar[str]
    FACTS: ClassVar[tuple[str, ...]]

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    match = models.ForeignKey("scoring.Match", models.PROTECT, related_name="%(class)ss")
    event = models.ForeignKey(MatchEvent, models.PROTECT, related_name="%(class)ss")

    class Meta:
        abstract = True

    def digest(self) -> str:
        """Return the digest of the row's values.

        A null is left out, so that a column added later changes no digest."""
        facts: dict[str, Any] = {name: getattr(self, name) for name in self.FACTS}
        known = {name: value for name, value in facts.items() if value is not None}
        ids = {"table": self.TABLE, "id": self.id, "match": self.match_id, "event": self.event_id}
        return digest(ids | known)


def make_salt() -> str:
    return secrets.token_hex(16)


class Words(models.Model):
    """Free text of a person, with the salt of its digest; never changed, deleted to erase it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    text = models.TextField()
    salt = models.CharField(max_length=32, default=make_salt)

    class Meta:
        verbose_name_plural = "words"

    def __str__(self) -> str:
        return self.text

    def digest(self) -> str:
        return digest([self.salt, self.text])
