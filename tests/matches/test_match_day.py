"""A match moves to the day on which it was played: one event, and everything derived follows."""

from datetime import UTC, date, datetime, timedelta

import pytest

from scoring.common.errors import ServiceError
from scoring.integrity.queries.integrity import findings
from scoring.integrity.services.rebuild import rebuild
from scoring.matches.services import matches
from scoring.models import MatchEvent, PlayerTotal, RatingStep, Verdict
from scoring.standings.services.ratings import work_out
from tests.factories import (
    NOW,
    PHONE,
    attach,
    evening_record,
    finish,
    make_cast,
    make_evening,
    make_match,
    newest,
    write,
)
from tests.support.standings import make_season

pytestmark = pytest.mark.django_db

DAY = date(2026, 11, 12)


def change_day(match, day, *, reason="Entered later", **more):
    return write(matches.change_day, match, day=day, reason=reason, **more)


def refused(match, day, **more):
    events = MatchEvent.objects.count()
    with pytest.raises(ServiceError) as caught:
        change_day(match, day, **more)
    assert MatchEvent.objects.count() == events
    return [(problem.code, problem.field) for problem in caught.value.problems]


def test_the_day_changes_and_the_time_of_day_stays():
    match = make_match()
    change_day(match, date(2026, 10, 3))
    match.refresh_from_db()
    assert match.played_at == NOW.replace(month=10, day=3)
    event = match.events.get(kind="day_changed")
    assert event.content["facts"] == {"played_at": "2026-10-03T18:15:00.000000+00:00"}
    assert not list(findings(only=match.id))


def test_after_midnight_it_stays_in_the_night_of_the_chosen_day():
    """Half past one in Beirut, in the summer and in the winter."""
    cast = make_cast()
    match = make_match(
        club=cast.club, players=cast.players, now=datetime(2026, 11, 12, 23, 30, tzinfo=UTC)
    )
    change_day(match, date(2026, 10, 20), now=datetime(2026, 11, 13, tzinfo=UTC))
    match.refresh_from_db()
    assert match.played_at == datetime(2026, 10, 20, 22, 30, tzinfo=UTC)


def test_a_day_to_come_and_a_missing_reason_are_refused():
    match = make_match()
    assert refused(match, DAY + timedelta(days=1)) == [("in_future", "day")]
    assert refused(match, date(2026, 11, 11), reason=" ") == [("missing", "reason")]
    match.refresh_from_db()
    assert match.played_at == NOW


def test_the_same_day_writes_nothing_and_a_repeated_key_writes_once():
    match = make_match()
    change_day(match, DAY)
    assert newest(match) == 1
    key = {"entry_key": PHONE.device}
    change_day(match, date(2026, 11, 1), **key)
    change_day(match, date(2026, 11, 1), **key, version=1)
    assert newest(match) == 2


def test_sums_seasons_ratings_and_records_follow():
    cast = make_cast()
    season = make_season(cast.club, starts_on=date(2026, 11, 1))
    opening = {"club": cast.club, "actor": PHONE}
    match = make_evening("evening-levant", **opening)
    attach(match, 1, evening_record("evening-levant", 1))
    finish(match)
    later = finish(make_evening("evening-levant", now=NOW + timedelta(days=1), **opening))
    list(work_out(club=cast.club))
    assert PlayerTotal.objects.filter(season=season).values_list("matches", flat=True)[0] == 2
    change_day(match, date(2026, 10, 31), now=NOW + timedelta(days=2))
    list(work_out(club=cast.club))
    assert PlayerTotal.objects.filter(season=season).values_list("matches", flat=True)[0] == 1
    days = RatingStep.objects.filter(match=match).values_list("played_at", flat=True)
    assert set(days) == {NOW.replace(month=10, day=31)}
    assert Verdict.objects.get().played_at == NOW.replace(month=10, day=31)
    change_day(match, date(2026, 11, 13), now=NOW + timedelta(days=2))
    list(work_out(club=cast.club))
    assert PlayerTotal.objects.filter(season=season).values_list("matches", flat=True)[0] == 2
    order = RatingStep.objects.order_by("played_at", "opened_at").values_list("match", flat=True)
    assert list(dict.fromkeys(order)) == [match.id, later.id]
    assert not list(findings())
    assert not rebuild(match_id=match.id)
