"""The days of a club: each ends at five in the morning, so that a night belongs to the evening on
which it began."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from scoring.models.clubs import Club

DAY_ENDS = time(5)


def day_of(club: Club, moment: datetime) -> date:
    """The day of the club to which this moment belongs, read from its own clock."""
    local = moment.astimezone(ZoneInfo(club.time_zone))
    return local.date() - timedelta(days=local.time() < DAY_ENDS)


def span(club: Club, first: date, last: date) -> tuple[datetime, datetime]:
    """From when until before when these days last, both counted; aware moments. A night in which
    the clocks change is an hour longer or shorter, and its end is five o'clock all the same."""
    return _begin(club, first), end_of(club, last)


def end_of(club: Club, day: date) -> datetime:
    """Before when it is this day or an earlier one; a day that has a next one."""
    return _begin(club, day + timedelta(days=1))


def _begin(club: Club, day: date) -> datetime:
    return datetime.combine(day, DAY_ENDS, ZoneInfo(club.time_zone))
