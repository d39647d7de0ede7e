"""An arbiter rules on the table's own phone: ten minutes, this match, and then it is as before."""

import html
import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from scoring.common.actor import Actor
from scoring.models import Deal, Membership, Role
from tests.factories import MembershipFactory, king, make_match
from tests.support import photos
from tests.support.judging import decide, flag
from tests.support.links import came
from tests.support.tables import PHONE, codes, form_data, phone_client, url

pytestmark = pytest.mark.django_db
PASSWORD = "a long password"


@pytest.fixture(autouse=True)
def no_counts():
    cache.clear()


@pytest.fixture
def table(cast):
    """Amal's match, with a deal that a member like Badr may not touch any more."""
    for user in (cast.esam, cast.amal, cast.ghassan):
        user.set_password(PASSWORD)
        user.save()
    actor = Actor(cast.amal, PHONE.device)
    return make_match(club=cast.club, players=cast.players, entries=[king(taken_by=2)], actor=actor)


@pytest.fixture
def phone(cast):
    """The phone of the table, Dima signed in on it."""
    client = phone_client()
    client.force_login(cast.dima)
    return client


@pytest.fixture
def clock(monkeypatch):
    """A clock that a test sets forward."""
    began, ahead = timezone.now(), [timedelta(0)]
    monkeypatch.setattr("django.utils.timezone.now", lambda: began + ahead[0])

    def forward(**time):
        ahead[0] += timedelta(**time)

    return forward


def take(phone, match, name="Esam", password=PASSWORD, **query):
    facts = {"action": "take", "name": name, "password": password}
    return phone.post(url("step_up", match, **query), facts)


def may_judge(phone, match) -> bool:
    return 'name="code"' in phone.get(url("adjust", match)).text


# ── what is lent ────────────────────────────────────────────────────────


# Arbiters overrule on the table's own screen, which drops back by itself. C70
def test_the_phone_may_what_the_arbiter_may_for_ten_minutes(phone, table, clock):
    assert not may_judge(phone, table)
    answer = take(phone, table)
    assert (answer.status_code, answer.url) == (303, url("match", table))
    assert may_judge(phone, table)
    clock(minutes=9, seconds=59)
    assert may_judge(phone, table)
    clock(seconds=1)
    assert not may_judge(phone, table)
    assert phone.get(url("match", table)).context["user"].username == "dima"


def test_the_page_says_whose_rights_until_when_and_gives_them_back(phone, table, cast, clock):
    cast.club.time_zone = "Asia/Beirut"
    cast.club.save()
    take(phone, table)
    page = phone.get(url("match", table)).text
    with timezone.override("Asia/Beirut"):
        until = timezone.localtime(timezone.now() + timedelta(minutes=10))
    assert "Arbiter on this phone until" in page
    assert f"{until:%H:%M}" in page
    assert 'data-seconds="600"' in page
    answer = phone.post(url("step_up", table), {"action": "done"})
    assert (answer.status_code, answer.url) == (303, url("match", table))
    assert not may_judge(phone, table)
    assert "Arbiter <bdi>" not in phone.get(url("match", table)).text


def test_events_name_the_arbiter_and_the_phone(phone, table, cast):
    take(phone, table)
    deal = Deal.objects.standing().get(match=table)
    data = form_data(table, "king", {"king_taken_by": 0}, reason="Seen by me", deal=deal.id)
    assert phone.post(url("deal", table, 1), data).status_code == 303
    event = Deal.objects.get(replaces=deal).event
    assert (event.user, event.device) == (cast.esam, PHONE.device)


def test_a_phone_on_which_nobody_is_signed_in_is_that_again(table, cast, clock):
    cast.club.is_public = True
    cast.club.save()
    phone = Client()
    assert take(phone, table, deal=1).url == url("deal", table, 1)
    assert may_judge(phone, table)
    clock(minutes=10)
    assert not may_judge(phone, table)
    assert not phone.get(url("match", table)).context["user"].is_authenticated


