"""Sums of several deals from a paper sheet, until the deals are filled in one by one (C67).

A subtotal stands for the deals of one kingdom, or of one round of choosers where they rotate. Its
four sums count until every deal of it stands; from then on the deals count, and what they differ
by is told. In between a deal that stands takes its share of the sums, the rest stays on paper.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.rules.contracts import Contract
from scoring.rules.course import Played
from scoring.rules.deal.doubling import asks_for_leader, doublable
from scoring.rules.deal.points import points
from scoring.rules.deal.promises import deal_sum
from scoring.rules.items import COUNTED, Item
from scoring.rules.problems import Problem, ProblemCode
from scoring.rules.ranking import Four
from scoring.rules.rulesets.ruleset import Ruleset
from scoring.rules.schedule import FORFEITABLE, Turn
from scoring.rules.seats import SEATS, Seat
from scoring.rules.tally import Double, Entry, Tally


@dataclass(frozen=True, slots=True)
class SheetSubtotal:
    """The sums of the deals from `first_deal` on.

    The deals in the order of their numbers as far as it is known, and what they brought to each
    seat together; `id` is the caller's."""

    first_deal: int
    played: tuple[Played, ...]
    points: Four
    id: Hashable = None

    @property
    def last_deal(self) -> int:
        """The number of its last deal."""
        return self.first_deal + len(self.played) - 1

    @property
    def numbers(self) -> range:
        """The numbers of its deals."""
        return range(self.first_deal, self.last_deal + 1)

    def covers(self, number: int) -> bool:
        """Return whether this deal is one of its deals."""
        return number in self.numbers

    def still_open(self, standing: Sequence[Played]) -> tuple[Played, ...]:
        """Return the deals that nobody filled in yet, each at a free number.

        That is what paper says was played without the current deals. A number keeps its own
        contract while that is still to be filled in."""
        filled = {deal.deal_number: deal for deal in standing if self.covers(deal.deal_number)}
        left = list(self.played)
        for deal in filled.values():
            _take(left, deal)
        free = [number for number in self.numbers if number not in filled]
        own = {deal.deal_number: deal for deal in left if deal.deal_number in free}
        others = [deal for deal in left if deal.deal_number not in own]
        found = []
        for number in free:
            rest = own.get(number) or (others.pop(0) if others else None)
            if rest is not None:
                place = self.played[number - self.first_deal]
                found.append(replace(rest, deal_number=number, dealer=place.dealer))
        return tuple(found)


def is_off_paper(subtotal: SheetSubtotal, others: Sequence[Played], deal: Played) -> bool:
    """Return whether this deal is none of those that the subtotal still lacks.

    The last one may be anything: from then on the deals count."""
    still_open = subtotal.still_open(others)
    if not subtotal.covers(deal.deal_number):
        return False
    wanted = [(one.chooser, one.contract) for one in still_open]
    return len(wanted) > 1 and (deal.chooser, deal.contract) not in wanted


def _take(left: list[Played], deal: Played) -> None:
    """Remove this deal from those left, or that at its own number where paper does not have it."""
    same = [one for one in left if (one.chooser, one.contract) == (deal.chooser, deal.contract)]
    here = [one for one in left if one.deal_number == deal.deal_number]
    for one in (same or here)[:1]:
        left.remove(one)


def turn_at_open_deal(
    turn: Turn, subtotal: SheetSubtotal, still_open: Sequence[Played], own: Contract
) -> Turn:
    """Return the turn of a deal in a subtotal, whether it is filled in already or not.

    `own` is the contract that is there for now. Where paper does not say in which order the
    contracts were played, the chooser may have played any that is still open. Only at the place of
    his last deal is any of them forced."""
    chooser = turn.chooser
    if chooser is None or turn.ruleset.contract_order not in ("free", "drawn"):
        return turn
    others = {
        part
        for deal in still_open
        if deal.chooser == chooser and subtotal.covers(deal.deal_number)
        for part in deal.contract.parts
    }
    if not others or turn.ruleset.combo == "complex":
        return turn
    was_last = set(turn.left_then[chooser]) <= set(own.parts)
    names = turn.ruleset.fixed_order
    left = tuple(name for name in names if name in others or name in turn.left[chooser])
    then = tuple(name for name in names if name in left or name in turn.left_then[chooser])
    return replace(
        turn,
        left=_with(turn.left, chooser, left),
        left_then=_with(turn.left_then, chooser, () if was_last else then),
    )


