"""Links into a match, the phones that joined by them, and the seats of phones."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from scoring.models.matches import Match


class LinkKind(models.TextChoices):
    """What a link lets a phone do, as the table of permissions says."""

    TABLE = "table"
    VIEW = "view"


class TableLink(models.Model):
    """A link into one match for phones without rights, until it is revoked or ends.

    The code of a link stands nowhere: it follows from `id` and the secret key of the installation,
    and is found by its digest."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    match = models.ForeignKey(Match, models.PROTECT, related_name="links", db_index=False)
    kind = models.CharField(max_length=10, choices=LinkKind)
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    made_on = models.UUIDField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=LinkKind.values), name="link_kind"),
            models.UniqueConstraint(
                fields=["match", "kind"],
                condition=Q(revoked_at__isnull=True),
                name="one_open_link_per_kind",
            ),
        ]
        indexes = [models.Index(fields=["match", "kind"], name="link_of_match")]

    def __str__(self) -> str:
        return f"{self.kind} link"


class JoinedPhone(models.Model):
    """A phone that joined a match by a link, with the link's rights while the link lives."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    match = models.ForeignKey(Match, models.PROTECT, related_name="phones", db_index=False)
    link = models.ForeignKey(TableLink, models.PROTECT, related_name="phones", db_index=False)
    device = models.UUIDField()
    joined_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["link", "device"], name="joined_once_by_a_link"),
        ]
        indexes = [models.Index(fields=["device", "match"], name="joined_phone")]

    def __str__(self) -> str:
        return f"phone {self.device}"


class SeatPhone(models.Model):
    """The seat of a phone, for which it signs: one phone a seat, one seat a phone."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    match = models.ForeignKey(Match, models.PROTECT, related_name="seat_phones", db_index=False)
    seat = models.PositiveSmallIntegerField()
    device = models.UUIDField()
    bound_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(seat__range=(0, 3)), name="seat_phone_seat"),
            models.UniqueConstraint(fields=["match", "seat"], name="one_phone_per_seat"),
            models.UniqueConstraint(fields=["match", "device"], name="one_seat_per_phone"),
        ]

    def __str__(self) -> str:
        return f"phone of seat {self.seat}"
