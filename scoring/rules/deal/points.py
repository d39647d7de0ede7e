"""Points of an entry for each seat, with the lines that explain them; the only scorer.

Every line is count × value × factors, and the scores are the sum of the lines: there is no second
way to a number. Entries are taken to be free of problems (`checks.check`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.rules.cards import KING_OF_HEARTS, QUEENS, Card
from scoring.rules.contracts import Contract
from scoring.rules.deal.doubling import DoubledCapture, captures, doubled_cards
from scoring.rules.items import Item
from scoring.rules.rulesets.ruleset import Ruleset
from scoring.rules.seats import SEATS, Seat
from scoring.rules.tally import Entry, Tally


class Factor(NamedTuple):
    """A reason for multiplying a line: `chooser`, `forced`, `doubled`."""

    because: str
    times: int


class PointsLine(NamedTuple):
    """One reason for points: `points` = `count` × `value` × the factors.

    kind              who and what
    capture           the seat took `count` of `item`
    doubled_capture   it took `card`, doubled by seat `by`
    own_capture       it took the card it had doubled itself
    partner_capture   it took the card its partner `by` had doubled
    double_bonus      its doubled `card` was taken by seat `by`
    leader_bonus      it led the trick in which `by` took his own or his partner's doubled `card`
    revoke_rest       what was left falls to the revoker: `count` of `item`, or the doubled `card`
    revoke_all        everything falls to the revoker
    trex_place        it went out as number `place`
    fifty_one         it crossed the target
    kabbout           seat `by` took everything
    kabbout_won       it took everything itself: nothing
    cheat             it was caught
    forfeit           it took the total of `item` unplayed"""

    seat: Seat
    kind: str
    item: Item | None
    card: Card | None
    count: int  # type: ignore[assignment]  # hides tuple.count, which nobody needs here
    value: int
    factors: tuple[Factor, ...]
    points: int
    by: Seat | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Points:
    """Scores by seat, the lines that add up to them, and the two team sums where teams play."""

    scores: tuple[int, int, int, int]
    lines: tuple[PointsLine, ...]
    team_scores: tuple[int, int] | None


type Factors = tuple[tuple[Factor, ...], ...]

NO_FACTORS: Factors = ((), (), (), ())


def points(entry: Entry, ruleset: Ruleset) -> Points:
    """Return the points of one deal.

    Call it only for entries without problems."""
    lines = tuple(_lines(entry, ruleset))
    scores = [0, 0, 0, 0]
    for line in lines:
        scores[line.seat] += line.points
    return Points(
        (scores[0], scores[1], scores[2], scores[3]),
        lines,
        team_sums(scores) if ruleset.has_teams else None,
    )


def team_sums(scores: Sequence[int]) -> tuple[int, int]:
    """Return the sums of seats 0 and 2, and of seats 1 and 3 (C-L19)."""
    return scores[0] + scores[2], scores[1] + scores[3]


def worth(ruleset: Ruleset, item: Item, count: int) -> int:
    """Return the signed points of `count` of an item, undoubled and without factors."""
    return count * ruleset.item_values[item]


def trex_worth(ruleset: Ruleset, place: int) -> int:
    """Return the signed points of going out as number 1..4, without factors."""
    return ruleset.trex_values[place - 1]


def kabbout_item(contract: Contract, ruleset: Ruleset) -> Item | None:
    """Return the item whose sole taker reverses a deal of this contract; None without one.

    Never in a combination."""
    if contract.is_combined or contract.key not in ruleset.kabbout.contracts:
        return None
    return Item.TRICKS if contract.key == "general" else contract.items[0]


def kabbout_by(entry: Entry, ruleset: Ruleset) -> Seat | None:
    """Return the seat that took everything where that reverses the deal, else None.

    Only what was really taken counts: what a revoke lays on the offender never makes a kabbout,
    and under `revoke: total` there is none (rules.md 2.5)."""
    item, tally = kabbout_item(entry.contract, ruleset), entry.tally
    if item is None or (tally.revoke_by is not None and ruleset.revoke == "total"):
        return None
    taken = taken_counts(item, tally)
    everything = ruleset.how_many(item)
    return taken.index(everything) if everything in taken else None


def taken_counts(item: Item, tally: Tally) -> Sequence[int]:
    """Return how many of an item each seat took in tricks, doubled ones included."""
    match item:
        case Item.KING:
            return _one(tally.king_taken_by)
        case Item.LAST_TRICK:
            return _one(tally.last_trick_by)
        case Item.QUEENS if tally.queens_taken_by:
            takers = tuple(tally.queens_taken_by.values())
            return [takers.count(seat) for seat in SEATS]
        case Item.QUEENS:
            return tally.queens or _NONE
        case Item.DIAMONDS:
            return tally.diamonds or _NONE
        case Item.HEARTS:
            return tally.hearts or _NONE
        case Item.TRICKS:
            return tally.tricks or _NONE


_NONE = (0, 0, 0, 0)


def _one(seat: Seat | None) -> Sequence[int]:
    return _NONE if seat is None else [int(seat == each) for each in SEATS]


def _lines(entry: Entry, ruleset: Ruleset) -> Iterator[PointsLine]:
    tally = entry.tally
    if tally.cheat_by is not None:
        return _cheat_lines(entry, ruleset, tally.cheat_by)
    if tally.forfeited:
        return _forfeit_lines(entry, ruleset)
    if entry.contract.special == "trex":
        return _trex_lines(entry, ruleset)
    if entry.contract.special == "fifty_one":
        return _fifty_one_lines(entry, ruleset)
    winner = kabbout_by(entry, ruleset)
    if winner is not None:
        return _kabbout_lines(entry, ruleset, winner)
    return _item_lines(entry, ruleset)


def _cheat_lines(entry: Entry, ruleset: Ruleset, cheater: Seat) -> Iterator[PointsLine]:
    factors = _factors(entry, ruleset) if ruleset.cheat.multiplied else NO_FACTORS
    value = ruleset.sign * (ruleset.cheat.amount or 0)
    yield _line(cheater, "cheat", 1, value, factors)


def _forfeit_lines(entry: Entry, ruleset: Ruleset) -> Iterator[PointsLine]:
    """Return lines as if the chooser had taken everything (C-K5)."""
    assert entry.chooser is not None
    factors = _factors(entry, ruleset)
    for item in entry.contract.items:
        count, value = ruleset.how_many(item), ruleset.item_values[item]
        yield _line(entry.chooser, "forfeit", count, value, factors, item)


def _trex_lines(entry: Entry, ruleset: Ruleset) -> Iterator[PointsLine]:
    for place, seat in enumerate(entry.tally.finish_order or (), start=1):
        factors = _own_factors(
            ruleset,
            chooser=seat == entry.chooser and place <= ruleset.trex_doubled_places,
            forced=entry.forced and ruleset.forced_applies_to_trex,
        )
        value = ruleset.trex_values[place - 1]
        yield _line(seat, "trex_place", 1, value, (factors,) * 4, place=place)


def _fifty_one_lines(entry: Entry, ruleset: Ruleset) -> Iterator[PointsLine]:
    if entry.tally.loser is not None:
        value = ruleset.sign * ruleset.values.fifty_one
        yield _line(entry.tally.loser, "fifty_one", 1, value, _factors(entry, ruleset))


def _kabbout_lines(entry: Entry, ruleset: Ruleset, winner: Seat) -> Iterator[PointsLine]:
    factors = _factors(entry, ruleset) if ruleset.kabbout.multiplied else NO_FACTORS
    value = ruleset.sign * ruleset.kabbout.amount
    yield _line(winner, "kabbout_won", 1, 0, NO_FACTORS)
    for seat in SEATS:
        if seat != winner:
            yield _line(seat, "kabbout", 1, value, factors, by=winner)


def _item_lines(entry: Entry, ruleset: Ruleset) -> Iterator[PointsLine]:
    tally, factors = entry.tally, _factors(entry, ruleset)
    doubled = doubled_cards(tally, ruleset) if tally.doubles else {}
    for item in entry.contract.items:
        yield from _plain_lines(item, tally, ruleset, doubled, factors)
    for capture in captures(tally, ruleset) if doubled else ():
        yield from _capture_lines(capture, ruleset, factors)


def _plain_lines(
    item: Item, tally: Tally, ruleset: Ruleset, doubled: Mapping[Card, Seat], factors: Factors
) -> Iterator[PointsLine]:
    """Return the lines of what nobody doubled."""
    value = ruleset.item_values[item]
    everything = ruleset.how_many(item)
    taken = taken_counts(item, tally)
    if doubled:
        taken, everything = _without(doubled, item, tally, taken, everything)
    offender = tally.revoke_by
    if offender is not None and ruleset.revoke == "total":
        if everything:
            yield _line(offender, "revoke_all", everything, value, factors, item)
        return
    for seat in SEATS:
        if taken[seat]:
            yield _line(seat, "capture", taken[seat], value, factors, item)
    rest = everything - sum(taken)
    if offender is not None and rest:
        yield _line(offender, "revoke_rest", rest, value, factors, item)


def _without(
    doubled: Mapping[Card, Seat], item: Item, tally: Tally, taken: Sequence[int], everything: int
) -> tuple[Sequence[int], int]:
    """Return counts by seat and in all without the doubled cards, which have lines of their own."""
    if item is Item.KING and KING_OF_HEARTS in doubled:
        return _NONE, 0
    if item is not Item.QUEENS:
        return taken, everything
    plain = [card for card in QUEENS if card not in doubled]
    takers = [(tally.queens_taken_by or {}).get(card) for card in plain]
    if len(plain) == everything:
        return taken, everything
    return [takers.count(seat) for seat in SEATS], len(plain)


def _capture_lines(
    capture: DoubledCapture, ruleset: Ruleset, factors: Factors
) -> Iterator[PointsLine]:
    taker, item = capture.taker, capture.item
    value = ruleset.item_values[item]
    own = (Factor("doubled", capture.times),) if capture.times != 1 else ()
    yield _line(
        taker,
        _capture_kind(capture, ruleset),
        1,
        value,
        (*((own + each) for each in factors),),
        item,
        card=capture.card,
        by=capture.doubler,
    )
    gainer = capture.gainer(ruleset.doubling)
    if gainer is not None:
        kind = "double_bonus" if capture.rule == "opponent" else "leader_bonus"
        yield _line(gainer, kind, 1, -value, factors, item, card=capture.card, by=taker)


def _capture_kind(capture: DoubledCapture, ruleset: Ruleset) -> str:
    if capture.by_revoke:
        return "revoke_all" if ruleset.revoke == "total" else "revoke_rest"
    if capture.rule == "opponent":
        return "doubled_capture"
    return "own_capture" if capture.taker == capture.doubler else "partner_capture"


def _factors(entry: Entry, ruleset: Ruleset) -> Factors:
    """Return the factors of each seat: the chooser's, and the forced deal's for all (C-X5)."""
    if ruleset.chooser_factor == 1 and not entry.forced:
        return NO_FACTORS
    return tuple(
        _own_factors(ruleset, chooser=seat == entry.chooser, forced=entry.forced) for seat in SEATS
    )


def _own_factors(ruleset: Ruleset, *, chooser: bool, forced: bool) -> tuple[Factor, ...]:
    factors = []
    if chooser and ruleset.chooser_factor != 1:
        factors.append(Factor("chooser", ruleset.chooser_factor))
    if forced and ruleset.forced_factor != 1:
        factors.append(Factor("forced", ruleset.forced_factor))
    return tuple(factors)


def _line(
    seat: Seat,
    kind: str,
    count: int,
    value: int,
    factors: Factors,
    item: Item | None = None,
    *,
    card: Card | None = None,
    by: Seat | None = None,
    place: int | None = None,
) -> PointsLine:
    total = count * value
    for factor in factors[seat]:
        total *= factor.times
    if item is Item.KING:
        card = KING_OF_HEARTS
    return PointsLine(seat, kind, item, card, count, value, factors[seat], total, by, place)
