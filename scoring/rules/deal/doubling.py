"""Doubled cards and what happens when one is taken, for checks and points alike.

The contested part of the game: C-L2 to C-L5, C-L9, C-L10, C-K2, C-K3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scoring.rules.cards import KING_OF_HEARTS, QUEENS, Card
from scoring.rules.contracts import Contract
from scoring.rules.items import Item
from scoring.rules.rulesets.ruleset import DoublingOptions, Ruleset
from scoring.rules.seats import Seat, partner_of
from scoring.rules.tally import Tally

SELF_TIMES = {"single": 1, "double": 2, "quadruple": 4, "leader_gains": 2}


class DoubledCapture(NamedTuple):
    """One doubled card and the seat that ends up with it.

    `by_revoke`: it was charged to the player who revoked. `rule` is `opponent`, or the value of
    `self_capture` or `partner_capture` that applies. `leader`: who led the trick, where the rule
    needs it and the card was taken in one."""

    card: Card
    taker: Seat
    doubler: Seat
    rule: str
    by_revoke: bool
    in_trick: bool
    leader: Seat | None

    @property
    def item(self) -> Item:
        """The item the card belongs to."""
        return doubled_item(self.card)

    @property
    def lacks_leader(self) -> bool:
        """Whether the rule pays the trick's leader, and the leader is unknown."""
        return self.rule in LEADER_RULES and self.in_trick and self.leader is None

    @property
    def times(self) -> int:
        """How many times the taker is charged the card's value."""
        if self.rule in SELF_TIMES:
            return SELF_TIMES[self.rule]
        return 1 if self.rule == "normal_value" else 2

    def gainer(self, doubling: DoublingOptions) -> Seat | None:
        """Return who gains the card's value once, if anyone."""
        match self.rule:
            case "opponent":
                return self.doubler if doubling.owner_bonus else None
            case "leader_gains":
                return self.leader
            case "opponents_gain":
                own_side = (self.taker, self.doubler)
                return None if self.leader in own_side else self.leader
            case _:
                return None


LEADER_RULES = ("leader_gains", "opponents_gain")


def doubled_item(card: Card) -> Item:
    """Return the item of a card that may be doubled: K♥ or a queen."""
    return Item.KING if card == KING_OF_HEARTS else Item.QUEENS


def may_double(card: Card, contract: Contract, ruleset: Ruleset) -> bool:
    """Return whether the table doubles this card in this contract, which contains it.

    `general` is one contract, so `in_combo` does not apply to it."""
    doubling = ruleset.doubling
    allowed = doubling.king if card == KING_OF_HEARTS else doubling.queens
    return allowed and (doubling.in_combo or not contract.is_combined)


def doublable(contract: Contract, ruleset: Ruleset) -> tuple[Card, ...]:
    """Return the cards that may be doubled in this contract at this table."""
    cards = (KING_OF_HEARTS, *QUEENS)
    return tuple(
        card
        for card in cards
        if doubled_item(card) in contract.items and may_double(card, contract, ruleset)
    )


def asks_for_leader(ruleset: Ruleset) -> bool:
    """Return whether any capture at this table pays the trick's leader, who must then be known."""
    doubling = ruleset.doubling
    by_partner = ruleset.has_teams and doubling.partner_capture == "opponents_gain"
    return doubling.self_capture == "leader_gains" or by_partner


def doubled_cards(tally: Tally, ruleset: Ruleset) -> Mapping[Card, Seat]:
    """Return each doubled card with its doubler.

    Under `queens_unit: whole_contract` the announcer of any queen doubles all four (C-K3)."""
    doubled = {double.card: double.by for double in tally.doubles}
    if ruleset.doubling.queens_unit == "whole_contract":
        announcers = [by for card, by in doubled.items() if card in QUEENS]
        doubled |= dict.fromkeys(QUEENS, announcers[0]) if announcers else {}
    return doubled


def captures(tally: Tally, ruleset: Ruleset) -> Iterator[DoubledCapture]:
    """Return the capture of each doubled card.

    A card that nobody has, which only a refused entry contains, is left out.

    With `revoke_by` an untaken card is laid on the offender, under `revoke: total` every card."""
    for card, doubler in doubled_cards(tally, ruleset).items():
        taken_by = _taken_by(card, tally)
        in_trick = taken_by is not None
        by_revoke = tally.revoke_by is not None and (not in_trick or ruleset.revoke == "total")
        taker = tally.revoke_by if by_revoke else taken_by
        if taker is None:
            continue
        rule = _rule(card, taker, doubler, ruleset)
        leaders = tally.trick_leader or {}
        leader = leaders.get(card) if in_trick and rule in LEADER_RULES else None
        yield DoubledCapture(card, taker, doubler, rule, by_revoke, in_trick, leader)


def _taken_by(card: Card, tally: Tally) -> Seat | None:
    if card == KING_OF_HEARTS:
        return tally.king_taken_by
    return tally.queens_taken_by.get(card) if tally.queens_taken_by else None


def _rule(card: Card, taker: Seat, doubler: Seat, ruleset: Ruleset) -> str:
    doubling = ruleset.doubling
    if taker == doubler:
        whole = doubling.queens_unit == "whole_contract" and card in QUEENS
        return "single" if whole else doubling.self_capture
    if ruleset.has_teams and taker == partner_of(doubler):
        rule = doubling.partner_capture
        return "opponent" if rule == "as_opponent" else rule
    return "opponent"
