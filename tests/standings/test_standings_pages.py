"""Standings of a club on their page and in their file, and the matches behind each figure."""

import csv
import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone

from scoring.ledger.queries.match_view import match_view
from scoring.matches.services import matches
from scoring.models import Club, Player
from scoring.players.services import merging
from scoring.rules import preset
from scoring.standings.presenters import standings
from scoring.standings.services import seasons
from tests.factories import (
    NOW,
    PHONE,
    PlayerFactory,
    adjust,
    even_entries,
    finish,
    make_match,
    write,
)
from tests.support.asking import NASTY
from tests.support.judging import by, flag
from tests.support.standings import finished, make_season

CLUB = "/clubs/cafe-younes/"
PAGE = f"{CLUB}standings/"
FILE = f"{CLUB}standings.csv"
API = "/api/clubs/cafe-younes/standings"
PARTNERS = preset("levant-partners").options()


def played(cast, *points, **more):
    return finished(cast.club, dict(zip(cast.players, points, strict=True)), **more)


def rows(text):
    return list(csv.DictReader(text.splitlines()))


def ranks(board):
    return {line.people[0].name: line.standing.rank for line in (*board.ranked, *board.provisional)}


def test_nobody_has_played_yet(cast, phone_of):
    page = phone_of(cast.badr).get(PAGE)
    assert page.status_code == 200
    assert "They begin with the first finished match." in page.text
    assert rows(phone_of(cast.badr).get(FILE).text) == []


# Ties of two, three and all: the same ranks on the sheet, in the standings and their file, on the
# pages of the people, and for programs. C76
def test_ties_have_the_same_ranks_everywhere(cast, phone_of):
    Club.objects.update(is_public=True)  # programs without a key may ask
    match = make_match(club=cast.club, players=cast.players, entries=even_entries())
    phone, seen = phone_of(cast.badr), []
    steps = [(0, 0, 0, 0), (0, 0, 0, -40), (0, 0, -40, 0), (0, -10, -30, 10), (-70, -70, -70, -70)]
    for points in steps:
        if any(points):
            write(matches.reopen, match, reason="a penalty", now=NOW)
            adjust(match, points)
        finish(match)
        places = match_view(match).table.sheet.places
        by_name = dict(zip([player.name for player in cast.players], places, strict=True))
        page = phone.get(PAGE)
        file = {row["name"]: int(row["rank"]) for row in rows(phone.get(FILE).text)}
        (first,) = phone.get(CLUB).context["standings"]
        told = phone.get(API).json()["rows"]
        program = {row["people"][0]["name"]: row["rank"] for row in told}
        own = {}
        for player in cast.players:
            figures = phone.get(f"{CLUB}players/{player.id}/").context["figures"]
            own[player.name] = figures.standing.rank
        assert ranks(page.context["board"]) == ranks(first[1]) == file == by_name
        assert program == own == by_name
        assert page.text.count("the place is shared") == sum(
            places.count(one) > 1 for one in places
        )
        seen.append(sorted(places))
    assert seen == [[1, 1, 1, 1], [1, 1, 1, 4], [1, 1, 3, 3], [1, 2, 3, 4], [1, 2, 3, 4]]


# Too few matches: apart, with what is lacking; no rank is "–". C78, C79
def test_provisional_rows_stand_apart_and_say_what_they_need(cast, phone_of):
    Club.objects.update(minimum=3)
    for day in range(3):
        played(cast, 40, 10, -20, -30, at=NOW + timedelta(days=day))
    zeina = PlayerFactory(club=cast.club, name="Zeina")
    finished(cast.club, {zeina: 900, cast.players[0]: 0, cast.players[1]: -900})
    page = phone_of(cast.badr).get(PAGE)
    assert "Not ranked yet" in page.text
    assert 'needs <bdi class="num" dir="ltr">2</bdi> more matches' in page.text
    assert 'fewer than <bdi class="num" dir="ltr">3</bdi> matches' in page.text
    assert '<tr data-provisional>\n  <td class="start num">–</td>' in page.text
    (line,) = page.context["board"].provisional
    assert (line.people[0].name, line.standing.needs) == ("Zeina", 2)
    last = rows(phone_of(cast.badr).get(FILE).text)[-1]
    assert (last["name"], last["rank"], last["needs"], last["rating"]) == ("Zeina", "", "2", "")


