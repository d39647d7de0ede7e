"""How somebody has played lately, and each contract against what it brings in the club."""

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
    """A contract as one person plays it: so many deals, the points of a deal, and those of a deal
    of everybody in the club (both rounded once). `better`: more for this person than for the club,
    None where it is the same, or where too little was played to say so."""

    contract: str
    deals: int
    own: int
    club: int
    better: bool | None


@dataclass(frozen=True, slots=True)
class Sums:
    """Deals of a contract and their points."""

    deals: int
    points: int


def against(contract: str, own: Sums, club: Sums, win: Win) -> Against:
    """Raises ZeroDivisionError where nothing was played."""
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
    """By the game's own order of contracts, combined ones behind the first of their parts."""
    parts = contract.split("+")
    return CONTRACT_NAMES.index(parts[0]), len(parts)


@dataclass(frozen=True, slots=True)
class Form:
    """The place on average of the last matches, and of all of them, in tenths."""

    matches: int
    lately: int
    always: int


def form(places: Sequence[int], total_places: int, seats: int) -> Form | None:
    """From the places of the last matches, newest first. None while there are too few, or no more
    than those."""
    last = places[:LATELY]
    if len(last) < ENOUGH or seats <= len(last):
        return None
    return Form(len(last), rounded(10 * sum(last), len(last)), rounded(10 * total_places, seats))
