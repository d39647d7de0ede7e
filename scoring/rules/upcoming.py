"""Choosers and dealers of the deals to come, as far as they are certain now.

For a phone without a network: it cannot ask the schedule, only go along what was said before. Each
deal is taken for one contract, so there are the most deals that there can be; whoever has nothing
left when a seat comes up passes over it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoring.rules.course import Course, Played, dealer_follows_chooser, lowest_missing
from scoring.rules.rulesets.offers import offers
from scoring.rules.rulesets.ruleset import Ruleset
from scoring.rules.schedule import Turn
from scoring.rules.seats import SEATS, Seat


def upcoming_choosers(
    now: Turn,
    first_chooser: Seat | None,
    first_dealer: Seat | None,
    played: Sequence[Played],
) -> Iterator[tuple[int, Seat]]:
    """Return the number and the chooser of this deal and the next ones, as far as they are certain.

    Ends where a chooser depends on cards or on a tie. `now` is the turn after what was `played`;
    `first_chooser` and `first_dealer` are those of the match."""
    ruleset, before = now.ruleset, list(played)
    number, chooser, dealer = now.deal_number, now.chooser, now.dealer
    contract = None if now.is_extra else next(iter(now.contracts), None)
    while chooser is not None and contract is not None:
        yield number, chooser
        dealer = chooser if dealer is None else dealer
        before.append(Played(number, dealer, chooser, contract))
        number = lowest_missing(before)
        course = Course(ruleset, first_chooser, first_dealer, tuple(before), (), number)
        chooser = course.chooser()
        dealer = course.dealer(chooser)
        left = () if chooser is None else course.left[chooser]
        contract = next(offers(ruleset, left), None)


def upcoming_dealers(now: Turn) -> list[Seat]:
    """Return the dealers of the deals to come if the table plays as proposed.

    By chooser where `dealer_follows_chooser`, else of this deal and the next three, after which
    they come round again. Empty where it is unknown who deals."""
    if now.dealer is None or now.asks_dealer:
        return []
    if not dealer_follows_chooser(now.ruleset):
        return [(now.dealer + count) % 4 for count in SEATS]
    if now.chooser is None:
        return []
    return [(now.dealer + seat - now.chooser) % 4 for seat in SEATS]


def chooser_continues(ruleset: Ruleset) -> bool:
    """Return whether a chooser goes on choosing as long as contracts are left to him."""
    return ruleset.chooser_order == "kingdom"
