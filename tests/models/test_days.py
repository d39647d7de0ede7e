from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from scoring.models import Club
from scoring.models.days import day_of, span

BEIRUT = Club(time_zone="Asia/Beirut")
CAIRO = Club(time_zone="Africa/Cairo")


def local(club, *parts):
    return datetime(*parts, tzinfo=ZoneInfo(club.time_zone))


@pytest.mark.parametrize("club", [BEIRUT, CAIRO])
def test_night_belongs_to_the_evening_on_which_it_began(club):
    evening = date(2026, 11, 12)
    assert day_of(club, local(club, 2026, 11, 12, 20)) == evening
    assert day_of(club, local(club, 2026, 11, 13, 4, 59)) == evening
    assert day_of(club, local(club, 2026, 11, 13, 5)) == date(2026, 11, 13)


def test_day_is_the_clubs_whoever_reads_it():
    moment = local(BEIRUT, 2026, 11, 13, 4, 59).astimezone(ZoneInfo("Pacific/Auckland"))
    assert day_of(BEIRUT, moment) == date(2026, 11, 12)


@pytest.mark.parametrize(
    ("club", "day", "hours"),
    [
        (BEIRUT, date(2026, 3, 28), 23),  # the night to the 29th, at midnight
        (BEIRUT, date(2026, 10, 24), 25),  # the night to the 25th
        (CAIRO, date(2026, 4, 23), 23),  # the night to the last Friday of April
        (CAIRO, date(2026, 10, 29), 25),  # the night to the last Friday of October
        (CAIRO, date(2026, 11, 12), 24),
    ],
)
def test_day_on_which_the_clocks_change_ends_at_five_as_well(club, day, hours):
    since, until = span(club, day, day)
    elapsed = until.astimezone(UTC) - since.astimezone(UTC)
    assert elapsed.total_seconds() == hours * 3600
    assert (day_of(club, since), day_of(club, until)) == (
        day,
        date.fromordinal(day.toordinal() + 1),
    )
    assert until.hour == 5
