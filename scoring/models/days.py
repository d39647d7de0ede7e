"""The days of a club, each of which ends at five in the morning.

So a night belongs to the evening on which it began. A match without a club has the clock of the
server.
"""

from datetime import date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

from django.utils import timezone

from scoring.importing.dates import NOON
from scoring.models.clubs import Club

YEARS = range(1900, 2200)
DAY_ENDS = time(5)


def zone_of(club: Club | None) -> tzinfo:
    return ZoneInfo(club.time_zone) if club else timezone.get_default_timezone()


def is_after_midnight(local: datetime) -> bool:
    """Return whether this local time belongs to the night of the day before."""
    return local.time() < DAY_ENDS


def local_day(local: datetime) -> date:
    """Return the day to which this local time belongs."""
    return local.date() - timedelta(days=is_after_midnight(local))


def day_of(club: Club | None, moment: datetime) -> date:
    """Return the day of the club to which this moment belongs, on its own clock."""
    return local_day(moment.astimezone(zone_of(club)))


def noon(club: Club | None, day: date) -> datetime:
    """Return the moment for something of which only the day is known."""
    return datetime.combine(day, NOON, zone_of(club))


def moved_to(club: Club | None, moment: datetime, day: date) -> datetime:
    """Return the same time of day on another day of the club."""
    local = moment.astimezone(zone_of(club))
    other = local.date() + (day - local_day(local))
    return datetime.combine(other, local.time(), zone_of(club))


def span(club: Club, first: date, last: date) -> tuple[datetime, datetime]:
    """Return the beginning and the end of these days, both included, as aware moments.

    A night in which the clocks change is an hour longer or shorter, and still ends at five."""
    return _begin(club, first), end_of(club, last)


def end_of(club: Club, day: date) -> datetime:
    """Return the end of this day."""
    return _begin(club, day + timedelta(days=1))


def _begin(club: Club, day: date) -> datetime:
    return datetime.combine(day, DAY_ENDS, zone_of(club))
