"""A club, its people and their roles."""

from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from scoring.common.errors import RefusalCode, ServiceError
from scoring.house_rules.services import house_rules
from scoring.models import Club, Invitation, Membership, Role, User
from scoring.people.services.naming import kept_name
from scoring.rules import preset as preset_rules

NAME_LENGTH = 80
# Pages that stand beside the clubs: "/clubs/new/".
RESERVED_SLUGS = {"", "new"}


@transaction.atomic
def create_club(
    *,
    name: str,
    owner: User,
    preset: str = "levant",
    rules_name: str = "",
    is_public: bool = False,
    time_zone: str = "Asia/Beirut",
    language: str = "en",
) -> Club:
    """A club with its first owner and its first set of rules, named `rules_name` or as the preset.
    Raises KeyError for a preset that does not exist."""
    options = preset_rules(preset).options()
    club = Club(
        name=kept_name(name, limit=NAME_LENGTH),
        is_public=is_public,
        time_zone=time_zone,
        language=language,
    )
    _save_with_free_slug(club)
    Membership.objects.create(club=club, user=owner, role=Role.OWNER)
    house_rules.create(club=club, name=rules_name or preset, preset=preset, options=options)
    return club


@transaction.atomic
def set_role(*, club: Club, user_id: UUID, role: Role, now: datetime) -> Membership:
    """Gives an account a role in the club, as a new member if need be."""
    _lock(club)
    if role != Role.OWNER:
        _keep_another_owner(club, user_id)
        _end_links_of(club, user_id, now)
    membership, _ = Membership.objects.update_or_create(
        club=club, user_id=user_id, defaults={"role": role}
    )
    return membership


@transaction.atomic
def remove_member(*, club: Club, user_id: UUID, now: datetime) -> None:
    """Takes the role of an account in the club away; its player stays."""
    _lock(club)
    _keep_another_owner(club, user_id)
    _end_links_of(club, user_id, now)
    club.memberships.filter(user_id=user_id).delete()


def _lock(club: Club) -> None:
    Club.objects.select_for_update(no_key=True).get(pk=club.pk)


def _keep_another_owner(club: Club, user_id: UUID) -> None:
    """One who can sign in."""
    owners = club.memberships.filter(role=Role.OWNER)
    others = owners.filter(user__is_active=True).exclude(user_id=user_id)
    if owners.filter(user_id=user_id) and not others:
        raise ServiceError(RefusalCode.LAST_OWNER, "role")


def _end_links_of(club: Club, user_id: UUID, now: datetime) -> None:
    """Nobody comes back by a link that was put aside while there was the right to make one."""
    made = Invitation.objects.filter(club=club, created_by=user_id, used_at=None)
    made.filter(revoked_at=None, expires_at__gt=now).update(revoked_at=now)


def _save_with_free_slug(club: Club) -> None:
    """Takes the first address that is free: `cafe-younes`, `cafe-younes-2`, … A name without a
    Latin letter or digit is a plain `club`."""
    stem = slugify(club.name)[:40].strip("-")
    stem = "club" if stem in RESERVED_SLUGS else stem
    taken = set(Club.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    number = 1
    while True:
        club.slug = stem if number == 1 else f"{stem}-{number}"
        number += 1
        if club.slug in taken:
            continue
        try:
            with transaction.atomic():
                club.save(force_insert=True)
            return
        except IntegrityError:
            # Somebody took the address at this moment, or the row is wrong: that shows below.
            if not Club.objects.filter(slug=club.slug).exists():
                raise
