"""The facts of one deal and its entry: who took what, who doubled, who went out when.

Never a point value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from scoring.rules.cards import Card
from scoring.rules.contracts import Contract
from scoring.rules.seats import Seat

PAYLOAD_VERSION = 1
PENALTY_KEYS = ("revoke_by", "cheat_by", "forfeited")

type Counts = tuple[int, int, int, int]


class Double(NamedTuple):
    """A card shown before the first trick by the seat that holds it."""

    card: Card
    by: Seat


@dataclass(frozen=True, slots=True)
class Tally:
    """The facts of a deal, under the names of rules.md, "Input of a deal".

    None: not known or not taken.

    A tally may hold more than the contract asks for (a replay's holds every item): checks and
    points use the keys of the contract alone. `queens_taken_by` names taken queens only."""

    king_taken_by: Seat | None = None
    queens_taken_by: Mapping[Card, Seat] | None = field(default=None, hash=False)
    queens: Counts | None = None
    diamonds: Counts | None = None
    hearts: Counts | None = None
    tricks: Counts | None = None
    last_trick_by: Seat | None = None
    finish_order: tuple[Seat, ...] | None = None
    loser: Seat | None = None
    plays: tuple[Card, ...] | None = None
    doubles: tuple[Double, ...] = ()
    revoke_by: Seat | None = None
    cheat_by: Seat | None = None
    forfeited: bool = False
    trick_leader: Mapping[Card, Seat] | None = field(default=None, hash=False)

    def to_json(self) -> dict[str, Any]:
        """Return the `input` of a case, without what is None, empty or false."""
        found = {key: getattr(self, key) for key in TALLY_KEYS}
        return {key: _to_json(value) for key, value in found.items() if _says_something(value)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the tally of an `input` that was checked before, such as a stored one.

        Nothing is checked here: data from outside goes through `read_entry`."""
        return cls(**{key: _from_json(key, data[key]) for key in TALLY_KEYS if key in data})


@dataclass(frozen=True, slots=True)
class Entry:
    """One deal as entered: contract, chooser, whether it was forced, and the facts.

    The value that is checked, scored and stored."""

    contract: Contract
    chooser: Seat | None = None
    forced: bool = False
    tally: Tally = Tally()

    def to_json(self) -> dict[str, Any]:
        """Return the payload of a ledger row, with its version `v`."""
        return {
            "v": PAYLOAD_VERSION,
            "contract": self.contract.to_json(),
            "chooser": self.chooser,
            "forced": self.forced,
            "input": self.tally.to_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the entry of a stored payload; raises ValueError for an unknown version."""
        if data["v"] != PAYLOAD_VERSION:
            raise ValueError(f"entry payload of unknown version {data['v']!r}")
        return cls(
            Contract.read(data["contract"]),
            data["chooser"],
            data["forced"],
            Tally.from_json(data["input"]),
        )


TALLY_KEYS = tuple(Tally.__dataclass_fields__)


def _says_something(value: object) -> bool:
    return value is not None and value is not False and value != ()


def _to_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, tuple):
        return [each._asdict() if isinstance(each, Double) else each for each in value]
    return value


def _from_json(key: str, value: Any) -> Any:
    if key == "doubles":
        return tuple(Double(row["card"], row["by"]) for row in value or ())
    if key == "queens_taken_by" and value is not None:
        return {card: seat for card, seat in value.items() if seat is not None}
    if key == "forfeited":
        return bool(value)
    return tuple(value) if isinstance(value, list) else value
