import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from scoring.ledger.queries.snapshots import ruleset_of
from scoring.models import Match, Player
from tests.support.asking import NASTY, errors

NAMES = {"name0": "Amal", "name1": "Badr", "name2": "كارمن", "name3": "Dima"}


def typed(**changes):
    return {**NAMES, "preset": "levant", "entry_key": str(uuid.uuid4()), **changes}


def test_front_page_asks_for_four_names(phone):
    response = phone.get("/")
    assert response.status_code == 200
    for seat in range(4):
        assert f'name="name{seat}"' in response.text
    assert "Trex with kingdoms" in response.text


def test_four_names_and_one_tap_open_a_match(phone):
    response = phone.post("/start/", typed())
    match = Match.objects.get()
    assert response.status_code == 303
    assert response["Location"] == f"/matches/{match.id}/"
    assert match.club is None
    assert match.preset == "levant"
    assert match.holder_device is not None
    assert sorted(Player.objects.values_list("name", flat=True)) == [
        "Amal",
        "Badr",
        "Dima",
        "كارمن",
    ]


def test_match_pins_the_chosen_preset(phone):
    phone.post("/start/", typed(preset="barbu-fixed"))
    match = Match.objects.get()
    assert match.system == "barbu"
    assert ruleset_of(match).contract_order == "fixed"


def test_same_form_twice_opens_one_match(phone):
    form = typed()
    first, second = phone.post("/start/", form), phone.post("/start/", form)
    assert first["Location"] == second["Location"]
    assert Match.objects.count() == 1


def test_one_name_twice_is_asked_about_and_then_two_people(phone):
    page = phone.post("/start/", typed(name3="Amal")).text
    assert 'name="namesakes"' in page
    assert 'name="namesakes"' not in phone.get("/").text
    response = phone.post("/start/", typed(name3="Amal", namesakes="on"))
    assert response.status_code == 303
    page = phone.get(response["Location"]).text
    assert "Amal (1)" in page
    assert "Amal (4)" in page


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"name1": ""}, {"name1": ["missing"]}),
        ({"name1": " \u202e "}, {"name1": ["missing"]}),
        ({"name3": "amal"}, {"name3": ["same_person"]}),
        ({"name2": "x" * 10_240}, {"name2": ["too_long"]}),
        ({"name2": "ك" * 41}, {"name2": ["too_long"]}),
        ({"preset": "bridge"}, {"preset": ["invalid_choice"]}),
        ({"preset": ""}, {"preset": ["required"]}),
    ],
)
def test_refused_form_says_why_at_its_field_and_keeps_what_was_typed(phone, changes, expected):
    form = typed(**changes)
    response = phone.post("/start/", form)
    assert response.status_code == 422
    assert errors(response) == expected
    assert not Match.objects.exists()
    assert not Player.objects.exists()
    for field in NAMES:
        assert response.context["form"][field].value() == form[field]
    assert form["entry_key"] in response.text


def test_forty_characters_fit(phone):
    assert phone.post("/start/", typed(name0="ك" * 40)).status_code == 303


def test_site_opens_on_the_running_match_of_this_phone(phone):
    phone.post("/start/", typed())
    match = Match.objects.get()
    assert phone.get("/")["Location"] == f"/matches/{match.id}/"
    assert Client().get("/").status_code == 200


def test_front_page_stays_reachable_and_lists_the_running_match(phone):
    phone.post("/start/", typed())
    page = phone.get("/start/").text
    assert f"/matches/{Match.objects.get().id}/" in page
    assert "كارمن" in page


def test_match_of_last_week_is_listed_but_not_in_the_way(phone):
    phone.post("/start/", typed())
    match = Match.objects.get()
    Match.objects.update(opened_at=timezone.now() - timedelta(days=7))
    response = phone.get("/")
    assert response.status_code == 200
    assert f"/matches/{match.id}/" in response.text


def test_device_cookie_is_signed_and_not_what_the_database_holds(phone):
    phone.post("/start/", typed())
    cookie = phone.cookies["trexscore_device"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    device = Match.objects.get().holder_device
    assert str(device) not in cookie.value
    forged = Client()
    forged.cookies["trexscore_device"] = cookie.value[:-1] + "_"
    assert forged.get("/").status_code == 200


def test_name_is_shown_literally(phone):
    phone.post("/start/", typed(name0=NASTY))
    page = phone.get("/start/").text
    assert NASTY not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page


def test_own_clubs_are_offered_and_no_others(cast, phone_of):
    page = phone_of(cast.badr).get("/start/").text
    assert "Café Younes" in page
    assert "/clubs/cafe-younes/matches/new/" in page
    assert "Café Ghassan" not in page
    assert "Café Younes" not in phone_of(cast.ghassan).get("/start/").text


def test_front_page_reads_little(phone, django_assert_num_queries):
    with django_assert_num_queries(0):
        phone.get("/start/")
    for _ in range(3):
        phone.post("/start/", typed())
    with django_assert_num_queries(3):
        phone.get("/start/")


def test_language_is_kept_in_a_cookie_and_turns_the_page(phone):
    response = phone.post("/language/", {"language": "ar", "next": "/start/"})
    assert response["Location"] == "/start/"
    page = phone.get("/start/").text
    assert '<html lang="ar" dir="rtl">' in page
    assert '<html lang="en" dir="ltr">' in Client().get("/start/").text


@pytest.mark.parametrize("key", ["", "x", "0" * 10_000])
def test_a_form_without_its_key_says_so_and_gets_a_new_one(phone, key):
    response = phone.post("/start/", typed(entry_key=key))
    assert response.status_code == 422
    assert "This page was open for too long" in response.text
    assert not Match.objects.exists()
    again = response.context["form"]["entry_key"].value()
    assert phone.post("/start/", typed(entry_key=again)).status_code == 303
