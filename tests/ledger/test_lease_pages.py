"""The bar "… keeps score. Take over" on the match page, and what is offered to whom."""

import uuid

import pytest
from django.test import Client
from django.utils import timezone

from scoring.common.actor import Actor, device_id
from scoring.ledger.services.lease import take
from scoring.models import LinkKind, Match, SeatPhone
from tests.factories import king, make_match, newest
from tests.matches.test_live_pages import OTHER, ask, joined
from tests.support.asking import NASTY
from tests.support.tables import PHONE, deals_of, evening_of, form_data, match_of, phone_client, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone():
    return phone_client()


def taken_over(match, actor=None):
    take(match_id=match.id, actor=actor or Actor(device=uuid.UUID(int=7)), now=timezone.now())
    return match


def offers_take_over(page):
    return ">Take over<" in page.text


def keeper(match):
    return Match.objects.values_list("lease_device", flat=True).get(pk=match.pk)


# ── who is offered what ─────────────────────────────────────────────────


# One phone enters, the second is asked: "Sami is scoring, take over?" C33
def test_second_phone_sees_who_keeps_score_in_place_of_the_contracts(phone):
    match = match_of(entries=[king()])
    second = joined(match, LinkKind.TABLE)
    page = second.get(url("match", match))
    assert f"Another phone ({PHONE.device.hex[:4]})</bdi> keeps score" in page.text
    assert "Take over" in page.text
    assert "?contract=queens" not in page.text
    assert 'value="void"' not in page.text
    mine = phone.get(url("match", match)).text
    assert "keeps score" not in mine
    assert "?contract=queens" in mine


def test_taking_over_is_one_tap_and_doing_it_twice_does_it_once(phone):
    match = match_of(entries=[king()])
    second = joined(match, LinkKind.TABLE)
    for _ in range(2):
        answer = second.post(url("match", match), {"action": "take"})
        assert (answer.status_code, answer.url) == (303, url("match", match))
        assert keeper(match) == device_id(OTHER)
    assert "?contract=queens" in second.get(url("match", match)).text
    assert offers_take_over(phone.get(url("match", match)))
    assert newest(match) == match.version


def test_where_nobody_keeps_score_everybody_may_begin(cast, phone_of):
    match = make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal))
    page = phone_of(cast.badr).get(url("match", match))
    assert "?contract=queens" in page.text
    assert not offers_take_over(page)


def test_whoever_only_watches_is_offered_nothing(cast, phone_of):
    match = make_match(club=cast.club, players=(*cast.players[:3], "Zeina"), actor=PHONE)
    for watcher in (joined(match, LinkKind.VIEW), phone_of(cast.dima)):
        page = watcher.get(url("match", match))
        assert page.status_code == 200
        assert "keeps score" not in page.text
        assert watcher.post(url("match", match), {"action": "take"}).status_code == 403
    assert keeper(match) == PHONE.device


def test_ghassan_takes_nothing_over(cast, phone_of):
    match = make_match(club=cast.club, players=cast.players, actor=PHONE)
    answer = phone_of(cast.ghassan).post(url("match", match), {"action": "take"})
    assert answer.status_code == 404
    assert keeper(match) == PHONE.device


def test_closed_match_is_nobodys_to_take_over(phone):
    match = taken_over(match_of())
    Match.objects.filter(pk=match.pk).update(state="unfinished", closed_at=timezone.now())
    assert not offers_take_over(phone.get(url("match", match)))


# ── what it is called ───────────────────────────────────────────────────


def test_keeper_is_named_by_the_seat_of_the_phone_then_by_the_account(cast, phone_of):
    match = make_match(club=cast.club, players=cast.players, actor=Actor(cast.badr, PHONE.device))
    page = url("match", match)
    assert "<bdi>Badr</bdi> keeps score" in phone_of(cast.amal).get(page).text
    SeatPhone.objects.create(match=match, seat=2, device=PHONE.device, bound_at=timezone.now())
    assert "<bdi>Carmen</bdi> keeps score" in phone_of(cast.amal).get(page).text
    taken_over(match, Actor(cast.esam, uuid.UUID(int=9)))
    assert "<bdi>Arbiter</bdi> keeps score" in phone_of(cast.amal).get(page).text


def test_name_of_a_keeper_is_never_markup(phone):
    match = match_of(players=(NASTY, "Badr", "Carmen", "Dima"))
    actor = Actor(device=uuid.UUID(int=7))
    SeatPhone.objects.create(match=match, seat=0, device=actor.device, bound_at=timezone.now())
    taken_over(match, actor)
    for shown in (phone.get(url("match", match)).text, ask(phone, match, "news").text):
        assert NASTY not in shown
        assert "&lt;img" in shown


# ── it decides what is offered, nothing else ────────────────────────────


def test_form_that_was_open_stays_and_may_be_saved(phone):
    match = taken_over(match_of())
    page = phone.get(url("match", match, contract="king"))
    assert 'name="king_taken_by"' in page.text
    assert offers_take_over(page)
    data = form_data(match, "king", {"king_taken_by": 2})
    assert phone.post(url("match", match, contract="king"), data).status_code == 303
    assert deals_of(match) == 1
    assert keeper(match) != PHONE.device  # a save alone takes nothing


def test_the_only_contract_left_opens_on_the_phone_that_keeps_score_alone(phone):
    match = evening_of("evening-levant", 4)
    assert 'id="entry"' in phone.get(url("match", match)).text
    taken_over(match)
    assert 'id="entry"' not in phone.get(url("match", match)).text


def test_taking_back_leads_to_the_same_form(phone):
    match = taken_over(match_of())
    form = url("match", match, contract="king", chooser=1)
    answer = phone.post(form, {"action": "take"})
    assert answer.url == form
    assert keeper(match) == PHONE.device


def test_form_has_the_way_back_ready_before_it_is_needed(phone):
    page = phone.get(url("match", match_of(), contract="king")).text
    assert 'id="lease"' in page
    assert "has taken over" in page
    assert page.count(" hidden>") >= 2


def test_expired_token_takes_nothing_over():
    match = taken_over(match_of())
    strict = phone_client(enforce_csrf_checks=True)
    strict.post(url("match", match), {"action": "take"})
    assert keeper(match) != PHONE.device


def test_bar_costs_the_phone_that_keeps_score_no_query(phone, django_assert_num_queries):
    match = match_of(entries=[king()])
    with django_assert_num_queries(4):
        phone.get(url("match", match, contract="queens"))
    second = joined(match, LinkKind.TABLE)
    with django_assert_num_queries(6):  # the link; whose seat the phone has
        second.get(url("match", match))


def test_strangers_device_takes_no_lease():
    match = match_of()
    assert Client().post(url("match", match), {"action": "take"}).status_code == 404
