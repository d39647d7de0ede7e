"""The end of a match for the phones of its table: who may finish it, and the way to its rematch."""

import re
import uuid

import pytest
from django.test import Client
from django.utils import timezone

from scoring.common.actor import Actor
from scoring.common.device import COOKIE, signer
from scoring.ledger.services import lease
from scoring.matches.services import matches
from scoring.models import Match
from tests.factories import make_evening, newest
from tests.support.links import came, phone_with
from tests.support.tables import PHONE, phone_client, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    """A match of twenty deals whose last one is in, a moment ago."""
    return make_evening("evening-levant", actor=PHONE, now=timezone.now())


@pytest.fixture
def guest(match):
    """A phone that came by the code of the table."""
    client, actor = phone_with("a phone that came by the code")
    came(match, actor=actor, now=timezone.now())
    client.actor = actor
    return client


def finish(client, match):
    data = {"entry_key": uuid.uuid4(), "version": newest(match), "action": "finish"}
    return client.post(url("match", match), data)


def offers(client, match):
    return 'value="finish"' in client.get(url("match", match)).text


def test_the_phone_that_keeps_score_by_the_code_finishes(match, guest):
    assert not offers(guest, match)
    assert "The phone that keeps score can finish" in guest.get(url("match", match)).text
    assert finish(guest, match).status_code == 403
    lease.take(match_id=match.id, actor=guest.actor, now=timezone.now())
    assert offers(guest, match)
    assert finish(guest, match).status_code == 303
    match.refresh_from_db()
    assert match.is_finished


def test_it_may_not_finish_before_the_last_deal():
    match = make_evening("evening-levant", 19, actor=PHONE, now=timezone.now())
    client, actor = phone_with("a phone that came by the code")
    came(match, actor=actor, now=timezone.now())
    lease.take(match_id=match.id, actor=actor, now=timezone.now())
    assert not offers(client, match)
    response = finish(client, match)
    assert response.status_code == 422
    assert 'data-code="not_over"' in response.text


def test_it_may_not_reopen_and_reads_who_may(cast):
    match = make_evening(
        "evening-levant", club=cast.club, actor=Actor(cast.amal), now=timezone.now()
    )
    client, actor = phone_with("a phone that came by the code")
    came(match, actor=actor, now=timezone.now())
    lease.take(match_id=match.id, actor=actor, now=timezone.now())
    finish(client, match)
    page = client.get(url("match", match)).text
    assert "Arbiters and owners of the club can reopen this match." in page
    data = {"entry_key": uuid.uuid4(), "version": newest(match), "action": "reopen"}
    assert client.post(url("match", match), data).status_code == 403


def test_other_phones_are_shown_the_way_to_the_rematch(match, guest):
    finish(phone_client(), match)
    page = guest.get(url("match", match))
    assert "data-rematch" not in page.text
    tag = {"If-None-Match": guest.get(url("live", match))["ETag"]}
    assert guest.get(url("live", match), headers=tag).status_code == 304
    again = matches.rematch(
        match_id=match.id,
        turn_seats=False,
        actor=PHONE,
        now=timezone.now(),
        entry_key=uuid.uuid4(),
    )
    assert guest.get(url("live", match), headers=tag).status_code == 200
    page = guest.get(url("match", match)).text
    assert re.search(rf'data-rematch href="/matches/{again.id}/"', page)
    own = phone_client().get(url("match", match)).text
    assert re.findall(r'class="button primary wide" (\S+)', own) == ["data-rematch"]
    assert guest.get(f"/matches/{again.id}/").status_code == 200
    screen = guest.get(url("live", match, kind="screen")).text
    assert f'data-next="/matches/{again.id}/screen/"' in screen


def test_a_stranger_is_not_let_into_the_rematch(match):
    finish(phone_client(), match)
    phone_client().post(url("rematch", match), {"entry_key": uuid.uuid4()})
    stranger = Client()
    stranger.cookies[COOKIE] = signer().sign("a stranger")
    assert stranger.get(url("match", Match.objects.get(rematch_of=match))).status_code == 404
