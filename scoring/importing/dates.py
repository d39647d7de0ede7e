"""Moments as people write them in files: year first, day or month first, numbers of days.

A moment without a time of day is noon. Without an offset it is meant on the club's clock."""

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
    """A date that may be of either order; holds both readings, day first."""

    def __init__(self, readings: Iterable[datetime]) -> None:
        self.readings = tuple(readings)
        super().__init__(*self.readings)


class OtherOrder(ValueError):
    """A date that only goes in the other order than the rest of its file."""


def moment(value: object, order: Order | None = None) -> datetime:
    """When it was. ValueError for what is no moment; `order` is that of the whole file."""
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
    """Reads the moments of one file, in which day and month stand in one order.

    `order` is the one that was asked for. Without one the first date that has only one reading
    decides; `look_ahead` gives all moments of the file, to find it."""

    def __init__(
        self, order: Order | None = None, look_ahead: Callable[[], Iterable[object]] = tuple
    ) -> None:
        self.order = order
        self.look_ahead = look_ahead

    def read(self, value: object) -> datetime:
        """As `moment`; `TwoReadings` where nothing in the file decides."""
        self.order = self.order or _only_order(value)
        try:
            return moment(value, self.order)
        except TwoReadings:
            self.order = next(filter(None, map(_only_order, self.look_ahead())), None)
            return moment(value, self.order)


def _only_order(value: object) -> Order | None:
    """The order of a date whose year comes last, where it goes in one order only."""
    try:
        readings = _readings(value)
    except ValueError:
        return None
    return next(iter(readings)) if len(readings) == 1 else None


def _readings(value: object) -> dict[Order | None, datetime]:
    """What the value may mean, by the order; None where the order says nothing."""
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
    """An hour of the clock with a.m. and p.m."""
    if not 1 <= hour <= 12:
        raise ValueError(hour)
    return hour % 12 + (12 if half in "pP" else 0)


def _numbered(days: int, part: float) -> datetime:
    """A moment as spreadsheets keep it: the number of days, with a part of the day if any."""
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
    """Workbooks keep times as fractions of a day, which miss the second by a little."""
    return (when + timedelta(microseconds=500_000)).replace(microsecond=0)
