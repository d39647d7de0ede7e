"""A season and a match of it at the same moment. Real transactions, on both databases."""

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import pytest
from django.db import connection

from scoring.common.actor import Actor
from scoring.models import PlayerTotal, Season
from scoring.players.services import merging
from scoring.standings.queries.totals import differences
from scoring.standings.services import ratings, results, seasons
from tests.factories import NOW, PlayerFactory, finish, make_cast, make_evening
from tests.support.standings import changed, make_season

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def meanwhile(monkeypatch):
    """Begins an act elsewhere, in the middle of what calls this function of a module: it waits
    until that is through. Gives what the act comes to."""
    with ThreadPoolExecutor(1) as pool:

        def begin(module, name, act):
            call, begun = getattr(module, name), []

            def apart():
                try:
                    return act()
                finally:
                    connection.close()

            def called(*args, **more):
                answer = call(*args, **more)
                monkeypatch.setattr(module, name, call)
                begun.append(pool.submit(apart))
                with pytest.raises(TimeoutError):
                    begun[0].result(timeout=0.3)
                return answer

            monkeypatch.setattr(module, name, called)
            return begun

        yield begin


@pytest.fixture
def ending():
    """A match of a season whose deals are all played."""
    club = make_cast().club
    match = make_evening("evening-levant", club=club)
    return match, make_season(club)


def test_season_closed_while_a_match_ends_has_it(ending, meanwhile):
    match, season = ending
    begun = meanwhile(results, "refresh", lambda: seasons.close(season=season, by=None, now=NOW))
    finish(match)
    begun[0].result()
    assert {row.total for row in season.frozen.all()} == {row.total for row in match.results.all()}


def test_match_that_ends_while_its_season_is_closed_comes_after(ending, meanwhile):
    match, season = ending
    begun = meanwhile(seasons, "_set_closed", lambda: finish(match))
    seasons.close(season=season, by=None, now=NOW)
    begun[0].result()
    assert not season.frozen.exists()
    assert PlayerTotal.objects.filter(season=season).count() == 4


def test_season_taken_away_while_a_match_ends_takes_its_sums_along(ending, meanwhile):
    match, season = ending
    begun = meanwhile(results, "refresh", lambda: seasons.delete(season=season))
    finish(match)
    begun[0].result()
    assert PlayerTotal.objects.count() == match.results.count() == 4


# Who is merged meanwhile brings in somebody to be held before the others.
def test_match_that_ends_while_its_people_are_merged_waits_in_order(ending, meanwhile):
    match, season = ending
    stays = PlayerFactory(club=season.club, id=UUID(int=1))
    person = match.seatings.first().player

    def apart(act):
        try:
            return act()
        finally:
            connection.close()

    def both():
        acts = lambda: finish(match), lambda: seasons.close(season=season, by=None, now=NOW)
        with ThreadPoolExecutor(2) as pool:
            return list(pool.map(apart, acts))

    begun = meanwhile(merging, "note", both)
    merging.merge(player=person, into=stays, actor=Actor(), now=NOW)
    begun[0].result()
    assert stays.results.count() == 1
    assert not differences(season.club)


def test_ratings_of_several_families_are_held_in_one_order(ending, meanwhile):
    match, season = ending
    finish(match)
    low = make_evening("evening-barbu", club=season.club)
    finish(low)
    stays, person = PlayerFactory(club=season.club), match.seatings.first().player
    begun = meanwhile(ratings, "mark", lambda: ratings.forget(club=season.club))
    merging.merge(player=person, into=stays, actor=Actor(), now=NOW)
    begun[0].result()
    assert not differences(season.club)


# An owner changes it in the moment in which another one opens it again.
def test_season_that_was_opened_again_stays_open(ending):
    _, season = ending
    seasons.close(season=season, by=None, now=NOW)
    seen = Season.objects.get(pk=season.pk)
    seasons.reopen(season=season)
    seasons.change(season=changed(seen, name="Other"))
    there = Season.objects.get(pk=season.pk)
    assert (there.name, there.closed_at) == ("Other", None)
