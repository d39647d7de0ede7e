import uuid

import pytest

from scoring.access.joined_phones import matches_on
from scoring.common.actor import Actor
from scoring.matches.services import matches
from scoring.models import Match
from tests.factories import NOW, PHONE, finish, king, make_cast, make_evening, make_match, write

pytestmark = pytest.mark.django_db


def on(actor):
    return [running.match for running in matches_on(actor)]


def test_phone_finds_its_running_matches_newest_first():
    first, second = make_match(entries=[king()]), make_match()
    Match.objects.filter(id=second.id).update(opened_at="2026-12-01T00:00:00Z")
    finish(make_evening("evening-levant"))
    make_match(actor=Actor(device=uuid.uuid4()))
    assert on(PHONE) == [second, first]
    assert [(row.names[0], row.deals, row.deals_total) for row in matches_on(PHONE)] == [
        ("Amal", 0, 20),
        ("Amal", 1, 20),
    ]


# Nobody is led into a match that was put aside, and it is not lost either. C42
def test_match_put_aside_is_listed_after_the_running_ones_and_never_fresh():
    aside, voided, running = make_match(), make_match(), make_match()
    write(matches.break_off, aside)
    write(matches.void_match, voided, reason="a wrong deck")
    assert on(PHONE) == [running, aside, voided]
    assert [row.is_fresh(NOW) for row in matches_on(PHONE)] == [True, False, False]


def test_phone_without_a_cookie_finds_nothing():
    make_match(actor=Actor())
    assert on(Actor()) == []


def test_match_of_a_club_is_found_only_while_a_member_is_signed_in():
    cast = make_cast()
    phone = PHONE.device
    match = make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal, phone))
    assert on(Actor(cast.amal, phone)) == [match]
    assert on(Actor(None, phone)) == []
    assert on(Actor(cast.ghassan, phone)) == []
