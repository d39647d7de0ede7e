"""Redeals: who may ask for new cards, for which reason, and which choice is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scoring.rules.cards import Card
from scoring.rules.contracts import Contract
from scoring.rules.deal.legality import redeal_questions
from scoring.rules.problems import Problem, ProblemCode
from scoring.rules.rulesets.ruleset import Ruleset
from scoring.rules.schedule import Turn
from scoring.rules.seats import SEATS, Seat

BY_HAND = ("weak_hearts", "twos")
"""Reasons that lie in the cards of one seat."""
TREX = Contract(("trex",))


@dataclass(frozen=True)
class RedealRequest:
    """A request for new cards.

    `asked_by` is None where the deal itself went wrong; `hand` are the asker's cards, or those of
    them that matter; `contract` is what had been chosen, by `chooser` where it was not the seat
    whose turn it is."""

    reason: str
    asked_by: Seat | None = None
    hand: tuple[Card, ...] = ()
    contract: Contract | None = None
    chooser: Seat | None = None


def redeal_reasons(ruleset: Ruleset) -> tuple[str, ...]:
    """Return why a table of these rules may deal again.

    A misdeal, and what a group agreed on itself (`other`), are possible at every table."""
    rule = ruleset.redeal
    known = {
        "weak_hearts": rule.weak_hearts != "off",
        "twos": rule.twos != "off",
        "queens_draw": rule.queens_draw and ruleset.has_teams,
    }
    return (*(reason for reason, is_on in known.items() if is_on), "misdeal", "other")


def chosen_before(reason: str, ruleset: Ruleset) -> Contract | None:
    """Return the contract that must have been chosen before this can be asked for (C-L15)."""
    if reason == "queens_draw":
        return Contract(("queens",))
    return TREX if reason == "twos" and ruleset.redeal.twos == "on_trex" else None


def reasons_now(turn: Turn) -> tuple[str, ...]:
    """Return why the table may deal again before this deal.

    Twos only while the chooser has Trex left, where they count once Trex is chosen."""
    reasons = redeal_reasons(turn.ruleset)
    if turn.chooser is None or TREX in turn.contracts_of(turn.chooser):
        return reasons
    return tuple(one for one in reasons if chosen_before(one, turn.ruleset) != TREX)


def check_redeal(redeal: RedealRequest, turn: Turn) -> list[Problem]:
    """Find all problems of a redeal.

    The queens of a draw are judged by their entry (`legality.is_queens_draw`)."""
    if turn.over:
        return [Problem(ProblemCode.MATCH_OVER, "redeal", {"deals": turn.deals_total})]
    if redeal.reason not in redeal_reasons(turn.ruleset):
        return [Problem(ProblemCode.OPTION_OFF, "redeal")]
    return [*_asker(redeal), *_hand(redeal, turn.ruleset), *_contract(redeal, turn)]


def kept_contract(redeals: Iterable[RedealRequest]) -> Contract | None:
    """Return the contract that stays chosen after the last redeal for a seat's twos.

    Only where the table plays `redeal.keeps_contract`."""
    chosen = [redeal.contract for redeal in redeals if redeal.reason == "twos"]
    return chosen[-1] if chosen else None


def _asker(redeal: RedealRequest) -> Iterator[Problem]:
    if redeal.asked_by is None and redeal.reason in BY_HAND:
        yield Problem(ProblemCode.MISSING, "asked_by")
    elif redeal.asked_by not in (None, *SEATS):
        yield Problem(ProblemCode.BAD_SEAT, "asked_by")


def _hand(redeal: RedealRequest, ruleset: Ruleset) -> Iterator[Problem]:
    hand = redeal.hand
    unknown = [card for card in hand if card not in ruleset.deck]
    if unknown:
        yield Problem(ProblemCode.UNKNOWN_CARD, "hand", {"card": unknown[0]})
    elif len(hand) > ruleset.cards_per_hand or len(set(hand)) < len(hand):
        yield Problem(ProblemCode.BAD_COUNTS, "hand", {"found": len(hand)})
    elif hand and redeal.reason in BY_HAND:
        granted = [question.reason for question in redeal_questions(hand, ruleset)]
        if redeal.reason not in granted:
            yield Problem(ProblemCode.NO_REDEAL, "hand")


def _contract(redeal: RedealRequest, turn: Turn) -> Iterator[Problem]:
    """Check that a contract that had been chosen was open to the chooser."""
    contract = redeal.contract
    chooser = turn.chooser if redeal.chooser is None else redeal.chooser
    if contract is None:
        return
    if chooser is None:
        yield Problem(ProblemCode.CHOOSER_MISSING, "chooser")
    elif chooser not in SEATS:
        yield Problem(ProblemCode.BAD_SEAT, "chooser")
    elif contract not in turn.contracts_of(chooser):
        names = [one.key for one in turn.contracts_of(chooser)]
        yield Problem(
            ProblemCode.NOT_THIS_CONTRACT, "contract", {"seat": chooser, "contracts": names}
        )
