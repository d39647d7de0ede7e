"""One person of a club: renamed, put away, hidden, shown again, made anonymous, claimed.

What a person is called stands in `Player.name` and nowhere else, so nothing that reads a name need
know who is hidden. Whatever happens to somebody's name happens to those merged into them. Whoever
was merged is changed only after they were taken apart again. The row of the club is the lock: what
is done with its people comes one after another.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, override

from scoring.common.actor import Actor
from scoring.common.errors import RefusalCode, ServiceError
from scoring.models import (
    CardRecord,
    Club,
    Invitation,
    PersonEvent,
    PersonEventKind,
    Player,
    User,
    Words,
)
from scoring.models.clubs import NAME_LENGTH, number_namesakes
from scoring.models.names import name_digest, same_name
from scoring.people.services.naming import add_player, kept_name


@transaction.atomic
def rename(*, player: Player, name: str, actor: Actor, now: datetime) -> Player:
    """From now on everybody reads this name. Of a hidden person it is the one instead of their
    own."""
    person, name = locked(player), kept_name(name)
    if name not in (person.name, person.plain_name):
        if person.hidden_at is None:
            _set(person, former_names=[*person.former_names, *_digests(person)])
        call(person, name)
        note(person, PersonEventKind.RENAMED, actor, now)
    return person


@transaction.atomic
def archive(*, player: Player, actor: Actor, now: datetime) -> Player:
    """No longer offered for new matches. Nothing that was played changes."""
    person = locked(player)
    if person.archived_at is None:
        _set(person, archived_at=now)
        note(person, PersonEventKind.ARCHIVED, actor, now)
    return person


@transaction.atomic
def bring_back(*, player: Player, actor: Actor, now: datetime) -> Player:
    """Offered again."""
    person = locked(player)
    if person.archived_at is not None:
        _set(person, archived_at=None)
        note(person, PersonEventKind.BROUGHT_BACK, actor, now)
    return person


@transaction.atomic
def verify(*, player: Player, actor: Actor, now: datetime) -> Player:
    """An owner knows who came in under this name."""
    person = locked(player)
    if person.is_unverified:
        _set(person, is_unverified=False)
        note(person, PersonEventKind.VERIFIED, actor, now)
    return person


# ── names that nobody shall read ────────────────────────────────────────


@transaction.atomic
def hide(*, player: Player, actor: Actor, now: datetime, name: str = "") -> Player:
    """Their own name stands nowhere any more; instead a number of the club, or this name. In card
    records of their matches it is erased."""
    person = locked(player)
    if person.hidden_at or person.anonymised_at:
        return person
    called = kept_name(name) if name.strip() else free_name(person)
    _forget_words(_ids(person))
    group_of(person).update(hidden_at=now)
    with_number = [name_digest(person.name)] if person.namesake_number else []  # in our own files
    former = [*person.former_names, *with_number]
    _set(person, own_name=person.plain_name, former_names=former, hidden_at=now)
    call(person, called)
    note(person, PersonEventKind.HIDDEN, actor, now)
    return person


@transaction.atomic
def show(*, player: Player, actor: Actor, now: datetime) -> Player:
    """Everybody reads their own name again."""
    person = locked(player)
    if person.anonymised_at:
        raise ServiceError(RefusalCode.ANONYMOUS)
    if person.hidden_at is None:
        return person
    own_name = person.own_name or person.plain_name  # none came with an import
    group_of(person).update(hidden_at=None)
    _set(person, own_name="", hidden_at=None)
    call(person, own_name)
    note(person, PersonEventKind.SHOWN, actor, now)
    return person


@transaction.atomic
def anonymise(*, player: Player, actor: Actor, now: datetime) -> Player:
    """Nobody can find out any more who this was, and nobody can take it back. Everything played
    stays, with everybody's points; names in records of their matches are erased."""
    person = locked(player)
    if person.anonymised_at:
        return person
    everybody = Player.objects.filter(id__in=_ids(person))
    accounts = _accounts(everybody)
    called = person.plain_name if person.hidden_at else free_name(person)
    names: dict[str, Any] = {"own_name": "", "former_names": []}
    gone = {**names, "user": None, "anonymised_at": now, "hidden_at": now}
    everybody.update(**gone)
    _forget_words(_ids(person))
    _forget_accounts(everybody, accounts, now)
    _set(person, **gone)
    call(person, called, forgotten=accounts)
    note(person, PersonEventKind.ANONYMISED, actor, now)
    return person


def _accounts(people: QuerySet[Player]) -> list[UUID]:
    """Every account that is or ever was one of these people. Two queries."""
    own = people.exclude(user=None).values_list("user_id", flat=True)
    return [*own, *_claims(people).values_list("user_id", flat=True)]


def _claims(people: QuerySet[Player]) -> QuerySet[PersonEvent]:
    """By accounts that were these people once, or are. Not by one that is somebody else by now
    whom everybody may know: its name tells of that person."""
    claims = PersonEvent.objects.filter(player__in=people, kind=PersonEventKind.CLAIMED)
    known = Player.objects.filter(club=OuterRef("club"), user=OuterRef("user"), hidden_at=None)
    return claims.exclude(user=None).exclude(Exists(known))


def _forget_accounts(people: QuerySet[Player], accounts: list[UUID], now: datetime) -> None:
    """Nothing leads from these people to an account any more: neither who claimed them, nor the
    links by which that was done."""
    told = PersonEvent.objects.filter(player__in=people)
    by_themselves = Q(kind=PersonEventKind.CLAIMED) | Q(user__in=accounts)
    told.filter(by_themselves).update(user=None, device=None)
    links = Invitation.objects.filter(player__in=people)
    links.filter(used_at=None, revoked_at=None).update(revoked_at=now)
    links.update(player=None)


