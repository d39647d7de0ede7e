"""What the deals of a match sum to under these options, and what can change that sum.

As data for the sentences of a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from scoring.rules.deal.doubling import doublable, doubled_item
from scoring.rules.deal.promises import base_total, double_losses, kingdom_contracts
from scoring.rules.items import Item
from scoring.rules.problems import Detail
from scoring.rules.rulesets.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Guarantee:
    """One statement about the sums.

    The first is one of these; `kingdom` is what one chooser's contracts sum to, undoubled and
    without factors, `trex` and `penalties` its two halves, `match` that of all choosers:

    always_sums    every match sums to `match`
    usually_sums   it does, unless something of what follows happens
    never_sums     factors are at work in every match: no sum can be told

    What follows breaks the sum; `points` are those that nobody gains (or that come on top):

    doubled_costs_more          a doubled card of `item` taken by another
    own_double_costs_more       one taken by its own doubler
    partner_double_costs_more   one taken by the doubler's partner
    own_side_led_costs_more     the same, where one of the two led the trick
    revoked_double_costs_more   one that its doubler's own revoke lays on him
    partner_revoke_costs_more   one that the revoke of the doubler's partner lays on that partner
    chooser_counts              the chooser's points count `factor` times
    forced_counts               a forced deal counts `factor` times
    kabbout                     everything in one of `contracts`: `amount` to each of the others
    cheat                       the cheater takes `amount` and nothing else counts
    fifty_one_unlost            the cards may never add up to `target`"""

    code: str
    numbers: Mapping[str, Detail] = field(default_factory=dict, hash=False)


def guarantees(ruleset: Ruleset) -> tuple[Guarantee, ...]:
    """Return what a match sums to, then each thing that breaks that sum.

    Extra deals after a tie and penalties are outside these sums."""
    breaks = [*_factors(ruleset), *_doubled(ruleset), *_others(ruleset)]
    code = "usually_sums" if breaks else "always_sums"
    if ruleset.chooser_factor != 1 or ruleset.forced_factor != 1:
        code = "never_sums"
    return (Guarantee(code, _sums(ruleset)), *breaks)


def _sums(ruleset: Ruleset) -> dict[str, Detail]:
    contracts = kingdom_contracts(ruleset)
    trex = sum(base_total(each, ruleset) for each in contracts if each.special == "trex")
    kingdom = sum(base_total(contract, ruleset) for contract in contracts)
    sets = 1 if ruleset.contracts_scope == "game" else 4
    return {
        "kingdom": kingdom,
        "trex": trex,
        "penalties": kingdom - trex,
        "match": kingdom * sets,
    }


def _factors(ruleset: Ruleset) -> Iterator[Guarantee]:
    if ruleset.chooser_factor != 1:
        yield Guarantee("chooser_counts", {"factor": ruleset.chooser_factor})
    if ruleset.forced_factor != 1:
        yield Guarantee("forced_counts", {"factor": ruleset.forced_factor})


def _doubled(ruleset: Ruleset) -> Iterator[Guarantee]:
    """Yield where a card that may be doubled costs more than anyone gains, the king first."""
    cards = [card for each in kingdom_contracts(ruleset) for card in doublable(each, ruleset)]
    items = {doubled_item(card) for card in cards}
    for item in (each for each in Item if each in items):
        value = abs(ruleset.item_values[item])
        for code, times in double_losses(item, ruleset).items():
            yield Guarantee(code, {"item": item, "points": times * value})
        for code in _unpaid_by_revoke(item, ruleset) if value else ():
            yield Guarantee(code, {"item": item, "points": value})


def _unpaid_by_revoke(item: Item, ruleset: Ruleset) -> Iterator[str]:
    """Return the codes for a card that nobody took, so that no leader is paid (rules.md 2.5)."""
    doubling = ruleset.doubling
    if ruleset.revoke == "off":
        return
    whole = doubling.queens_unit == "whole_contract" and item is Item.QUEENS
    if doubling.self_capture == "leader_gains" and not whole:
        yield "revoked_double_costs_more"
    if ruleset.has_teams and doubling.partner_capture == "opponents_gain":
        yield "partner_revoke_costs_more"


def _others(ruleset: Ruleset) -> Iterator[Guarantee]:
    played = [contract.key for contract in kingdom_contracts(ruleset)]
    kabbouts = [name for name in played if name in ruleset.kabbout.contracts]
    if kabbouts:
        yield Guarantee("kabbout", {"contracts": kabbouts, "amount": ruleset.kabbout.amount})
    if ruleset.cheat.amount is not None:
        yield Guarantee("cheat", {"amount": ruleset.cheat.amount})
    if "fifty_one" in played and ruleset.fifty_one_may_end_unlost:
        yield Guarantee("fifty_one_unlost", {"target": ruleset.fifty_one.target})
