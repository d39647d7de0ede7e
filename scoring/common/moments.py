"""Days and times in words, on the club's clock; a night belongs to the day on which it began.

Everything here reads the current time zone, which is that of the club whose page is being drawn
(`access.http.use_clock`); commands and texts for elsewhere set it with `timezone.override`.
"""

from datetime import date, datetime

from babel import Locale
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext

from scoring.models.days import is_after_midnight, local_day


def day(at: datetime) -> str:
    """Return the club day: "30 November 2026", after midnight "night of 30 November 2026"."""
    local = timezone.localtime(at)
    text = calendar_day(local_day(local))
    return gettext("night of {day}").format(day=text) if is_after_midnight(local) else text


def short_day(at: datetime) -> str:
    """Return the club day in few letters, as below a chart."""
    return date_format(local_day(timezone.localtime(at)), "SHORT_DATE_FORMAT")


def moment(at: datetime) -> str:
    """Return day and time by the calendar: "1 Dec 2026, 01:30"."""
    return date_format(timezone.localtime(at), "SHORT_DATETIME_FORMAT")


def clock(at: datetime) -> str:
    """Return the time of day: "01:30"."""
    return date_format(timezone.localtime(at), "TIME_FORMAT")


def calendar_day(found: date) -> str:
    return date_format(found, "DATE_FORMAT")


def zone_city(zone: str) -> str:
    """Return the city of a time zone in the reader's language, where that is known."""
    known = Locale.parse(get_language() or "en", sep="-").time_zones.get(zone, {})
    return str(known.get("city") or zone.rsplit("/", 1)[-1].replace("_", " "))