def _forget_words(people: Iterable[UUID]) -> None:
    """The tags of card records hold names as somebody wrote them."""
    records = CardRecord.objects.filter(match__seatings__player__in=list(people)).distinct()
    kept = records.values_list("event__content__words__tags__id", flat=True)
    Words.objects.filter(id__in=[each for each in kept if each]).delete()


# ── accounts ────────────────────────────────────────────────────────────


@transaction.atomic
def claim(*, player: Player, user: User, actor: Actor, now: datetime) -> Player:
    """This account is that person: sees their own matches as their own. An account is one person
    in a club, and a person one account's."""
    person = locked(player)
    if person.user_id == user.id:
        return person
    if person.anonymised_at:
        raise ServiceError(RefusalCode.ANONYMOUS)
    if person.user_id:
        raise ServiceError(RefusalCode.HAS_ACCOUNT, "user")
    if Player.objects.filter(club=person.club_id, user=user).exists():
        raise ServiceError(RefusalCode.ALREADY_CLAIMED, "user")
    _set(person, user=user, is_guest=False)
    veil(person)
    note(person, PersonEventKind.CLAIMED, actor, now)
    return person


@transaction.atomic
def release(*, player: Player, actor: Actor, now: datetime) -> Player:
    """Nobody's account is this person any longer. Membership is another matter."""
    person = locked(player)
    if person.user_id is not None:
        _set(person, user=None)
        veil(person)
        note(person, PersonEventKind.RELEASED, actor, now)
    return person


@transaction.atomic
def seat_account(
    *, club: Club, user: User, name: str, actor: Actor, now: datetime, is_unverified: bool = False
) -> None:
    """The account can sit at the club's tables: under this name, if it is new there."""
    lock_people(club.id)
    if not club.players.filter(user=user).exists():
        person = add_player(club=club, name=name[:NAME_LENGTH], is_unverified=is_unverified)
        claim(player=person, user=user, actor=actor, now=now)


# ── what the acts above and merging are made of ─────────────────────────


def locked(player: Player) -> Player:
    """The person as they are now; refused where merged into somebody. Locks the club's people until
    the end of the transaction."""
    lock_people(player.club_id)
    person = Player.objects.select_related("club").get(pk=player.pk)
    if person.merged_into_id:
        raise ServiceError(RefusalCode.IS_MERGED)
    return person


def lock_people(club_id: UUID | None) -> None:
    """Only a club has people to whom anything can be done."""
    if club_id is None:
        raise ServiceError(RefusalCode.UNKNOWN_PLAYER)
    Club.objects.select_for_update(no_key=True).get(pk=club_id)


def group_of(person: Player) -> QuerySet[Player]:
    """Everybody who counts for this person, without them."""
    return Player.objects.filter(counts_for=person)


def call(person: Player, name: str, forgotten: Iterable[UUID] = ()) -> None:
    """What everybody reads of this person and of those merged into them, with a number where others
    have the name; `forgotten` accounts are named no more. Expects the lock."""
    assert person.club_id is not None
    _set(person, name=name, namesake_number=0)
    group_of(person).update(name=name, namesake_number=0)
    called = number_namesakes(person.club_id)
    person.name, person.namesake_number = called.get(person.id, (name, 0))
    veil(person, forgotten)


def _digests(person: Player) -> list[str]:
    """Of the name, and of what our own files say where it has a number."""
    return [name_digest(name) for name in dict.fromkeys((person.plain_name, person.name))]


def veil(person: Player, forgotten: Iterable[UUID] = ()) -> None:
    """Notes on the club what the accounts are called that are hidden people, or ever were, and that
    names changed. Four queries."""
    assert person.club_id is not None
    club = Club.objects.get(pk=person.club_id)
    hidden = club.players.exclude(hidden_at=None)
    once = _claims(hidden).order_by("at").values_list("user_id", "player__name")
    now = hidden.exclude(user=None).values_list("user_id", "name")
    kept = {user: "" for user, called in club.hidden_accounts.items() if not called}
    kept |= {str(user): "" for user in forgotten}
    kept |= {str(user): name for user, name in (*once, *now)}
    club.hidden_accounts, club.names_version = kept, club.names_version + 1
    club.save(update_fields=["hidden_accounts", "names_version"])


def free_name(person: Player) -> str:
    """A name that says nothing and that nobody of the club has, in the club's language."""
    assert person.club is not None
    return _free(person.club, gettext_noop("Player {number}"))


def free_guest_name(club: Club) -> str:
    """What a guest is called of whom nobody has asked the name yet (C22)."""
    return _free(club, gettext_noop("Guest {number}"))


def _free(club: Club, pattern: str) -> str:
    taken = {same_name(name) for name in club.players.values_list("name", flat=True)}
    with override(club.language):
        called = (_(pattern).format(number=number) for number in range(1, len(taken) + 2))
        return next(name for name in called if same_name(name) not in taken)


def note(
    person: Player, kind: PersonEventKind, actor: Actor, now: datetime, other: Player | None = None
) -> None:
    """What was done, by whom, when."""
    assert person.club_id is not None
    PersonEvent.objects.create(
        club_id=person.club_id,
        player=person,
        other=other,
        kind=kind,
        user=actor.user,
        device=actor.device,
        at=now,
    )


def _ids(person: Player) -> list[UUID]:
    return [person.id, *group_of(person).values_list("id", flat=True)]


def _set(person: Player, **values: object) -> None:
    for name, value in values.items():
        setattr(person, name, value)
    person.save(update_fields=list(values))
