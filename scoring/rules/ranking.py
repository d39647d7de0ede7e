"""Places at the end of a match, and how a tie for the first place was broken.

C-L16, C-K11, C-B17.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from scoring.rules.rulesets.ruleset import Ruleset
from scoring.rules.seats import SEATS, Seat

type Four = tuple[int, int, int, int]
type Side = tuple[Seat, ...]

ALONE: tuple[Side, ...] = ((0,), (1,), (2,), (3,))
TEAMS: tuple[Side, ...] = ((0, 2), (1, 3))


class Comparable(Protocol):
    """A value that can be put in order."""

    def __lt__(self, other: Any, /) -> bool: ...


def places_of[T: Comparable](keys: Sequence[T]) -> tuple[int, ...]:
    """Return places for these keys, the highest first.

    `(30, 10, 10, -5)` gives `(1, 2, 2, 4)`."""
    return tuple(1 + sum(key < other for other in keys) for key in keys)


def sides(ruleset: Ruleset) -> tuple[Side, ...]:
    """Return the seats that win together: each alone, or opposite ones."""
    return TEAMS if ruleset.has_teams else ALONE


@dataclass(frozen=True, slots=True)
class TieBreak:
    """How a tie for the best total was broken.

    `kind`: more `trex_firsts`; the points of the `extra_deal`; an extra deal is still due
    (`extra_due`); the place is `shared`. `seats` share the `total`, `contenders` are those of them
    who had as many Trex first places. `firsts` are a seat's (with partner, a team's), None where
    the rules do not ask for them; `extra` the points of the extra deal, None without one."""

    kind: Literal["trex_firsts", "extra_due", "extra_deal", "shared"]
    seats: tuple[Seat, ...]
    contenders: tuple[Seat, ...]
    total: int
    firsts: Four | None
    extra: Four | None


@dataclass(frozen=True, slots=True)
class Final:
    """What decides a finished match, each by seat.

    The totals before the extra deal, its points (None when there was none), and the Trex first
    places."""

    totals: Four
    extra: Four | None
    firsts: Four


def places_now(ruleset: Ruleset, totals: Four) -> Four:
    """Return the places of a running match; equal totals share a place."""
    best_first = _of_sides(ruleset, totals, times=_wins(ruleset))
    return _by_seat(ruleset, places_of(best_first))


def final_places(ruleset: Ruleset, final: Final) -> tuple[Four, TieBreak | None]:
    """Return the places when every contract has been played.

    Only a tie for the first place is broken. Nobody who was in an extra deal falls behind one who
    was not."""
    wins = _wins(ruleset)
    before = _of_sides(ruleset, final.totals, times=wins)
    firsts = _of_sides(ruleset, final.firsts)
    extra = _of_sides(ruleset, final.extra or (0, 0, 0, 0), times=wins)
    tied = [side for side in range(len(before)) if before[side] == max(before)]
    contenders = tied
    if ruleset.tie_break == "trex_firsts":
        most = max(firsts[side] for side in tied)
        contenders = [side for side in tied if firsts[side] == most]
    keys = [(side in contenders, before[side] + extra[side]) for side in range(len(before))]
    places = places_of(keys)
    if len(tied) == 1:
        return _by_seat(ruleset, places), None
    tie_break = TieBreak(
        kind=_kind(ruleset, contenders, final, places),
        seats=_seats(ruleset, tied),
        contenders=_seats(ruleset, contenders),
        total=wins * max(before),
        firsts=_by_seat(ruleset, firsts) if ruleset.tie_break == "trex_firsts" else None,
        extra=final.extra,
    )
    return _by_seat(ruleset, places), tie_break


def _kind(
    ruleset: Ruleset, contenders: Sequence[int], final: Final, places: Sequence[int]
) -> Literal["trex_firsts", "extra_due", "extra_deal", "shared"]:
    if ruleset.tie_break == "shared":
        return "shared"
    if len(contenders) == 1:
        return "trex_firsts"
    if final.extra is None:
        return "extra_due"
    return "extra_deal" if places.count(1) == 1 else "shared"


def _wins(ruleset: Ruleset) -> int:
    return 1 if ruleset.win == "high" else -1


def _of_sides(ruleset: Ruleset, numbers: Four, times: int = 1) -> list[int]:
    return [times * sum(numbers[seat] for seat in side) for side in sides(ruleset)]


def _by_seat(ruleset: Ruleset, of_sides: Sequence[int]) -> Four:
    by_seat = dict.fromkeys(SEATS, 0)
    for side, number in zip(sides(ruleset), of_sides, strict=True):
        by_seat |= dict.fromkeys(side, number)
    return by_seat[0], by_seat[1], by_seat[2], by_seat[3]


def _seats(ruleset: Ruleset, chosen: Sequence[int]) -> tuple[Seat, ...]:
    return tuple(sorted(seat for side in chosen for seat in sides(ruleset)[side]))
