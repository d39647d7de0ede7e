"""Effect of the match's revoke rule on a revoke that a record shows (C-L6).

A replay never applies the rule: its scores show the deal as the cards fell. This is the entry that
the arbiter would make of it, beside that; nobody is said to be right.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from scoring.replay.breaches import Breach, BreachCode
from scoring.replay.play.outcome import tally_of_tricks
from scoring.replay.record import Record
from scoring.replay.result import Replay
from scoring.rules import Entry, Points, Ruleset, check, points


class Revoked(NamedTuple):
    """The deal as if it had stopped at a revoke.

    What was taken in the tricks before stays, and the revoking seat is charged as the rule says."""

    breach: Breach
    entry: Entry
    points: Points


def as_revoked(record: Record, replay: Replay, ruleset: Ruleset) -> Revoked | None:
    """Return the first revoke as the match's rule treats it.

    None without a revoke, without such a rule, or where what the points need is unknown."""
    breach = next((each for each in replay.breaches if each.code == BreachCode.REVOKE), None)
    if breach is None or breach.trick is None or ruleset.revoke == "off":
        return None
    assert record.contract is not None
    assert replay.tally is not None
    before = replay.tricks[: breach.trick]
    tally = tally_of_tricks(before, (), ruleset, replay.tally.doubles)
    tally = replace(tally, revoke_by=breach.seat)
    entry = record.entry(tally)
    if check(entry, ruleset):
        return None
    return Revoked(breach, entry, points(entry, ruleset))
