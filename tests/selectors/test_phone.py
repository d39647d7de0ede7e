import uuid

import pytest

from scoring.models import Match
from scoring.selectors.phone import running_on
from scoring.services.who import Who
from tests.factories import PHONE, finish, king, make_cast, make_evening, make_match

pytestmark = pytest.mark.django_db


def matches_on(who):
    return [running.match for running in running_on(who)]


def test_phone_finds_its_running_matches_newest_first():
    first, second = make_match(entries=[king()]), make_match()
    Match.objects.filter(id=second.id).update(opened_at="2026-12-01T00:00:00Z")
    finish(make_evening("evening-levant"))
    make_match(who=Who(device=uuid.uuid4()))
    assert matches_on(PHONE) == [second, first]
    assert [(row.names[0], row.deals, row.deals_total) for row in running_on(PHONE)] == [
        ("Amal", 0, 20),
        ("Amal", 1, 20),
    ]


def test_phone_without_a_cookie_finds_nothing():
    make_match(who=Who())
    assert matches_on(Who()) == []


def test_match_of_a_club_is_found_only_while_a_member_is_signed_in():
    cast = make_cast()
    phone = PHONE.device
    match = make_match(club=cast.club, players=cast.players, who=Who(cast.amal, phone))
    assert matches_on(Who(cast.amal, phone)) == [match]
    assert matches_on(Who(None, phone)) == []
    assert matches_on(Who(cast.ghassan, phone)) == []
