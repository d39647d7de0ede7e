"""Keys for programs: made, found, ended, and what is kept of them."""

from datetime import timedelta

import pytest

from scoring.clubs.queries.api_keys import token_of
from scoring.clubs.services import api_keys
from scoring.common.actor import Actor
from scoring.common.errors import ServiceError
from scoring.models import ClubToken
from tests.factories import NOW, ClubFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return ClubFactory()


def make(club, name="The screen", scope="read"):
    return api_keys.make(club=club, name=name, scope=scope, actor=Actor(), now=NOW)


def test_the_secret_is_kept_nowhere_and_finds_its_token(club):
    secret = make(club, "  The   screen ")
    token = ClubToken.objects.get()
    assert secret.startswith("trex_")
    assert secret not in str(ClubToken.objects.values().get())
    assert token_of(secret) == token
    assert (token.name, token.club) == ("The screen", club)
    assert [token_of(no) for no in ("", "trex_", secret[:-1], secret[5:], "trex_" + "x" * 200)] == (
        [None] * 5
    )


def test_ended_is_ended_and_only_by_its_club(club):
    secret = make(club)
    token = ClubToken.objects.get()
    for stranger, token_id in [(ClubFactory(), str(token.id)), (club, "nonsense")]:
        with pytest.raises(ServiceError, match="gone"):
            api_keys.revoke(club=stranger, token_id=token_id, now=NOW)
    api_keys.revoke(club=club, token_id=str(token.id), now=NOW)
    assert token_of(secret) is None
    with pytest.raises(ServiceError, match="gone"):
        api_keys.revoke(club=club, token_id=str(token.id), now=NOW)


@pytest.mark.parametrize(
    ("given", "code"), [({"name": " "}, "missing"), ({"scope": "all"}, "unknown_scope")]
)
def test_refused(club, given, code):
    with pytest.raises(ServiceError, match=code):
        make(club, **given)


def test_there_is_an_end_to_them(club, monkeypatch):
    monkeypatch.setattr(api_keys, "MOST", 1)
    make(club)
    with pytest.raises(ServiceError, match="too_many"):
        make(club)
    make(ClubFactory())


def test_use_is_noted_once_an_hour(club, django_assert_num_queries):
    token = token_of(make(club))
    api_keys.used(token=token, now=NOW)
    token.refresh_from_db()
    assert token.last_used_at == NOW
    with django_assert_num_queries(0):
        api_keys.used(token=token, now=NOW + timedelta(minutes=59))
    api_keys.used(token=token, now=NOW + timedelta(hours=1))
    token.refresh_from_db()
    assert token.last_used_at == NOW + timedelta(hours=1)
