"""Signing in, and what wrong passwords of some do to others."""

import time

import pytest
from django.test import Client

from scoring.common import limits
from scoring.models import User

pytestmark = pytest.mark.django_db
PASSWORD = "a long password"
CAFE, ELSEWHERE = "10.0.0.1", "192.0.2.7"


@pytest.fixture(autouse=True)
def nothing_counted(monkeypatch):
    """The clock stands 100 seconds into a stretch of five minutes."""
    monkeypatch.setattr("scoring.common.limits.time.time", lambda: 6_000_100.0)
    monkeypatch.setattr(time, "sleep", lambda seconds: pytest.fail("a thread slept"))


@pytest.fixture
def owner():
    return User.objects.create_user("amal", password=PASSWORD)


def phone(address=CAFE):
    return Client(REMOTE_ADDR=address)


def sign_in(client, name="amal", password=PASSWORD):
    return client.post("/accounts/login/", {"login": name, "password": password}).status_code


def try_wrong(client, times, name="amal"):
    return [sign_in(client, name, f"wrong {number}") for number in range(times)]


def test_password_signs_in_whatever_the_case_of_the_name(client):
    User.objects.create_user("amal", password="a long password")
    answer = client.post("/accounts/login/", {"login": "Amal", "password": "a long password"})
    assert (answer.status_code, answer["Location"]) == (302, "/")


@pytest.mark.parametrize("path", ["signup/", "password/reset/", "email/", "login/code/"])
def test_what_cannot_work_here_has_no_page(client, path):
    assert client.get(f"/accounts/{path}").status_code == 404


def test_admin_has_no_sign_in_of_its_own(client):
    answer = client.get("/admin/", follow=True)
    assert answer.request["PATH_INFO"] == "/accounts/login/"


# Anybody locked the owner out with seven wrong passwords.
@pytest.mark.parametrize("address", [CAFE, ELSEWHERE])
def test_wrong_passwords_of_others_do_not_lock_the_owner_out(owner, address):
    thief, own = phone(address), phone()
    assert sign_in(own) == 302
    own.post("/accounts/logout/")
    assert try_wrong(thief, 200)[-1] == 429
    assert sign_in(own) == 302


def test_nobody_elsewhere_is_locked_out_although_they_never_signed_in(owner):
    try_wrong(phone(ELSEWHERE), 200)
    assert sign_in(phone()) == 302


def test_a_phone_is_refused_until_the_next_stretch_with_the_time_to_wait(owner, monkeypatch):
    thief = phone()
    thief.cookies = phone_with_id().cookies
    assert try_wrong(thief, 6) == [200] * 5 + [429]
    refused = thief.post("/accounts/login/", {"login": "amal", "password": PASSWORD})
    assert (refused.status_code, refused["Retry-After"]) == (429, "200")
    assert "too_many_login_attempts" in str(refused.context["form"].errors.as_json())
    monkeypatch.setattr("scoring.common.limits.time.time", lambda: 6_000_301.0)
    assert sign_in(thief) == 302


# Fourteen wrong names closed an address, which may be a café.
def test_wrong_names_from_one_phone_do_not_close_its_address(owner):
    thief = phone()
    tried = [sign_in(thief, f"name{number}", "wrong") for number in range(40)]
    assert tried[-1] == 429
    assert sign_in(phone_with_id()) == 302


def test_a_phone_with_a_new_id_for_each_try_is_stopped_for_this_name_only(owner):
    User.objects.create_user("badr", password=PASSWORD)
    tried = [try_wrong(phone_with_id(), 1)[0] for _ in range(limits.OF_NAME.most + 1)]
    assert tried == [200] * limits.OF_NAME.most + [429]
    assert sign_in(phone_with_id(), "badr") == 302


def test_a_phone_that_signed_in_before_is_counted_too(owner):
    own = phone()
    sign_in(own)
    own.post("/accounts/logout/")
    assert try_wrong(own, 6) == [200] * 5 + [429]


def test_what_one_phone_remembers_is_worth_nothing_on_another(owner):
    own, thief = phone(), phone_with_id()
    sign_in(own)
    thief.cookies["trexscore_signed_in"] = own.cookies["trexscore_signed_in"].value
    try_wrong(phone_with_id(), 5)
    for _ in range(limits.OF_NAME.most):
        try_wrong(phone_with_id(), 1)
    assert sign_in(thief) == 429


def test_right_passwords_are_never_counted(owner):
    tried = [sign_in(phone_with_id()) for _ in range(limits.OF_ADDRESS.most + 5)]
    assert set(tried) == {302}


def phone_with_id(address=CAFE):
    """One that has been here before: it has its cookie."""
    client = phone(address)
    client.post("/t/", {"code": "AAAAA-AAAAA"})
    assert "trexscore_device" in client.cookies
    return client
