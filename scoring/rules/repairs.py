"""What was said of a deal, said of other seats or of another contract: for evenings on which the
phone knew the seats, the chooser or the contract wrongly (C61)."""

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
    """From this deal on the people sat otherwise: in seat s sat who is known in seat `sat[s]`.
    What was entered by `person` moves with the people, what was entered by `seat` stays."""

    kind: ClassVar = "seats"

    sat: tuple[Seat, Seat, Seat, Seat]
    from_deal: int = 1
    entered_by: Literal["person", "seat"] = "person"


@dataclass(frozen=True)
class WrongPerson:
    """From this deal on somebody else sat in a seat, who then has the points of it; `player` is
    the caller's."""

    kind: ClassVar = "person"

    seat: Seat
    player: Any
    from_deal: int = 1


@dataclass(frozen=True)
class WrongChooser:
    """What one seat chose from this deal on, the other did, and the other way round."""

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
    """A deal was played under another contract of the same shape; where that contract stands at
    another deal of the chooser, the two exchange theirs."""

    kind: ClassVar = "contract"

    deal: int
    contract: Contract


@dataclass(frozen=True)
class ForgottenDeal:
    """A deal was played before this one and not entered: this one and all later ones move one
    number on, and `entry` is the deal at the number that is free then. Without one that is entered
    like any deal that is due. Dealer and leader not given are what the schedule proposes."""

    kind: ClassVar = "forgotten"

    deal: int
    entry: Entry | None = None
    dealer: Seat | None = None
    leader: Seat | None = None


@dataclass(frozen=True)
class PhantomDeal:
    """This deal was never played: it goes, and all later ones move one number back. Where no deal
    stands at the number only the gap is closed."""

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
    """The same deal between people who sat elsewhere."""
    chooser = None if entry.chooser is None else to[entry.chooser]
    return replace(entry, chooser=chooser, tally=moved_tally(entry.tally, to))


def moved_tally(tally: Tally, to: Places) -> Tally:
    """Every seat of the facts exchanged for the one it moves to. Cards of fifty_one lie in the
    order of the seats and stay as they are: the rules then judge whether the loser still fits."""
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
    """Four numbers by seat, each at the seat to which its own moves."""
    found = [0, 0, 0, 0]
    for seat in SEATS:
        found[to[seat]] = points[seat]
    return found[0], found[1], found[2], found[3]


def inverse(to: Places) -> tuple[Seat, ...]:
    """The move that takes this one back."""
    return tuple(list(to).index(seat) for seat in SEATS)


def under_contract(entry: Entry, contract: Contract) -> Entry | None:
    """The same facts under a contract that is told in the same shape (13 tricks each counted as
    diamonds, one taker as another); None where the shapes differ. Whether the numbers fit is the
    rules' to say."""
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
