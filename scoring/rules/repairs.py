"""Entries moved to other seats, to another chooser or to another contract (C61).

For matches that were entered with wrong seats, choosers or contracts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from scoring.rules.contracts import Contract
from scoring.rules.items import Item
from scoring.rules.ranking import Four
from scoring.rules.seats import SEATS, Seat
from scoring.rules.tally import Double, Entry, Tally

type Places = Sequence[Seat]
"""For each seat the seat to which everything said of it belongs: `(1, 0, 2, 3)` is an exchange."""


@dataclass(frozen=True)
class WrongSeats:
    """From this deal on the people sat in other seats.

    In seat s sat the person who is known in seat `sat[s]`. What was entered by `person` moves with
    the people, what was entered by `seat` stays."""

    kind: ClassVar = "seats"

    sat: tuple[Seat, Seat, Seat, Seat]
    from_deal: int = 1
    entered_by: Literal["person", "seat"] = "person"


@dataclass(frozen=True)
class WrongPerson:
    """From this deal on somebody else sat in a seat and gets its points.

    `player` is the caller's."""

    kind: ClassVar = "person"

    seat: Seat
    player: Any
    from_deal: int = 1


@dataclass(frozen=True)
class WrongChooser:
    """Two choosers were exchanged from this deal on."""

    kind: ClassVar = "chooser"

    one: Seat
    other: Seat
    from_deal: int = 1


@dataclass(frozen=True)
class WrongPlaces:
    """Two deals were played each at the other's place."""

    kind: ClassVar = "places"

    one: int
    other: int


@dataclass(frozen=True)
class WrongContract:
    """A deal was played under another contract of the same shape.

    Where that contract belongs to another deal of the chooser, the two are exchanged."""

    kind: ClassVar = "contract"

    deal: int
    contract: Contract


@dataclass(frozen=True)
class ForgottenDeal:
    """A deal was played before this one and not entered.

    This one and all later ones move one number on, and `entry` becomes the deal at the number that
    is free then. Without one it is entered later, like any deal that is due. Dealer and leader not
    given are what the schedule proposes."""

    kind: ClassVar = "forgotten"

    deal: int
    entry: Entry | None = None
    dealer: Seat | None = None
    leader: Seat | None = None


@dataclass(frozen=True)
class PhantomDeal:
    """A deal that was never played is removed.

    All later ones move one number back. Where there is no deal at the number only the gap is
    closed."""

    kind: ClassVar = "phantom"

    deal: int


type Repair = (
    WrongSeats
    | WrongPerson
    | WrongChooser
    | WrongPlaces
    | WrongContract
    | ForgottenDeal
    | PhantomDeal
)


COUNTS = {
    "queens": "queens",
    "diamonds": "diamonds",
    "hearts": "hearts",
    "tricks": "tricks",
}
ONE_SEAT = {"king": "king_taken_by", "last_trick": "last_trick_by", "fifty_one": "loser"}


def moved_entry(entry: Entry, to: Places) -> Entry:
    """Return the same deal between people who sat in other seats."""
    chooser = None if entry.chooser is None else to[entry.chooser]
    return replace(entry, chooser=chooser, tally=moved_tally(entry.tally, to))


def moved_tally(tally: Tally, to: Places) -> Tally:
    """Return the facts with every seat exchanged for the one it moves to.

    Cards of fifty_one lie in the order of the seats and stay as they are: the rules then judge
    whether the loser still fits."""
    return replace(
        tally,
        king_taken_by=_seat(tally.king_taken_by, to),
        queens_taken_by=_takers(tally.queens_taken_by, to),
        queens=_counts(tally.queens, to),
        diamonds=_counts(tally.diamonds, to),
        hearts=_counts(tally.hearts, to),
        tricks=_counts(tally.tricks, to),
        last_trick_by=_seat(tally.last_trick_by, to),
        finish_order=_order(tally.finish_order, to),
        loser=_seat(tally.loser, to),
        doubles=tuple(Double(double.card, to[double.by]) for double in tally.doubles),
        revoke_by=_seat(tally.revoke_by, to),
        cheat_by=_seat(tally.cheat_by, to),
        trick_leader=_takers(tally.trick_leader, to),
    )


def moved_points(points: Four, to: Places) -> Four:
    """Return four numbers by seat, each at the seat to which its own moves."""
    found = [0, 0, 0, 0]
    for seat in SEATS:
        found[to[seat]] = points[seat]
    return found[0], found[1], found[2], found[3]


def inverse(to: Places) -> tuple[Seat, ...]:
    """Return the move that undoes this one."""
    return tuple(list(to).index(seat) for seat in SEATS)


def under_contract(entry: Entry, contract: Contract) -> Entry | None:
    """Return the same facts under another contract of the same shape, None for another shape.

    Such as 13 diamonds as 13 tricks, or one taker as another. Whether the numbers fit is for the
    rules to check."""
    old, new = entry.contract.key, contract.key
    for keys in (COUNTS, ONE_SEAT):
        if old in keys and new in keys:
            said = getattr(entry.tally, keys[old])
            if said is None and old == Item.QUEENS and entry.tally.queens_taken_by is not None:
                takers = list(entry.tally.queens_taken_by.values())
                said = tuple(takers.count(seat) for seat in SEATS)
            facts = {keys[old]: None, "queens_taken_by": None, keys[new]: said}
            return replace(entry, contract=contract, tally=replace(entry.tally, **facts))
    return None


def _seat(seat: Seat | None, to: Places) -> Seat | None:
    return None if seat is None else to[seat]


def _takers(takers: Mapping[str, Seat] | None, to: Places) -> Mapping[str, Seat] | None:
    return None if takers is None else {card: to[seat] for card, seat in takers.items()}


def _counts(counts: Four | None, to: Places) -> Four | None:
    return None if counts is None else moved_points(counts, to)


def _order(order: tuple[Seat, ...] | None, to: Places) -> tuple[Seat, ...] | None:
    return None if order is None else tuple(to[seat] for seat in order)
