"""The phones of a table come along into its rematch, with their links and seats."""

import uuid
from datetime import timedelta

import pytest

from scoring.access.links import kinds_of, seat_of
from scoring.common.actor import Actor
from scoring.integrity.queries.integrity import findings
from scoring.matches.services import matches
from scoring.models import EventKind, LinkKind, Match
from scoring.phones.services import links
from tests.factories import NOW, PHONE, make_evening, make_match, newest, write
from tests.support.links import GUEST, came

pytestmark = pytest.mark.django_db
WATCHER = Actor(device=uuid.UUID(int=9))


def rematch(match, *, now=NOW, turn_seats=False):
    asked = {"match_id": match.id, "turn_seats": turn_seats, "entry_key": uuid.uuid4()}
    return matches.rematch(**asked, actor=PHONE, now=now)


@pytest.mark.parametrize(("turn_seats", "seat"), [(False, 3), (True, 0)])
def test_phones_keep_their_link_and_the_seat_of_their_person(turn_seats, seat):
    match = make_match()
    came(match)
    came(match, LinkKind.VIEW, WATCHER)
    links.take_seat(match_id=match.id, seat=3, device=GUEST.device, now=NOW)
    again = Match.objects.get(id=rematch(match, turn_seats=turn_seats).id)
    assert kinds_of(again, GUEST, NOW) == {LinkKind.TABLE}
    assert kinds_of(again, WATCHER, NOW) == {LinkKind.VIEW}
    assert seat_of(again, GUEST) == seat
    codes = {links.code_of(link) for one in (match, again) for link in one.links.all()}
    assert len(codes) == 4


def test_a_revoked_or_ended_link_lets_nobody_into_the_rematch():
    match = make_match()
    revoked = came(match).link
    links.revoke(match_id=match.id, link_id=revoked.id, now=NOW)
    came(match, LinkKind.VIEW, WATCHER)
    again = rematch(match, now=NOW + timedelta(hours=6))
    assert not again.links.exists()
    assert not again.phones.exists()


def test_the_old_match_tells_of_its_rematch_once_and_nobody_is_stale():
    match = make_evening("evening-levant")
    tag, seen = match.tag, newest(match)
    again = rematch(match)
    assert rematch(match) == again
    match.refresh_from_db()
    event = match.events.get(kind=EventKind.REMATCH_OPENED)
    assert event.content["facts"] == {"rematch": str(again.id)}
    assert match.tag != tag
    write(matches.finish, match, version=seen)
    assert not list(findings())
