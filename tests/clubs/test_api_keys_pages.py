"""The page on which an owner makes keys for programs."""

import pytest

from scoring.clubs.queries.api_keys import token_of
from scoring.models import ClubToken
from tests.support.asking import errors

PAGE = "/clubs/cafe-younes/tokens/"


@pytest.fixture
def owner(cast, phone_of):
    return phone_of(cast.owner)


def made(page):
    secret = page.context["secret"]
    assert secret in page.text
    return secret


def test_a_key_is_shown_once_and_to_the_phone_that_made_it(owner, cast, phone_of):
    assert "There is none yet." in owner.get(PAGE).text
    response = owner.post(PAGE, {"name": "The <b>screen</b>", "scope": "write"})
    assert (response.status_code, response["Location"]) == (303, PAGE)
    page = owner.get(PAGE)
    token = token_of(made(page))
    assert (token.scope, token.created_by) == ("write", cast.owner)
    assert "The &lt;b&gt;screen" in page.text
    other = phone_of(cast.owner).get(PAGE)
    assert other.context["secret"] == ""
    assert "never used" in other.text


def test_a_key_is_ended(owner):
    owner.post(PAGE, {"name": "Screen", "scope": "read"})
    token = ClubToken.objects.get()
    assert owner.post(PAGE, {"end": token.id}).status_code == 303
    page = owner.get(PAGE)
    assert "This key opens nothing any more." in page.text
    assert page.context["secret"] == ""
    again = owner.post(PAGE, {"end": token.id})
    assert (again.status_code, errors(again, "ending")) == (422, {"__all__": ["gone"]})


def test_what_is_refused_is_said_at_the_field(owner):
    response = owner.post(PAGE, {"name": "x" * 41, "scope": "everything"})
    assert response.status_code == 422
    assert errors(response) == {"name": ["too_long"], "scope": ["invalid_choice"]}
    assert 'value="xxx' in response.text
    assert not ClubToken.objects.exists()


@pytest.mark.parametrize("person", ["amal", "esam", "ghassan"])
def test_nobody_else_has_the_page(cast, phone_of, person):
    client = phone_of(getattr(cast, person))
    assert client.get(PAGE).status_code == 404
    assert client.post(PAGE, {"name": "Screen", "scope": "read"}).status_code == 404
    assert not ClubToken.objects.exists()