def _with(
    lefts: tuple[tuple[str, ...], ...], seat: Seat, left: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    return (*lefts[:seat], left, *lefts[seat + 1 :])


# ---- What four sums of a subtotal can be


def check_subtotal(subtotal: SheetSubtotal, ruleset: Ruleset) -> list[Problem]:
    """Check the four sums: `wrong_sum` and `out_of_reach`.

    The sums must add up to what the rules fix, and each must be possible for its seat in such
    deals."""
    promised, found = promised_total(subtotal.played, ruleset), sum(subtotal.points)
    problems = []
    if promised is not None and found != promised:
        problems.append(
            Problem(ProblemCode.WRONG_SUM, "points", {"expected": promised, "found": found})
        )
    for seat, (low, high) in enumerate(possible_range(subtotal.played, ruleset)):
        if not low <= subtotal.points[seat] <= high:
            numbers = {"seat": seat, "low": low, "high": high}
            problems.append(Problem(ProblemCode.OUT_OF_REACH, f"points.{seat}", numbers))
    return problems


def promised_total(played: Sequence[Played], ruleset: Ruleset) -> int | None:
    """Return what these deals must sum to, whatever happened; None where nothing is fixed."""
    if ruleset.cheat.amount is not None:
        return None
    sums = [deal_sum(deal.contract, ruleset, forced=deal.forced) for deal in played]
    known = [total for total in sums if total is not None]
    return sum(known) if len(known) == len(sums) else None


def possible_range(played: Sequence[Played], ruleset: Ruleset) -> list[tuple[int, int]]:
    """Return for each seat the fewest and the most points that these deals can bring it."""
    bounds = [(0, 0) for _ in SEATS]
    for deal in played:
        scores = [points(entry, ruleset).scores for entry in _extremes(deal, ruleset)]
        columns = [[score[seat] for score in scores] for seat in SEATS]
        bounds = [
            (low + min(column), high + max(column))
            for (low, high), column in zip(bounds, columns, strict=True)
        ]
    return bounds


def _extremes(deal: Played, ruleset: Ruleset) -> Iterator[Entry]:
    """Yield deals in which one seat has all there is, the best and the worst of each included."""
    for tally in _extreme_tallies(deal, ruleset):
        yield Entry(deal.contract, deal.chooser, deal.forced, tally)


def _extreme_tallies(deal: Played, ruleset: Ruleset) -> Iterator[Tally]:
    contract = deal.contract
    if ruleset.cheat.amount is not None:
        yield from (Tally(cheat_by=seat) for seat in SEATS)
    if ruleset.forfeit_first_three and set(contract.parts) <= set(FORFEITABLE):
        yield Tally(forfeited=True)
    if contract.special == "trex":
        orders = [(seat, (seat + 1) % 4, (seat + 2) % 4, (seat + 3) % 4) for seat in SEATS]
        yield from (Tally(finish_order=order) for order in orders)
    elif contract.special == "fifty_one":
        yield from (Tally(loser=seat) for seat in SEATS)
        if ruleset.fifty_one_may_end_unlost:
            yield Tally()
    else:
        yield from _all_to_one(contract, ruleset)


def _all_to_one(contract: Contract, ruleset: Ruleset) -> Iterator[Tally]:
    """Yield entries in which one seat takes everything, or all but one.

    All but one because a kabbout reverses; with nothing doubled, or everything by one seat; any
    seat led the tricks."""
    cards = doublable(contract, ruleset)
    if ruleset.doubling.queens_unit == "whole_contract":
        cards = tuple(card for card in cards if card in ("KH", "QS"))
    leaders = SEATS if cards and asks_for_leader(ruleset) else (None,)
    for taker in SEATS:
        for spared in (None, (taker + 1) % 4):
            plain = _taken_by(taker, spared, contract, ruleset)
            yield plain
            for doubler in SEATS if cards else ():
                doubles = tuple(Double(card, doubler) for card in cards)
                for leader in leaders:
                    led = None if leader is None else dict.fromkeys(_SHOWN, leader)
                    yield replace(plain, doubles=doubles, trick_leader=led)


_SHOWN = ("KH", "QS", "QH", "QD", "QC")


def _taken_by(taker: Seat, spared: Seat | None, contract: Contract, ruleset: Ruleset) -> Tally:
    facts: dict[str, Any] = {}
    for item in contract.items:
        if item in COUNTED:
            counts = [0, 0, 0, 0]
            counts[taker] = ruleset.how_many(item)
            if spared is not None:
                counts[taker] -= 1
                counts[spared] += 1
            facts[item] = tuple(counts)
        elif item is Item.QUEENS:
            facts["queens_taken_by"] = dict.fromkeys(_SHOWN[1:], taker)
        else:
            facts["king_taken_by" if item is Item.KING else "last_trick_by"] = taker
    return Tally(**facts)
