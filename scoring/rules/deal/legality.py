"""Cards that may be led, and hands that allow a redeal."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from scoring.rules.cards import SUITS, Card, suit
from scoring.rules.deal.points import taken_counts
from scoring.rules.items import Item
from scoring.rules.rulesets.ruleset import Ruleset
from scoring.rules.tally import Entry


def legal_leads(
    hand: Sequence[Card], hearts_broken: bool, contracts: Iterable[str], ruleset: Ruleset
) -> list[Card]:
    """Return the cards of a hand that may be led to a trick, in the order of the hand.

    `contracts`: the parts of the contract that is played; the ban binds if it holds for one of
    them. A hand of hearts alone may always lead one (C-L13, C-K4, C-B12)."""
    others = [card for card in hand if suit(card) != "H"]
    banned = hearts_banned(hearts_broken, contracts, ruleset)
    return others if others and banned else list(hand)


def hearts_banned(hearts_broken: bool, contracts: Iterable[str], ruleset: Ruleset) -> bool:
    """Return whether only a seat that holds nothing but hearts may lead one."""
    rule = ruleset.hearts_lead
    if rule.mode == "free" or not set(contracts) & set(rule.contracts):
        return False
    return rule.mode == "only_if_no_other" or not hearts_broken


class RedealQuestion(NamedTuple):
    """A redeal that a hand allows.

    `when`: `before_choice`, or `on_trex` once Trex is chosen."""

    reason: str
    when: str


def redeal_questions(hand: Collection[Card], ruleset: Ruleset) -> list[RedealQuestion]:
    """Return the redeals that a hand allows, and when; empty if none."""
    questions = []
    if _has_weak_hearts(hand, ruleset):
        questions.append(RedealQuestion("weak_hearts", "before_choice"))
    if ruleset.redeal.twos != "off" and has_twos(hand):
        questions.append(RedealQuestion("twos", ruleset.redeal.twos))
    return questions


def _has_weak_hearts(hand: Collection[Card], ruleset: Ruleset) -> bool:
    """Return whether a hand has weak hearts.

    Exactly K♥, A♥ or both, or five and more hearts with K♥; `with_one_card` also K♥ or A♥ with one
    other heart."""
    hearts = {card for card in hand if suit(card) == "H"}
    high = hearts & {"KH", "AH"}
    match ruleset.redeal.weak_hearts:
        case "off":
            return False
        case "on":
            few = bool(hearts) and hearts == high
        case "with_one_card":
            few = bool(high) and len(hearts) <= 2
    return few or (len(hearts) >= 5 and "KH" in hearts)


def has_twos(hand: Collection[Card]) -> bool:
    """Return whether a hand has four 2s, or three 2s and the 3 of the missing suit (C-L14)."""
    missing = [suit_letter for suit_letter in SUITS if "2" + suit_letter not in hand]
    return not missing or (len(missing) == 1 and "3" + missing[0] in hand)


def is_queens_draw(entry: Entry, ruleset: Ruleset) -> bool:
    """Return whether a deal of queens is void because they lie two and two between teams.

    Applies with `redeal.queens_draw`. Such an entry has no problem and has points; a table that
    plays the option deals again. A combined deal counts."""
    tally = entry.tally
    if not ruleset.redeal.queens_draw or entry.contract.key != "queens":
        return False
    queens = taken_counts(Item.QUEENS, tally)
    return sum(queens) == 4 and queens[0] + queens[2] == 2
