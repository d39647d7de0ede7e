"""Standings as of an earlier day: those of a club in which nothing was played since."""

from datetime import timedelta
from itertools import product
from random import Random
from uuid import uuid4

import pytest

from scoring.models import MatchResult
from scoring.models.days import day_of
from scoring.players.services import merging
from scoring.rules import preset
from scoring.standings.queries.standings import Scope, standings_page
from scoring.standings.services import ratings, totals
from tests.factories import NOW, PHONE, ClubFactory, PlayerFactory
from tests.support.standings import finished, make_season

pytestmark = pytest.mark.django_db

NAMES = ("Amal", "Badr", "Carmen", "Dima", "Elie", "Fadi", "Elie's twin")
GAMES = (
    {},
    {"options": preset("levant-partners").options(), "pairs": True},
    {"system": "barbu"},
)
DAYS = 8
TODAY = day_of(ClubFactory.build(), NOW)


def history(dice):
    """A few matches, any day; points so small that many are level."""
    for number in range(dice.randrange(5, 11)):
        days, hours = dice.randrange(DAYS), dice.randrange(12)
        at = NOW - timedelta(days=days, hours=hours, minutes=number)
        points = [10 * dice.randrange(-2, 3) for _ in range(4)]
        yield at, dice.sample(NAMES, 4), points, dice.choice(GAMES), dice.random() < 0.3


def club_of(matches, are_one, counted):
    """A club in which just these were played, with a season of which so many count; afterwards two
    people may turn out to be one."""
    club = ClubFactory(minimum=2, criteria=["total", "wins", "rating"])
    people = {name: PlayerFactory(club=club, name=name) for name in NAMES}
    season = make_season(club, counted=counted, minimum=1)
    for at, four, points, game, in_two_seats in matches:
        seated = {people[name]: share for name, share in zip(four, points, strict=True)}
        match = finished(club, seated, at=at, **game)
        if in_two_seats:
            sit_again(match, people[four[0]])
    if are_one:
        merging.merge(player=people["Elie's twin"], into=people["Elie"], actor=PHONE, now=NOW)
    ratings.rebuild(club=club)
    return club, season


def sit_again(match, player):
    """Somebody has had a few deals in the last seat too."""
    (*others, last) = MatchResult.objects.filter(match=match).order_by("seat")
    facts = {field.attname: getattr(last, field.attname) for field in MatchResult._meta.fields}
    again = {"id": uuid4(), "player_id": player.id, "seated_id": player.id, "partner_id": None}
    MatchResult.objects.create(**facts | again | {"points": 5, "deals": 3})
    people = {row.player_id for row in (*others, last)}
    totals.recount(club=match.club, people=people)


def told(club, season, day=None):
    """Every list of a club as it is read, all its rows with all that they say."""
    for scope, of_pairs, by in product((None, season), (False, True), ("", "rating")):
        until = Scope(season=scope, until=day)
        for family in [each.family for each in standings_page(club, until).tables]:
            page = standings_page(club, until, family, of_pairs=of_pairs, by=by)
            yield (
                [(each.family, each.has_pairs, each.last_at) for each in page.tables],
                [line(row) for row in page.rows],
                page.criteria,
                page.as_of,
            )


def line(row):
    record = row.record
    sums = (record.matches, record.total, record.wins, record.places, record.seats, record.rating)
    return row.rank, row.needs, row.decided_by, row.shares, row.player.name, sums


# The same ranks, sums, ties, provisional rows and ratings, whatever was played. C76, C78, C82
@pytest.mark.parametrize("luck", range(6))
def test_day_shows_what_a_club_shows_where_nothing_was_played_since(luck):
    played = list(history(Random(luck)))
    are_one = not any({"Elie", "Elie's twin"} <= set(four) for _, four, *_ in played)
    rules = {"are_one": are_one, "counted": 2 if luck % 2 else None}
    club, season = club_of(played, **rules)
    assert list(told(club, season, TODAY)) == list(told(club, season))
    day = TODAY - timedelta(days=Random(luck).randrange(1, DAYS))
    by_then, own = club_of([one for one in played if day_of(club, one[0]) <= day], **rules)
    assert list(told(club, season, day)) == list(told(by_then, own))
