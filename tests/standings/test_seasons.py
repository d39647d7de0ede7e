"""Seasons: made, changed, closed, opened again; what is frozen stays."""

from datetime import date, timedelta

import pytest

from scoring.common.errors import ServiceError
from scoring.models import Club, FrozenStanding, PlayerTotal, Season
from scoring.players.services import merging
from scoring.rules import preset
from scoring.standings.queries.seasons import changed_since, state_of
from scoring.standings.queries.standings import Scope, standings_page
from scoring.standings.services import seasons
from scoring.standings.services.seasons import mark
from tests.factories import NOW, PHONE, make_cast
from tests.support.standings import YEAR, changed, finished, make_season, table, unsaved_season

pytestmark = pytest.mark.django_db

PARTNERS = preset("levant-partners").options()


@pytest.fixture
def cast():
    return make_cast()


def played(cast, *points, **more):
    return finished(cast.club, dict(zip(cast.players, points, strict=True)), **more)


def page_of(season, **more):
    season.refresh_from_db()
    return standings_page(season.club, Scope(season=season), **more)


def refused(act, **given):
    with pytest.raises(ServiceError) as caught:
        act(**given)
    return [(problem.code, problem.field) for problem in caught.value.problems]


def test_matches_that_were_played_already_count_and_a_change_counts_anew(cast):
    played(cast, 50, 0, 0, -50)
    season = make_season(cast.club)
    assert table(page_of(season))[0] == (1, "Amal", 50)
    seen = mark(season)
    seasons.change(season=changed(season, starts_on=date(2026, 12, 1)), seen=seen)
    assert page_of(season).rows == ()
    assert not PlayerTotal.objects.filter(season=season).exists()


def test_what_cannot_be_is_refused_at_its_field(cast):
    season = make_season(cast.club)

    def refused_new(**given):
        return refused(seasons.create, season=unsaved_season(cast.club, **given))

    assert refused_new(name=" ２０２６ ") == [("taken", "name")]
    assert refused_new(name="") == [("missing", "name")]
    wrong = {"name": "A", "starts_on": date(2026, 2, 1), "ends_on": date(2026, 1, 31)}
    assert refused_new(**wrong) == [("ends_before", "ends_on")]
    assert refused_new(name="B", ends_on=date(9999, 12, 31)) == [("bad_date", "ends_on")]
    seen = mark(season)
    seasons.change(season=changed(season, minimum=3), seen=seen)
    assert refused(seasons.change, season=season, seen=seen) == [("stale", "")]
    assert refused(seasons.reopen, season=season) == [("season_open", "")]
    seasons.close(season=season, by=cast.owner, now=NOW)
    for act in (
        {"act": seasons.change},
        {"act": seasons.close, "by": None, "now": NOW},
        {"act": seasons.delete},
    ):
        assert refused(season=season, **act) == [("season_closed", "")]
    seasons.reopen(season=season)
    seasons.delete(season=season)
    assert refused(seasons.close, season=season, by=None, now=NOW) == [("gone", "")]


# A closed season is a frozen page, and says what has changed since. C90
def test_closed_season_stays_as_it_was_announced_and_says_what_changed(cast):
    played(cast, 50, 20, -20, -50)
    played(cast, 5, 20, -20, -5, options=PARTNERS, pairs=True)
    season = make_season(cast.club, minimum=2)
    before = page_of(season)
    seasons.close(season=season, by=cast.owner, now=NOW)
    frozen = page_of(season)
    assert (frozen.table, frozen.scope.is_frozen) == (before.table, True)
    assert table(page_of(season, of_pairs=True)) == [
        (None, "Badr + Dima", 15),
        (None, "Amal + Carmen", -15),
    ]
    assert changed_since(frozen) == ()
    # a match of the season is finished long after
    played(cast, -90, 90, 0, 0, at=NOW + timedelta(days=3))
    after = page_of(season)
    assert after.table == before.table
    told = {each.name: each for each in changed_since(after)}
    assert (told["Badr"].before, told["Badr"].after) == (40, 130)
    assert (told["Badr"].place_before, told["Badr"].place_after) == (2, 1)
    seasons.reopen(season=season)
    assert table(page_of(season))[0] == (1, "Badr", 130)
    assert not FrozenStanding.objects.exists()


def test_frozen_rows_of_people_merged_since_are_the_one_who_stays(cast):
    finished(cast.club, dict(zip(cast.players[:3], (50, 20, -70), strict=True)))
    finished(cast.club, dict(zip(cast.players[1:], (5, -10, 5), strict=True)))
    season = make_season(cast.club)
    seasons.close(season=season, by=None, now=NOW)
    amal, *_, dima = cast.players
    merging.merge(player=dima, into=amal, actor=PHONE, now=NOW)
    page = page_of(season)
    assert [name for _, name, _ in table(page)].count("Amal") == 2
    moved = [
        (one.name, one.before, one.place_before, one.place_after) for one in changed_since(page)
    ]
    assert moved == [("Carmen", -80, 4, 3)]


def test_days_follow_the_clock_of_the_club(cast):
    season = make_season(cast.club, ends_on=date(2026, 11, 11))
    assert page_of(season).rows == ()
    played(cast, 50, 0, 0, -50)  # in Beirut on the evening of the 12th
    assert page_of(season).rows == ()
    Club.objects.update(time_zone="Pacific/Honolulu")
    played(cast, 1, 0, 0, -1, at=NOW.replace(hour=5))
    cast.club.refresh_from_db()
    seasons.follow_clock(club=cast.club)
    season.club.refresh_from_db()
    assert table(page_of(season))[0] == (1, "Amal", 1)


def test_state_follows_the_day():
    season = Season(**YEAR)
    days = [date(2025, 12, 31), date(2026, 1, 1), date(2026, 12, 31), date(2027, 1, 1)]
    assert [state_of(season, day) for day in days] == ["to_come", "runs", "runs", "over"]
    season.closed_at = NOW
    assert state_of(season, days[1]) == "closed"
