"""What a phone is to a match by a link, until when, and whose seat is whose."""

import uuid
from datetime import timedelta

import pytest

from scoring.access import links, permissions
from scoring.access.permissions import Action, ActorRole
from scoring.common.actor import Actor
from scoring.models import Club, LinkKind, Match, SeatPhone, TableLink
from tests.factories import NOW, PHONE, king, make_cast, make_match
from tests.support.links import GUEST, came

HOUR = timedelta(hours=1)


def again(match):
    return Match.objects.select_related("club").get(pk=match.pk)


@pytest.mark.parametrize(("kind", "role"), [("table", "table_link"), ("view", "view_link")])
def test_phone_has_the_role_of_its_link_until_that_is_revoked(db, kind, role):
    match = make_match()
    phone = came(match, kind)
    assert ActorRole(role) in permissions.roles_in(again(match), GUEST, NOW)
    assert ActorRole(role) not in permissions.roles_in(
        again(match), Actor(device=uuid.uuid4()), NOW
    )
    assert ActorRole(role) not in permissions.roles_in(again(make_match()), GUEST, NOW)
    TableLink.objects.filter(id=phone.link_id).update(revoked_at=NOW)
    assert ActorRole(role) not in permissions.roles_in(again(match), GUEST, NOW)
    assert not permissions.may(Action.SEE_MATCH, again(match), GUEST, now=NOW)


# Links are listed, expire, revocable, for one table. C98
def test_link_ends_some_hours_after_the_last_deal(db):
    cast = make_cast()
    match = make_match(
        club=cast.club, players=cast.players, actor=Actor(cast.amal), entries=[king()]
    )
    came(match)
    dealt = match.deals.get().event.entered_at
    assert links.kinds_of(again(match), GUEST, dealt + 6 * HOUR - timedelta(seconds=1))
    assert not links.kinds_of(again(match), GUEST, dealt + 6 * HOUR)
    Club.objects.filter(id=cast.club.id).update(links_hours=12)
    assert links.kinds_of(again(match), GUEST, dealt + 11 * HOUR)
    assert not links.kinds_of(again(match), GUEST, dealt + 12 * HOUR)


def test_link_made_later_lives_from_then_on(db):
    match = make_match(entries=[king()])
    came(match, now=NOW + 100 * HOUR)
    assert links.kinds_of(again(match), GUEST, NOW + 105 * HOUR)
    assert not links.kinds_of(again(match), GUEST, NOW + 106 * HOUR)


def test_seat_is_that_of_the_phone_else_of_the_account(db):
    cast = make_cast()
    match = make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal))
    dima = Actor(cast.dima, GUEST.device)
    assert links.seat_of(again(match), dima) == 3
    SeatPhone.objects.create(match=match, seat=1, device=GUEST.device, bound_at=NOW)
    assert links.seat_of(again(match), dima) == 1
    assert links.seat_of(again(match), GUEST) == 1
    assert links.seat_of(again(match), Actor(cast.ghassan)) is None
    assert links.seat_of(again(match), Actor()) is None


def test_guest_signs_for_the_seat_of_the_phone(db):
    match = make_match()
    came(match)
    assert not permissions.may(Action.SIGN, again(match), GUEST, now=NOW)
    SeatPhone.objects.create(match=match, seat=2, device=GUEST.device, bound_at=NOW)
    assert permissions.may(Action.SIGN, again(match), GUEST, now=NOW)


def test_who_has_no_right_but_a_link_to_look_reads_publicly(db):
    cast = make_cast()
    match = make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal))
    assert permissions.reads_publicly(again(match), Actor(cast.ghassan), NOW)
    assert not permissions.reads_publicly(again(match), Actor(cast.dima), NOW)
    came(match, LinkKind.VIEW)
    assert permissions.reads_publicly(again(match), GUEST, NOW)
    came(match, LinkKind.TABLE)
    assert not permissions.reads_publicly(again(match), GUEST, NOW)


def test_holder_costs_no_query_and_a_guest_one(db, django_assert_num_queries):
    match = again(make_match())
    with django_assert_num_queries(0):
        for action in Action:
            permissions.may(action, match, PHONE, now=NOW) if action != Action.SIGN else None
            permissions.may(action, match, Actor())
    with django_assert_num_queries(1):
        for action in Action:
            permissions.may(action, match, GUEST, now=NOW)
