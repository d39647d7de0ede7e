"""The result as a picture: what stands on it, in which language, who gets it, how often drawn."""

import io

import pytest
from django.utils import translation
from PIL import Image

from scoring.corrections.services.seats import reseat
from scoring.ledger.queries.match_view import match_view
from scoring.matches.presenters import card
from scoring.matches.services import matches
from scoring.matches.views import pictures
from scoring.models import Player
from tests.factories import (
    NOW,
    correct,
    diamonds,
    even_entries,
    evenings,
    finish,
    king,
    make_cast,
    make_evening,
    make_match,
    record,
    write,
)
from tests.support.asking import NASTY
from tests.support.judging import by, flag
from tests.support.tables import PHONE, evening_of, match_of, phone_client, url

pytestmark = pytest.mark.django_db

LEVANT, KLESHCHI, BARBU = "evening-levant", "evening-kleshchi", "evening-barbu"
NAMES = (
    "عبد الرحمن بن عبد العزيز آل الشيخ الكبير",
    "Константин Константинопольский-Долгорук",
    "W" * 40,
    NASTY,
)


@pytest.fixture
def phone():
    return phone_client()


def card_of(match, language="en"):
    match.refresh_from_db()
    with translation.override(language):
        return card.card(match_view(match))


def people(shown):
    return [person for group in shown.groups for person in group.people]


def image(response):
    assert response["Content-Type"] == "image/png"
    return Image.open(io.BytesIO(response.content))


# ── what stands on it ───────────────────────────────────────────────────


@pytest.mark.parametrize("evening", [LEVANT, KLESHCHI, BARBU])
def test_finished_match_has_everybody_by_place_and_crowns_who_won(evening):
    match = finish(make_evening(evening))
    shown, view = card_of(match), match_view(match)
    low = view.ruleset.win == "low"
    totals = [person.total for person in people(shown)]
    assert totals == sorted(evenings()[evening]["totals"], reverse=not low)
    assert [person.won for person in people(shown)] == [True, False, False, False]
    assert people(shown)[0].place == "1st"
    assert {curve[-1] for curve in shown.curves} == set(totals)
    assert all(curve[0] == 0 for curve in shown.curves)
    assert f"{len(evenings()[evening]['deals'])} deals" in shown.about


def test_who_share_the_first_place_wear_no_crown():
    match = finish(match_of(entries=even_entries()))
    assert match_view(match).sheet.winners == (0, 1, 2, 3)
    assert [(one.place, one.won) for one in people(card_of(match))] == [("1st", False)] * 4
    assert "♛" not in phone_client().get(url("sheet", match)).text


def test_partners_stand_together_under_one_curve():
    match = match_of(options={"teams": "opposite"}, entries=even_entries())
    record(match, king(taken_by=1, chooser=0), actor=PHONE, deal_number=21)
    shown = card_of(finish(match))
    best, other = shown.groups
    assert [person.name for person in best.people] == ["Amal", "Carmen"]
    assert best.total == sum(person.total for person in best.people) > other.total
    assert all(person.won for person in best.people)
    assert len(shown.curves) == 2
    drawn = card.layout(shown)["lines"]
    assert [bool(line.team) for line in drawn] == [True, False, True, False]


# Points are the person's. C75
def test_substitute_stands_beside_whoever_played_before_with_points_of_their_own():
    match = match_of(entries=[king(taken_by=2)])
    write(reseat, match, players=["Amal", "Badr", "Hadi", "Dima"], from_deal=2, reason="She left")
    record(match, diamonds(1, 4, 4, 4), actor=PHONE)
    shown = {person.total: person.name for person in people(card_of(match))}
    assert shown[-115] == "Carmen −75 / Hadi −40"
    assert shown[-10] == "Amal"


def test_before_the_first_deal_nobody_has_a_place_and_nothing_is_drawn_through_it(phone):
    match = match_of()
    assert card_of(match).curves == ()
    assert {person.place for person in people(card_of(match))} == {""}
    assert image(phone.get(url("match_picture", match))).size == (1200, 630)


