"""Links are made, made anew and revoked; phones come by a code, take seats and are sent away."""

import uuid
from datetime import timedelta

import pytest

from scoring.access import links as reads
from scoring.access import permissions
from scoring.common.actor import Actor
from scoring.common.errors import ServiceError
from scoring.models import JoinedPhone, LinkKind, Match, SeatPhone, TableLink
from scoring.phones.services import links
from tests.factories import NOW, PHONE, king, make_cast, make_match
from tests.support.links import GUEST

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
OTHER = Actor(device=uuid.UUID(int=8))


@pytest.fixture
def match():
    return make_match()


def made(match, kind=LinkKind.TABLE, now=NOW):
    return links.make(match_id=match.id, kind=kind, actor=PHONE, now=now)


def joined(code, actor=GUEST, now=NOW):
    return links.join(code=code, actor=actor, now=now)


def is_in(match, actor=GUEST, now=NOW):
    return bool(reads.kinds_of(Match.objects.get(id=match.id), actor, now))


def test_code_is_long_stands_nowhere_and_is_another_for_each_link(match):
    link = made(match)
    code = links.code_of(link)
    assert len(code) == 11
    assert code[5] == "-"
    assert code.replace("-", "") not in str(TableLink.objects.values())
    assert links.code_of(made(match, LinkKind.VIEW)) != code
    assert links.code_of(made(make_match())) != code


def test_making_it_twice_gives_the_same_link(match):
    assert made(match) == made(match, now=NOW + HOUR)


def test_with_another_secret_key_the_old_code_is_not_shown_but_made_anew(match, settings):
    old = made(match)
    settings.SECRET_KEY = "another"
    assert links.code_of(old) == ""
    assert made(match) != old


# A digit or letter that was read wrongly is still the right one. C14
@pytest.mark.parametrize(
    "spelled",
    [
        str,
        str.lower,
        lambda code: code.replace("-", ""),
        lambda code: f"  {code[:3]} {code[3:]}\n",
        lambda code: code.replace("-", "–"),
        lambda code: code.replace("0", "O").replace("1", "l"),
        lambda code: code.replace("0", "o").replace("1", "I"),
        lambda code: code.translate({48 + digit: 0x660 + digit for digit in range(10)}),
        lambda code: code.translate({48 + digit: 0x6F0 + digit for digit in range(10)}),
        lambda code: f"http://192.168.1.7:8000/t/#{code}",
        lambda code: f"\u200f{code}\u200e",
    ],
)
def test_code_is_read_however_it_is_typed(spelled):
    assert links.read_code(spelled("01XY9-Z0K1Q")) == "01XY9Z0K1Q"


@pytest.mark.parametrize("typed", ["", "#", "ABCDE-FGHJ", "ABCDE-FGHJKM", "ABCDE-FGHJU", "✓" * 10])
def test_what_is_no_code_is_none(match, typed):
    assert links.read_code(typed) == ""
    with pytest.raises(ServiceError, match="no_such_link"):
        joined(typed)


def test_phone_is_in_by_the_code_once_however_often_it_comes(match):
    code = links.code_of(made(match))
    assert not is_in(match)
    joined(code)
    joined(code, now=NOW + HOUR)
    assert is_in(match)
    assert JoinedPhone.objects.get().joined_at == NOW
    assert not is_in(match, OTHER)
    assert not is_in(make_match())


def test_unknown_revoked_and_ended_codes_are_refused_alike(match):
    link = made(match)
    code = links.code_of(link)
    refused = []
    for typed, now in [("AAAAA-AAAAA", NOW), (code, NOW + 6 * HOUR)]:
        with pytest.raises(ServiceError) as error:
            joined(typed, now=now)
        refused.append(error.value)
    links.revoke(match_id=match.id, link_id=link.id, now=NOW)
    with pytest.raises(ServiceError) as error:
        joined(code)
    told = {(each.code, each.field, str(each.numbers)) for each in (*refused, error.value)}
    assert told == {("no_such_link", "code", "{}")}
    assert not JoinedPhone.objects.exists()


def test_code_works_some_hours_after_the_last_deal(match):
    code = links.code_of(made(match))
    again = make_match(entries=[king()])
    later = links.code_of(made(again))
    dealt = again.deals.get().event.entered_at
    with pytest.raises(ServiceError):
        joined(code, now=NOW + 6 * HOUR)
    joined(later, now=dealt + 6 * HOUR - timedelta(seconds=1))