# Every figure is labelled with its scope, and as of when. C82, C87
def test_below_the_table_stands_what_counts_by_what_and_until_when(cast, phone_of):
    played(cast, 40, 10, -20, -30)
    season = make_season(cast.club, name="Autumn")
    phone = phone_of(cast.badr)
    of_season = phone.get(PAGE, {"season": season.id, "by": "rating"}).text
    assert re.search(r'<p class="soft">\s*<bdi>Autumn</bdi>\s*</p>', of_season)
    assert "Matches from <bdi>" in of_season
    assert "The rating is of all matches of the club, whatever the table shows." in of_season
    page = phone.get(PAGE, {"by": "average"}).text
    assert re.search(r'<p class="soft">\s*Of all time', page)
    assert "Ranked by, in this order: the average of a match, the highest first, the total" in page
    assert "All finished matches of the club count." in page
    assert "As of the match of <bdi>" in page
    assert 'aria-current="page">Average</a>' in page


# The last places at a glance, the newest at the end; one match says nothing.
def test_rows_have_bars_of_the_last_places(cast, phone_of):
    phone = phone_of(cast.badr)
    played(cast, 40, 10, -20, -30)
    assert "form-bars" not in phone.get(PAGE).text
    for day in range(1, 6):
        played(cast, -90, 10, 70 - 4 * day, 60, at=NOW + timedelta(days=day))
    page = phone.get(PAGE).text
    assert "Places in the last matches, the newest last: 4, 4, 4, 4, 4" in page
    assert "Places in the last matches, the newest last: 1, 1, 2, 2, 2" in page
    assert 'class="won" d="M0 12v-12h4v12zM5 12v-12h4v12z"' in page
    assert 'd="M10 12v-9h4v9zM15 12v-9h4v9zM20 12v-9h4v9z"' in page
    assert "The bars are the places" in page
    assert "form-bars" in phone.get(CLUB).text


def test_pairs_and_games_are_one_tap_away(cast, phone_of):
    played(cast, 40, 10, -20, -50, options=PARTNERS, pairs=True)
    played(cast, 900, 100, 200, 300, system="barbu", at=NOW + timedelta(days=1))
    phone = phone_of(cast.badr)
    page = phone.get(PAGE)
    assert page.context["board"].name == "Barbu"
    addresses = [address for _, address, _ in page.context["families"]]
    pairs = phone.get(PAGE + addresses[1] + "&pairs=1")
    assert [
        " + ".join(one.name for one in line.people) for line in pairs.context["board"].ranked
    ] == [
        "Amal + Carmen",
        "Badr + Dima",
    ]
    file = rows(phone.get(FILE + addresses[1] + "&pairs=1").text)
    assert [(row["name"], row["partner"], row["total"]) for row in file] == [
        ("Amal", "Carmen", "20"),
        ("Badr", "Dima", "-40"),
    ]


def test_file_begins_with_a_mark_only_where_one_is_asked_for(cast, phone_of):
    played(cast, 40, 10, -20, -30)
    phone = phone_of(cast.badr)
    plain, marked = phone.get(FILE), phone.get(f"{FILE}?bom=1")
    assert marked.content == b"\xef\xbb\xbf" + plain.content
    assert plain["Content-Type"] == "text/csv; charset=utf-8"
    assert plain["Cache-Control"] == "private, no-cache"
    assert rows(plain.text)[0] == {
        "rank": "1",
        "name": "Amal",
        "partner": "",
        "matches": "1",
        "total": "40",
        "average": "40",
        "wins": "1",
        "place": "1.0",
        "rating": "",
        "needs": "",
        "decided_by": "",
    }