def test_match_that_does_not_count_says_so_and_crowns_nobody():
    match = finish(evening_of(LEVANT))
    write(matches.void_match, match, actor=PHONE, reason="A card was missing")
    shown = card_of(match)
    assert "counts as not played" in shown.about
    assert not any(person.won or person.place for person in people(shown))
    running = card_of(evening_of(LEVANT, 7))
    assert "After deal 7 of 20" in running.about
    assert not any(person.won for person in people(running))


# ── drawn ───────────────────────────────────────────────────────────────


# A name is a name, however long and in whatever letters. C121
@pytest.mark.parametrize("language", ["en", "ar"])
def test_long_names_of_every_script_are_drawn_whole_or_with_an_ellipsis(phone, language):
    match = match_of(players=NAMES, entries=[king(taken_by=1)])
    with translation.override(language):
        shown = card_of(match, language)
        drawn = [line.name.text.strip("\u2068\u2069") for line in card.layout(shown)["lines"]]
    given = [person.name for person in people(shown)]
    for name, told in zip(given, drawn, strict=True):
        assert told == name or (told.endswith("…") and name.startswith(told[:-1]))
    assert set(NAMES) - {"W" * 40} <= set(drawn)
    assert image(phone.get(url("match_picture", match, language=language))).size == (1200, 630)


def test_arabic_card_is_turned_round():
    shown = card_of(finish(evening_of(LEVANT)), "ar")
    assert shown.from_right
    here, there = card.CardColumns(False), card.CardColumns(True)
    assert here.name < 600 < there.name
    assert here.points(False) > 600 > there.points(False)
    assert (there.start, there.end) == ("end", "start")
    assert people(shown)[0].place == "الأول"


def test_language_of_the_reader_or_the_one_asked_for(phone):
    match = finish(evening_of(LEVANT))
    address = url("match_picture", match)
    english = phone.get(address).content
    arabic = phone.get(address, headers={"accept-language": "ar"}).content
    assert arabic != english
    assert phone.get(f"{address}?language=ar").content == arabic
    assert phone.get(f"{address}?language=xx").content == english


# ── how often ───────────────────────────────────────────────────────────


def test_drawn_once_until_something_on_it_changes(phone, monkeypatch):
    drawings = []
    drawn = pictures.drawn
    monkeypatch.setattr(pictures, "drawn", lambda shown: drawings.append(1) or drawn(shown))
    match = evening_of(LEVANT, 3)
    address = url("match_picture", match)
    first = phone.get(address)
    assert phone.get(address).content == first.content
    assert phone.get(address, headers={"if-none-match": first["ETag"]}).status_code == 304
    assert len(drawings) == 1
    Player.objects.filter(name=match_view(match).seats[0].name).update(name="Somebody")
    renamed = phone.get(address, headers={"if-none-match": first["ETag"]})
    assert renamed.status_code == 200
    assert renamed.content != first.content
    assert len(drawings) == 2


def test_query_count(phone, django_assert_num_queries):
    match = finish(evening_of(LEVANT))
    with django_assert_num_queries(4):
        phone.get(url("match_picture", match))


# ── who gets it ─────────────────────────────────────────────────────────


@pytest.mark.parametrize("is_public", [True, False])
def test_picture_of_a_private_club_is_for_its_own_people(phone_of, is_public):
    cast = make_cast(is_public=is_public)
    match = make_match(club=cast.club, players=cast.players, entries=[king()])
    address = url("match_picture", match)
    assert phone_of(cast.badr).get(address).status_code == 200
    assert phone_of(cast.ghassan).get(address).status_code == (200 if is_public else 404)


# A picture is sent on: it holds no more than everybody may see. C69
def test_deal_under_review_is_as_it_was_when_it_was_doubted(cast):
    match = make_match(club=cast.club, players=cast.players, entries=[king(taken_by=2)], now=NOW)
    before = people(card_of(match))
    flag(match, actor=by(cast.dima))
    correct(match, match_view(match).deals[1], king(taken_by=3), actor=by(cast.esam))
    shown = card_of(match)
    assert [(one.name, one.total) for one in people(shown)] == [
        (one.name, one.total) for one in before
    ]
    assert "Deal 1 is under review." in shown.notes
