"""One-time links: whoever opens one becomes a member of a club, or owner of this installation."""

import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q

from scoring.models import Club, Invitation, Membership, User
from scoring.models.clubs import Role
from scoring.services.refusals import LedgerRefused

LASTS = timedelta(days=1)


def invite(*, club: Club | None, role: Role, by: User | None, now: datetime) -> str:
    """The secret of a new link; it is nowhere kept, so this is the only time it can be shown."""
    secret = secrets.token_urlsafe(24)
    Invitation.objects.create(
        token_hash=digest(secret),
        club=club,
        role=role,
        created_by=by,
        created_at=now,
        expires_at=now + LASTS,
    )
    return secret


@transaction.atomic
def invite_first_owner(*, now: datetime) -> str | None:
    """A link that makes an owner of this installation, or None when there is one already.

    It replaces any that was made before and not used.
    """
    if User.objects.filter(is_superuser=True, is_active=True).exists():
        return None
    Invitation.objects.filter(club=None, used_at=None).delete()
    return invite(club=None, role=Role.OWNER, by=None, now=now)


def withdraw(*, club: Club, invitation_id: str, now: datetime) -> None:
    """Ends a link of this club that nobody has used; refuses with link_over where there is none."""
    try:
        found = Q(id=UUID(invitation_id), club=club, used_at=None, expires_at__gt=now)
    except ValueError:
        raise LedgerRefused("link_over") from None
    if not Invitation.objects.filter(found).update(expires_at=now):
        raise LedgerRefused("link_over")


def find_open(*, secret: str, now: datetime) -> Invitation | None:
    """The invitation of a link that can still be used."""
    found = Q(token_hash=digest(secret), used_at=None, expires_at__gt=now)
    return Invitation.objects.select_related("club").filter(found).first()


@transaction.atomic
def accept(*, secret: str, user: User, now: datetime) -> User:
    """Uses the link up for this account, which is saved if it is new; refuses with link_over, or
    with taken where somebody got the same name at this moment.

    Somebody who is in the club already keeps the higher of the two roles.
    """
    found = Q(token_hash=digest(secret), used_at=None, expires_at__gt=now)
    invitation = Invitation.objects.select_for_update().filter(found).first()
    if invitation is None:
        raise LedgerRefused("link_over")
    if invitation.club is None:
        user.is_superuser = user.is_staff = True
    if user._state.adding:
        # Sign-in looks for small letters only, so that "Amal" and "amal" are one name.
        user.username = user.username.lower()
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        raise LedgerRefused("taken", "username") from None
    if invitation.club is not None:
        join(club=invitation.club, user=user, role=Role(invitation.role))
    invitation.used_at = now
    invitation.used_by = user
    invitation.save(update_fields=["used_at", "used_by"])
    return user


def join(*, club: Club, user: User, role: Role) -> Membership:
    """Makes the account a member with at least this role; expects a transaction."""
    membership, _ = Membership.objects.get_or_create(club=club, user=user, defaults={"role": role})
    roles = list(Role)
    if roles.index(Role(membership.role)) < roles.index(role):
        membership.role = role
        membership.save(update_fields=["role"])
    return membership


def digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
