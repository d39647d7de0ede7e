"""Sums of people, written with the match that closes."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.db.models.sql.compiler import SQLCompiler
from django.test.utils import CaptureQueriesContext

from scoring.common.actor import Actor
from scoring.corrections.services import seats
from scoring.matches.services import matches
from scoring.models import (
    ContractTotal,
    Evening,
    Match,
    MatchResult,
    Meeting,
    PlayerTotal,
    RatingState,
    Season,
)
from scoring.players.queries.player_matches import MatchFilter, match_list
from scoring.players.services import merging
from scoring.rules import rules_key, ruleset
from scoring.standings.queries.totals import differences
from scoring.standings.services import totals
from scoring.transfer.queries.imports import ImportStatus
from scoring.transfer.services.imports import import_match
from tests.factories import NOW, ClubFactory, PlayerFactory, finish, make_match, write
from tests.importing.bringing import look
from tests.importing.files import as_json, evening
from tests.support.histories import SHORT, entries

pytestmark = pytest.mark.django_db
TEAMS = {**SHORT, "teams": "opposite"}
NAMES = ("Amal", "Badr", "Carmen", "Dima", "Elie", "Fadi")


@pytest.fixture
def club():
    return ClubFactory()


@pytest.fixture
def people(club):
    return [PlayerFactory(club=club, name=name) for name in NAMES]


def play(four, luck=0, *, day=0, options=SHORT, **opening):
    """A finished match of two deals, so many days after the first one."""
    at = NOW + timedelta(days=day)
    match = make_match(
        club=four[0].club,
        players=four,
        options=options,
        entries=entries(luck),
        played_at=at,
        **opening,
    )
    return finish(match)


def total(player, **scope):
    scope = {"season": None, "evening": None, "partner": None, **scope}
    return PlayerTotal.objects.get(player=player, **scope)


def season_of(club, first, last, **more):
    """A season of these days, counted from the first match."""
    day = NOW.date()
    season = Season.objects.create(
        club=club,
        name=f"{first} to {last}",
        starts_on=day + timedelta(days=first),
        ends_on=day + timedelta(days=last),
        **more,
    )
    totals.recount_season(season=season)
    return season


# Totals are rebuilt in the transaction that changes what they are made of. C73
def test_sums_come_and_go_with_the_match(club, people):
    amal, badr, *_ = people
    match = play(people[:4])
    assert total(amal).matches == 1
    assert Meeting.objects.get(player=amal, other=badr).matches == 1
    assert ContractTotal.objects.filter(player=amal).count() == 2
    state = RatingState.objects.get(club=club)
    assert state.dirty_from == match.played_at
    write(matches.void_match, match, reason="a wrong deck")
    for model in (PlayerTotal, Meeting, ContractTotal):
        assert not model.objects.exists()
    write(matches.reopen, match)
    finish(match)
    assert (total(amal).matches, differences(club)) == (1, [])


def test_match_without_a_club_counts_nowhere():
    finish(make_match(options=SHORT, entries=entries(0)))
    assert MatchResult.objects.count() == 4
    assert not PlayerTotal.objects.exists()


# "The first so many" go by order of play, not of entering: a late one takes its place. C117
def test_season_counts_the_first_matches_as_they_were_played(club, people):
    amal = people[0]
    season = season_of(club, 0, 10, counted=2)
    third, second = play(people[:4], 1, day=3), play(people[:4], 2, day=2)
    in_season = total(amal, season=season)
    assert (in_season.matches, in_season.last_at) == (2, third.played_at)
    late = play(people[:4], 5, day=1)
    in_season = total(amal, season=season)
    assert (in_season.matches, in_season.first_at) == (2, late.played_at)
    assert in_season.last_at == second.played_at
    assert total(amal).matches == 3


def test_season_counts_its_days_and_its_rules(club, people):
    amal = people[0]
    kings = {**SHORT, "values.king": 100}
    key = rules_key(ruleset("levant", kings))
    season, ruled = season_of(club, 0, 1), season_of(club, 0, 9, rules_key=key)
    for day, options in enumerate([SHORT, SHORT, SHORT, kings]):
        play(people[:4], day, day=day, options=options)
    assert total(amal, season=season).matches == 2
    assert total(amal, season=ruled).matches == 1
    season.ends_on += timedelta(days=1)
    season.save()
    assert totals.recount_season(season=season)
    assert total(amal, season=season).matches == 3
    assert not totals.recount_season(season=season)


def test_keys_of_sets_that_were_pinned_in_another_order_are_renewed(club, people):
    pinned = {"kabbout.contracts": ["tricks", "queens"], **SHORT}
    season = season_of(club, 0, 9, rules_key="old", system="levant", options=pinned)
    match = play(people[:4], 1, day=1, options=pinned)
    other = play(people[:4], 1, day=2, options=SHORT)
    Match.objects.filter(pk=match.pk).update(options=pinned)
    MatchResult.objects.filter(match=match).update(rules_key="old")
    import_module("scoring.migrations.0019_rules_keys").renew_keys(apps, None)
    key = rules_key(ruleset("levant", {"kabbout.contracts": ["queens", "tricks"], **SHORT}))
    season.refresh_from_db()
    assert (season.rules_key, season.options) == (key, pinned)
    assert set(match.results.values_list("rules_key", flat=True)) == {key}
    assert set(other.results.values_list("rules_key", flat=True)) == {
        rules_key(ruleset("levant", SHORT))
    }
    assert not PlayerTotal.objects.exists()


def test_evening_counts_its_matches(club, people):
    made = {"club": club, "starts_at": NOW, "created_at": NOW, "system": "levant"}
    evening = Evening.objects.create(name="Cup", **made)
    match = make_match(club=club, players=people[:4], options=SHORT, entries=entries(0))
    match.evening = evening
    match.save()
    finish(match)
    play(people[:4], 1)
    assert total(people[0], evening=evening).matches == 1
    assert total(people[0]).matches == 2


def test_pair_has_the_points_of_both_and_one_place(club, people):
    amal, badr, carmen, dima = people[:4]
    play([amal, badr, carmen, dima], 0, options=TEAMS)
    play([badr, carmen, dima, amal], 1, options=TEAMS)
    low, high = sorted((amal, carmen), key=lambda one: one.id)
    pair = total(low, partner=high)
    assert (pair.matches, pair.seats) == (2, 2)
    assert pair.total == total(amal).total + total(carmen).total
    assert PlayerTotal.objects.exclude(partner=None).count() == 2
    met = Meeting.objects.get(player=amal, other=carmen)
    assert (met.together, met.matches) == (2, 0)
    assert Meeting.objects.get(player=amal, other=badr).matches == 2


# Points follow the person at each deal; who only followed in a seat has not met, nor is a pair. C75
def test_substitute_has_the_own_deals_and_meets_the_others(club, people):
    amal, badr, carmen, dima, elie, _ = people
    match = play(people[:4], 0, options=TEAMS)
    write(matches.reopen, match)
    given = {"players": [amal, badr, carmen, elie], "from_deal": 2, "reason": "went home"}
    write(seats.reseat, match, **given)
    finish(match)
    rows = {row.player: row for row in MatchResult.objects.select_related("player", "partner")}
    assert (rows[dima].deals, rows[elie].deals) == (1, 1)
    assert (rows[dima].partner, rows[elie].partner, rows[badr].partner) == (None, badr, elie)
    assert total(dima).total + total(elie).total == rows[dima].points + rows[elie].points
    assert not Meeting.objects.filter(player=dima, other=elie).exists()
    assert Meeting.objects.get(player=amal, other=elie).matches == 1


def test_merged_who_gave_each_other_the_seat_are_parted_with_what_each_had(club, people):
    amal, badr, carmen, dima, elie, _ = people
    merging.merge(player=elie, into=dima, actor=Actor(), now=NOW)
    elie.refresh_from_db()
    match = play(people[:4])
    write(matches.reopen, match)
    given = {"players": [amal, badr, carmen, elie], "from_deal": 2, "reason": "the other row"}
    write(seats.reseat, match, **given)
    finish(match)
    assert (total(dima).matches, total(dima).seats) == (1, 2)
    merging.unmerge(player=elie, actor=Actor(), now=NOW)
    assert (total(dima).matches, total(elie).matches, total(elie).seats) == (1, 1, 1)
    assert [row.deals for row in ContractTotal.objects.filter(player=elie)] == [1]
    assert differences(club) == []


# Whoever had the seat before, under the other row, was not the partner yet.
@pytest.mark.parametrize("low_stays", [True, False])
def test_pair_counts_a_match_once_where_one_of_them_followed_themselves(club, people, low_stays):
    low, high = sorted(people[:2], key=lambda one: one.id)
    stays, follows = (low, high) if low_stays else (high, low)
    carmen, dima, elie = people[2:5]
    merging.merge(player=elie, into=follows, actor=Actor(), now=NOW)
    elie.refresh_from_db()
    match = play([stays, carmen, follows, dima], options=TEAMS)
    write(matches.reopen, match)
    given = {"players": [stays, carmen, elie, dima], "from_deal": 2, "reason": "the other row"}
    write(seats.reseat, match, **given)
    finish(match)
    listed = match_list(club, stays, MatchFilter(("levant", "high"), partner=follows.id), 1)
    pair = total(low, partner=high)
    assert (pair.matches, pair.total) == (listed.matches, listed.points)
    assert pair.matches == 1


@pytest.fixture
def cost(monkeypatch):
    """What an act asks of the database: how many queries, and how many rows it is given."""
    rows, iterated = [], SQLCompiler.results_iter

    def counted(self, *args, **more):
        for row in iterated(self, *args, **more):
            rows.append(row)
            yield row

    monkeypatch.setattr(SQLCompiler, "results_iter", counted)

    def asked(act):
        rows.clear()
        with CaptureQueriesContext(connection) as queries:
            act()
        return len(queries), len(rows)

    return asked


def begun(four, luck, *, day=0, options=SHORT):
    at = NOW + timedelta(days=day)
    opening = {"club": four[0].club, "players": four, "options": options, "played_at": at}
    return make_match(entries=entries(luck), **opening)


def test_match_that_ends_last_costs_the_same_however_much_was_played(club, people, cost):
    season_of(club, 0, 90)
    season_of(club, 0, 91, counted=3)

    def closing(day):
        match = begun(people[:4], 1, day=day)
        return cost(lambda: finish(match))

    play(people[:4], 0)
    few = closing(1)
    for day in range(2, 20):
        play(people[day % 3 :][:4], day, day=day)
    assert closing(30) == few
    assert few[0] < 40
    assert differences(club) == []


def test_earlier_match_asks_the_same_of_one_match_and_of_many(club, people, cost):
    def queries(day):
        match = begun(people[:4], 1, day=day)
        return cost(lambda: finish(match))[0]

    play(people[:4], 0, day=20)
    few = queries(19)
    for day in range(10, 18):
        play(people[day % 3 :][:4], day, day=day)
    assert queries(1) == few < 45
    assert differences(club) == []


def test_import_in_order_costs_the_same_for_every_match(club, cost):
    days = [f"2026-01-{day}" for day in range(10, 16)]
    played = [evening() | {"external_id": day, "played_at": day} for day in days]
    planned = look(club, as_json(*played)).of(ImportStatus.NEW)

    def importing(each):
        return cost(lambda: import_match(planned=each, club=club, actor=Actor(), now=NOW))

    costs = [importing(each) for each in planned]
    assert costs[1] == costs[-1]
    assert (total(club.players.first()).matches, differences(club)) == (6, [])


def test_correction_reads_its_own_family_only(club, people, cost):
    other = {**SHORT, "values.king": 100, "signs": "swapped"}
    match = play(people[:4], 0)

    def again():
        write(matches.reopen, match)
        return cost(lambda: finish(match))

    alone = again()
    for day in range(1, 9):
        play(people[:4], day, day=day, options=other)
    assert again() == alone
    assert differences(club) == []


def test_match_at_the_same_moment_takes_its_place_by_when_it_was_opened(club, people):
    early, late = (begun(people[:4], luck) for luck in (0, 1))
    Match.objects.filter(id=late.id).update(opened_at=NOW + timedelta(seconds=1))
    finish(late)
    finish(early)
    results = MatchResult.objects.filter(player=people[0]).order_by("opened_at")
    assert total(people[0]).lately == "".join(str(row.place) for row in results)
    assert differences(club) == []


def test_rows_stay_the_ones_that_they_are_and_others_are_not_written(club, people):
    amal, elie = people[0], people[4]
    season = season_of(club, 0, 9, counted=1)
    play([*people[1:4], elie])
    play(people[:4], 1, day=1)
    before = {row.id: row.matches for row in PlayerTotal.objects.filter(season=None)}
    with CaptureQueriesContext(connection) as asked:
        play(people[:4], 2, day=2)
    assert before.keys() == {row.id for row in PlayerTotal.objects.filter(season=None)}
    assert (total(amal).matches, total(elie).matches) == (2, 1)
    assert total(amal, season=season).matches == 1
    assert not [one for one in asked if "DELETE" in one["sql"] and "total" in one["sql"]]
    assert differences(club) == []


def test_what_differs_is_named_and_put_right(club, people):
    play(people[:4])
    Meeting.objects.filter(player=people[1]).delete()
    PlayerTotal.objects.create(  # a second row for what is there already
        **{
            field.attname: getattr(total(people[1]), field.attname)
            for field in PlayerTotal._meta.fields
            if field.attname != "id"
        }
    )
    assert differences(club) == ["player_totals", "meetings"]
    (_, differed), *_ = totals.recount_all(club)
    assert differed == ["player_totals", "meetings"]
    assert differences(club) == []
    assert PlayerTotal.objects.count() == 4
