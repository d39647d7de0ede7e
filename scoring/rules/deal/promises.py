"""Sums of points that a deal, a kingdom or a match must have, where the rules fix one.

A sum is promised when the options alone guarantee it, whatever the cards did (rules.md 3, C-L18).
"""

from __future__ import annotations

from scoring.rules.contracts import Contract
from scoring.rules.deal.doubling import captures, doublable, doubled_item
from scoring.rules.deal.points import kabbout_by, kabbout_item
from scoring.rules.items import Item
from scoring.rules.rulesets.offers import any_offer
from scoring.rules.rulesets.ruleset import Ruleset
from scoring.rules.tally import Entry


def base_total(contract: Contract, ruleset: Ruleset) -> int:
    """Return the signed points of everything in a contract, undoubled and without factors.

    -130 for diamonds, +500 for Trex in levant; 400 for general in barbu."""
    if contract.special == "trex":
        return sum(ruleset.trex_values)
    if contract.special == "fifty_one":
        return ruleset.sign * ruleset.values.fifty_one
    return sum(ruleset.how_many(item) * ruleset.item_values[item] for item in contract.items)


def deal_sum(
    contract: Contract, ruleset: Ruleset, *, forced: bool = False, doubled: bool = True
) -> int | None:
    """Return the sum of the four scores of such a deal, None where it depends on what happened.

    `doubled=False` asks for deals in which no card is doubled. A deal stopped by cheating is no
    such deal, nor one of those that `promised_sum` names."""
    if _chooser_counts(contract, ruleset) or kabbout_item(contract, ruleset) is not None:
        return None
    if contract.special == "fifty_one" and ruleset.fifty_one_may_end_unlost:
        return None
    cards = doublable(contract, ruleset) if doubled else ()
    if any(leak for card in cards for leak in double_losses(doubled_item(card), ruleset)):
        return None
    return base_total(contract, ruleset) * _forced_times(contract, ruleset, forced=forced)


def promised_sum(entry: Entry, ruleset: Ruleset) -> int | None:
    """Return the sum that the scores of this deal must have, None where there is none.

    There is none after cheating or a kabbout, with a factor, with doubling that breaks the sum, and
    for a card doubled by the revoker himself that nobody had taken where self_capture would pay a
    leader (rules.md 2.5)."""
    tally = entry.tally
    if tally.cheat_by is not None or kabbout_by(entry, ruleset) is not None:
        return None
    if tally.forfeited:
        return deal_sum(entry.contract, ruleset, forced=entry.forced, doubled=False)
    unpaid = (
        capture.rule == "leader_gains" and not capture.in_trick
        for capture in captures(tally, ruleset)
    )
    if any(unpaid):
        return None
    doubled = bool(tally.doubles)
    return deal_sum(entry.contract, ruleset, forced=entry.forced, doubled=doubled)


def zero_sum(ruleset: Ruleset) -> bool:
    """Return whether every kingdom, and so every match, sums to 0 at this table.

    One deal can still stand outside (`promised_sum` is None): then nothing is promised of its
    kingdom either. Extra deals and the arbiter's penalties are outside the kingdoms."""
    if ruleset.cheat.amount is not None or ruleset.forced_factor != 1:
        return False
    sums = [deal_sum(contract, ruleset) for contract in kingdom_contracts(ruleset)]
    known = [total for total in sums if total is not None]
    return len(known) == len(sums) and sum(known) == 0


def _chooser_counts(contract: Contract, ruleset: Ruleset) -> bool:
    if contract.special == "trex" and not ruleset.trex_doubled_places:
        return False
    return ruleset.chooser_factor != 1


def _forced_times(contract: Contract, ruleset: Ruleset, *, forced: bool) -> int:
    applies = contract.special != "trex" or ruleset.forced_applies_to_trex
    return ruleset.forced_factor if forced and applies else 1


def kingdom_contracts(ruleset: Ruleset) -> list[Contract]:
    """Return what every chooser plays, each contract in a deal of its own where it can be."""
    whole = ruleset.combo == "complex"
    return [contract for contract in any_offer(ruleset) if whole or not contract.is_combined]


def double_losses(item: Item, ruleset: Ruleset) -> dict[str, int]:
    """Return how a doubled card of this item can cost more than anyone gains.

    By code, with how many times the card's value is lost (rules.md 3.1). Empty: what one player
    pays more another gains, in every case."""
    doubling = ruleset.doubling
    whole = doubling.queens_unit == "whole_contract" and item is Item.QUEENS
    by_partner = doubling.partner_capture if ruleset.has_teams else "as_opponent"
    found = {
        "doubled_costs_more": int(not doubling.owner_bonus),
        "own_double_costs_more": 0 if whole else _OWN_TIMES.get(doubling.self_capture, 0),
        "partner_double_costs_more": int(by_partner == "no_bonus"),
        "own_side_led_costs_more": int(by_partner == "opponents_gain"),
    }
    return {code: times for code, times in found.items() if times and ruleset.item_values[item]}


_OWN_TIMES = {"double": 1, "quadruple": 3}
