"""Deals whose cards say something else than their entry: on the sheet, on the deal's page, and in
the arbiter's list."""

import pytest
from django.test import Client
from django.urls import reverse

from scoring.matches.services import matches
from tests.factories import attach, correct, evening_record, evenings, king, write
from tests.support.tables import evening_of, match_of, phone_client, url

pytestmark = pytest.mark.django_db
LEVANT = "evening-levant"


def disputed(numbers=(2,), deals=3, **opening):
    """An evening with the record of every deal, and other takers of K♥ entered than the cards
    show."""
    entries = evenings()[LEVANT]["deals"][:deals]
    match = match_of(entries=entries, first_chooser=1, **opening)
    for number in range(1, deals + 1):
        attach(match, number, evening_record(LEVANT, number))
    for number in numbers:
        deal = match.current_deals.get(deal_number=number).deal
        facts = evenings()[LEVANT]["deals"][number - 1]
        wrong = king((facts["input"]["king_taken_by"] + 1) % 4, chooser=deal.chooser)
        correct(match, deal, wrong, dealer=deal.dealer)
    return match


def in_club(cast, **changes):
    return disputed(club=cast.club, players=cast.players, **changes)


def listed(phone, club):
    return phone.get(reverse("club_disagreements", args=[club.slug]))


def test_the_sheet_marks_the_deal_and_no_other():
    match = disputed()
    page = phone_client().get(url("sheet", match)).text
    assert page.count('class="disputed"') == 1
    row = page.split('class="disputed"')[0].rsplit("data-deal=", 1)[1]
    assert row.startswith('"2"')


def test_the_page_of_the_deal_says_so_and_leads_there():
    match = disputed()
    page = phone_client().get(url("deal", match, 2)).text
    assert 'data-verdict="differs"' in page
    assert url("record", match, 2) in page
    assert url("replay", match, 2) in page
    assert 'data-verdict="agrees"' in phone_client().get(url("deal", match, 1)).text


def test_a_deal_without_a_record_offers_to_attach_one():
    match = evening_of(LEVANT, 1)
    page = phone_client().get(url("deal", match, 1)).text
    assert "data-verdict" not in page
    assert url("record", match, 1) in page


def test_the_arbiter_sees_every_such_deal_of_the_club(cast, phone_of):
    match = in_club(cast)
    page = listed(phone_of(cast.esam), cast.club)
    assert page.status_code == 200
    assert 'data-codes="taker_differs"' in page.text
    assert "another taker" in page.text
    assert url("record", match, 2) in page.text
    assert page.text.count("data-codes=") == 1
    assert "Cards against entries" in phone_of(cast.esam).get(f"/clubs/{cast.club.slug}/").text


def test_what_was_settled_is_listed_no_more(cast, phone_of):
    match = in_club(cast)
    deal = match.current_deals.get(deal_number=2).deal
    facts = evenings()[LEVANT]["deals"][1]
    right = king(facts["input"]["king_taken_by"], chooser=deal.chooser)
    correct(match, deal, right, dealer=deal.dealer)
    assert "data-codes" not in listed(phone_of(cast.esam), cast.club).text


def test_a_voided_match_is_not_listed(cast, phone_of):
    match = in_club(cast)
    write(matches.void_match, match, reason="Not played")
    assert "data-codes" not in listed(phone_of(cast.esam), cast.club).text


@pytest.mark.parametrize("person", ["amal", "badr", "farah", "ghassan"])
def test_nobody_else_finds_the_list(cast, phone_of, person):
    in_club(cast)
    assert listed(phone_of(getattr(cast, person)), cast.club).status_code == 404
    assert listed(Client(), cast.club).status_code == 404


@pytest.mark.parametrize("evenings_played", [1, 3])
def test_queries_of_the_list_do_not_grow(
    cast, phone_of, django_assert_num_queries, evenings_played
):
    for _ in range(evenings_played):
        in_club(cast)
    phone = phone_of(cast.esam)
    with django_assert_num_queries(7):
        listed(phone, cast.club)
