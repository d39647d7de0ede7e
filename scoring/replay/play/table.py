"""The table of a deal: the state for its contract, who begins, and how it ends."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from scoring.replay.play.fifty_one import FiftyOne
from scoring.replay.play.layout import Trex
from scoring.replay.play.tricks import Tricks
from scoring.replay.record import Record
from scoring.rules import Contract, Ruleset
from scoring.rules.cards import Card
from scoring.rules.schedule import first_leader
from scoring.rules.seats import Seat

type Table = Tricks | Trex | FiftyOne


def new_table(
    contract: Contract,
    ruleset: Ruleset,
    hands: Sequence[Collection[Card] | None],
    leader: Seat,
) -> Table:
    """Return the table before the first card."""
    if contract.special == "trex":
        return Trex(ruleset, hands, leader)
    if contract.special == "fifty_one":
        return FiftyOne(ruleset, hands, leader)
    return Tricks(contract, ruleset, hands, leader)


def leader_of(record: Record, ruleset: Ruleset) -> Seat:
    """Return who plays first: as recorded, else by the rules, else whoever did."""
    assert record.contract is not None
    found = record.leader
    if found is None:
        found = first_leader(record.contract, ruleset, record.dealer, record.chooser)
    if found is None:
        found = record.plays[0].seat if record.plays else 0
    return found
