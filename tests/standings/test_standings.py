"""Standings of all time, of seasons and of evenings, from rows that are kept."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from scoring.models import Dispute, Rating
from scoring.rules import preset
from scoring.standings.presenters.standings import rules_of
from scoring.standings.queries.standings import Scope, standings_page
from tests.factories import NOW, ClubFactory, PlayerFactory, make_cast
from tests.support.standings import finished, make_season, table

pytestmark = pytest.mark.django_db

PARTNERS = preset("levant-partners").options()


@pytest.fixture
def cast():
    return make_cast()


def played(cast, *points, **more):
    return finished(cast.club, dict(zip(cast.players, points, strict=True)), **more)


def season(club, first, last, **more):
    given = {"name": "Autumn", "criteria": ["total"], "starts_on": first, "ends_on": last}
    return make_season(club, **given | more)


def test_list_is_of_the_family_played_last_unless_another_is_asked_for(cast):
    played(cast, 50, 20, 10, -80, at=datetime(2026, 1, 1, tzinfo=UTC))
    played(cast, 900, 100, 200, 300, system="barbu", at=datetime(2026, 1, 2, tzinfo=UTC))
    page = standings_page(cast.club)
    assert page.family == ("barbu", "low")
    assert [name for _, name, _ in table(page)] == ["Badr", "Carmen", "Dima", "Amal"]
    levant = standings_page(cast.club, family=("levant", "high"))
    assert table(levant)[0] == (1, "Amal", 50)
    assert [each.family for each in page.tables] == [("barbu", "low"), ("levant", "high")]
    assert standings_page(cast.club, family=("whist", "high")).family == page.family
    assert standings_page(cast.other_club).rows == ()


# Tie-breaks stand on the rows they part, and the club chooses them. C76
def test_criteria_and_minimum_are_the_clubs_and_a_reader_may_turn_them(cast):
    cast.club.criteria, cast.club.minimum = ["total", "wins"], 2
    played(cast, 30, 10, -20, -20)
    finished(cast.club, dict(zip(cast.players[:3], (0, 20, 90), strict=True)))
    page = standings_page(cast.club)
    assert table(page) == [(1, "Carmen", 70), (2, "Amal", 30), (3, "Badr", 30), (None, "Dima", -20)]
    assert [row.decided_by for row in page.rows] == [None, None, "wins", None]
    assert page.rows[-1].needs == 1
    turned = standings_page(cast.club, by="average")
    assert turned.criteria == ("average", "total", "wins")


def test_rating_ranks_whoever_has_one_and_pairs_have_none(cast):
    cast.club.criteria = ["rating", "total"]
    played(cast, 30, 10, 70, -20, options=PARTNERS, pairs=True)
    for player, mu in zip(cast.players[:2], (20, 30), strict=True):
        family = {"club": cast.club, "system": "levant", "win": "high"}
        Rating.objects.create(player=player, mu=mu, sigma=5, matches=9, last_at=NOW, **family)
    rows = standings_page(cast.club).rows
    assert [row.player.name for row in rows] == ["Badr", "Amal", "Carmen", "Dima"]
    assert [row.record.rating is None for row in rows] == [False, False, True, True]
    pairs = standings_page(cast.club, of_pairs=True)
    assert pairs.criteria == ("total",)
    assert table(pairs) == [(1, "Amal + Carmen", 100), (2, "Badr + Dima", -10)]


# A night belongs to the evening on which it began, on the club's own clock.
@pytest.mark.parametrize(
    ("zone", "inside", "outside"),
    [
        # Beirut, in the night of 28 March 2026 the clocks go from 0:00 to 1:00 (UTC+2 to UTC+3)
        ("Asia/Beirut", "2026-03-29T01:59:59Z", "2026-03-29T02:00:00Z"),
        # and back on 25 October: five o'clock is an hour later for the world
        ("Asia/Beirut", "2026-10-25T02:59:59Z", "2026-10-25T03:00:00Z"),
        ("Africa/Cairo", "2026-04-24T01:59:59Z", "2026-04-24T02:00:00Z"),
        ("Africa/Cairo", "2026-10-30T02:59:59Z", "2026-10-30T03:00:00Z"),
    ],
)
def test_season_ends_at_five_in_the_morning_after_its_last_day(cast, zone, inside, outside):
    cast.club.time_zone = zone
    cast.club.save()
    last = date.fromisoformat(inside[:10]).replace(day=int(inside[8:10]) - 1)
    autumn = season(cast.club, date(2026, 1, 1), last)
    played(cast, 40, 10, -20, -30, at=datetime.fromisoformat(inside))
    played(cast, 1, 2, 3, -6, at=datetime.fromisoformat(outside))
    with timezone.override(zone):  # the clock of the page
        page = standings_page(cast.club, Scope(season=autumn))
        told = str(list(rules_of(page))[-1])
    assert table(page)[0] == (1, "Amal", 40)
    assert "04:59" in told
    assert standings_page(cast.club).rows[0].record.matches == 2


# The first matches that count are the first that were played, in whichever order they came. C117
def test_late_match_takes_its_place_in_order_of_play_and_across_a_border(cast):
    first = season(cast.club, date(2026, 1, 1), date(2026, 1, 31), name="January", counted=2)
    other = season(cast.club, date(2026, 2, 1), date(2026, 2, 28), name="February")
    played(cast, 10, 0, 0, -10, at=datetime(2026, 1, 20, 18, tzinfo=UTC))
    played(cast, 100, 0, 0, -100, at=datetime(2026, 1, 25, 18, tzinfo=UTC))
    assert table(standings_page(cast.club, Scope(season=first)))[0] == (1, "Amal", 110)
    # three weeks late, played before the others
    played(cast, 1, 0, 0, -1, at=datetime(2026, 1, 10, 18, tzinfo=UTC))
    page = standings_page(cast.club, Scope(season=first))
    assert (table(page)[0], page.rows[0].record.matches) == ((1, "Amal", 11), 2)
    assert standings_page(cast.club, Scope(season=other)).rows == ()
    assert standings_page(cast.club).rows[0].record.matches == 3


def test_season_with_rules_counts_only_matches_by_just_these(cast):
    rules = {
        "rules": preset("levant-partners"),
        "preset": "levant-partners",
        "name": "In pairs",
    }
    own = season(cast.club, date(2026, 1, 1), date(2026, 12, 31), rules=rules)
    played(cast, 10, 0, 0, -10)
    played(cast, 7, 0, 0, -7, options=PARTNERS, pairs=True)
    page = standings_page(cast.club, Scope(season=own))
    assert table(page)[0] == (1, "Amal", 7)
    assert standings_page(cast.club).rows[0].record.total == 17


@pytest.mark.parametrize("size", [2, 12])
def test_list_takes_three_queries_whatever_was_played(size, django_assert_num_queries):
    club = ClubFactory()
    people = PlayerFactory.create_batch(4 * size, club=club)
    for four in range(size):
        finished(club, dict(zip(people[4 * four :][:4], (9, 3, -3, -9), strict=True)))
    with django_assert_num_queries(3):
        page = standings_page(club)
    assert [row.rank for row in page.rows] == sorted(row.rank for row in page.rows)
    assert len(page.rows) == 4 * size


# Points that are not certain yet are marked where their match counts, on people and on pairs. C69
def test_under_review_is_whoever_sat_in_such_a_match_that_counts(cast):
    amal, badr, carmen, dima = cast.players
    match = played(cast, 10, 0, 0, -10, options=PARTNERS, pairs=True)
    made = {"match": match, "club": cast.club, "opened_at": NOW, "opened_seq": 1}
    Dispute.objects.create(deal_number=1, **made)
    Dispute.objects.create(deal_number=2, **made, state="closed")
    zeina = PlayerFactory(club=cast.club, name="Zeina")
    later = finished(cast.club, {zeina: 5, amal: -5}, at=NOW + timedelta(days=1))
    Dispute.objects.create(deal_number=1, **{**made, "match": later})
    day = Scope(until=NOW.date())
    by_then, now = standings_page(cast.club, day), standings_page(cast.club)
    assert by_then.reviewed == {frozenset({one.id}) for one in cast.players}
    assert now.reviewed == by_then.reviewed | {frozenset({zeina.id})}
    pairs = standings_page(cast.club, day, of_pairs=True)
    assert pairs.reviewed == {frozenset({amal.id, carmen.id}), frozenset({badr.id, dima.id})}
    season = make_season(cast.club, starts_on=day.until + timedelta(days=1))
    assert standings_page(cast.club, Scope(season=season)).reviewed == {
        frozenset({zeina.id}),
        frozenset({amal.id}),
    }
