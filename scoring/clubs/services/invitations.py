"""Invitation links: for members of a club, and for owners of this installation.

Most work once; one that hangs on the wall of a club works for everybody, who then comes in as
unverified (C101).
"""

import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from scoring.common.actor import Actor
from scoring.common.errors import RefusalCode, ServiceError
from scoring.models import Club, Invitation, Membership, Player, User
from scoring.models.clubs import Role
from scoring.people.services import people

LASTS = timedelta(days=1)
REUSABLE_LASTS = timedelta(days=30)


def invite(
    *,
    club: Club | None,
    role: Role,
    by: User | None,
    now: datetime,
    player: Player | None = None,
    reusable: bool = False,
) -> str:
    """The secret of a new link; it is nowhere kept, so this is the only time it can be shown. With
    a `player` whoever follows it is that person. One that works again and again makes members and
    nothing more."""
    if reusable and (role != Role.MEMBER or player):
        raise ServiceError(RefusalCode.ONLY_MEMBERS, "role")
    secret = secrets.token_urlsafe(24)
    Invitation.objects.create(
        token_hash=digest(secret),
        club=club,
        role=role,
        player=player,
        reusable=reusable,
        created_by=by,
        created_at=now,
        expires_at=now + (REUSABLE_LASTS if reusable else LASTS),
    )
    return secret


@transaction.atomic
def invite_person(*, player: Player, by: User | None, now: datetime) -> str:
    """The secret of a link by which an account becomes this person, in place of any that was made
    for them before."""
    person = people.locked(player)
    if person.anonymised_at:
        raise ServiceError(RefusalCode.ANONYMOUS)
    if person.user_id:
        raise ServiceError(RefusalCode.HAS_ACCOUNT)
    waiting = Invitation.objects.filter(player=person, used_at=None, revoked_at=None)
    waiting.update(revoked_at=now)
    return invite(club=person.club, role=Role.MEMBER, by=by, now=now, player=person)


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
        found = Q(id=UUID(invitation_id), club=club)
    except ValueError:
        raise ServiceError(RefusalCode.LINK_OVER) from None
    if not waiting(now).filter(found).update(revoked_at=now):
        raise ServiceError(RefusalCode.LINK_OVER)


def waiting(now: datetime) -> QuerySet[Invitation]:
    """The links that can still be used."""
    return Invitation.objects.filter(used_at=None, revoked_at=None, expires_at__gt=now)


def find_open(*, secret: str, now: datetime) -> Invitation | None:
    """The invitation of a link that can still be used."""
    return waiting(now).filter(token_hash=digest(secret)).select_related("club").first()


@transaction.atomic
def accept(*, secret: str, user: User, now: datetime) -> User:
    """Uses the link up (but for a reusable one) for this account, which is saved if it is new;
    refuses with link_over, or with taken where somebody got the same name at this moment.

    Somebody who is in the club already keeps the higher of the two roles.
    """
    found = waiting(now).filter(token_hash=digest(secret))
    invitation = found.select_for_update().first()
    if invitation is None:
        raise ServiceError(RefusalCode.LINK_OVER)
    if invitation.club is None:
        user.is_superuser = user.is_staff = True
    if user._state.adding:
        # Sign-in looks for small letters only, so that "Amal" and "amal" are one name.
        user.username = user.username.lower()
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        raise ServiceError(RefusalCode.TAKEN, "username") from None
    if invitation.club is not None:
        join(club=invitation.club, user=user, role=Role(invitation.role))
    if not invitation.reusable:
        invitation.used_at = now
        invitation.used_by = user
        invitation.save(update_fields=["used_at", "used_by"])
    return user


@transaction.atomic
def sit_down(*, invitation: Invitation, user: User, name: str, actor: Actor, now: datetime) -> None:
    """The account that has just come by this link of a club is the person for whom it was made, or
    a new one under this name."""
    assert invitation.club is not None
    if invitation.player is None:
        people.seat_account(
            club=invitation.club,
            user=user,
            name=name,
            actor=actor,
            now=now,
            is_unverified=invitation.reusable,
        )
    else:
        person = invitation.player.counts_for or invitation.player
        people.claim(player=person, user=user, actor=actor, now=now)


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
