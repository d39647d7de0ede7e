"""One person of a club: called otherwise, put away, hidden, made anonymous, claimed."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.clubs.services import invitations
from scoring.common.actor import Actor
from scoring.common.errors import ServiceError
from scoring.integrity.queries.integrity import findings
from scoring.models import Club, Invitation, MatchResult, PersonEvent, Player, Words
from scoring.people.services import people
from scoring.players.services import merging
from tests.factories import (
    NOW,
    PlayerFactory,
    attach,
    evening_record,
    king,
    make_cast,
    make_match,
)
from tests.support.evening_files import bring

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast():
    return make_cast()


@pytest.fixture
def dima(cast):
    return cast.players[3]


def act(service, cast, player, **given):
    return service(player=player, actor=Actor(cast.owner), now=NOW, **given)


def refusal(service, cast, player, **given):
    with pytest.raises(ServiceError) as caught:
        act(service, cast, player, **given)
    return caught.value.code


def kinds(player):
    return list(PersonEvent.objects.filter(player=player).values_list("kind", flat=True))


def test_person_is_renamed_put_away_and_brought_back(cast, dima):
    act(people.rename, cast, dima, name=" Dima  K. ")
    act(people.rename, cast, dima, name="Dima K.")
    for service in (people.archive, people.archive, people.bring_back):
        act(service, cast, dima)
    dima.refresh_from_db()
    assert (dima.name, dima.archived_at) == ("Dima K.", None)
    assert sorted(kinds(dima)) == ["archived", "brought_back", "renamed"]
    assert refusal(people.rename, cast, dima, name=" ") == "missing"
    assert refusal(people.rename, cast, dima, name="x" * 41) == "too_long"


def test_person_without_a_club_is_left_alone(cast):
    assert refusal(people.rename, cast, PlayerFactory(club=None), name="x") == "unknown_player"


def test_hidden_person_is_a_number_of_the_club_or_what_the_owner_types(cast, dima):
    PlayerFactory(club=cast.club, name="player 1")
    act(people.hide, cast, dima)
    act(people.hide, cast, dima, name="Somebody")
    dima.refresh_from_db()
    assert (dima.name, dima.own_name) == ("Player 2", "Dima")
    act(people.rename, cast, dima, name="The quiet one")
    dima.refresh_from_db()
    assert (dima.name, dima.own_name) == ("The quiet one", "Dima")
    act(people.show, cast, dima)
    act(people.show, cast, dima)
    dima.refresh_from_db()
    assert (dima.name, dima.own_name, dima.hidden_at) == ("Dima", "", None)
    assert kinds(dima) == ["hidden", "renamed", "shown"]


def test_whoever_is_merged_into_a_hidden_person_is_hidden_too(cast, dima):
    double = PlayerFactory(club=cast.club, name="Dima K.")
    act(merging.merge, cast, double, into=dima)
    act(people.hide, cast, dima, name="X")
    assert not Player.objects.filter(name__startswith="Dima").exists()
    act(merging.unmerge, cast, double)
    double.refresh_from_db()
    assert (double.name, double.own_name) == ("Player 1", "Dima K.")
    act(people.show, cast, double)
    assert Player.objects.filter(name="Dima K.").exists()


def test_accounts_of_hidden_people_are_named_like_them(cast, dima):
    version = cast.club.names_version
    act(people.hide, cast, dima, name="X")
    club = Club.objects.get(id=cast.club.id)
    assert club.hidden_accounts == {str(cast.dima.id): "X"}
    assert club.names_version > version
    act(people.anonymise, cast, dima)
    assert Club.objects.get(id=cast.club.id).hidden_accounts == {str(cast.dima.id): ""}
    act(people.hide, cast, cast.players[0], name="Y")
    act(people.show, cast, cast.players[0])
    assert Club.objects.get(id=cast.club.id).hidden_accounts == {str(cast.dima.id): ""}


def test_accounts_that_were_once_hidden_people_are_named_like_them(cast):
    farah, counts = {"user": cast.farah, "actor": Actor(cast.farah)}, []
    for day, name in enumerate(("One", "Two", "Three")):
        guest = PlayerFactory(club=cast.club)
        people.claim(player=guest, now=NOW + timedelta(days=day), **farah)
        act(people.release, cast, guest)
        with CaptureQueriesContext(connection) as asked:
            act(people.hide, cast, guest, name=name)
        counts.append(len(asked))
        called = Club.objects.get(id=cast.club.id).hidden_accounts
        assert called == {str(cast.farah.id): name}
    assert counts[0] == counts[2]


def test_account_of_somebody_whom_everybody_knows_keeps_its_name(cast):
    """Whoever it was before, by mistake perhaps."""
    guest, double = PlayerFactory(club=cast.club), PlayerFactory(club=cast.club)
    for person in (guest, double):
        people.claim(player=person, user=cast.farah, actor=Actor(cast.farah), now=NOW)
        act(people.release, cast, person)
    people.claim(player=double, user=cast.farah, actor=Actor(cast.farah), now=NOW)
    act(people.hide, cast, guest)
    assert Club.objects.get(id=cast.club.id).hidden_accounts == {}
    act(people.anonymise, cast, guest)
    assert Club.objects.get(id=cast.club.id).hidden_accounts == {}
    act(people.hide, cast, double, name="X")
    assert Club.objects.get(id=cast.club.id).hidden_accounts == {str(cast.farah.id): "X"}


def test_anonymous_person_keeps_the_points_and_nothing_else(cast, dima):
    bring(cast.club, [[player.name for player in cast.players]])
    before = list(MatchResult.objects.order_by("seat").values("player", "points", "place"))
    act(people.anonymise, cast, dima)
    act(people.anonymise, cast, dima)
    dima.refresh_from_db()
    assert (dima.name, dima.own_name, dima.user) == ("Player 1", "", None)
    assert list(MatchResult.objects.order_by("seat").values("player", "points", "place")) == before
    assert refusal(people.show, cast, dima) == "anonymous"
    assert refusal(people.claim, cast, dima, user=cast.esam) == "anonymous"
    assert kinds(dima) == ["anonymised"]


def test_nothing_leads_from_an_anonymous_person_to_an_account(cast):
    """Whoever claimed them and parted again may be the same person as well."""
    guest = PlayerFactory(club=cast.club)
    secret = invitations.invite_person(player=guest, by=cast.owner, now=NOW)
    invitation = invitations.find_open(secret=secret, now=NOW)
    invitations.accept(secret=secret, user=cast.farah, now=NOW)
    given = {"name": "", "user": cast.farah, "actor": Actor(cast.farah), "now": NOW}
    invitations.sit_down(invitation=invitation, **given)
    act(people.release, cast, guest)
    act(people.anonymise, cast, guest)
    told = PersonEvent.objects.filter(player=guest).order_by("id").values_list("kind", "user")
    assert dict(told) == {"claimed": None, "released": cast.owner.id, "anonymised": cast.owner.id}
    assert not Invitation.objects.filter(player=guest).exists()


def test_names_in_records_are_erased_and_the_chain_is_whole(cast, dima):
    match = make_match(club=cast.club, players=cast.players, entries=[king()])
    named = replace(evening_record("evening-levant", 2), tags={"South": "Dima"})
    attach(match, 1, named)
    act(people.anonymise, cast, dima)
    assert not Words.objects.exists()
    assert [each.code for each in findings(only=match.id)] == ["erased"]


def test_account_is_one_person_in_a_club(cast):
    guest = PlayerFactory(club=cast.club, is_guest=True)
    assert refusal(people.claim, cast, guest, user=cast.amal) == "already_claimed"
    act(people.claim, cast, guest, user=cast.esam)
    act(people.claim, cast, guest, user=cast.esam)
    guest.refresh_from_db()
    assert (guest.user, guest.is_guest) == (cast.esam, False)
    assert refusal(people.claim, cast, guest, user=cast.farah) == "has_account"
    act(people.release, cast, guest)
    act(people.claim, cast, guest, user=cast.farah)
    assert sorted(kinds(guest)) == ["claimed", "claimed", "released"]


def test_unverified_person_is_known_once_somebody_says_so(cast):
    person = PlayerFactory(club=cast.club, is_unverified=True)
    act(people.verify, cast, person)
    act(people.verify, cast, person)
    person.refresh_from_db()
    assert (person.is_unverified, kinds(person)) == (False, ["verified"])
