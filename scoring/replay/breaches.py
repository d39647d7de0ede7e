"""Breaches: what a record shows that the rules forbid (record-notation.md)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from scoring.rules.cards import Card
from scoring.rules.seats import Seat


class BreachCode(StrEnum):
    """What a record can show that the rules forbid."""

    BAD_HANDS = "bad_hands"
    DOUBLE_NOT_HELD = "double_not_held"
    OUT_OF_TURN = "out_of_turn"
    ALREADY_PLAYED = "already_played"
    NOT_HELD = "not_held"
    REVOKE = "revoke"
    HEART_LEAD = "heart_lead"
    MUST_DUMP = "must_dump"
    LEAD_NOT_HIGHEST = "lead_not_highest"
    NOT_ADJACENT = "not_adjacent"
    PASS_WHEN_ABLE = "pass_when_able"
    UNFINISHED = "unfinished"


STOPPING = frozenset(
    {
        BreachCode.BAD_HANDS,
        BreachCode.OUT_OF_TURN,
        BreachCode.ALREADY_PLAYED,
        BreachCode.NOT_HELD,
        BreachCode.NOT_ADJACENT,
    }
)
"""What cannot have happened at a table: the replay ends before it."""


class PlayFault(NamedTuple):
    """What the rules have against one play, and the cards that were legal."""

    code: BreachCode
    legal: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Breach:
    """A fault and its place.

    `play` counts from 0 in the plays of the record, `trick` from 0; None where meaningless. `legal`
    are the cards that would have been legal, as far as they are known, in alphabetical order."""

    code: BreachCode
    play: int | None = None
    trick: int | None = None
    seat: Seat | None = None
    card: Card | None = None
    legal: tuple[Card, ...] | None = None
