"""One person of a club, for whoever keeps the list."""

import pytest
from django.db.models import ProtectedError
from django.urls import reverse
from django.utils import timezone

from scoring.clubs.services import invitations
from scoring.models import Player
from tests.factories import PlayerFactory, make_match
from tests.support.asking import NASTY, errors
from tests.support.evening_files import bring


def page(player):
    return reverse("player_edit", args=["cafe-younes", player.id])


def act(client, player, action, **form):
    return client.post(page(player), {"action": action, **form})


@pytest.fixture
def dima(cast):
    return cast.players[3]


@pytest.fixture
def owner(cast, phone_of):
    return phone_of(cast.owner)


def again(player):
    player.refresh_from_db()
    return player


def test_person_is_renamed_and_old_matches_follow(cast, phone_of, dima):
    match = make_match(club=cast.club, players=cast.players)
    client = phone_of(cast.amal)
    response = act(client, dima, "rename", name="Dima K.")
    assert (response.status_code, response["Location"]) == (303, page(dima))
    assert again(dima).name == "Dima K."
    assert "Dima K." in client.get(f"/matches/{match.id}/sheet/").text


def test_person_keeps_the_own_name_without_a_question(cast, phone_of, dima):
    assert act(phone_of(cast.amal), dima, "rename", name="DIMA").status_code == 303


@pytest.mark.parametrize(
    ("name", "code"), [("", "missing"), ("x" * 41, "too_long"), ("badr", "same_name")]
)
def test_wrong_name_is_refused_and_kept(cast, phone_of, dima, name, code):
    response = act(phone_of(cast.amal), dima, "rename", name=name)
    assert (response.status_code, errors(response)) == (422, {"name": [code]})
    assert response.context["form"]["name"].value() == name
    assert again(dima).name == "Dima"


# Whoever has played is put away, never deleted. C93
def test_person_is_put_away_and_brought_back(cast, phone_of, dima):
    client = phone_of(cast.amal)
    make_match(club=cast.club, players=cast.players)
    act(client, dima, "archive")
    assert again(dima).archived_at
    assert "Dima" in client.get("/clubs/cafe-younes/players/").text
    with pytest.raises(ProtectedError):
        dima.delete()
    act(client, dima, "bring_back")
    assert again(dima).archived_at is None


# Rows of like names are offered, looked at side by side, and put together. C91
def test_two_rows_are_put_together_and_taken_apart(cast, owner, dima):
    double = PlayerFactory(club=cast.club, name="Dima Khoury")
    bring(cast.club, [["Amal", "Badr", "Carmen", "Dima Khoury"]])
    assert [one.name for one in owner.get(page(double)).context["person"].alike] == ["Dima"]
    shown = owner.get(page(double), {"into": dima.id})
    assert (shown.context["together"], shown.context["played"]) == (None, [1, 0])
    assert act(owner, double, "merge", into=dima.id).status_code == 303
    assert again(double).name == "Dima"
    assert "Dima Khoury" in owner.get(page(dima)).text
    assert "Dima Khoury" in owner.get(page(double)).text
    assert act(owner, dima, "unmerge", other=double.id).status_code == 303
    assert again(double).name == "Dima Khoury"
    act(owner, double, "merge", into=dima.id)
    act(owner, double, "unmerge")
    assert again(double).merged_into is None


def test_two_who_sat_at_one_table_are_told_so(cast, owner, dima):
    match = make_match(club=cast.club, players=cast.players)
    shown = owner.get(page(dima), {"into": cast.players[0].id})
    assert f"/matches/{match.id}/" in shown.text
    assert 'value="merge"' not in shown.text
    response = act(owner, dima, "merge", into=cast.players[0].id)
    assert response.status_code == 422
    assert errors(response, "refused") == {"__all__": ["sat_together"]}
    for nobody in ("", "7", PlayerFactory().id):
        response = act(owner, dima, "merge", into=nobody)
        assert errors(response, "refused") == {"__all__": ["unknown_player"]}


def test_name_is_hidden_shown_and_made_anonymous(cast, owner, phone_of, dima):
    act(owner, dima, "hide")
    assert again(dima).name == "Player 1"
    assert "Dima" in owner.get(page(dima)).text
    assert "Dima" not in phone_of(cast.amal).get(page(dima)).text
    act(owner, dima, "show")
    assert again(dima).name == "Dima"
    act(owner, dima, "hide", name="The quiet one")
    assert again(dima).name == "The quiet one"
    response = act(owner, dima, "anonymise")
    assert (response.status_code, errors(response, "refused")) == (422, {"__all__": ["not_sure"]})
    assert act(owner, dima, "anonymise", sure="on").status_code == 303
    assert again(dima).own_name == ""
    response = act(owner, dima, "show")
    assert errors(response, "refused") == {"__all__": ["anonymous"]}
    assert "Dima" not in owner.get(page(dima)).text


# A guest of one evening is somebody for good. C22
def test_guest_is_claimed_by_a_link_made_for_them(cast, owner, phone_of):
    guest = PlayerFactory(club=cast.club, name="Guest 1", is_guest=True)
    assert act(owner, guest, "invite").status_code == 303
    made = owner.get(page(guest)).context["made"]
    assert "Guest 1" in phone_of(cast.farah).get(made.url).text
    assert act(owner, guest, "invite").status_code == 303
    assert phone_of(cast.farah).get(made.url).status_code == 404
    url = owner.get(page(guest)).context["made"].url
    assert phone_of(cast.farah).post(url).status_code == 303
    assert (again(guest).user, guest.is_guest) == (cast.farah, False)
    assert cast.club.memberships.filter(user=cast.farah).exists()
    assert errors(act(owner, guest, "invite"), "refused") == {"__all__": ["has_account"]}
    act(owner, guest, "release")
    assert again(guest).user is None


def test_account_that_is_somebody_here_takes_no_second_name(cast, phone_of):
    guest = PlayerFactory(club=cast.club, name="Guest 1")
    secret = invitations.invite_person(player=guest, by=cast.owner, now=timezone.now())
    response = phone_of(cast.badr).post(f"/join/{secret}/")
    assert errors(response, "person") == {"__all__": ["already_claimed"]}
    assert again(guest).user is None
    assert invitations.find_open(secret=secret, now=timezone.now())


def test_unverified_person_is_known_by_a_tap(cast, owner):
    person = PlayerFactory(club=cast.club, is_unverified=True)
    assert 'value="verify"' in owner.get(page(person)).text
    act(owner, person, "verify")
    assert 'value="verify"' not in owner.get(page(person)).text


def test_what_was_done_is_told_without_names(cast, owner, dima):
    for action in ("hide", "show", "archive", "bring_back"):
        act(owner, dima, action)
    assert len(owner.get(page(dima)).context["events"]) == 4


def test_name_is_shown_literally(cast, owner):
    assert NASTY not in owner.get(page(PlayerFactory(club=cast.club, name=NASTY))).text


def test_ghassan_sees_and_changes_nothing(cast, phone_of, dima, owner):
    ghassan = phone_of(cast.ghassan)
    assert ghassan.get(page(dima)).status_code == 404
    assert act(ghassan, dima, "hide").status_code == 404
    stranger = Player.objects.get(club=cast.other_club)
    assert owner.get(page(stranger)).status_code == 404


def test_page_asks_the_same_of_four_people_and_of_forty(
    cast, owner, dima, django_assert_max_num_queries
):
    PlayerFactory.create_batch(40, club=cast.club)
    with django_assert_max_num_queries(11):
        owner.get(page(dima))