# A shared link can be revoked. C98
def test_made_anew_the_old_link_and_its_phones_are_out_at_once(match):
    old = made(match)
    joined(links.code_of(old))
    links.take_seat(match_id=match.id, seat=2, device=GUEST.device, now=NOW)
    links.remake(match_id=match.id, link_id=old.id, actor=PHONE, now=NOW)
    assert not is_in(match)
    assert not SeatPhone.objects.exists()
    new = TableLink.objects.get(match=match, revoked_at=None)
    with pytest.raises(ServiceError):
        joined(links.code_of(TableLink.objects.get(id=old.id)))
    joined(links.code_of(new))
    assert is_in(match)


def test_a_tap_sent_twice_makes_one_link(match):
    old = made(match)
    for _ in range(2):
        links.remake(match_id=match.id, link_id=old.id, actor=PHONE, now=NOW)
        links.revoke(match_id=match.id, link_id=old.id, now=NOW)
    assert TableLink.objects.count() == 2


def test_link_of_another_match_is_not_revoked(match):
    link = made(match)
    links.revoke(match_id=make_match().id, link_id=link.id, now=NOW)
    assert TableLink.objects.get().revoked_at is None


def test_view_link_goes_on_when_the_table_link_ends(match):
    table, view = made(match), made(match, LinkKind.VIEW)
    for link in (table, view):
        joined(links.code_of(link))
    links.revoke(match_id=match.id, link_id=table.id, now=NOW)
    here = Match.objects.get(id=match.id)
    assert permissions.roles_in(here, GUEST, NOW) == {
        permissions.ActorRole.ANYONE,
        permissions.ActorRole.VIEW_LINK,
    }


def test_who_has_more_by_right_is_not_listed_among_those_who_came():
    cast = make_cast()
    match = make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal))
    code = links.code_of(made(match))
    joined(code, Actor(cast.amal, uuid.uuid4()))
    joined(links.code_of(made(match, LinkKind.VIEW)), Actor(cast.esam, uuid.uuid4()))
    assert not JoinedPhone.objects.exists()
    joined(code, Actor(cast.ghassan, GUEST.device))
    assert is_in(match)


def test_seat_is_of_one_phone_until_it_is_freed(match):
    links.take_seat(match_id=match.id, seat=1, device=GUEST.device, now=NOW)
    links.take_seat(match_id=match.id, seat=1, device=GUEST.device, now=NOW)
    with pytest.raises(ServiceError, match="seat_taken"):
        links.take_seat(match_id=match.id, seat=1, device=OTHER.device, now=NOW)
    links.take_seat(match_id=match.id, seat=2, device=OTHER.device, now=NOW)
    links.free_seat(match_id=match.id, seat=1)
    links.take_seat(match_id=match.id, seat=1, device=OTHER.device, now=NOW)
    assert SeatPhone.objects.get().seat == 1
    links.leave_seat(match_id=match.id, device=OTHER.device)
    assert not SeatPhone.objects.exists()


def test_there_are_four_seats(match):
    with pytest.raises(ServiceError, match="bad_seat"):
        links.take_seat(match_id=match.id, seat=4, device=GUEST.device, now=NOW)


def test_phone_that_is_sent_away_is_out_and_leaves_seat_and_lease(match):
    joined(links.code_of(made(match)))
    links.take_seat(match_id=match.id, seat=2, device=GUEST.device, now=NOW)
    Match.objects.update(lease_device=GUEST.device, lease_at=NOW)
    phone = JoinedPhone.objects.get()
    links.send_away(match_id=make_match().id, phone_id=phone.id)
    assert is_in(match)
    links.send_away(match_id=match.id, phone_id=phone.id)
    assert not is_in(match)
    assert not SeatPhone.objects.exists()
    match.refresh_from_db()
    assert match.lease_device is None


def test_a_match_taken_up_again_next_week_gets_a_link_that_works(match):
    week = 7 * 24 * HOUR
    made(match)
    joined(links.code_of(made(match, now=NOW + week)), now=NOW + week)
    assert is_in(match, now=NOW + week + HOUR)
