"""Problems of a match while it is checked, by the path to each value."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any

from scoring.importing.dates import Dates, OtherOrder, TwoReadings
from scoring.importing.faults import Fault, FaultCode, Path, Place, Raw, Unreadable, file_fault
from scoring.rules.problems import Code, Detail, Problem, ProblemCode
from scoring.rules.seats import Seat, is_seat

LONGEST_QUOTE = 40


class MatchNotes:
    """Problems by path; positions are looked up at the end, since nearly every match has none."""

    def __init__(self, raw: Raw, dates: Dates, end: datetime | None = None) -> None:
        """`end`: when nothing can have been played yet, on the club's clock."""
        self.raw = raw
        self.dates = dates
        self.end = end
        self.found: list[tuple[Path, Problem, int | None]] = []
        self.said: set[Path] = set()

    def add(self, path: Path, problem: Problem, deal: int | None = None) -> None:
        """Add a problem of this value."""
        self.found.append((path, problem, deal))
        self.said.add(path)

    def say(self, path: Path, code: Code, deal: int | None = None, **numbers: Detail) -> None:
        """Add a problem, unless this value has one already."""
        if path not in self.said:
            self.add(path, Problem(code, str(path[-1]), numbers), deal)

    def seat(self, path: Path, value: object, deal: int | None = None) -> Seat | None:
        """Return a seat, None where none is given or it is invalid."""
        if value is None or is_seat(value):
            return value
        self.say(path, ProblemCode.BAD_SEAT, deal, found=quoted(value))
        return None

    def text(self, path: Path, value: object, most: int) -> str:
        """Return one line of text, empty where none is given or it cannot be stored."""
        if type(value) is int and abs(value) < 10**18:
            value = str(value)
        if value is None:
            return ""
        if not isinstance(value, str) or not value.isprintable():
            self.say(path, FaultCode.BAD_TEXT)
            return ""
        if len(value) > most:
            self.say(path, FaultCode.TOO_LONG, limit=most, length=len(value))
            return ""
        return value.strip()

    def moment(self, path: Path, value: object, deal: int | None = None) -> Any:
        """Return a date and time, None where none is given or it is invalid.

        Raises `Unreadable` where it may be of two days and nothing in the file decides."""
        if value is None or value == "":
            return None
        try:
            found = self.dates.read(value)
        except TwoReadings as two:
            day, month = (f"{reading:%Y-%m-%d}" for reading in two.readings)
            numbers = {"found": quoted(value), "day": day, "month": month}
            place = self.raw.places({path})[path]
            raise Unreadable(file_fault(FaultCode.TWO_DATES, place, **numbers)) from None
        except OtherOrder:
            self.say(path, FaultCode.OTHER_ORDER, deal, found=quoted(value))
            return None
        except ValueError:
            self.say(path, FaultCode.BAD_DATE, deal, found=quoted(value))
            return None
        if self._is_to_come(found):
            self.say(path, FaultCode.IN_THE_FUTURE, deal, found=f"{found:%Y-%m-%d}")
        return found

    def _is_to_come(self, found: datetime) -> bool:
        if self.end is None:
            return False
        return found >= (self.end if found.tzinfo else self.end.replace(tzinfo=None))

    def faults(self, places: Mapping[Path, Place]) -> tuple[Fault, ...]:
        """Return all problems with their positions."""
        return tuple(Fault(problem, places[path], deal) for path, problem, deal in self.found)

    def places(self, others: Iterable[Path] = ()) -> Mapping[Path, Place]:
        """Return the positions of all problems and of these other values."""
        wanted: Collection[Path] = {*others, *(path for path, _, _ in self.found)}
        return self.raw.places(wanted)


def quoted(value: object) -> str:
    """Return the beginning of a value, to be shown."""
    if isinstance(value, int) and abs(value) > 10**LONGEST_QUOTE:
        return "…"
    text = value if isinstance(value, str | int | float) else type(value).__name__
    return str(text)[:LONGEST_QUOTE]
