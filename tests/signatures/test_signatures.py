"""A kingdom is signed by its four seats, on their own phones or at the one that keeps score."""

import uuid
from datetime import timedelta

import pytest

from scoring.common.actor import Actor
from scoring.common.errors import ServiceError, Stale
from scoring.integrity.queries.integrity import findings
from scoring.ledger.services import lease
from scoring.matches.services import matches
from scoring.models import EventKind, MatchEvent, Signature
from scoring.phones.services import links
from tests.factories import (
    NOW,
    PHONE,
    correct,
    diamonds,
    entry_of,
    evenings,
    finish,
    king,
    make_cast,
    make_evening,
    make_match,
    newest,
    record,
    redeal,
    void,
    write,
)
from tests.support.signing import LATER, phone_of_seat, sign, sign_all, unit_of, withdraw

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(db):
    """One kingdom whole, one begun."""
    return make_evening("evening-levant", 7)


def refused(call, *args, **kwargs):
    before = MatchEvent.objects.count()
    with pytest.raises(ServiceError) as caught:
        call(*args, **kwargs)
    assert MatchEvent.objects.count() == before
    return caught.value.code, caught.value.field


def deal(match, number):
    return match.current_deals.get(deal_number=number).deal


def again(match, number, **changes):
    """The deal corrected to what it is."""
    entry = entry_of(evenings()["evening-levant"]["deals"][number - 1])
    return correct(match, deal(match, number), entry, **changes)


# ── signing ─────────────────────────────────────────────────────────────


def test_seat_signs_on_its_own_phone(match):
    head, carmen = match.head, phone_of_seat(match, 2)
    row = sign(match, 2, actor=carmen, by_scorer=False)
    assert (row.unit, row.seat, row.by_scorer) == (1, 2, False)
    assert row.head == head == row.event.prev_hash
    assert row.deals == [str(deal(match, number).id) for number in range(1, 6)]
    assert row.event.device == carmen.device
    assert not list(findings())


def test_seat_signs_by_its_account():
    """The players of this evening are those of the club, by name."""
    cast = make_cast()
    match = make_evening("evening-levant", 5, club=cast.club, actor=Actor(cast.amal))
    esam = Actor(cast.esam)
    assert refused(sign, match, 1, actor=esam, by_scorer=False) == ("not_your_seat", "seat")
    assert not sign(match, 1, actor=Actor(cast.badr), by_scorer=False).by_scorer


def test_signature_at_the_phone_that_keeps_score_says_so(match):
    assert sign(match, 3).by_scorer


def test_own_seat_at_the_phone_that_keeps_score_is_its_own(match):
    own = phone_of_seat(match, 0)
    lease.take(match_id=match.id, actor=own, now=NOW)
    assert not sign(match, 0, actor=own).by_scorer
    assert sign(match, 1, actor=own).by_scorer


def test_only_the_phone_that_keeps_score_signs_for_others(match):
    carmen, here = phone_of_seat(match, 2), sign(match, 1)
    assert refused(sign, match, 3, actor=carmen) == ("not_your_seat", "seat")
    assert refused(withdraw, match, here, actor=carmen) == ("not_your_seat", "signature")


# One phone that goes from seat to seat would agree for all four. C58
def test_phone_that_takes_one_seat_after_the_other_signs_for_one(match):
    phone = phone_of_seat(match, 2)
    sign(match, 2, actor=phone, by_scorer=False)
    links.take_seat(match_id=match.id, seat=3, device=phone.device, now=NOW)
    assert refused(sign, match, 3, actor=phone, by_scorer=False) == ("signed_for_another", "seat")
    lease.take(match_id=match.id, actor=phone, now=NOW)
    assert sign(match, 3, actor=phone, by_scorer=False).by_scorer


def test_two_accounts_sign_on_one_phone():
    cast = make_cast()
    match = make_evening("evening-levant", 5, club=cast.club, actor=Actor(cast.amal))
    for seat, user in ((1, cast.badr), (3, cast.dima)):
        assert not sign(match, seat, actor=Actor(user, PHONE.device), by_scorer=False).by_scorer


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"unit": 2}, ("unit_open", "unit")),
        ({"unit": 3}, ("no_such_unit", "unit")),
        ({"unit": 0}, ("no_such_unit", "unit")),
        ({"seat": 4}, ("bad_seat", "seat")),
        ({"seat": -1}, ("bad_seat", "seat")),
        ({"by_scorer": False}, ("not_your_seat", "seat")),
        ({"version": 99}, ("stale", "version")),
    ],
)
def test_what_cannot_be_signed_is_refused(match, changes, expected):
    assert refused(sign, match, **{"seat": 1, **changes}) == expected


def test_other_seat_is_not_signed_on_ones_own_phone(match):
    carmen = phone_of_seat(match, 2)
    assert refused(sign, match, 1, actor=carmen, by_scorer=False) == ("not_your_seat", "seat")


def test_seat_signs_once(match):
    sign(match, 1)
    badr = phone_of_seat(match, 1)
    assert refused(sign, match, 1, actor=badr, by_scorer=False) == ("signed_already", "seat")


# The same key again, an hour later, is the first answer. C01
def test_same_key_signs_once(match):
    key = uuid.uuid4()
    first = sign(match, 1, entry_key=key)
    assert sign(match, 1, entry_key=key, version=1, now=LATER + timedelta(hours=1)) == first
    assert Signature.objects.count() == 1
    with pytest.raises(ServiceError, match="form_expired"):
        withdraw(match, first, entry_key=key)


