"""Deal numbers before and after a deal was inserted or removed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Shift(NamedTuple):
    """A move of all numbers from `at` on by `by` (+1 or −1), with event `seq` of the match.

    `reverts`: the event whose shift this one undoes."""

    seq: int
    at: int
    by: int
    reverts: int | None = None


def number_now(shifts: Sequence[Shift], number: int, seq: int) -> int | None:
    """Return today's number of the deal that event `seq` called `number`.

    None once that deal was removed."""
    for shift in _applied(shifts, seq):
        if shift.by < 0 and number == shift.at:
            return None
        number += shift.by if number >= shift.at else 0
    return number


def start_now(shifts: Sequence[Shift], number: int, seq: int) -> int:
    """Return today's number of the deal from which something applies.

    From 1 on means from the start; where that deal was removed it applies from the next one."""
    for shift in _applied(shifts, seq):
        moves = number > shift.at if shift.by < 0 else number >= shift.at
        number += shift.by if moves and number > 1 else 0
    return number


def numbers_then(shifts: Sequence[Shift], number: int) -> Iterator[tuple[int, int | None, int]]:
    """Return the earlier numbers of a deal: (first event, first event no more, number) each."""
    bounds = [0, *(shift.seq for shift in shifts)]
    for first, end in zip(bounds, [*bounds[1:], None], strict=True):
        for then in range(max(1, number - len(shifts)), number + len(shifts) + 1):
            if number_now(shifts, then, first) == number:
                yield first, end, then


def _applied(shifts: Sequence[Shift], seq: int) -> list[Shift]:
    """Return the shifts after an event, oldest first, without those that were undone since."""
    found: list[Shift] = []
    gone: set[int] = set()
    for shift in reversed(shifts):
        if shift.seq <= seq or shift.seq in gone:
            continue
        if shift.reverts is not None and shift.reverts > seq:
            gone.add(shift.reverts)
        else:
            found.append(shift)
    return found[::-1]
