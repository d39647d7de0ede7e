"""API keys of a club."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from scoring.models.clubs import NAME_LENGTH, Club
from scoring.models.log import LoggedQuerySet


class TokenScope(models.TextChoices):
    """What the holder of a key may do."""

    READ = "read"
    WRITE = "write"  # enter deals as well
    CALENDAR = "calendar"  # only the feed of evenings


class ClubToken(models.Model):
    """One API key of a club; only the digest of its secret is stored."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, related_name="tokens", db_index=False)
    name = models.CharField(max_length=NAME_LENGTH)
    scope = models.CharField(max_length=10, choices=TokenScope)
    digest = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    objects = LoggedQuerySet["ClubToken"].as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(scope__in=TokenScope.values), name="token_scope")
        ]
        indexes = [models.Index(fields=["club", "created_at"], name="token_of_club")]

    def __str__(self) -> str:
        return f"{self.name} ({self.scope})"
