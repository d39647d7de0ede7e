"""Breaches: what a record shows that the rules forbid (record-notation.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from scoring.rules.cards import Card
from scoring.rules.seats import Seat

CODES = (
    "bad_hands",
    "double_not_held",
    "out_of_turn",
    "already_played",
    "not_held",
    "revoke",
    "heart_lead",
    "must_dump",
    "lead_not_highest",
    "not_adjacent",
    "pass_when_able",
    "unfinished",
)
"""Every code of a breach."""

STOPPING = frozenset({"bad_hands", "out_of_turn", "already_played", "not_held", "not_adjacent"})
"""What cannot have happened at a table: the replay ends before it."""


class PlayFault(NamedTuple):
    """What the rules have against one play, and the cards that were legal."""

    code: str
    legal: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Breach:
    """A fault and its place.

    `play` counts from 0 in the plays of the record, `trick` from 0; None where meaningless. `legal`
    are the cards that would have been legal, as far as they are known, in alphabetical order."""

    code: str
    play: int | None = None
    trick: int | None = None
    seat: Seat | None = None
    card: Card | None = None
    legal: tuple[Card, ...] | None = None
