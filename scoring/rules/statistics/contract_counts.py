"""Counts of one seat in the deals of one contract: choices, doubles, Trex places, kabbouts.

Everything that statistics need besides the points themselves.
"""

from __future__ import annotations

from typing import NamedTuple

from scoring.rules.deal.completing import places_settled
from scoring.rules.deal.points import PointsLine, kabbout_by
from scoring.rules.rulesets.ruleset import Ruleset
from scoring.rules.scoresheet import ScoreRow, SheetDeal
from scoring.rules.seats import SEATS, Seat


class ContractTally(NamedTuple):
    """The counts of one seat in deals of one contract.

    How many deals and their points; how many of them this seat chose and the points of those;
    doubles made and the points that they brought; places in Trex; kabbouts made."""

    deals: int = 0
    points: int = 0
    chosen: int = 0
    chosen_points: int = 0
    doubles: int = 0
    double_points: int = 0
    first: int = 0
    second: int = 0
    third: int = 0
    fourth: int = 0
    kabbouts: int = 0

    def added(self, other: ContractTally) -> ContractTally:
        """Return the sum of both."""
        return ContractTally._make(one + more for one, more in zip(self, other, strict=True))


def counts_of(row: ScoreRow, seat: Seat, ruleset: Ruleset) -> ContractTally:
    """Return the counts of one deal's row for a seat."""
    deal = row.deal
    assert deal is not None
    place = _trex_place(deal, seat, ruleset)
    places = [int(place == number) for number in SEATS]
    chose = int(deal.chooser == seat)
    return ContractTally(
        deals=1,
        points=row.points[seat],
        chosen=chose,
        chosen_points=chose * row.points[seat],
        doubles=sum(double.by == seat for double in deal.entry.tally.doubles),
        double_points=sum(_brought(line, seat) for line in row.lines),
        first=places[0],
        second=places[1],
        third=places[2],
        fourth=places[3],
        kabbouts=int(_made_kabbout(deal, ruleset) == seat),
    )


def _trex_place(deal: SheetDeal, seat: Seat, ruleset: Ruleset) -> int | None:
    """Return the place in Trex from 0, None for a seat that had not gone out at the end.

    A deal ends as soon as the open places are worth the same; those are filled in by seat, and
    nobody took them."""
    tally = deal.entry.tally
    if deal.entry.contract.special != "trex" or tally.cheat_by is not None or tally.forfeited:
        return None
    order = tally.finish_order or ()
    taken = next(n for n in range(1, 4) if places_settled(ruleset, range(n + 1, 5)))
    real = order if taken == 3 else order[:taken]  # the last one left is fourth
    return real.index(seat) if seat in real else None


def _made_kabbout(deal: SheetDeal, ruleset: Ruleset) -> Seat | None:
    tally = deal.entry.tally
    if tally.cheat_by is not None or tally.forfeited or deal.entry.contract.special:
        return None
    return kabbout_by(deal.entry, ruleset)


def _brought(line: PointsLine, seat: Seat) -> int:
    """Return what a seat has in this line by a double of its own.

    That is the bonus, or what its doubled card costs more when the seat takes it itself."""
    if line.seat != seat or line.card is None:
        return 0
    if line.kind == "double_bonus":
        return line.points
    times = next((one.times for one in line.factors if one.because == "doubled"), 1)
    return line.points - line.points // times if line.by == seat else 0