def test_a_photo_that_was_taken_back_is_shown_to_the_arbiter_too(phone, table, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    photo = photos.attach(table)
    photos.take_back(table, photo)
    address = reverse("photo", args=[photo.id])
    assert phone.get(address).status_code == 404
    take(phone, table)
    assert phone.get(address).status_code == 200


# ── and what is not ─────────────────────────────────────────────────────


def test_another_match_and_the_club_are_not_lent(phone, table, cast):
    other = make_match(
        club=cast.club, players=cast.players, entries=[king()], actor=Actor(cast.amal)
    )
    take(phone, table)
    assert not may_judge(phone, other)
    assert phone.get(f"/clubs/{cast.club.slug}/disagreements/").status_code == 404
    take(phone, other)  # one at a time
    assert may_judge(phone, other)
    assert not may_judge(phone, table)


def test_another_phone_has_nothing_of_it(phone, table, cast, phone_of):
    take(phone, table)
    assert not may_judge(phone_of(cast.dima), table)


def test_a_copy_of_the_session_on_another_phone_has_nothing(phone, table):
    take(phone, table)
    thief = Client()
    thief.cookies["sessionid"] = phone.cookies["sessionid"].value
    assert thief.get(url("match", table)).context["user"].username == "dima"
    assert not may_judge(thief, table)


# Nothing that it shows leads to a page of the club, which is not there on this phone.
def test_every_link_of_a_case_can_be_followed_on_the_table_phone(table, cast):
    other = make_match(
        club=cast.club, players=cast.players, entries=[king()], actor=Actor(cast.amal)
    )
    decide(other, 1, "stands", reason="Seen.", rule="C-L6", actor=Actor(cast.esam))
    phone = phone_client()
    came(table, actor=PHONE, now=timezone.now())
    take(phone, table)
    flag(table, actor=PHONE)
    case = phone.get(url("dispute", table, 1, outcome="stands", rule="C-L6")).text
    assert 'data-precedents="rule"' in case
    pages = case + phone.get(url("deal", table, 1)).text
    for address in {html.unescape(one) for one in re.findall(r'<a [^>]*href="(/[^"#]+)', pages)}:
        assert phone.get(address).status_code == 200, address


def test_pages_that_an_arbiter_saw_are_not_kept_for_the_phone(phone, table):
    before = phone.get(url("match", table))["X-Reader"]
    take(phone, table)
    assert phone.get(url("match", table))["X-Reader"] != before


def test_a_new_password_ends_it(phone, table, cast):
    take(phone, table)
    cast.esam.set_password("another long password")
    cast.esam.save()
    assert not may_judge(phone, table)


def test_who_is_arbiter_no_longer_is_it_here_neither(phone, table, cast):
    take(phone, table)
    Membership.objects.filter(user=cast.esam).update(role=Role.SCORER)
    assert not may_judge(phone, table)
    cast.esam.is_active = False
    cast.esam.save()
    assert phone.get(url("match", table)).context["lent"] is None


def test_signing_out_ends_it(phone, table, cast):
    cast.club.is_public = True
    cast.club.save()
    take(phone, table)
    phone.post("/accounts/logout/")
    assert not may_judge(phone, table)


# ── what is refused ─────────────────────────────────────────────────────


def test_a_wrong_password_is_refused_and_nothing_is_lent(phone, table):
    answer = take(phone, table, password="wrong")
    assert (answer.status_code, codes(answer)) == (422, ["wrong_password"])
    assert "wrong" not in answer.text.split("<form")[-1].replace("wrong_password", "")
    assert not may_judge(phone, table)


def test_nobody_who_does_not_exist_is_told_apart(phone, table):
    assert codes(take(phone, table, name="Nobody")) == ["wrong_password"]


@pytest.mark.parametrize("name", ["amal", "ghassan"])
def test_only_an_arbiter_of_this_club_will_do(phone, table, cast, name):
    """Ghassan owns another club, and is an arbiter of it."""
    answer = take(phone, table, name=name)
    assert (answer.status_code, codes(answer)) == (422, ["not_arbiter"])
    assert not may_judge(phone, table)


def test_an_arbiter_of_two_clubs_is_one_here_only_for_this(phone, table, cast):
    MembershipFactory(club=cast.other_club, user=cast.esam, role=Role.ARBITER)
    take(phone, table)
    assert phone.get(f"/clubs/{cast.other_club.slug}/players/").status_code == 404


def test_it_is_counted_like_every_other_sign_in(phone, table):
    seen = [take(phone, table, password="wrong") for _ in range(6)]
    assert (seen[-1].status_code, codes(seen[-1])) == (429, ["too_many_attempts"])
    assert 1 <= int(seen[-1]["Retry-After"]) <= 300
    assert codes(take(phone, table)) == ["too_many_attempts"]
    assert not may_judge(phone, table)
    data = {"login": "esam", "password": PASSWORD}
    assert phone_client().post("/accounts/login/", data).status_code == 429


def test_wrong_passwords_typed_elsewhere_do_not_keep_the_arbiter_from_the_table(phone, table):
    data = {"login": "esam", "password": "wrong"}
    thief = Client()
    tried = [thief.post("/accounts/login/", data).status_code for _ in range(12)]
    assert tried[-1] == 429
    assert take(phone, table).status_code == 303


def test_an_empty_form_says_what_is_missing(phone, table):
    answer = phone.post(url("step_up", table), {"action": "take"})
    assert (answer.status_code, codes(answer)) == (422, ["required", "required"])


def test_an_expired_token_lends_nothing(table, cast):
    phone = phone_client(enforce_csrf_checks=True)
    phone.force_login(cast.dima)
    answer = take(phone, table)
    assert (answer.status_code, codes(answer)) == (422, ["form_expired"])
    assert not may_judge(phone, table)


def test_a_match_without_a_club_has_no_arbiter(cast):
    phone, match = phone_client(), make_match(entries=[king()], actor=PHONE)
    cast.esam.set_password(PASSWORD)
    cast.esam.save()
    assert codes(phone.get(url("step_up", match))) == ["no_arbiter"]
    assert codes(take(phone, match))[-1] == "no_arbiter"


def test_the_arbiters_own_phone_needs_none_of_it(table, cast, phone_of):
    page = phone_of(cast.esam).get(url("step_up", table))
    assert "already" in page.text
    assert 'name="password"' not in page.text


def test_ghassan_finds_no_page(table, cast, phone_of):
    assert phone_of(cast.ghassan).get(url("step_up", table)).status_code == 404
    assert take(Client(), table).status_code == 404


def test_it_costs_one_query_while_it_lasts(phone, table, django_assert_max_num_queries):
    with CaptureQueriesContext(connection) as before:
        phone.get(url("match", table, contract=""))
    usual = len(before)
    take(phone, table)
    with django_assert_max_num_queries(usual + 1):
        phone.get(url("match", table, contract=""))
