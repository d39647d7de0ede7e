"""Dates and times as people write them in files: year first, day or month first, day numbers.

A moment without a time of day is noon. Without an offset it is meant on the club's clock.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from typing import Final, Literal

from scoring.importing.values import as_text, plain_digits

type Order = Literal["day", "month"]
"""What comes first in dates whose year comes last."""

ORDERS: Final[tuple[Order, ...]] = ("day", "month")
NOON = time(12)
EARLIEST, LATEST = 1900, 2100
DAY_NOUGHT = datetime(1899, 12, 30)
"""From here spreadsheets count the days."""

_CLOCK = r"(?:,?[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?: ?([ap])\.?m\.?)?)?"
_YEAR_FIRST = re.compile(
    rf"(\d{{4}})[-/.](\d{{1,2}})[-/.](\d{{1,2}}){_CLOCK} ?(Z|[+-]\d{{2}}:?\d{{2}})?", re.IGNORECASE
)
_YEAR_LAST = re.compile(rf"(\d{{1,2}})([-/.])(\d{{1,2}})\2(\d{{4}}){_CLOCK}", re.IGNORECASE)
_NUMBER_OF_DAYS = re.compile(r"([1-9]\d{4})(?:[.,](\d+))?")


class TwoReadings(ValueError):
    """Raised for a date that may be in either order; has both readings, day first."""

    def __init__(self, readings: Iterable[datetime]) -> None:
        self.readings = tuple(readings)
        super().__init__(*self.readings)


class OtherOrder(ValueError):
    """Raised for a date in another order of day and month than the rest of its file."""


def moment(value: object, order: Order | None = None) -> datetime:
    """Return the date and time of a value; `order` is that of the whole file.

    Raises ValueError for what is no date."""
    readings = _readings(value)
    if None in readings:
        return readings[None]
    if order is not None:
        if order not in readings:
            raise OtherOrder(value)
        return readings[order]
    if len(set(readings.values())) > 1:
        raise TwoReadings(readings.values())
    return next(iter(readings.values()))


class Dates:
    """Reader of the dates of one file, in which day and month are in one order.

    `order` is the one that was asked for. Without one the first date that has only one reading
    decides; `look_ahead` gives all moments of the file, to find it."""

    def __init__(
        self, order: Order | None = None, look_ahead: Callable[[], Iterable[object]] = tuple
    ) -> None:
        self.order = order
        self.look_ahead = look_ahead

    def read(self, value: object) -> datetime:
        """Return the date and time of a value.

        Raises `TwoReadings` where nothing in the file decides."""
        self.order = self.order or _only_order(value)
        try:
            return moment(value, self.order)
        except TwoReadings:
            self.order = next(filter(None, map(_only_order, self.look_ahead())), None)
            return moment(value, self.order)


def _only_order(value: object) -> Order | None:
    """Return the order of a date whose year comes last, if only one is possible."""
    try:
        readings = _readings(value)
    except ValueError:
        return None
    return next(iter(readings)) if len(readings) == 1 else None


def _readings(value: object) -> dict[Order | None, datetime]:
    """Return what the value may mean, by order; None where the order makes no difference."""
    found = _YEAR_LAST.fullmatch(_plain(value)) if isinstance(value, str) else None
    if not found:
        return {None: _only_reading(value)}
    one, _separator, other, year, *clock = found.groups()
    readings: dict[Order | None, datetime] = {}
    with suppress(ValueError):
        readings["day"] = _at(year, other, one, clock)
    with suppress(ValueError):
        readings["month"] = _at(year, one, other, clock)
    if not readings:
        raise ValueError(value)
    return readings


def _only_reading(value: object) -> datetime:
    if isinstance(value, datetime):
        return _to_the_second(_in_range(value))
    if isinstance(value, date):
        return _in_range(datetime.combine(value, NOON))
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(value)
    text = _plain(value)
    if found := _NUMBER_OF_DAYS.fullmatch(text):
        return _numbered(int(found[1]), float(f"0.{found[2] or 0}"))
    if not (found := _YEAR_FIRST.fullmatch(text)):
        raise ValueError(value)
    year, month, day, *clock, offset = found.groups()
    return _at(year, month, day, clock, offset)


def _at(
    year: str, month: str, day: str, clock: list[str | None], offset: str | None = None
) -> datetime:
    hour, minute, second, half = clock
    if half:
        hour = str(_of_24(int(hour or 0), half))
    text = f"{year}-{month:0>2}-{day:0>2}T{hour or 12:0>2}:{minute or '00'}:{second or '00'}"
    return _in_range(datetime.fromisoformat(text + (offset or "")))


def _of_24(hour: int, half: str) -> int:
    """Return the hour of a time with a.m. or p.m."""
    if not 1 <= hour <= 12:
        raise ValueError(hour)
    return hour % 12 + (12 if half in "pP" else 0)


def _numbered(days: int, part: float) -> datetime:
    """Return the date of a spreadsheet number: days, with a fraction for the time."""
    if not part:
        return _in_range(datetime.combine(DAY_NOUGHT + timedelta(days=days), NOON))
    return _to_the_second(_in_range(DAY_NOUGHT + timedelta(days=days + part)))


def _plain(value: str | int | float) -> str:
    return plain_digits(as_text(value))


def _in_range(when: datetime) -> datetime:
    if EARLIEST <= when.year <= LATEST:
        return when
    raise ValueError(when)


def _to_the_second(when: datetime) -> datetime:
    """Round to the second, which fractions of a day miss by a little."""
    return (when + timedelta(microseconds=500_000)).replace(microsecond=0)
