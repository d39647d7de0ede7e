"""Accounts, and the one-time links that create them.

At the table no account is needed.
"""

import uuid
from datetime import datetime

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.utils.functional import cached_property

from scoring.models.clubs import Club, Membership, Player, Role


class User(AbstractUser):
    """An account; a superuser is an owner of this installation."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)

    @cached_property
    def club_roles(self) -> dict[uuid.UUID, Role]:
        """The account's role in each of its clubs. One query for each object."""
        return {row.club_id: Role(row.role) for row in Membership.objects.filter(user=self)}


class Invitation(models.Model):
    """A link that works once, or until it ends where it is `reusable`.

    Only the digest of its secret is stored.

    Without a club it makes its user an owner of this installation (the first link of `bin/serve`).
    With a `player` whoever follows it is that person; by a reusable one everybody comes in under a
    name of their own, marked as unverified."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    token_hash = models.CharField(max_length=64, unique=True)
    club = models.ForeignKey(Club, models.CASCADE, null=True, blank=True)
    role = models.CharField(max_length=10, choices=Role, default=Role.MEMBER)
    player = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="+")
    reusable = models.BooleanField(default=False)
    revoked_at = models.DateTimeField(null=True)
    created_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    used_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(role__in=Role.values), name="invitation_role"),
            models.CheckConstraint(
                condition=Q(used_at__isnull=True, used_by__isnull=True)
                | Q(used_at__isnull=False, used_by__isnull=False),
                name="invitation_used_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} of {self.club_id or 'the installation'}"

    def is_open(self, now: datetime) -> bool:
        return self.used_at is None and self.revoked_at is None and now < self.expires_at
