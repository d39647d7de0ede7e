"""What the database itself keeps out, whoever writes."""

import uuid

import pytest
from django.db import IntegrityError, transaction

from scoring.models import (
    Club,
    CurrentDeal,
    Deal,
    Invitation,
    Kingdom,
    Match,
    MatchEvent,
    Membership,
    Player,
    Seating,
    UsedContract,
    Void,
)
from tests.factories import NOW, MembershipFactory, diamonds, king, make_match, void

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    return make_match(entries=[king(), diamonds()])


def copy(row, **changes):
    """Writes a second row like this one."""
    row.pk = changes.pop("pk", uuid.uuid4())
    for name, value in changes.items():
        setattr(row, name, value)
    row.save(force_insert=True)


def refused(call, *args, **kwargs):
    with pytest.raises(IntegrityError), transaction.atomic():
        call(*args, **kwargs)
    return True


def test_one_event_per_key_and_per_number(match):
    event = match.events.get(seq=2)
    assert refused(copy, event, seq=9)
    assert refused(copy, event, seq=2, entry_key=uuid.uuid4())
    assert refused(copy, event, seq=0)


# The database knows a deal number once, whoever sends it twice. C05
def test_one_standing_deal_per_number(match):
    other = Deal.objects.get(deal_number=2)
    row = CurrentDeal.objects.get(deal_number=1)
    CurrentDeal.objects.get(deal=other).delete()
    assert refused(copy, row, deal=other)


def test_one_standing_deal_per_chooser_and_contract(match):
    assert refused(copy, UsedContract.objects.get(contract="king"))


def test_deal_is_replaced_once_and_voided_once(match):
    deal = Deal.objects.get(deal_number=2)
    void(match, deal)
    assert refused(copy, Void.objects.get())
    deal = Deal.objects.get(deal_number=1)
    copy(Deal.objects.get(deal_number=1), replaces=deal)
    assert refused(copy, Deal.objects.get(id=deal.id), replaces=deal)
    same = uuid.uuid4()
    assert refused(copy, Deal.objects.get(id=deal.id), pk=same, replaces_id=same)


def test_void_is_of_one_thing(match):
    event = match.events.get(seq=2)
    assert refused(Void.objects.create, match=match, event=event)


@pytest.mark.parametrize("field", ["dealer", "chooser", "leader"])
def test_seats_of_a_deal_are_seats(match, field):
    assert refused(copy, Deal.objects.first(), **{field: 4})


def test_deal_numbers_count_from_one(match):
    assert refused(copy, Deal.objects.first(), deal_number=0)


# Nobody sits twice at a table. C09
def test_four_people_in_four_seats(match):
    rows = list(Seating.objects.order_by("seat"))
    assert refused(copy, rows[0], player=rows[1].player, seat=3)
    assert refused(copy, Seating.objects.get(seat=0), player=Player.objects.create(name="Elie"))
    assert refused(copy, Seating.objects.get(seat=0), seat=4)


def test_one_kingdom_per_chooser_and_per_place(match):
    row = Kingdom.objects.get()
    assert refused(Kingdom.objects.create, match=match, chooser=0, position=2)
    assert refused(Kingdom.objects.create, match=match, chooser=1, position=row.position)


@pytest.mark.parametrize("name", ["", "x" * 41])
def test_names_have_a_length(db, name):
    with pytest.raises(Exception, match=r"name|too long"), transaction.atomic():
        Player.objects.create(name=name)


def test_match_of_a_file_is_there_once_in_a_club(db):
    club = Club.objects.create(name="Younes", slug="younes")
    fields = {"club": club, "system": "levant", "opened_at": NOW, "played_at": NOW}
    Match.objects.create(external_id="evening", **fields)
    Match.objects.create(**fields)
    Match.objects.create(**fields)
    assert refused(Match.objects.create, external_id="evening", **fields)


def test_role_is_one_that_exists(db):
    row = MembershipFactory()
    assert refused(Membership.objects.filter(pk=row.pk).update, role="king")
    assert refused(MembershipFactory, club=row.club, user=row.user)


def test_used_invitation_says_by_whom(db):
    times = {"created_at": NOW, "expires_at": NOW}
    assert refused(Invitation.objects.create, token_hash="a", used_at=NOW, **times)


def test_match_with_a_ledger_is_not_deleted(match):
    with pytest.raises(Exception, match="protected"):
        match.delete()
    assert MatchEvent.objects.count() == 3