def test_finished_match_is_signed_too(match):
    for each in evenings()["evening-levant"]["deals"][7:]:
        record(match, each)
    finish(match)
    assert sign(match, 0, unit=4).unit == 4
    assert not list(findings())


def test_match_put_aside_is_not_signed(match):
    row = sign(match, 0)
    write(matches.break_off, match)
    assert refused(sign, match, 1) == ("match_closed", "")
    write(matches.void_match, match, reason="a quarrel")
    assert refused(sign, match, 1) == ("match_voided", "")
    assert refused(withdraw, match, row) == ("match_voided", "")


# ── nobody signs blindly ────────────────────────────────────────────────


# Signed only after its deals exist, and as they were seen. C58
def test_kingdom_is_not_signed_in_advance():
    match = make_match(entries=[king(), diamonds()])
    assert refused(sign, match, 0) == ("unit_open", "unit")


def test_deals_entered_since_do_not_make_it_stale(match):
    seen = newest(match)
    record(match, evenings()["evening-levant"]["deals"][7])
    redeal(match)
    sign(match, 1)
    assert sign(match, 0, version=seen).unit == 1


def test_correction_since_makes_it_stale_and_says_what(match):
    seen = newest(match)
    new = again(match, 3)
    with pytest.raises(Stale) as caught:
        sign(match, 0, version=seen)
    assert caught.value.deals == (new.deal,)
    assert not Signature.objects.exists()


def test_correction_elsewhere_since_does_not(match):
    seen = newest(match)
    again(match, 6)
    assert sign(match, 0, version=seen)


def test_deal_taken_back_since_makes_it_stale(match):
    seen = newest(match)
    void(match, deal(match, 2), reason="not played")
    assert refused(sign, match, 0, version=seen) == ("stale", "version")
    record(match, evenings()["evening-levant"]["deals"][1])
    assert refused(sign, match, 0, version=seen) == ("stale", "version")
    assert sign(match, 0)


def test_other_kingdom_in_the_place_of_the_one_seen_makes_it_stale():
    """The first kingdom is taken back whole: the second is the first of the sheet now."""
    match = make_evening("evening-levant", 10)
    seen = newest(match)
    for number in range(1, 6):
        void(match, deal(match, number), reason="the wrong table")
    assert unit_of(match, 1).complete
    assert refused(sign, match, 0, version=seen) == ("stale", "version")


# ── after it ────────────────────────────────────────────────────────────


def test_correction_asks_again_and_the_signature_stays_in_the_history(match):
    signed = sign_all(match)
    again(match, 3, now=LATER)
    unit = unit_of(match)
    assert unit.state == "waiting"
    assert unit.open_seats == [0, 1, 2, 3]
    assert list(unit.earlier) == signed
    sign(match, 2)
    assert unit_of(match).open_seats == [0, 1, 3]


def test_deal_taken_back_after_it_opens_the_kingdom_again(match):
    sign_all(match)
    void(match, deal(match, 5), reason="not played")
    unit = unit_of(match)
    assert (unit.state, unit.complete, len(unit.earlier)) == ("open", False, 4)
    record(match, evenings()["evening-levant"]["deals"][4])
    assert unit_of(match).open_seats == [0, 1, 2, 3]


def test_seat_takes_its_own_back_until_all_have_signed(match):
    dima = phone_of_seat(match, 3)
    row = sign(match, 3, actor=dima, by_scorer=False)
    assert withdraw(match, row, actor=dima, by_scorer=False) == row
    assert unit_of(match).open_seats == [0, 1, 2, 3]
    assert row.void.event.kind == EventKind.SIGNATURE_VOIDED
    assert refused(withdraw, match, row, actor=dima) == ("not_standing", "signature")
    row = sign(match, 3, actor=dima, by_scorer=False)
    for seat in range(3):
        sign(match, seat)
    assert refused(withdraw, match, row, actor=dima) == ("signed_off", "signature")
    assert not list(findings())


def test_own_phone_takes_back_what_was_said_at_the_other(match):
    row, badr = sign(match, 1), phone_of_seat(match, 1)
    assert withdraw(match, row, actor=badr, by_scorer=False)


def test_phone_that_keeps_score_takes_back_only_what_was_said_there(match):
    theirs = sign(match, 1, actor=phone_of_seat(match, 1), by_scorer=False)
    here = sign(match, 2)
    assert refused(withdraw, match, theirs) == ("not_your_seat", "signature")
    assert refused(withdraw, match, here, by_scorer=False) == ("not_your_seat", "signature")
    assert withdraw(match, here)


def test_withdrawing_twice_with_one_key_is_one(match):
    row, key = sign(match, 1), uuid.uuid4()
    assert withdraw(match, row, entry_key=key) == withdraw(match, row, entry_key=key)
    assert match.events.filter(kind=EventKind.SIGNATURE_VOIDED).count() == 1


def test_signature_of_another_match_is_not_taken_back_here(match):
    row = sign(make_evening("evening-levant", 5), 1)
    assert refused(withdraw, match, row) == ("not_standing", "signature")


def test_silence_settles_it_and_nothing_is_taken_back_after(match):
    row = sign(match, 1)
    late = NOW + timedelta(hours=25)
    assert refused(withdraw, match, row, now=late) == ("signed_off", "signature")


def test_write_made_against_an_older_version_is_not_stale_because_of_a_signature():
    match = make_evening("evening-levant", 5)
    seen = newest(match)
    sign(match, 1)
    saved = record(match, evenings()["evening-levant"]["deals"][5], version=seen, actor=PHONE)
    assert saved.deal.deal_number == 6
