"""Recent form of a player, and each contract compared with the average of the club."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.rules.contracts import CONTRACT_NAMES
from scoring.rules.standings import Win, rounded

ENOUGH = 5
"""Matches from which on anything is claimed of somebody."""
ENOUGH_DEALS = 20
"""Deals of a contract from which on it is called better or worse: five matches of four kingdoms."""
LATELY = 10
"""So many of the last matches are the form."""


@dataclass(frozen=True, slots=True)
class Against:
    """One contract of one person compared with the whole club.

    Number of deals, points a deal, and points a deal of everybody in the club, both rounded once.
    `better`: more for this person than for the club; None where it is the same or too little was
    played."""

    contract: str
    deals: int
    own: int
    club: int
    better: bool | None


@dataclass(frozen=True, slots=True)
class ContractSums:
    """The number of deals of a contract and their points."""

    deals: int
    points: int


def against(contract: str, own: ContractSums, club: ContractSums, win: Win) -> Against:
    """Compare a person's deals of a contract with the club's.

    Raises ZeroDivisionError where nothing was played."""
    more = Fraction(own.points, own.deals) - Fraction(club.points, club.deals)
    says_something = own.deals >= ENOUGH_DEALS and more
    return Against(
        contract,
        own.deals,
        rounded(own.points, own.deals),
        rounded(club.points, club.deals),
        (more > 0) == (win == "high") if says_something else None,
    )


def in_order(contract: str) -> tuple[int, int]:
    """Return a sort key in the game's order of contracts, combined ones after their first part."""
    parts = contract.split("+")
    return CONTRACT_NAMES.index(parts[0]), len(parts)


@dataclass(frozen=True, slots=True)
class Form:
    """The average place of the last matches and of all matches, in tenths."""

    matches: int
    lately: int
    always: int


def form(places: Sequence[int], total_places: int, seats: int) -> Form | None:
    """Return the form from the places of the last matches, newest first.

    None while there are too few matches, or no others to compare them with."""
    last = places[:LATELY]
    if len(last) < ENOUGH or seats <= len(last):
        return None
    return Form(len(last), rounded(10 * sum(last), len(last)), rounded(10 * total_places, seats))
