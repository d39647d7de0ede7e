from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from scoring.clubs.services import invitations
from scoring.common.actor import Actor
from scoring.common.errors import ServiceError
from scoring.models import Club, Invitation, Membership, Player, User
from scoring.models.clubs import Role
from scoring.players.services import merging

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture
def club():
    return Club.objects.create(slug="corniche", name="Corniche")


def amal():
    return User(username="Amal")


def test_first_link_makes_the_owner_and_is_the_last():
    secret = invitations.invite_first_owner(now=NOW)
    owner = invitations.accept(secret=secret, user=amal(), now=NOW)
    assert (owner.username, owner.is_superuser) == ("amal", True)
    assert invitations.invite_first_owner(now=NOW) is None


def test_only_the_newest_owner_link_works():
    older = invitations.invite_first_owner(now=NOW)
    newer = invitations.invite_first_owner(now=NOW)
    assert invitations.find_open(secret=older, now=NOW) is None
    assert invitations.find_open(secret=newer, now=NOW)


def test_secret_is_not_kept():
    secret = invitations.invite_first_owner(now=NOW)
    assert secret not in str(Invitation.objects.values().get())


def test_link_works_once(club):
    secret = invitations.invite(club=club, role=Role.SCORER, by=None, now=NOW)
    invitations.accept(secret=secret, user=amal(), now=NOW)
    with pytest.raises(ServiceError, match="link_over"):
        invitations.accept(secret=secret, user=User(username="ghassan"), now=NOW)
    assert [member.role for member in Membership.objects.all()] == [Role.SCORER]
    assert User.objects.count() == 1


def test_old_link_and_made_up_link_are_over(club):
    secret = invitations.invite(club=club, role=Role.MEMBER, by=None, now=NOW)
    for wrong, now in ((secret, NOW + timedelta(days=2)), ("made-up", NOW)):
        with pytest.raises(ServiceError, match="link_over"):
            invitations.accept(secret=wrong, user=amal(), now=now)


def test_link_is_withdrawn_once_and_only_by_its_club(club):
    secret = invitations.invite(club=club, role=Role.MEMBER, by=None, now=NOW)
    made = str(Invitation.objects.get().id)
    other = Club.objects.create(slug="raouche", name="Raouche")
    for where, which in ((other, made), (club, "7"), (club, str(uuid4()))):
        with pytest.raises(ServiceError, match="link_over"):
            invitations.withdraw(club=where, invitation_id=which, now=NOW)
    assert invitations.find_open(secret=secret, now=NOW)
    invitations.withdraw(club=club, invitation_id=made, now=NOW)
    assert invitations.find_open(secret=secret, now=NOW) is None
    with pytest.raises(ServiceError, match="link_over"):
        invitations.withdraw(club=club, invitation_id=made, now=NOW)


def test_used_link_is_not_withdrawn(club):
    secret = invitations.invite(club=club, role=Role.MEMBER, by=None, now=NOW)
    invitations.accept(secret=secret, user=amal(), now=NOW)
    with pytest.raises(ServiceError, match="link_over"):
        invitations.withdraw(club=club, invitation_id=str(Invitation.objects.get().id), now=NOW)


def test_invitation_to_a_club_never_takes_a_role_away(club):
    badr = User.objects.create(username="badr")
    for role in (Role.ARBITER, Role.MEMBER):
        secret = invitations.invite(club=club, role=role, by=None, now=NOW)
        invitations.accept(secret=secret, user=badr, now=NOW)
    assert Membership.objects.get().role == Role.ARBITER
    assert not badr.is_superuser


def test_link_for_everybody_lasts_a_month_and_makes_members_only(club):
    secret = invitations.invite(club=club, role=Role.MEMBER, by=None, now=NOW, reusable=True)
    assert invitations.find_open(secret=secret, now=NOW + timedelta(days=29))
    assert invitations.find_open(secret=secret, now=NOW + timedelta(days=31)) is None
    with pytest.raises(ServiceError, match="only_members"):
        invitations.invite(club=club, role=Role.OWNER, by=None, now=NOW, reusable=True)


def test_link_for_a_person_leads_to_whom_they_count_for(club):
    user = User.objects.create(username="amal")
    act = {"actor": Actor(), "now": NOW}
    person, stays = (Player.objects.create(club=club, name=name) for name in ("Amal H.", "Amal"))
    secret = invitations.invite_person(player=person, by=None, now=NOW)
    merging.merge(player=person, into=stays, **act)
    invitations.accept(secret=secret, user=user, now=NOW)
    invitation = Invitation.objects.get()
    invitations.sit_down(invitation=invitation, user=user, name="", **act)
    stays.refresh_from_db()
    assert stays.user == user
    person.refresh_from_db()
    with pytest.raises(ServiceError, match="is_merged"):
        invitations.invite_person(player=person, by=None, now=NOW)
