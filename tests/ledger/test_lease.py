"""Which phone keeps score: who opened it, the first who saved, or who took over last."""

import threading
import uuid

import pytest
from django.db import connection, transaction

from scoring.common.actor import Actor
from scoring.integrity.queries.integrity import findings
from scoring.ledger.services import chain, lease
from scoring.models import Deal, Match
from tests.factories import (
    NOW,
    PHONE,
    UserFactory,
    diamonds,
    king,
    make_match,
    newest,
    record,
)
from tests.ledger.test_at_once import at_once, saving

pytestmark = pytest.mark.django_db

OTHER = Actor(device=uuid.UUID(int=2))


def take(match, actor=OTHER, now=NOW):
    return lease.take(match_id=match.id, actor=actor, now=now)


def keeper(match):
    return Match.objects.values_list("lease_device", flat=True).get(pk=match.pk)


def test_phone_that_opens_a_match_has_it_until_another_takes_over():
    match = make_match(entries=[king()])
    assert keeper(match) == PHONE.device
    record(match, diamonds(), actor=OTHER)  # a save alone takes nothing away
    assert keeper(match) == PHONE.device
    assert take(match).lease_at == NOW
    assert keeper(match) == OTHER.device
    assert newest(match) == match.version + 1  # no event: nothing of the game has changed
    assert not list(findings())


def test_nobody_has_it_until_somebody_saves():
    user = UserFactory()
    match = make_match(actor=Actor(user))
    assert (match.lease_device, match.lease_user, match.lease_at) == (None, None, None)
    record(match, king(), actor=Actor(user))  # a program: no phone
    assert keeper(match) is None
    record(match, diamonds(), actor=Actor(user, OTHER.device))
    match.refresh_from_db()
    assert (match.lease_device, match.lease_user) == (OTHER.device, user)
    assert match.lease_at == NOW


def test_taking_what_one_has_changes_nothing(django_assert_num_queries):
    match = make_match()
    with django_assert_num_queries(3):  # a savepoint round the one that reads
        assert take(match, PHONE, now=NOW.replace(year=2027)).lease_at == NOW
    take(match, Actor())
    assert keeper(match) == PHONE.device


def test_closed_match_has_no_keeper_to_take_over_from():
    match = make_match()
    Match.objects.filter(pk=match.pk).update(state="unfinished")
    take(match)
    assert keeper(match) == PHONE.device


# ── at the same moment ──────────────────────────────────────────────────


# One scorer at a time, and the one who took over last. C33
@pytest.mark.django_db(transaction=True)
def test_takeover_is_not_undone_by_a_save_that_had_begun():
    match, begun, taken = make_match(), threading.Event(), []

    def save_slowly():
        with transaction.atomic():
            held = chain.locked(match.id)
            begun.set()
            taking.join(0.3)  # waits for this row, or is through already
            now = chain.Write(match.id, uuid.uuid4(), held.version, PHONE, NOW)
            chain.append(held, now, "first_chooser_set", facts={"first_chooser": 0})
        connection.close()

    def take_then():
        begun.wait(10)
        taken.append(take(match))
        connection.close()

    saver, taking = threading.Thread(target=save_slowly), threading.Thread(target=take_then)
    taking.start()
    saver.start()
    saver.join()
    taking.join()
    match.refresh_from_db()
    assert (match.version, match.lease_device) == (2, OTHER.device)


@pytest.mark.django_db(transaction=True)
def test_takeover_and_save_at_once_both_hold():
    match = make_match()
    at_once(lambda: take(match), saving(match, king(), uuid.uuid4()))
    match.refresh_from_db()
    assert (match.version, match.lease_device) == (2, OTHER.device)
    assert Deal.objects.filter(match=match).count() == 1
    assert not list(findings())


@pytest.mark.django_db(transaction=True)
def test_two_who_take_over_at_once_leave_one_keeper():
    match, third = make_match(), Actor(device=uuid.UUID(int=3))
    at_once(lambda: take(match), lambda: take(match, third))
    assert keeper(match) in (OTHER.device, third.device)