# Every figure opens the list behind it, and the list comes to the same.
def test_figure_opens_the_matches_it_is_made_of(cast, phone_of):
    played(cast, 40, 10, -20, -30)
    played(cast, -100, 60, 20, 20, at=NOW + timedelta(days=1), options=PARTNERS, pairs=True)
    played(cast, 900, 100, 200, 300, system="barbu", at=NOW + timedelta(hours=1))
    phone = phone_of(cast.badr)
    for query in ("?system=levant&win=high", "?system=levant&win=high&pairs=1"):
        board = phone.get(PAGE + query).context["board"]
        for line in board.ranked:
            address = f"{CLUB}players/{line.people[0].id}/matches/?{line.query}"
            found = phone.get(address).context["found"]
            record = line.record
            assert (found.matches, found.points, found.wins) == (
                record.matches,
                record.total,
                record.wins,
            )
    everything = phone.get(f"{CLUB}players/{cast.players[0].id}/matches/")
    assert everything.context["found"].matches == 3
    assert [line.own.points for line, _ in everything.context["lines"]] == [-100, 900, 40]
    to_dima = phone.get(f"{CLUB}players/{cast.players[0].id}/matches/?other={cast.players[3].id}")
    assert "against <bdi>Dima</bdi>" in to_dima.text


def test_matches_behind_the_last_that_counts_are_marked(cast, phone_of):
    season = make_season(cast.club, counted=1)
    played(cast, 40, 10, -20, -30)
    played(cast, 50, 0, 0, -50, at=NOW + timedelta(days=1))
    phone = phone_of(cast.badr)
    page = phone.get(f"{CLUB}players/{cast.players[0].id}/matches/?season={season.id}")
    assert [line.own.counts for line, _ in page.context["lines"]] == [False, True]
    assert page.context["found"].points == 40
    assert page.text.count("behind the last match that counts") == 1


@pytest.mark.parametrize("query", ["system=chess&win=low", "contract=chess"])
def test_filter_that_nothing_can_fit_is_no_failure(cast, phone_of, query):
    played(cast, 40, 10, -20, -30)
    for address in (f"{CLUB}players/{cast.players[0].id}/matches/", f"{CLUB}figures/"):
        assert phone_of(cast.badr).get(f"{address}?{query}").status_code == 200


def test_merged_person_leads_to_the_one_who_stays(cast, phone_of):
    zeina = PlayerFactory(club=cast.club, name="Zeina")
    finished(cast.club, {zeina: 10, cast.players[1]: -10})
    merging.merge(player=zeina, into=cast.players[0], actor=PHONE, now=NOW)
    answer = phone_of(cast.badr).get(f"{CLUB}players/{zeina.id}/matches/?system=levant&win=high")
    to = urlsplit(answer["Location"])
    assert to.path == f"{CLUB}players/{cast.players[0].id}/matches/"
    assert parse_qs(to.query) == {"system": ["levant"], "win": ["high"]}


def test_matches_of_a_hidden_person_are_for_them_and_the_owners(cast, phone_of):
    played(cast, 40, 10, -20, -30)
    dima = cast.players[3]
    Player.objects.filter(id=dima.id).update(hidden_at=NOW)
    address = f"{CLUB}players/{dima.id}/matches/"
    there = [phone_of(user).get(address).status_code for user in (cast.badr, cast.amal)]
    assert there == [303, 303]
    assert phone_of(cast.dima).get(address).status_code == 200
    assert phone_of(cast.owner).get(address).status_code == 200


