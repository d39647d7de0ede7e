"""The page of a person: place, form, contracts against the club, opponents; who sees what."""

import re
from datetime import timedelta
from random import Random

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.common.actor import Actor
from scoring.models import Club, MatchResult, Player, PlayerTotal
from tests.factories import NOW, PlayerFactory, finish, make_match
from tests.support.asking import NASTY
from tests.support.evening import planned
from tests.support.evenings import played_evening
from tests.support.standings import finished

pytestmark = pytest.mark.django_db

SHORT = {"combo": "complex"}  # eight deals


def play(cast, count, players=None, first=0, **options):
    """So many short matches of the club, finished, a day apart from the `first` day on."""
    for number in range(first, first + count):
        rng, options = Random(number), SHORT | options
        entries = [deal.entry for deal in played_evening(rng, "levant", options, 0).deals]
        match = make_match(
            entries=entries,
            options=options,
            players=players or cast.players,
            first_chooser=entries[0].chooser,
            club=cast.club,
            actor=Actor(cast.amal),
            now=NOW + timedelta(days=number),
        )
        finish(match, actor=Actor(cast.amal), now=NOW + timedelta(days=number, hours=1))
    return match


def url(player, **query):
    return reverse("player", args=[player.club.slug, player.id], query=query)


@pytest.fixture
def asks(cast, phone_of):
    """The page as Badr sees it, who is a member."""
    phone = phone_of(cast.badr)

    def page(player, **query):
        response = phone.get(url(player, **query))
        assert response.status_code == 200
        return response.text

    return page


# Counts a contract, rivals, form, all with their samples. C89
def test_page_says_what_somebody_is_and_how_they_play(cast, asks, django_assert_max_num_queries):
    play(cast, 6)
    amal = cast.players[0]
    with django_assert_max_num_queries(18):
        page = asks(amal)
    results = list(MatchResult.objects.filter(player=amal).order_by("-played_at"))
    places = re.findall(r'class="form-place p(\d)"', page)
    assert places == [str(row.place) for row in results]
    total = PlayerTotal.objects.get(player=amal, season=None, evening=None, partner=None)
    assert f"of {len(cast.players)}" in page
    tiles = re.findall(r"<dt>([^<]*)</dt>\s*<dd>\s*<a[^>]*><b>(?:<[^>]*>)?([^<]*)<", page)
    assert dict(tiles)["Matches"] == "6"
    assert dict(tiles)["Won"] == str(total.wins)
    assert dict(tiles)["Total"].replace("−", "-").lstrip("+") == str(total.total)
    assert page.count("matches/?system=levant&amp;win=high&amp;contract=") == 2  # complex and Trex
    assert len(set(re.findall(r"other=([\w-]+)", page))) == 3
    assert re.search("finished (ahead|behind) in", page)
    assert "Going out in Trex" in page
    assert "of all time" in page
    assert "style=" not in page


def test_nothing_is_claimed_of_few_matches(cast, asks):
    play(cast, 1)
    page = asks(cast.players[0])
    assert "Won" in page
    assert "of all matches:" not in page
    assert "No nemesis" in page
    assert "on average:" not in page
    assert "▲" not in page
    assert "▼" not in page


def test_partners_stand_apart_from_opponents(cast, asks):
    play(cast, 1, teams="opposite")
    page = asks(cast.players[0])
    assert len(set(re.findall(r"beside=([\w-]+)", page))) == 1
    assert len(set(re.findall(r"other=([\w-]+)", page))) == 2


# Of equals the first one; where the lowest wins, the best has the fewest points.
def test_best_and_worst_evening_are_there_from_the_second_on(cast, asks):
    amal, *others = cast.players
    for day, points in enumerate((30, 30, -5, 40)):
        evening = planned(cast.club, name=f"Cup {day + 1}")
        table = {amal: points} | dict.fromkeys(others, 20)
        finished(cast.club, table, at=NOW + timedelta(days=day), system="barbu", evening=evening)
        found = re.findall(r"<bdi>(Cup \d)</bdi>", asks(amal))
        assert found == [[], [], ["Cup 3", "Cup 1"], ["Cup 3", "Cup 4"]][day]


def total_of(page):
    return re.search(r"<dt>Total</dt>\s*<dd>.*?</dd>", page, re.DOTALL).group()


def test_nobody_has_played_yet(cast, asks):
    page = asks(cast.players[0])
    assert "No finished match yet" in page
    assert "<dl" not in page


def test_each_family_has_its_own_figures(cast, asks):
    play(cast, 1)
    low = {"signs": "swapped", "win": "low"}
    play(cast, 1, **low)
    page, other = asks(cast.players[0]), asks(cast.players[0], system="levant", win="low")
    assert page.count('class="turn"') == 2
    assert total_of(page) != total_of(other)


def test_merged_person_leads_to_whom_they_count_for(cast, phone_of):
    double = PlayerFactory(club=cast.club, name="Amaal")
    Player.objects.filter(id=double.id).update(
        merged_into=cast.players[0], counts_for=cast.players[0]
    )
    response = phone_of(cast.badr).get(url(double, system="levant", win="high"))
    assert response.status_code == 303
    assert response.url == url(cast.players[0], system="levant", win="high")


@pytest.mark.parametrize("field", ["hidden_at", "anonymised_at"])
def test_hidden_person_shows_figures_to_nobody_but_themselves_and_owners(cast, phone_of, field):
    play(cast, 1)
    dima = cast.players[3]
    changes = {field: timezone.now(), "name": "Player 4"}
    Player.objects.filter(id=dima.id).update(**changes)
    for user in (cast.badr, cast.esam, cast.amal):
        page = phone_of(user).get(url(dima)).text
        assert "does not want to be seen" in page
        assert "<dl" not in page
        assert "Dima" not in page
    for user in (cast.dima, cast.owner):
        assert "<dl" in phone_of(user).get(url(dima)).text
    assert "Player 4" in phone_of(cast.badr).get(url(cast.players[0])).text


def test_own_page_says_so(cast, phone_of):
    assert "This is you" in phone_of(cast.badr).get(url(cast.players[1])).text
    assert "This is you" not in phone_of(cast.badr).get(url(cast.players[0])).text


def test_ghassan_sees_nobody_and_everybody_those_of_a_public_club(cast, client, phone_of):
    amal = cast.players[0]
    assert phone_of(cast.ghassan).get(url(amal)).status_code == 404
    assert client.get(url(amal)).status_code == 404
    Club.objects.filter(id=cast.club.id).update(is_public=True)
    assert client.get(url(amal)).status_code == 200
    foreign = reverse("player", args=[cast.other_club.slug, amal.id])
    assert phone_of(cast.ghassan).get(foreign).status_code == 404


def test_names_are_shown_literally(cast, asks):
    page = asks(PlayerFactory(club=cast.club, name=NASTY))
    assert NASTY not in page
    assert "&lt;img" in page
