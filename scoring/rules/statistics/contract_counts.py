"""What one seat had in one deal, beside its points: who chose, who doubled and what it brought,
the place in Trex, a kabbout."""

from __future__ import annotations

from typing import NamedTuple

from scoring.rules.deal.completing import places_settled
from scoring.rules.deal.points import Line, kabbout_by
from scoring.rules.rulesets.ruleset import Ruleset
from scoring.rules.scoresheet import Row, SheetDeal
from scoring.rules.seats import SEATS, Seat


class Counts(NamedTuple):
    """Of deals of one contract: how many, the points, how many of them this one chose and the
    points of those; doubles made, and the points that are there because of them; the places in
    Trex; kabbouts made."""

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

    def added(self, other: Counts) -> Counts:
        """Both together."""
        return Counts._make(one + more for one, more in zip(self, other, strict=True))


def counts_of(row: Row, seat: Seat, ruleset: Ruleset) -> Counts:
    """The counts of a row that is a deal."""
    deal = row.deal
    assert deal is not None
    place = _trex_place(deal, seat, ruleset)
    places = [int(place == number) for number in SEATS]
    chose = int(deal.chooser == seat)
    return Counts(
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
    """From 0; None for who had not gone out when the deal ended. It ends as soon as the open places
    are worth the same, and they are then filled in by seat: nobody took those."""
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


def _brought(line: Line, seat: Seat) -> int:
    """What a seat has in this line by a double of its own: the bonus, or what its doubled card
    costs more when it takes it itself."""
    if line.seat != seat or line.card is None:
        return 0
    if line.kind == "double_bonus":
        return line.points
    times = next((one.times for one in line.factors if one.because == "doubled"), 1)
    return line.points - line.points // times if line.by == seat else 0
