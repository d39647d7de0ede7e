"""A match in figures: curve, turning points, costs, pace."""

import re

import pytest

from scoring.common.actor import Actor
from scoring.corrections.services import seats
from scoring.ledger.queries.match_view import match_view
from scoring.matches.presenters.match_summary import MatchStory
from scoring.models import Club, Match
from tests.factories import evenings, finish, make_evening, make_match, write
from tests.support.asking import NASTY
from tests.support.markup import flat
from tests.support.tables import PHONE, match_of, phone_client, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone():
    return phone_client()


def page_of(phone, match):
    response = phone.get(url("match_figures", match))
    assert response.status_code == 200
    return flat(response)


def last_totals(page):
    """The last line of the numbers beside the curve."""
    rows = re.findall(r'<tr><th scope="row" class="start num">(.*?)</tr>', page)
    found = re.findall(r'dir="ltr">([^<]*)</bdi>', rows[-1])
    return [int(each.replace("−", "-")) for each in found]


@pytest.mark.parametrize("evening", ["evening-levant", "evening-kleshchi", "evening-barbu"])
def test_every_system_has_its_story(phone, evening, django_assert_max_num_queries):
    match = make_evening(evening, actor=PHONE)
    with django_assert_max_num_queries(8):
        page = page_of(phone, match)
    assert "so far" in page
    assert "to the end" not in page
    assert last_totals(page) == evenings()[evening]["deals"][-1]["totals"]
    finish(match, actor=PHONE)
    page = page_of(phone, match)
    assert "so far" not in page
    assert "stays there to the end" in page
    assert "The lead " in page
    assert "The biggest deal" in page
    assert page.count(": most lost in") == 4
    assert page.count(">most lost<") == 8  # of contracts, and of kingdoms or rounds
    assert "From the first entry to the last" in page
    assert "The longest was" not in page  # a deal a minute
    assert "style=" not in page
    assert f'href="{url("match_figures", match)}"' in phone.get(url("match", match)).text


def turns(match):
    return [str(turn.text) for turn in MatchStory(match_view(match)).turns() if turn.number < 18]


# Points are of whoever sat there at the time.
def test_substitute_is_named_in_no_deal_before_they_sat_down():
    match = make_evening("evening-levant", 18)
    before = turns(match)
    assert before
    others = ["Elie", "Farah", "Ghassan", "Hanna"]
    write(seats.reseat, match, players=others, from_deal=19)
    match.refresh_from_db()
    assert [seat.name for seat in match_view(match).seats] == others
    assert turns(match) == before


def test_match_without_a_deal_says_so(phone):
    page = page_of(phone, match_of())
    assert "No deal yet" in page
    assert "<svg" not in page.split("</header>")[1]


def test_deals_that_were_typed_all_at_once_tell_no_time(phone):
    deals = evenings()["evening-levant"]["deals"]
    page = page_of(phone, match_of(entries=deals[:2]))
    assert "That cannot be told" in page


def test_running_match_leads_to_it_from_its_first_deal_on(phone):
    match = match_of(entries=evenings()["evening-levant"]["deals"][:1])
    assert f'href="{url("match_figures", match)}"' in phone.get(url("match", match)).text
    assert "The biggest deal" in page_of(phone, match)


def test_void_match_has_no_winner_in_figures(phone):
    match = match_of(entries=evenings()["evening-levant"]["deals"][:5])
    Match.objects.filter(pk=match.pk).update(state="voided")
    page = page_of(phone, match)
    assert "counts as not played" in page
    assert "to the end" not in page


def test_ghassan_sees_no_figures_and_everybody_those_of_a_public_club(cast, client, phone_of):
    match = make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal))
    assert phone_of(cast.ghassan).get(url("match_figures", match)).status_code == 404
    assert client.get(url("match_figures", match)).status_code == 404
    Club.objects.filter(id=cast.club.id).update(is_public=True)
    assert client.get(url("match_figures", match)).status_code == 200


def test_names_are_shown_literally(phone):
    deals = evenings()["evening-levant"]["deals"][:3]
    page = page_of(phone, match_of(players=(NASTY, "Badr", "Carmen", "Dima"), entries=deals))
    assert NASTY not in page
    assert "&lt;img" in page
