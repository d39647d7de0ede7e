"""A match that was opened without a club is taken into one by its owner."""

import uuid

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.common.actor import Actor, device_id
from scoring.common.device import COOKIE, signer
from scoring.integrity.queries.integrity import findings
from scoring.integrity.services.rebuild import rebuild
from scoring.matches.services import matches
from scoring.models import LinkKind, Match, MatchEvent, MatchResult, Player
from scoring.players.services import merging
from scoring.standings.queries.standings import standings_page
from tests.factories import PlayerFactory, even_entries, finish, king, make_match
from tests.support.asking import errors
from tests.support.links import came

SECRET = "the phone that opened it"
HOLDER = Actor(device=device_id(SECRET))


def page(match):
    return reverse("match_club", args=[match.id])


@pytest.fixture
def holder():
    client = Client()
    client.cookies[COOKIE] = signer().sign(SECRET)
    return client


@pytest.fixture
def match(db):
    return make_match(entries=[king()], actor=HOLDER, now=timezone.now())


@pytest.fixture
def owner(cast, match, phone_of):
    """The owner of the club on a phone that came by a link to look."""
    client, secret = phone_of(cast.owner), "the phone of the owner"
    client.cookies[COOKIE] = signer().sign(secret)
    came(match, LinkKind.VIEW, Actor(device=device_id(secret)), timezone.now())
    return client


def sent(match, **people):
    form = {"club": "cafe-younes", "entry_key": str(uuid.uuid4())}
    seats = {seating.player.name: seating.player_id for seating in match.seatings.all()}
    return form | {f"same-{seats[name]}": str(person.id) for name, person in people.items()}


def test_owner_takes_it_in_and_says_who_is_who(cast, match, owner):
    form = owner.get(page(match)).context["form"]
    assert [field.initial for field in form.fields_of_guests()] == [
        str(player.id) for player in cast.players
    ]
    assert owner.post(page(match), sent(match, Amal=cast.players[0])).status_code == 303
    match.refresh_from_db()
    people = [row.player for row in match.seatings.order_by("seat")]
    assert match.club == cast.club
    assert [person.club for person in people] == [cast.club] * 4
    assert [person.merged_into for person in people] == [cast.players[0], None, None, None]
    assert [found.code for found in findings(only=match.id)] == []
    assert rebuild(match_id=match.id) == []
    assert errors(owner.post(page(match), sent(match))) == {"__all__": ["not_clubless"]}


def test_same_key_again_does_nothing_more(cast, match, owner):
    form = sent(match)
    for _again in range(2):
        owner.post(page(match), form)
    assert MatchEvent.objects.filter(kind="match_taken_in").count() == 1


def test_finished_match_and_its_rematch_count_in_the_club(cast, holder, phone_of):
    first = make_match(entries=even_entries(), actor=HOLDER, now=timezone.now())
    finish(first, actor=HOLDER)
    again = matches.rematch(
        match_id=first.id,
        turn_seats=True,
        actor=HOLDER,
        now=timezone.now(),
        entry_key=uuid.uuid4(),
    )
    client = phone_of(cast.owner)
    client.cookies[COOKIE] = signer().sign(SECRET)
    assert client.get(page(first)).context["others"] == 1
    people = dict(zip([player.name for player in cast.players], cast.players, strict=True))
    assert client.post(page(first), sent(first, **people)).status_code == 303
    assert set(Match.objects.filter(club=cast.club)) == {first, again}
    assert {row.record.player.name for row in standings_page(cast.club).rows} == set(people)
    assert MatchResult.objects.filter(club=cast.club).count() == 4
    guest = Player.objects.get(merged_into=cast.players[0])
    merging.unmerge(player=guest, actor=Actor(cast.owner), now=timezone.now())
    assert Player.objects.get(id=guest.id).results.count() == 1


def test_phone_that_had_opened_it_goes_on_keeping_score(match, owner, holder):
    owner.post(page(match), sent(match))
    assert 'name="contract"' in holder.get(f"/matches/{match.id}/?contract=diamonds").text
    assert holder.get(reverse("phones", args=[match.id])).status_code == 404


def test_two_seats_are_not_one_person(cast, match, owner):
    dima = cast.players[3]
    response = owner.post(page(match), sent(match, Amal=dima, Badr=dima))
    assert errors(response) == {"__all__": ["sat_together"]}
    match.refresh_from_db()
    assert (match.club, match.version) == (None, 2)


def test_stranger_of_the_club_is_nobody_to_be(cast, match, owner):
    response = owner.post(page(match), sent(match, Amal=PlayerFactory()))
    (codes,) = errors(response).values()
    assert codes == ["invalid_choice"]


def test_whoever_owns_no_club_is_told_who_could(match, holder):
    assert "An owner of one can take it in" in holder.get(page(match)).text
    assert holder.post(page(match), sent(match)).status_code == 403


def test_ghassan_takes_only_into_his_own_club(cast, match, phone_of):
    ghassan = phone_of(cast.ghassan)
    assert ghassan.get(page(match)).status_code == 404
    assert ghassan.post(page(match), sent(match)).status_code == 404
    ghassan.cookies[COOKIE] = signer().sign(SECRET)
    assert ghassan.post(page(match), sent(match)).status_code == 303
    match.refresh_from_db()
    assert match.club == cast.other_club
