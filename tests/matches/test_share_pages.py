"""The result as plain text: what it says, in which order names and signs stand, who gets a link."""

import html
import re

import pytest
from django.test import override_settings
from django.utils import timezone, translation

from scoring.common import words
from scoring.corrections.services.seats import reseat
from scoring.ledger.queries.match_view import match_view
from scoring.matches.presenters import share
from scoring.matches.presenters.card import card
from scoring.matches.services import matches
from scoring.matches.views.overview import seat_boxes
from tests.factories import (
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
from tests.support.tables import PHONE, evening_of, form_data, match_of, phone_client, url

pytestmark = pytest.mark.django_db

LEVANT, KLESHCHI, BARBU = "evening-levant", "evening-kleshchi", "evening-barbu"
ISOLATE, END, LTR, RTL = "\u2068", "\u2069", "\u200e", "\u200f"
MARKS = re.compile(f"[{ISOLATE}{END}{LTR}{RTL}]")
TEAMS = {"teams": "opposite"}


@pytest.fixture
def phone():
    return phone_client()


def text_of(match, language="en", address="") -> str:
    match.refresh_from_db()
    with translation.override(language):
        return share.result(match_view(match), [], address)


def on_page(response) -> str:
    """What the text field of the page holds."""
    found = re.search(
        r'<textarea[^>]* id="as-text"[^>]*>(.*?)</textarea>', response.text, re.DOTALL
    )
    return html.unescape(found[1])


def lines(match, language="en") -> list[str]:
    return text_of(match, language).splitlines()


def points(text) -> list[int]:
    """Every total at the end of a line."""
    found = re.findall(r": ([+−]?\d+)$", MARKS.sub("", text).replace("\u202f", ""), re.MULTILINE)
    return [int(number.replace("−", "-")) for number in found]


# ── a finished match ────────────────────────────────────────────────────


@override_settings(TIME_ZONE="UTC")
def test_whole_text_of_a_finished_match():
    match = finish(evening_of(LEVANT))
    totals = evenings()[LEVANT]["totals"]
    names = evenings()[LEVANT]["players"]
    best = sorted(zip(totals, map(words.isolated, names), strict=True), reverse=True)
    said = [f"{name}: {total:+}".replace("-", "−") for total, name in best]
    places = zip(("1st", "2nd", "3rd", "4th"), said, strict=True)
    assert text_of(match).splitlines()[2:] == [
        "20 deals",
        "",
        f"Won by {best[0][1]}",
        f"Above zero, and so winners too: {best[1][1]}",
        "",
        *(f"{place} {line}" for place, line in places),
    ]
    assert text_of(match).startswith("Our match\n")


@pytest.mark.parametrize("language", ["en", "ar", "fr"])
@pytest.mark.parametrize("evening", [LEVANT, KLESHCHI, BARBU])
def test_every_system_and_language_has_names_and_signed_totals_best_first(evening, language):
    match = finish(make_evening(evening))
    view = match_view(match)
    text = text_of(match, language)
    low = view.ruleset.win == "low"
    assert points(text) == sorted(evenings()[evening]["totals"], reverse=not low)
    champion = view.seats[view.sheet.winners[0]].name
    assert champion in MARKS.sub("", text.split("\n\n")[1]).splitlines()[0]
    assert str(len(evenings()[evening]["deals"])) in text.splitlines()[2]
    assert not re.search(r"-\d", text)


# Both ends of the scale: in barbu who paid least is first.
def test_lowest_total_wins_in_barbu():
    match = finish(make_evening(BARBU))
    totals = evenings()[BARBU]["totals"]
    name = evenings()[BARBU]["players"][totals.index(min(totals))]
    assert f"Won by {words.isolated(name)}" in lines(match)


# Above zero is a winner too, at some tables. C-L17
def test_those_above_zero_are_named():
    match = finish(make_evening(LEVANT))
    view = match_view(match)
    others = [seat for seat in view.sheet.positives if seat not in view.sheet.winners]
    told = [line for line in lines(match) if line.startswith("Above zero, and so winners too: ")]
    assert len(told) == bool(others)
    for seat in others:
        assert view.seats[seat].name in told[0]


@pytest.mark.parametrize("evening", [KLESHCHI, BARBU])
def test_only_the_best_wins_elsewhere(evening):
    assert "winners too" not in text_of(finish(make_evening(evening)))


def test_teams_stand_together_with_what_each_of_them_has():
    match = match_of(options=TEAMS, entries=even_entries())
    record(match, king(taken_by=1, chooser=0), actor=PHONE, deal_number=21)
    view = match_view(finish(match))
    one, two = view.sheet.team_totals
    assert one > two
    said = lines(match)
    assert "Won by Amal + Carmen" in said
    place = said.index(f"1st Amal + Carmen: {share.signed(one)}")
    assert said[place + 1].startswith("· Amal: ")
    assert said[place + 2].startswith("· Carmen: ")
    assert f"2nd Badr + Dima: {share.signed(two)}" in said
    assert "21 deals" in said


def test_who_shares_the_first_place_is_named_and_why():
    match = match_of(entries=even_entries(), options={"tie_break": "shared"})
    said = lines(finish(match))
    assert "Shared first place: Amal, Badr, Carmen, Dima" in said
    assert [line[:4] for line in said if line.startswith("1st ")] == ["1st "] * 4
    assert any("are level at 0 and share the place." in line for line in said)


def test_tie_that_was_broken_is_told_in_words():
    match = match_of(entries=even_entries())
    assert any("One more deal decides between them." in line for line in lines(match))
    record(match, king(taken_by=2, chooser=0), actor=PHONE, deal_number=21)
    said = lines(finish(match))
    assert any("The extra deal decided" in line or "share the place" in line for line in said)


# ── a match that is not finished ────────────────────────────────────────


def test_running_match_says_how_far_it_is_and_names_no_winner():
    match = match_of()
    said = lines(match)
    assert "Not begun: no deal has been played yet." in said
    assert "Amal: –" in said
    record(match, king(), actor=PHONE)
    said = lines(match)
    assert "After deal 1 of 20" in said
    assert not any("Won by" in line for line in said)
    assert any(line.startswith("1st ") for line in said)


def test_match_broken_off_counts_nowhere():
    match = evening_of(LEVANT, 7)
    write(matches.break_off, match, actor=PHONE, reason="The café closes")
    said = lines(match)
    assert "Broken off after deal 7 of 20. It counts nowhere." in said
    assert not any(line.startswith(("Won by", "1st", "2nd")) for line in said)
    view = match_view(match)
    assert {one.place for group in card(view).groups for one in group.people} == {""}
    assert not any(seat.leads for seat in seat_boxes(view, None))


def test_voided_match_counts_as_not_played_and_places_nobody():
    match = finish(evening_of(LEVANT))
    write(matches.void_match, match, actor=PHONE, reason="A card was missing")
    said = lines(match)
    assert "This match counts as not played." in said
    assert "20 deals" in said
    assert not any(line.startswith(("Won by", "1st", "2nd")) for line in said)
    assert sorted(points("\n".join(said))) == sorted(evenings()[LEVANT]["totals"])


# ── directions ──────────────────────────────────────────────────────────

LONG = "عبد الرحمن بن عبد العزيز آل الشيخ الكبير"


# Names and signed numbers keep their order in a chat.
def test_arabic_lines_are_turned_by_no_name_and_no_number():
    match = match_of(players=(LONG, "Badr", "Carmen", "Dima"), entries=[king(taken_by=1)])
    text = text_of(match, "ar", address="https://example.org/matches/1/sheet/")
    *said, address = text.splitlines()
    assert address == "https://example.org/matches/1/sheet/"
    assert all(line.startswith(RTL) for line in said if line)
    assert f"{ISOLATE}{LONG}{END}: {ISOLATE}{LTR}0{END}" in text
    assert f"{ISOLATE}Badr{END}: {ISOLATE}{LTR}−75{END}" in text
    assert text.count(ISOLATE) == text.count(END) == 8


@pytest.mark.parametrize("language", ["en", "fr"])
def test_arabic_name_stands_apart_in_a_line_from_left_to_right(language):
    match = match_of(players=(LONG, "Badr", "Carmen", "Dima"), entries=[diamonds(1, 4, 4, 4)])
    text = text_of(match, language)
    assert text.count(ISOLATE) == text.count(END) == 1
    assert f"{ISOLATE}{LONG}{END}" in text
    assert not re.search(f"[{LTR}{RTL}]", text)


# ── on the pages ────────────────────────────────────────────────────────


def test_text_stands_on_the_end_and_on_the_sheet_of_any_match(phone):
    match = evening_of(LEVANT, 3)
    assert "After deal 3 of 20" in on_page(phone.get(url("sheet", match)))
    assert 'id="as-text"' not in phone.get(url("match", match)).text
    match = finish(evening_of(LEVANT))
    assert on_page(phone.get(url("match", match))) == text_of(match)
    assert on_page(phone.get(url("sheet", match))) == text_of(match)


# A name is text and nothing else, on the page and in the chat. C121
def test_names_that_look_like_markup_stay_what_was_typed(phone):
    match = match_of(players=(NASTY, "Badr", "Carmen", "Dima"))
    page = phone.get(url("sheet", match))
    assert f"{NASTY}: –" in on_page(page)
    assert NASTY not in page.text


def test_page_has_no_button_without_a_script(phone):
    page = phone.get(url("sheet", match_of())).text
    assert re.search(r"<button[^>]* data-share=[^>]* hidden>", page)


def club_match(cast, **opening):
    return make_match(club=cast.club, players=cast.players, entries=[king()], **opening)


# Where nobody else may look, an address is of no use.
@pytest.mark.parametrize("is_public", [True, False])
def test_only_a_public_club_gives_its_address(phone_of, is_public):
    cast = make_cast(is_public=is_public)
    match = club_match(cast, table_name="Window")
    said = on_page(phone_of(cast.badr).get(url("sheet", match))).splitlines()
    assert said[0] == f"{cast.club.name} · Window"
    address = f"http://testserver{url('sheet', match)}"
    assert (said[-1] == address) == is_public
    assert any("http" in line for line in said) == is_public
    ghassan = phone_of(cast.ghassan).get(url("sheet", match))
    assert ghassan.status_code == (200 if is_public else 404)


@override_settings(TIME_ZONE="UTC")
def test_date_is_that_of_the_club(cast):
    late = timezone.datetime(2026, 3, 6, 22, 30, tzinfo=timezone.UTC)
    match = club_match(cast, now=late)
    assert lines(match)[1] == "night of 6 March 2026"
    assert "مارس 2026" in lines(match, "ar")[1] or "آذار 2026" in lines(match, "ar")[1]
    assert lines(match_of(now=late))[1] == "6 March 2026"


# Points follow the person. C75
def test_everybody_who_sat_there_has_their_points(cast, phone_of):
    match = club_match(cast)
    one, two, _, four = cast.players
    write(reseat, match, players=[one, two, "Hadi", four], from_deal=2, reason="She left")
    record(match, diamonds(1, 4, 4, 4))
    said = on_page(phone_of(cast.amal).get(url("sheet", match))).splitlines()
    place = said.index("Points of each person")
    assert "Carmen: −75" in said[place:]
    assert "Hadi: −40" in said[place:]
    assert any(line.endswith("Carmen / Hadi: −115") for line in said[:place])


@pytest.mark.parametrize(("name", "queries"), [("match", 5), ("sheet", 6)])
def test_text_costs_no_query(phone, django_assert_num_queries, name, queries):
    match = finish(evening_of(LEVANT))
    with django_assert_num_queries(queries):
        phone.get(url(name, match))


def test_end_that_comes_by_htmx_has_the_text_too(phone):
    match = evening_of(LEVANT)
    phone.post(url("match", match), form_data(match, "", action="finish"))
    page = phone.get(url("match", match), headers={"HX-Request": "true"})
    assert "Won by" in on_page(page)
