"""What a chat shows of an address: for pages that everybody may open, and no others."""

import html
import re

import pytest
from django.test import Client
from PIL import Image

from scoring.access.permissions import URL_RULES, Action
from scoring.models import Club
from tests.access.test_access_pages import address
from tests.factories import correct, finish, king, make_cast, make_evening, make_match
from tests.support.asking import NASTY, every_page
from tests.support.judging import by, flag
from tests.support.tables import evening_of, phone_client, url

pytestmark = pytest.mark.django_db


def preview(response) -> dict[str, str]:
    """The tags of the page by name, as whoever fetches it reads them."""
    found = re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', response.text)
    return {name: html.unescape(text) for name, text in found}


@pytest.fixture
def public():
    return make_cast(is_public=True)


def match_in(cast, **opening):
    return make_match(club=cast.club, players=cast.players, entries=[king()], **opening)


@pytest.mark.parametrize("name", ["match", "sheet", "match_figures"])
def test_finished_match_has_a_title_the_result_and_its_picture(public, name):
    match = make_evening("evening-levant", club=public.club, actor=by(public.amal))
    finish(match, actor=by(public.amal))
    told = preview(Client().get(url(name, match)))
    assert told["title"] == public.club.name
    assert "20 deals · Won by " in told["description"]
    assert " · 4th " in told["description"]
    assert told["url"] == f"http://testserver{url(name, match)}"
    assert told["image"].startswith(f"http://testserver{url('match_picture', match)}?language=en&")
    picture = Client().get(told["image"].removeprefix("http://testserver"))
    assert picture["Content-Type"] == "image/png"


def test_preview_speaks_the_language_of_the_club(public):
    Club.objects.filter(id=public.club.id).update(language="ar")
    told = preview(Client().get(url("sheet", match_in(public))))
    assert told["locale"] == "ar"
    assert "language=ar" in told["image"]
    assert re.search("[\u0600-\u06ff]", told["description"])


def test_name_in_a_preview_is_text(public):
    match = make_match(
        club=public.club, players=(NASTY, "Badr", "Carmen", "Dima"), entries=[king()]
    )
    page = Client().get(url("sheet", match))
    assert NASTY in preview(page)["description"]
    assert NASTY not in page.text


def test_what_is_under_review_is_told_as_it_was(public):
    match = match_in(public)
    before = preview(Client().get(url("sheet", match)))["description"]
    flag(match, actor=by(public.dima))
    correct(match, match.current_deals.get().deal, king(taken_by=3), actor=by(public.esam))
    told = preview(Client().get(url("sheet", match)))["description"]
    assert told.replace("Deal 1 is under review. · ", "") == before


def test_club_and_its_match_have_none_unless_it_is_public(cast, phone_of):
    match = match_in(cast)
    here, there = phone_of(cast.badr), phone_of(cast.ghassan)
    for page in (url("match", match), url("sheet", match), f"/clubs/{cast.club.slug}/"):
        assert preview(here.get(page)) == {}
        assert there.get(page).status_code == 404
    assert preview(phone_client().get(url("sheet", evening_of("evening-levant", 3)))) == {}


def test_page_of_a_public_club_has_a_picture_of_ours(public):
    told = preview(Client().get(f"/clubs/{public.club.slug}/"))
    assert told["title"] == public.club.name
    with Image.open("static/img/preview.png") as ours:
        assert ours.size == (int(told["image:width"]), int(told["image:height"]))
    assert "preview" in told["image"]


def test_pages_of_a_club_are_told_by_what_they_are_about(public):
    Club.objects.filter(id=public.club.id).update(language="ar")
    base, name = f"/clubs/{public.club.slug}/", public.club.name
    person = public.players[0]
    assert (
        preview(Client().get(f"{base}standings/"))["title"]
        == f"\u2068الترتيب\u2069 · \u2068{name}\u2069"
    )
    told = preview(Client().get(f"{base}players/{person.id}/"))
    assert told["title"] == f"\u2068{person.name}\u2069 · \u2068{name}\u2069"


def test_every_page_of_a_public_club_has_one(public):
    """But for what is no page."""
    match = make_evening("evening-levant", club=public.club, actor=by(public.amal))
    parts = {"club_standings_csv", "club_calendar", "evening_live"}
    seen = [one for one in every_page() if URL_RULES[one.name] == Action.SEE_PUBLIC]
    assert len(seen) > len(parts)
    for pattern in seen:
        if pattern.name not in parts:
            page = Client().get(address(pattern, match, public.club))
            assert public.club.name in preview(page)["title"], pattern.name


def test_no_preview_weighs_on_the_form_of_a_deal(public, phone_of):
    match = make_match(club=public.club, players=public.players, entries=[king()])
    page = phone_of(public.amal).get(url("match", match, contract="trex"))
    assert "og:" not in page.text
