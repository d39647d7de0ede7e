"""Card records: one deal as it was written down, read but not checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from scoring.rules import Contract, Double, Entry, Ruleset, Tally, ruleset
from scoring.rules.cards import RANKS, SUITS, Card
from scoring.rules.seats import Seat

type Hand = tuple[Card, ...]
type Hands = tuple[Hand | None, Hand | None, Hand | None, Hand | None]
type Claim = tuple[int, int, int, int]

UNKNOWN_HANDS: Hands = (None, None, None, None)
_PLACES = {rank + suit: i for i, (suit, rank) in enumerate((s, r) for s in SUITS for r in RANKS)}


class Play(NamedTuple):
    """A card laid by a seat."""

    seat: Seat
    card: Card


class Pass(NamedTuple):
    """A pass of a seat (Trex)."""

    seat: Seat


class Capture(NamedTuple):
    """A captured card, shown with the seat that took it."""

    card: Card
    seat: Seat


class NotationError(NamedTuple):
    """Something that cannot be read.

    `code` is one of record-notation.md. Lines count from 1 and columns from 0; both are inside the
    input. `text` is what is there, shortened."""

    code: str
    line: int
    column: int
    text: str

    def to_json(self) -> dict[str, str | int]:
        """Return the error as in a report."""
        return self._asdict()


class UnknownTag(NamedTuple):
    """A tag or a JSON key that no record has; it is kept and ignored.

    `likely` is the name that it resembles, "" without one."""

    line: int
    column: int
    text: str
    likely: str

    def to_json(self) -> dict[str, str | int]:
        """Return the tag as in a report."""
        return {"code": "unknown_tag", **self._asdict()}


@dataclass(frozen=True)
class Record:
    """One deal, card by card, as written.

    `tags` are names, club, match, date and unknown tags. `options` is JSON-ready and only what was
    written. A hand is in deck order with `in_order`, None if unknown; what is dealt may be wrong
    (a card twice, seven cards): that is for the engine to say. `claimed` are the scores somebody
    wrote beside the deal.

    With `errors` the record cannot be relied on: system may be "", contract None, options left
    out, and `plays` ends before the first play that could not be read."""

    id: str
    system: str = ""
    contract: Contract | None = None
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    tags: Mapping[str, str] = field(default_factory=dict, hash=False)
    deal_number: int | None = None
    dealer: Seat | None = None
    chooser: Seat | None = None
    forced: bool = False
    doubles: tuple[Double, ...] = ()
    leader: Seat | None = None
    hands: Hands = UNKNOWN_HANDS
    plays: tuple[Play | Pass, ...] = ()
    captured: tuple[Capture, ...] = ()
    claimed: Claim | None = None
    errors: tuple[NotationError, ...] = ()
    unknown: tuple[UnknownTag, ...] = field(default=(), compare=False)

    def ruleset(self) -> Ruleset:
        """Return the rules of this deal.

        Raises `RulesRefused` only where `errors` has the same problem."""
        return ruleset_of(self.system, self.options)

    def entry(self, tally: Tally) -> Entry:
        """Return the entry of this deal with these facts. Needs a contract."""
        assert self.contract is not None
        return Entry(self.contract, self.chooser, self.forced, tally)


def in_order(cards: list[Card]) -> Hand:
    """Return a hand in the order of `SUITS` and `RANKS`, so that equal hands are equal values."""
    return tuple(sorted(cards, key=_PLACES.__getitem__))


def ruleset_of(system: str, options: Mapping[str, Any]) -> Ruleset:
    """Return the rules of a system with some options, cached for many records in a row."""
    return _ruleset(system, json.dumps(options, sort_keys=True) if options else "{}")


@lru_cache(maxsize=64)
def _ruleset(system: str, options: str) -> Ruleset:
    return ruleset(system, json.loads(options))
