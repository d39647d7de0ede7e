"""The television across the café."""

import re

import pytest
from django.utils import timezone

from scoring.common.actor import Actor
from scoring.models import Club, LinkKind, Match
from scoring.phones.services import links
from tests.factories import evenings, finish, king, make_evening, make_match
from tests.matches.test_live_pages import ask, joined
from tests.support.asking import NASTY
from tests.support.tables import PHONE, evening_of, match_of, phone_client, totals, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone():
    return phone_client()


# A television shows what stands, by itself. C102
def test_screen_shows_the_four_the_turn_the_last_deal_and_the_kingdoms(phone):
    match = evening_of("evening-levant", 7)
    page = phone.get(url("screen", match))
    assert totals(page) == evenings()["evening-levant"]["deals"][6]["totals"]
    assert page.text.count('class="done"') == 2
    assert "Deal 7" in page.text
    assert len(re.findall('<th scope="row">', page.text)) == 2
    assert "data-awake" in page.text
    assert "as of" in page.text


@pytest.mark.parametrize("evening", ["evening-levant", "evening-kleshchi", "evening-barbu"])
def test_every_system_from_the_first_deal_to_the_end(phone, evening):
    deals = evenings()[evening]["deals"]
    for number in (0, 1, len(deals) - 1, len(deals)):
        match = make_evening(evening, number, actor=PHONE)
        page = phone.get(url("screen", match))
        assert page.status_code == 200
        assert len(re.findall('<th scope="row">', page.text)) <= 4
    finish(match, actor=PHONE)
    page = phone.get(url("screen", match)).text
    assert "The winner" in page
    assert "screen-contracts" not in page


@pytest.mark.parametrize(("state", "word"), [("voided", "Voided"), ("unfinished", "Broken off")])
def test_match_that_counts_nowhere_says_so(phone, state, word):
    match = match_of(entries=[king()])
    Match.objects.filter(pk=match.pk).update(state=state, closed_at=timezone.now())
    assert word in phone.get(url("screen", match)).text


def test_nothing_on_it_can_be_tapped(phone):
    page = phone.get(url("screen", match_of(entries=[king()]))).text
    for tag in ("<a ", "<button", "<form", "<input", "<select", "style=", "<script>"):
        assert tag not in page


def test_whoever_shares_the_match_has_the_link_to_watch_beside_it(phone):
    match = match_of()
    assert "screen-link" not in phone.get(url("screen", match)).text  # none was made
    link = links.make(match_id=match.id, kind=LinkKind.VIEW, actor=PHONE, now=timezone.now())
    page = phone.get(url("screen", match)).text
    assert links.code_of(link) in page
    assert "qr-code" in page
    assert "screen-link" not in joined(match, LinkKind.VIEW).get(url("screen", match)).text
    assert links.code_of(link) not in ask(phone, match, "screen").text


def test_public_club_shows_it_to_everybody(cast, client):
    match = make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal))
    assert client.get(url("screen", match)).status_code == 404
    Club.objects.filter(id=cast.club.id).update(is_public=True)
    assert client.get(url("screen", match)).status_code == 200


def test_ghassan_sees_no_screen(cast, phone_of):
    match = make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal))
    assert phone_of(cast.ghassan).get(url("screen", match)).status_code == 404


def test_names_are_shown_literally(phone):
    page = phone.get(url("screen", match_of(players=(NASTY, "Badr", "Carmen", "Dima")))).text
    assert NASTY not in page
    assert "&lt;img" in page


def test_match_page_leads_to_it(phone):
    match = match_of()
    assert f'href="{url("screen", match)}"' in phone.get(url("match", match)).text


# Forty letters of a name find no room in a column of the television.
def test_kingdoms_are_called_after_first_names(phone):
    names = ("Abdel Rahman Al Masri Al Dimashqi", "Badr Al Din", "Carmen Maria", "Dima")
    match = match_of(players=names, entries=[king()])
    page = phone.get(url("screen", match)).text
    assert re.findall(r'<th scope="row"><span><bdi>([^<]*)<', page) == ["Abdel Rahman"]
    assert page.count("Al Masri") == 1
