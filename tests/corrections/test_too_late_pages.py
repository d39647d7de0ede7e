"""Outside the window the table corrects nothing: it asks the arbiter, with words filled in."""

import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone

from scoring.common.actor import Actor
from scoring.models import Deal, Match
from scoring.signatures.services import signatures
from tests.factories import even_entries, finish, king, make_match, write
from tests.support.links import came, phone_with
from tests.support.tables import chosen, codes, deals_of, form_data, url

pytestmark = pytest.mark.django_db


def match_of(cast, ago, entries=None, **opening):
    """Amal's match, played so long ago."""
    opening = {"club": cast.club, "players": cast.players, "actor": Actor(cast.amal)} | opening
    entries = entries or [king(taken_by=2)]
    return make_match(entries=entries, now=timezone.now() - ago, **opening)


@pytest.fixture
def match(cast):
    return match_of(cast, timedelta(minutes=30))


@pytest.fixture
def guest(match):
    return guest_of(match)


def guest_of(match):
    phone, actor = phone_with("a guest")
    came(match, actor=actor, now=timezone.now())
    Match.objects.update(lease_device=None)
    return phone


def asked(page) -> str:
    """The words with which the page asks for a correction."""
    found = re.search(r'href="([^"]*/flag/\?[^"]*)"', page.text)
    return parse_qs(urlsplit(found[1].replace("&amp;", "&")).query)["words"][0] if found else ""


def correction(match, **facts):
    data = form_data(match, "king", facts or {"king_taken_by": 0}, reason="Seen")
    return url("deal", match, 1, correct=1, contract="king"), data


# A window, and a request where it is over. C57
def test_a_guest_of_the_table_asks_once_the_window_is_over(guest, match):
    page = guest.get(url("deal", match, 1))
    assert "too_late" in codes(page)
    assert "correct=1" not in page.text
    assert asked(page) == "Please correct this deal."
    flag = guest.get(url("flag", match, 1, words="Please correct this deal."))
    assert 'value="Please correct this deal."' in flag.text


def test_inside_the_window_nothing_is_asked(cast):
    match = match_of(cast, timedelta(minutes=5))
    page = guest_of(match).get(url("deal", match, 1))
    assert "correct=1" in page.text
    assert "too_late" not in codes(page)


def test_the_form_by_its_address_is_no_dead_end(guest, match):
    page = guest.get(url("deal", match, 1, correct=1))
    assert page.status_code == 403
    assert asked(page)


def test_a_form_that_lay_open_keeps_what_was_tapped_and_puts_it_into_words(guest, match):
    where, data = correction(match)
    answer = guest.post(where, data)
    assert answer.status_code == 422
    assert "too_late" in codes(answer)
    assert chosen(answer, "king_taken_by") == "0"
    assert asked(answer) == "Please correct: K♥: Amal instead of Carmen"
    assert deals_of(match) == 1


def test_what_was_saved_in_time_and_not_answered_is_saved(cast, monkeypatch):
    match = match_of(cast, timedelta(minutes=5))
    guest = guest_of(match)
    where, data = correction(match)
    assert guest.post(where, data).status_code == 303
    later = timezone.now() + timedelta(minutes=20)
    monkeypatch.setattr("django.utils.timezone.now", lambda: later)
    assert guest.post(where, data).status_code == 303
    other = guest.post(*correction(match, king_taken_by=1))
    assert "too_late" in codes(other)
    assert deals_of(match) == 2


def test_what_is_settled_a_member_asks_for_too(cast, phone_of):
    match = match_of(cast, timedelta(minutes=30), list(even_entries())[:5])
    badr = phone_of(cast.badr)
    assert "correct=1" in badr.get(url("deal", match, 1)).text
    for seat in range(4):
        write(signatures.sign, match, unit=1, seat=seat, by_scorer=True, actor=Actor(cast.amal))
    page = badr.get(url("deal", match, 1))
    assert "is settled" in page.text
    assert asked(page)
    # An arbiter corrects it, and is told what that costs.
    form = phone_of(cast.esam).get(url("deal", match, 1, correct=1)).text
    assert "these signatures are lost" in form
    assert "Carmen" in form.split("data-lost")[1].split("</p>")[0]


def test_a_match_without_a_club_has_nobody_to_ask(db):
    match = make_match(entries=[king()], now=timezone.now() - timedelta(minutes=30))
    page = guest_of(match).get(url("deal", match, 1))
    assert "Whoever opened the match may." in page.text
    assert "/flag/" not in page.text
    assert "/arbiter/" not in page.text


def test_the_arbiter_who_stands_by_is_one_tap_away(guest, match):
    assert url("step_up", match, deal=1) in guest.get(url("deal", match, 1)).text


def test_who_only_looks_on_is_told_nothing_of_it(cast, phone_of, match):
    assert "too_late" not in codes(phone_of(cast.dima).get(url("deal", match, 1, correct="")))
    assert phone_of(cast.ghassan).get(url("deal", match, 1)).status_code == 404


def test_a_closed_match_says_that_it_is_closed(cast):
    match = match_of(cast, timedelta(minutes=30), list(even_entries()))
    guest = guest_of(match)
    finish(match, actor=Actor(cast.amal), now=timezone.now())
    page = guest.get(url("deal", match, 1))
    assert "must be reopened" in page.text
    assert "too_late" not in codes(page)
    assert Deal.objects.count() == 20
