import pytest

from scoring.home.queries.club_page import club_view, players_of
from scoring.matches.services import matches
from scoring.models import Match, MatchResult, Player
from scoring.standings.queries.played import FinishedMatch
from scoring.standings.queries.standings import ALL_TIME, standings_page, tables_of
from scoring.standings.services.totals import recount_all
from tests.factories import (
    NOW,
    ClubFactory,
    PlayerFactory,
    evenings,
    finish,
    make_cast,
    make_evening,
    make_match,
    write,
)

pytestmark = pytest.mark.django_db


def played(club, players, name="evening-levant", **opening):
    """A finished evening of these people."""
    evening = evenings()[name]
    match = make_match(
        club=club,
        players=players,
        entries=evening["deals"],
        system=evening["system"],
        first_chooser=evening["first_chooser"],
        **opening,
    )
    return finish(match)


# Points under a name are that person's, and the seat is won by who played most of it. C75
def test_substitute_is_listed_with_their_own_points():
    rows = [
        _row("Sami", 0, deals=12, points=-495, total=-645, place=1),
        _row("Dima", 0, deals=8, points=-150, total=-645, place=1),
        _row("Amal", 1, deals=20, points=645, total=645, place=2),
    ]
    found = FinishedMatch(Match(), tuple(rows))
    assert found.winners == ("Sami",)
    listed = [(line.name, line.total) for line in found.by_place]
    assert listed == [("Sami", -495), ("Dima", -150), ("Amal", 645)]


def test_teams_are_listed_as_pairs():
    names = ("Amal", "Badr", "Carmen", "Dima")
    totals = (100, -100, 100, -100)
    rows = [
        _row(name, seat, deals=20, points=7, total=totals[seat], place=1 + seat % 2, in_teams=True)
        for seat, name in enumerate(names)
    ]
    found = FinishedMatch(Match(), tuple(rows))
    assert found.winners == ("Amal + Carmen",)
    listed = [(line.name, line.total) for line in found.by_place]
    assert listed == [("Amal + Carmen", 100), ("Badr + Dima", -100)]


def _row(name, seat, **values) -> MatchResult:
    return MatchResult(player=Player(name=name), seat=seat, **values)


def test_club_page_shows_running_and_recent_matches():
    cast = make_cast()
    done = played(cast.club, cast.players)
    running = make_match(club=cast.club, players=cast.players)
    make_match(club=cast.other_club, players=("One", "Two", "Three", "Four"))
    make_match()
    view = club_view(cast.club)
    assert [(row.match, row.deals, row.deals_total) for row in view.running] == [(running, 0, 20)]
    assert [(row.match, row.winners) for row in view.recent] == [(done, ("Amal",))]
    assert [result.total for result in view.recent[0].results] == [190, -170, 175, -195]
    assert [result.total for result in view.recent[0].by_place] == [190, 175, -170, -195]


# Unfinished matches are kept and left out of tables. C42
def test_match_put_aside_stands_apart_and_counts_nowhere():
    cast = make_cast()
    done = played(cast.club, cast.players)
    aside = make_match(club=cast.club, players=cast.players)
    running = make_match(club=cast.club, players=cast.players)
    write(matches.break_off, aside)
    view = club_view(cast.club)
    assert [row.match for row in view.running] == [running]
    assert [row.match for row in view.put_aside] == [aside]
    write(matches.void_match, done, reason="a wrong deck")
    view = club_view(cast.club)
    assert (view.recent, view.standings) == ((), ())
    assert [row.match for row in view.put_aside] == [aside, done]


# Equals share a place and the next one is skipped: 1, 2, 2, 4. C76
def test_standings_add_up_per_person():
    cast = make_cast()
    one, two, three, four = cast.players
    played(cast.club, (one, two, three, four))
    played(cast.club, (two, one, three, four))
    standings = standings_page(cast.club)
    assert standings.family == ("levant", "high")
    rows = [(row.rank, row.player.name, row.record) for row in standings.rows]
    assert [(rank, name, r.matches, r.wins, r.total) for rank, name, r in rows] == [
        (1, "Carmen", 2, 0, 350),
        (2, "Amal", 2, 1, 20),
        (2, "Badr", 2, 1, 20),
        (4, "Dima", 2, 0, -390),
    ]
    assert [row.record.average for row in standings.rows] == [175, 10, 10, -195]


def test_systems_and_directions_never_mix():
    cast = make_cast()
    played(cast.club, cast.players)
    played(cast.club, cast.players, "evening-barbu")
    played(cast.club, cast.players, "evening-kleshchi", options={"signs": "swapped"})
    (barbu, kleshchi, levant) = club_view(cast.club).standings
    assert barbu.family == ("barbu", "low")
    assert kleshchi.family == ("kleshchi", "low")
    assert levant.family == ("levant", "high")
    assert [row.record.total for row in barbu.rows] == [620, 650, 1190, 1450]


def test_standings_of_another_club_and_of_running_matches_are_not_there():
    cast = make_cast()
    played(cast.other_club, ("One", "Two", "Three", "Four"))
    make_evening("evening-levant", club=cast.club)
    assert tables_of(cast.club, ALL_TIME) == ()


def test_archived_players_are_listed_apart():
    club = ClubFactory()
    here = PlayerFactory(club=club, name="Amal")
    gone = PlayerFactory(club=club, name="Badr", archived_at="2026-01-01T00:00:00Z")
    assert list(players_of(club)) == [here]
    assert list(players_of(club, archived=True)) == [gone]


def test_club_page_takes_as_many_queries_for_many_matches(django_assert_num_queries):
    cast = make_cast()
    for _ in range(2):
        played(cast.club, cast.players)
        make_match(club=cast.club, players=cast.players)
        with django_assert_num_queries(6):
            view = club_view(cast.club)
            assert view.recent[0].winners
            assert view.running[0].names
    assert MatchResult.objects.count() == 8


# The ceiling of queries holds, with nothing running, for 200 people and 2,000 matches. C111
def test_club_page_takes_no_more_queries_for_thousands_of_matches(django_assert_num_queries):
    club = ClubFactory()
    people = PlayerFactory.create_batch(200, club=club)
    times = {"opened_at": NOW, "played_at": NOW}
    common = {"club": club, "system": "levant", **times}
    made = [Match(state="finished", version=1, closed_at=NOW, **common) for _ in range(2_000)]
    Match.objects.bulk_create(made)
    MatchResult.objects.bulk_create(
        MatchResult(
            match=match,
            player=people[(4 * number + seat) % 200],
            seated=people[(4 * number + seat) % 200],
            seat=seat,
            place=seat + 1,
            deals=20,
            points=100 - seat,
            total=100 - seat,
            **common,
        )
        for number, match in enumerate(made)
        for seat in range(4)
    )
    for _ in recount_all(club):
        pass
    with django_assert_num_queries(5):
        view = club_view(club)
    assert view.recent[0].winners
    assert view.standings[0].rows[0].record.matches == 40
