"""Every single mistake in adding up that explains all written totals.

kind             what was done
total_number     one number of one total is another
total_carried    the same, and the totals below it went on from there
totals_exchanged the numbers of two seats stand in each other's place
line_skipped     a line is left out, for all four
line_twice       a line is counted twice, for all four
line_signs       a line is counted with the other signs, for all four
line_elsewhere   a line is counted in another kingdom

All but the first two are told in one way, carried on or not (`AddingSlip.totals`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scoring.finder.sheet import Fixed, Some, WrittenSheet, WrittenTotal
from scoring.rules.ranking import Four
from scoring.rules.seats import SEATS, Seat

COUNTED_AS = {"line_skipped": -1, "line_twice": 1, "line_signs": -2}
"""What is added to a total, in lines, where one was not counted once."""

type Off = Mapping[tuple[int, Seat], int]
"""By how much each number of each total is off."""


class AddingSlip(NamedTuple):
    """One mistake in adding up.

    The total in which it was made, all that it touches, what it added to them. `line` is the line
    that was not counted as it should be; `other`, where it went instead; `late`, whether the line
    was already in the totals above."""

    kind: str
    total: int
    totals: tuple[int, ...]
    by: Four
    line: int | None = None
    other: int | None = None
    late: bool = False


def slips(sheet: WrittenSheet) -> Iterator[AddingSlip]:
    """Yield every mistake that explains all disagreements of the sheet, and nothing else."""
    off: Off = {(each.total, each.seat): each.off_by for each in sheet.disagreements}
    for place in dict.fromkeys(total for total, _ in off):
        for slip in _at(sheet, place, off):
            carried = slip._replace(totals=_below(sheet, place))
            for each in (slip, carried):
                if _expected(sheet, each) == off:
                    yield _named(each)
                    break
    yield from _elsewhere(sheet, off)


def _named(slip: AddingSlip) -> AddingSlip:
    if slip.kind == "total_number" and len(slip.totals) > 1:
        return slip._replace(kind="total_carried")
    return slip


def _at(sheet: WrittenSheet, place: int, off: Off) -> Iterator[AddingSlip]:
    """Yield the mistakes that give the numbers of this total."""
    wrong = [seat for seat in SEATS if (place, seat) in off]
    if len(wrong) == 1:
        yield AddingSlip("total_number", place, (place,), _four({wrong[0]: off[place, wrong[0]]}))
    if len(wrong) == 2:
        yield from _exchanged(sheet.totals[place], off, place, wrong)
    for row in sheet.totals[place].rows:
        yield from _miscounted(sheet, place, row)


def _exchanged(
    total: WrittenTotal, off: Off, place: int, seats: list[Seat]
) -> Iterator[AddingSlip]:
    one, other = seats
    by = off[place, one], off[place, other]
    written = total.points[one], total.points[other]
    if None not in written and written == ((written[1] or 0) + by[0], (written[0] or 0) + by[1]):
        yield AddingSlip("totals_exchanged", place, (place,), _four({one: by[0], other: by[1]}))


def _miscounted(sheet: WrittenSheet, place: int, row: int) -> Iterator[AddingSlip]:
    if isinstance(sheet.lines[row], Fixed):
        return
    for kind, times in COUNTED_AS.items():
        by = _times(sheet.lines[row].points, times)
        yield AddingSlip(kind, place, (place,), by, line=row, late=_is_late(sheet, place, row))


def _is_late(sheet: WrittenSheet, place: int, row: int) -> bool:
    """Return whether a total above this one had added the line up."""
    rows = set(sheet.totals[place].rows)
    return any(row in each.rows and rows > set(each.rows) for each in sheet.totals)


def _below(sheet: WrittenSheet, place: int) -> tuple[int, ...]:
    """Return the total and all that add up the same lines and more."""
    rows = set(sheet.totals[place].rows)
    return tuple(other for other, each in enumerate(sheet.totals) if set(each.rows) >= rows)


def _expected(sheet: WrittenSheet, slip: AddingSlip) -> Off:
    """Return what would be off after this mistake."""
    found = dict(_touched(sheet, slip.totals, slip.by))
    if slip.other is not None:
        found |= _touched(sheet, (slip.other,), _times(slip.by, -1))
    return found


def _touched(
    sheet: WrittenSheet, totals: tuple[int, ...], by: Four
) -> Iterator[tuple[tuple[int, Seat], int]]:
    for place in totals:
        for seat in SEATS:
            if by[seat] and sheet.totals[place].points[seat] is not None:
                yield (place, seat), by[seat]


def _elsewhere(sheet: WrittenSheet, off: Off) -> Iterator[AddingSlip]:
    """Yield lines missing from one kingdom and counted in another."""
    wrong = sorted({place for place, _ in off})
    if len(wrong) != 2 or any(sheet.totals[place].kind != "kingdom" for place in wrong):
        return
    for place, other in (wrong, wrong[::-1]):
        for row in sheet.totals[place].rows:
            if row not in sheet.totals[other].rows and not isinstance(sheet.lines[row], Fixed):
                by = _times(sheet.lines[row].points, -1)
                slip = AddingSlip("line_elsewhere", place, (place,), by, line=row, other=other)
                if _expected(sheet, slip) == off:
                    yield slip


def numbers(sheet: WrittenSheet, slip: AddingSlip) -> tuple[Some, Some]:
    """Return the wrong numbers where the mistake was made, as written and as they should be."""
    written = sheet.totals[slip.total].points
    before = [
        points if points is not None and by else None
        for points, by in zip(written, slip.by, strict=True)
    ]
    now = [
        None if points is None else points - by for points, by in zip(before, slip.by, strict=True)
    ]
    return (before[0], before[1], before[2], before[3]), (now[0], now[1], now[2], now[3])


def _times(four: Four, times: int) -> Four:
    return four[0] * times, four[1] * times, four[2] * times, four[3] * times


def _four(by: Mapping[Seat, int]) -> Four:
    return by.get(0, 0), by.get(1, 0), by.get(2, 0), by.get(3, 0)
