"""Texts go out compressed, and nothing that was agreed on their tags or their secrets is lost."""

import gzip
import json
import re

import pytest
from django.urls import reverse
from django.utils import text

from tests.factories import king
from tests.support.tables import match_of, phone_client, url

PACKED = {"accept-encoding": "gzip, deflate, br"}


@pytest.fixture(autouse=True)
def longest_padding(monkeypatch):
    """The padding of each answer is as long as it can be."""
    monkeypatch.setattr(text.secrets, "randbelow", lambda most: most - 1)


@pytest.fixture
def phone(db):
    """The phone that keeps score."""
    return phone_client()


def unpacked(response):
    assert response["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in response["Vary"]
    return gzip.decompress(response.getvalue()).decode()


def test_a_page_comes_compressed_for_those_who_can_read_it(phone):
    plain, packed = phone.get("/accounts/login/"), phone.get("/accounts/login/", headers=PACKED)
    assert "Content-Encoding" not in plain
    assert "Accept-Encoding" in plain["Vary"]
    assert int(packed["Content-Length"]) == len(packed.content) < len(plain.content) / 2
    assert "<h1" in unpacked(packed)


def test_the_first_visit_of_a_match_is_a_third_of_what_it_was(phone):
    match = match_of(entries=[king()])
    pages = [url(page, match) for page in ("match", "kit")]
    plain = sum(len(phone.get(page).content) for page in pages)
    packed = sum(len(phone.get(page, headers=PACKED).content) for page in pages)
    assert 3 * packed < plain


def test_its_length_is_padded(phone, monkeypatch):
    page = "/api/openapi.json"  # the same each time
    padded = phone.get(page, headers=PACKED).content
    monkeypatch.setattr(text.secrets, "randbelow", lambda most: 0)
    bare = phone.get(page, headers=PACKED).content
    assert padded[10:110] == b"a" * 99 + b"\0"  # the name of a file, which nobody reads
    assert len(padded) == len(bare) + 99


def test_the_token_of_a_form_is_another_each_time(phone):
    pages = [unpacked(phone.get("/start/", headers=PACKED)) for _ in range(2)]
    tokens = [re.findall(r'csrfmiddlewaretoken" value="(\w+)"', page) for page in pages]
    ours = [re.findall(r'x-csrftoken": "(\w+)"', page) for page in pages]
    found = {*tokens[0], *tokens[1], *ours[0], *ours[1]}
    assert all(tokens)
    assert all(ours)
    assert len(found) == 2
    secret = phone.cookies["csrftoken"].value
    assert not any(secret in page for page in pages)
    phone.handler.enforce_csrf_checks = True
    for token in found:
        assert phone.post("/start/", {"csrfmiddlewaretoken": token}).status_code == 422


@pytest.mark.parametrize("kind", ["table", "sheet", "news"])
def test_what_is_followed_is_304_until_something_changes(phone, kind):
    address = url("live", match_of(entries=[king()]), kind=kind)
    first = phone.get(address, headers=PACKED)
    tag = first["ETag"]
    if "Content-Encoding" in first:  # news are short
        assert tag.startswith('W/"')
        assert unpacked(first) == phone.get(address).text
    for known in (tag, tag.removeprefix("W/")):  # as a browser sends it, and as live.js does
        again = phone.get(address, headers=PACKED | {"if-none-match": known})
        assert (again.status_code, again.content) == (304, b"")


def test_a_stream_comes_compressed(cast, phone_of):
    amal = cast.players[0]
    address = reverse("player_data", args=[amal.club.slug, amal.id])
    packed = phone_of(cast.amal).get(address, headers=PACKED)
    assert packed.streaming
    plain = phone_of(cast.amal).get(address)
    assert json.loads(unpacked(packed)).keys() == json.loads(plain.getvalue()).keys()


def test_an_answer_to_a_program_comes_compressed(phone):
    address = "/api/openapi.json"
    packed = phone.get(address, headers=PACKED)
    assert json.loads(unpacked(packed)) == phone.get(address).json()


def test_a_picture_goes_out_as_it_is(phone):
    address = url("match_picture", match_of(entries=[king()]))
    picture = phone.get(address, headers=PACKED)
    assert picture["Content-Type"] == "image/png"
    assert "Content-Encoding" not in picture
    assert picture["ETag"].startswith('"')
