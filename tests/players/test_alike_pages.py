"""Who may be meant by a name, named while it is typed: on the list of people, in the seats of a new
match, and on an evening."""

import re

import pytest

from scoring.models import Club, EveningPlayer, Player
from scoring.people.services import people
from tests.factories import NOW, PHONE, PlayerFactory
from tests.support.asking import NASTY
from tests.support.evening import planned

CLUB = "/clubs/cafe-younes/"
ALIKE = f"{CLUB}players/alike/"
HTMX = {"HX-Request": "true"}


def asked(client, name, **more):
    return client.get(ALIKE, {"name": name, "at": "list", **more}, headers=HTMX)


def names(response):
    return re.findall(r"<bdi>([^<]*)</bdi>", response.text)


# Named before a second row is made, however the name is written. C91, C95
def test_names_that_may_be_meant_are_found_as_others_write_them(cast, phone_of):
    for name in ("أحمد الخوري", "Jean-Noël Khoury", "Зейна"):
        PlayerFactory(club=cast.club, name=name)
    phone = phone_of(cast.amal)
    for typed, found in {
        "احمد": ["أحمد الخوري"],
        "ahm": ["أحمد الخوري"],
        "jean noel": ["Jean-Noël Khoury"],
        "Zeina": ["Зейна"],
        "bad": ["Badr"],
        "walid": [],
    }.items():
        assert names(asked(phone, typed)) == found, typed


def test_five_are_named_and_none_for_a_single_letter(cast, phone_of):
    for number in range(8):
        PlayerFactory(club=cast.club, name=f"Rami {number}")
    phone = phone_of(cast.amal)
    assert len(names(asked(phone, "Rami"))) == 5
    for typed in ("", " ", "R"):
        assert asked(phone, typed).text.strip() == ""
    assert names(asked(phone, "x" * 5000)) == []


def test_another_clubs_people_are_never_named_nor_what_hidden_ones_are_called(cast, phone_of):
    phone = phone_of(cast.owner)
    assert names(asked(phone, "Ghassan")) == []
    dima = cast.players[3]
    people.hide(player=dima, name="Number 7", actor=PHONE, now=NOW)
    assert names(asked(phone, "Dima")) == []
    assert names(asked(phone, "number")) == ["Number 7"]
    Player.objects.filter(id=cast.players[1].id).update(name=NASTY)
    assert NASTY not in asked(phone, "onerror").text
    assert "&lt;img" in asked(phone, "onerror").text


# C94
def test_only_those_who_may_add_people_are_told(cast, phone, phone_of):
    Club.objects.update(is_public=True)
    for client in (phone, phone_of(cast.ghassan), phone_of(cast.farah)):
        assert asked(client, "Badr").status_code == 404
    assert asked(phone_of(cast.badr), "Badr").status_code == 200


def test_tap_on_the_list_opens_that_person_put_away_or_not(cast, phone_of):
    badr = cast.players[1]
    Player.objects.filter(id=badr.id).update(archived_at=NOW)
    page = asked(phone_of(cast.amal), "badr")
    assert f'href="{CLUB}players/{badr.id}/"' in page.text
    assert names(asked(phone_of(cast.amal), "badr", at="seats")) == []
    whole = phone_of(cast.amal).get(ALIKE, {"name": "badr"})
    assert (whole.status_code, whole["Location"]) == (303, f"{CLUB}players/?q=badr")


def test_tap_on_a_seat_of_a_new_match_seats_that_person(cast, phone_of):
    amal, badr, *_ = cast.players
    phone = phone_of(cast.badr)
    setup = phone.get(f"{CLUB}matches/new/", {"seat": amal.id})
    assert f'hx-get="{ALIKE}?at=seats&amp;seat={amal.id}"' in setup.text
    assert names(asked(phone, "Amal", at="seats", seat=[amal.id])) == []
    found = asked(phone, "Badr", at="seats", seat=[amal.id, "x"])
    (address,) = re.findall(r'href="([^"]*)"', found.text)
    assert phone.get(address.replace("&amp;", "&")).context["seated"] == [amal, badr]


def test_tap_on_an_evening_takes_that_person_and_no_guest(cast, phone_of):
    evening = planned(cast.club, cast.players[:1])
    phone, page = phone_of(cast.amal), f"{CLUB}evenings/{evening.id}/people/"
    amal, badr, carmen, dima = cast.players
    assert f'name="known" value="{badr.id}"' in asked(phone, "Badr", at="evening").text
    assert names(asked(phone, "Badr", at="evening", here=[badr.id])) == []  # ticked already
    ticks = {"was": ["", amal.id], "here": [amal.id, carmen.id], "name": "Bad", "known": badr.id}
    assert phone.post(page, ticks)["Location"] == page
    phone.post(page, {**ticks, "here": [amal.id], "was": ["", amal.id], "known": amal.id})
    here = EveningPlayer.objects.values_list("player__name", flat=True).order_by("player__name")
    assert list(here) == ["Amal", "Badr", "Carmen"]
    leaves = {"action": "substitute", "for": badr.id, "name": "Dim", "known": dima.id}
    assert phone.post(page, leaves).status_code == 303
    assert EveningPlayer.objects.filter(player=dima).exists()
    assert cast.club.players.count() == 4


@pytest.mark.parametrize("more", [0, 40])
def test_one_look_at_the_people_is_enough(cast, phone_of, django_assert_max_num_queries, more):
    PlayerFactory.create_batch(more, club=cast.club, name="Badr")
    phone = phone_of(cast.amal)
    with django_assert_max_num_queries(5):  # session, account, club, role, people
        asked(phone, "Badr", at="seats", seat=[cast.players[0].id])
