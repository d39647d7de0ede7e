"""Reasons why no table can have produced a line of points.

code             numbers
wrong_sum        `found`, and `expected`: what the four may add up to, factors taken out; `factors`:
                 that is not what the four as written add up to
not_a_multiple   `seat`, `step`: its number is no multiple of what one thing costs
not_the_places   `expected`: what the places of Trex are worth, without factors
not_one_loser    `expected`: what the one who goes over the top takes, without factors
or_cheating      `expected`: what a cheater takes alone, where nothing else of the deal counts
no_contract      no contract of these rules gives the line
no_facts         the numbers look right one by one and do not go together
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import gcd
from typing import NamedTuple

from scoring.finder.facts import PossibleFacts
from scoring.finder.prices import Prices
from scoring.finder.sheet import WrittenLine
from scoring.rules import Tally, base_total
from scoring.rules.seats import SEATS, Seat


class Why(NamedTuple):
    """One reason, with the numbers that explain it."""

    code: str
    seat: Seat | None = None
    step: int | None = None
    found: int | None = None
    expected: tuple[int, ...] = ()
    factors: bool = False


def why_impossible(line: WrittenLine, facts: PossibleFacts) -> Iterator[Why]:
    """Yield every reason for a line without facts.

    A reason that depends on the chooser is none; where nobody said that the deal was forced, it is
    judged as if it was not."""
    if line.contract is None:
        yield Why("no_contract")
        return
    likely = replace(line, forced=bool(line.forced))
    first, *others = [list(_reasons(likely, prices)) for prices in facts.frames_of(likely)]
    shared = [said for why in first if (said := _whoever_chose(why, others))]
    yield from shared or [Why("no_facts")]
    yield from _cheating(likely, facts)


def _cheating(line: WrittenLine, facts: PossibleFacts) -> Iterator[Why]:
    if facts.ruleset.cheat.amount is None:
        return
    frames = list(facts.frames_of(line))
    alone = {prices.scores(Tally(cheat_by=seat))[seat] for prices in frames for seat in SEATS}
    yield Why("or_cheating", expected=tuple(sorted(alone)))


def _whoever_chose(why: Why, others: Sequence[Sequence[Why]]) -> Why | None:
    """Return the reason as it holds for every chooser, None where it does not."""
    key = why.code, why.seat, why.found
    same = [own for reasons in others for own in reasons if (own.code, own.seat, own.found) == key]
    if len(same) < len(others):
        return None
    steps = [own.step for own in (why, *same) if own.step]
    return why._replace(step=gcd(*steps)) if steps else why


def _reasons(line: WrittenLine, prices: Prices) -> Iterator[Why]:
    special = prices.contract.special
    if special == "trex":
        yield Why("not_the_places", expected=prices.ruleset.trex_values)
    elif special == "fifty_one":
        yield Why("not_one_loser", expected=(base_total(prices.contract, prices.ruleset),))
    else:
        uneven = [why for seat in SEATS if (why := _uneven(line, seat, prices))]
        yield from uneven
        reduced = prices.reduced(line.points)
        if not uneven and reduced is not None and reduced not in prices.sums:
            yield Why(
                "wrong_sum",
                found=reduced,
                expected=tuple(sorted(prices.sums)),
                factors=reduced != sum(line.points),
            )


def _uneven(line: WrittenLine, seat: Seat, prices: Prices) -> Why | None:
    step = _step(seat, prices)
    return Why("not_a_multiple", seat, step) if step and line.points[seat] % step else None


def _step(seat: Seat, prices: Prices) -> int:
    """Return the greatest number of which everything this seat can take is a multiple."""
    singles = [by_seat[seat] for by_seat in prices.units.values()]
    fates = [fate.worth[seat] for fate in (*prices.king_fates, *prices.queen_fates)]
    return gcd(*singles, *fates)