# Points that are not certain yet are marked. C69
def test_under_review_is_marked_on_rows_and_in_lists(cast, phone_of):
    match = make_match(club=cast.club, players=cast.players, entries=even_entries())
    finish(match)
    flag(match, actor=by(cast.badr), now=timezone.now())
    zeina = PlayerFactory(club=cast.club, name="Zeina")
    finished(cast.club, {zeina: 10, PlayerFactory(club=cast.club, name="Walid"): -10})
    page = phone_of(cast.badr).get(PAGE)
    marked = {line.people[0].name: line.is_reviewed for line in page.context["board"].ranked}
    assert (marked["Amal"], marked["Zeina"]) == (True, False)
    assert "A deal is under review" in page.text
    listed = phone_of(cast.badr).get(f"{CLUB}players/{cast.players[0].id}/matches/")
    assert [line.is_reviewed for line, _ in listed.context["lines"]] == [True]


# Shown literally, and worked out by no spreadsheet. C121
def test_names_are_shown_literally(cast, phone_of):
    walid = PlayerFactory(club=cast.club, name=NASTY[:40])
    rima = PlayerFactory(club=cast.club, name="=1+1")
    finished(cast.club, {walid: 10, rima: 5, cast.players[0]: -15})
    assert NASTY[:40] not in phone_of(cast.badr).get(PAGE).text
    names = [row["name"] for row in rows(phone_of(cast.badr).get(FILE).text)]
    assert names == [NASTY[:40], "'=1+1", "Amal"]


# What is not of this club is not there, and a private club is nothing to others. C94
def test_others_see_nothing_of_it(cast, phone, phone_of):
    match = played(cast, 40, 10, -20, -30)
    foreign = PlayerFactory(club=cast.other_club)
    own = f"{CLUB}players/{cast.players[0].id}/matches/"
    for address in (PAGE, FILE, own, f"{CLUB}seasons/"):
        for client in (phone, phone_of(cast.ghassan), phone_of(cast.farah)):
            assert client.get(address).status_code == 404
    wrong = [
        f"{CLUB}players/{foreign.id}/matches/",
        f"{own}?other={foreign.id}",
        f"{own}?partner=x",
    ]
    wrong += [f"{PAGE}?season={match.id}", f"{PAGE}?evening=x", f"{FILE}?season={match.id}"]
    for address in wrong:
        assert phone_of(cast.badr).get(address).status_code == 404
    Club.objects.update(is_public=True)
    for address in (PAGE, FILE, own, f"{CLUB}seasons/"):
        assert phone.get(address).status_code == 200


def test_standings_ask_no_more_than_eight_times_even_where_ratings_count(
    cast, phone_of, django_assert_max_num_queries
):
    Club.objects.update(criteria=["rating", "total", "wins"])
    played(cast, 40, 10, -20, -30)
    by_rating = {"criteria": ["rating", "total"]}
    season = make_season(cast.club, **by_rating)
    closed = make_season(cast.club, **by_rating, name="Over")
    seasons.close(season=closed, by=None, now=NOW)
    phone = phone_of(cast.badr)
    own = [f"{CLUB}seasons/{each.id}/" for each in (season, closed)]
    for address in (PAGE, FILE, *own):
        with django_assert_max_num_queries(8):
            phone.get(address)


def test_long_list_is_drawn_a_leaf_at_a_time(cast, phone_of, monkeypatch):
    monkeypatch.setattr(standings, "LEAF", 3)
    Club.objects.update(minimum=2)
    for day in range(2):
        played(cast, 40, 10, -20, -30, at=NOW + timedelta(days=day))
    finished(cast.club, {PlayerFactory(club=cast.club, name="Zeina"): 900, cast.players[0]: 0})
    phone = phone_of(cast.badr)
    first, last = phone.get(PAGE), phone.get(PAGE, {"page": "9"})
    assert list(ranks(first.context["board"]).values()) == [1, 2, 3]
    assert ranks(last.context["board"]) == {"Dima": 4, "Zeina": None}
    assert ("Lower places" in first.text, "Higher places" in first.text) == (True, False)
    assert len(rows(phone.get(FILE).text)) == 5
    assert 'href="?page=all"' in first.text
    whole = phone.get(PAGE, {"page": "all"})
    assert list(ranks(whole.context["board"]).values()) == [1, 2, 3, 4, None]
    assert 'class="row pages"' not in whole.text
