"""All problems of an entry: contract, chooser, doubles, counts, finish order and forfeits.

Nothing is trusted: the tally of an entry made from untrusted data may hold anything, so every
value is asked what it is before it is used. Nothing is raised and nothing is mended.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeGuard

from scoring.rules.cards import KING_OF_HEARTS, QUEENS, Card
from scoring.rules.contracts import COMBINABLE, Contract
from scoring.rules.deal.crosschecks import cross_problems
from scoring.rules.deal.doubling import asks_for_leader, captures, doubled_item, may_double
from scoring.rules.deal.fifty_one import fifty_one_problems
from scoring.rules.items import Item
from scoring.rules.problems import Problem, ProblemCode
from scoring.rules.rulesets.ruleset import Ruleset
from scoring.rules.seats import SEATS, is_seat
from scoring.rules.tally import Entry, Tally

FORFEITABLE = ("king", "diamonds", "queens")
_NONE = (0, 0, 0, 0)
MOST = 9999
"""The highest wrong total that is told: a number of thousands of digits cannot be printed."""


def check(entry: Entry, ruleset: Ruleset) -> list[Problem]:
    """Return all problems of an entry under these rules; empty when it can be scored."""
    problems = list(_contract_problems(entry.contract, ruleset))
    problems += frame_problems(entry.chooser, entry.forced)
    if any(problem.field == "contract" for problem in problems):
        return problems
    tally = entry.tally
    problems += _penalty_problems(entry, ruleset)
    problems += _double_problems(entry.contract, tally, ruleset)
    if tally.cheat_by is None and not tally.forfeited:
        problems += _fact_problems(entry, ruleset)
    problems += _chooser_problems(entry, ruleset)
    return problems


def _contract_problems(contract: Contract, ruleset: Ruleset) -> Iterator[Problem]:
    for name in contract.parts:
        if name not in ruleset.contracts:
            yield Problem(ProblemCode.UNKNOWN_CONTRACT, "contract", {"name": name})
        if contract.is_combined and name not in COMBINABLE:
            yield Problem(ProblemCode.NOT_COMBINABLE, "contract", {"name": name})


def frame_problems(chooser: object, forced: object) -> Iterator[Problem]:
    """Find problems of the chooser and of `forced`, which belong to no contract or fact."""
    if chooser is not None and not is_seat(chooser):
        yield Problem(ProblemCode.BAD_SEAT, "chooser")
    if not isinstance(forced, bool):
        yield Problem(ProblemCode.BAD_OPTION_VALUE, "forced")


def _chooser_problems(entry: Entry, ruleset: Ruleset) -> Iterator[Problem]:
    if entry.chooser is None and _needs_chooser(entry, ruleset):
        yield Problem(ProblemCode.CHOOSER_MISSING, "chooser")


def _needs_chooser(entry: Entry, ruleset: Ruleset) -> bool:
    tally = entry.tally
    if tally.forfeited:
        return True
    if tally.cheat_by is not None:
        return ruleset.chooser_factor != 1 and ruleset.cheat.multiplied
    if entry.contract.special == "trex":
        return ruleset.chooser_factor != 1 and ruleset.trex_chooser_double != "none"
    return ruleset.chooser_factor != 1 or (
        entry.contract.special == "fifty_one" and tally.plays is not None
    )


# -- what the arbiter takes instead of, or on top of, the cards


def _penalty_problems(entry: Entry, ruleset: Ruleset) -> Iterator[Problem]:
    tally, special = entry.tally, entry.contract.special
    if tally.revoke_by is not None:
        yield from _seat_problems("revoke_by", tally.revoke_by)
        if ruleset.revoke == "off" or special:
            yield Problem(ProblemCode.OPTION_OFF, "revoke_by")
    if tally.cheat_by is not None:
        yield from _seat_problems("cheat_by", tally.cheat_by)
        if ruleset.cheat.amount is None:
            yield Problem(ProblemCode.OPTION_OFF, "cheat_by")
    if not isinstance(tally.forfeited, bool):
        yield Problem(ProblemCode.BAD_OPTION_VALUE, "forfeited")
    elif tally.forfeited and not _may_forfeit(entry.contract, ruleset):
        yield Problem(ProblemCode.OPTION_OFF, "forfeited")
    if (tally.revoke_by is not None) + (tally.cheat_by is not None) + bool(tally.forfeited) > 1:
        yield Problem(ProblemCode.IMPOSSIBLE, "forfeited" if tally.forfeited else "cheat_by")


def _may_forfeit(contract: Contract, ruleset: Ruleset) -> bool:
    return ruleset.forfeit_first_three and set(contract.parts) <= set(FORFEITABLE)


# -- doubles


def _double_problems(contract: Contract, tally: Tally, ruleset: Ruleset) -> Iterator[Problem]:
    if not isinstance(tally.doubles, tuple):
        yield Problem(ProblemCode.UNKNOWN_CARD, "doubles")
        return
    seen: list[Card] = []
    for card, by in tally.doubles:
        if not _is_card(card, ruleset):
            yield Problem(ProblemCode.UNKNOWN_CARD, "doubles")
            continue
        yield from _doubling_problems(card, contract, ruleset)
        yield from _seat_problems("doubles", by, card)
        key = _announced(card, ruleset)
        if key in seen:
            yield Problem(ProblemCode.DOUBLED_TWICE, "doubles", {"card": card})
        seen.append(key)


def _doubling_problems(card: Card, contract: Contract, ruleset: Ruleset) -> Iterator[Problem]:
    doubling = ruleset.doubling
    is_doublable = card == KING_OF_HEARTS or card in QUEENS
    if not is_doublable or doubled_item(card) not in contract.items:
        yield Problem(ProblemCode.NOT_DOUBLABLE, "doubles", {"card": card})
        if not (doubling.king or doubling.queens):
            yield Problem(ProblemCode.OPTION_OFF, "doubles", {"card": card})
    elif not may_double(card, contract, ruleset):
        yield Problem(ProblemCode.OPTION_OFF, "doubles", {"card": card})


def _announced(card: Card, ruleset: Ruleset) -> Card:
    """Return what may be announced once: the card, or all queens under whole_contract (C-K3)."""
    whole = ruleset.doubling.queens_unit == "whole_contract" and card in QUEENS
    return QUEENS[0] if whole else card


def _leader_problems(tally: Tally, ruleset: Ruleset) -> Iterator[Problem]:
    if not asks_for_leader(ruleset):
        return
    for card, seat in (tally.trick_leader or {}).items():
        field = f"trick_leader.{_name(card)}"
        if not _is_card(card, ruleset):
            yield Problem(ProblemCode.UNKNOWN_CARD, field)
        yield from _seat_problems(field, seat)
    for capture in captures(tally, ruleset):
        if capture.lacks_leader:
            yield Problem(
                ProblemCode.TRICK_LEADER_MISSING,
                f"trick_leader.{capture.card}",
                {"card": capture.card},
            )


# -- what the cards did


def _fact_problems(entry: Entry, ruleset: Ruleset) -> list[Problem]:
    contract, tally = entry.contract, entry.tally
    if contract.special == "trex":
        return list(_order_problems(tally))
    if contract.special == "fifty_one":
        return list(fifty_one_problems(entry, ruleset))
    found = {item: list(_item_problems(item, tally, ruleset)) for item in contract.items}
    problems = [problem for own in found.values() for problem in own]
    sound = [item for item, own in found.items() if not own]
    if len(sound) > 1:
        problems += cross_problems(sound, tally)
    if tally.doubles and not problems and not _any_double_wrong(contract, tally, ruleset):
        problems += _leader_problems(tally, ruleset)
    return problems


def _any_double_wrong(contract: Contract, tally: Tally, ruleset: Ruleset) -> bool:
    return next(_double_problems(contract, tally, ruleset), None) is not None


def _order_problems(tally: Tally) -> Iterator[Problem]:
    order = tally.finish_order
    if order is None:
        yield Problem(ProblemCode.MISSING, "finish_order")
    elif not isinstance(order, tuple):
        yield Problem(ProblemCode.NOT_A_PERMUTATION, "finish_order")
    elif len(order) != 4 or any(seat not in order for seat in SEATS):
        yield Problem(ProblemCode.NOT_A_PERMUTATION, "finish_order", {"twice": _twice(order)})
    else:
        for seat in order:  # True and 1.0 are equal to a seat and none
            yield from _seat_problems("finish_order", seat)


def _item_problems(item: Item, tally: Tally, ruleset: Ruleset) -> Iterator[Problem]:
    revoked = tally.revoke_by is not None
    everything = ruleset.how_many(item)
    match item:
        case Item.KING:
            return _taker_problems("king_taken_by", tally.king_taken_by, revoked)
        case Item.LAST_TRICK:
            return _taker_problems("last_trick_by", tally.last_trick_by, revoked)
        case Item.QUEENS:
            return _queen_problems(tally, revoked)
        case Item.DIAMONDS:
            return _count_problems("diamonds", tally.diamonds, everything, revoked)
        case Item.HEARTS:
            return _count_problems("hearts", tally.hearts, everything, revoked)
        case Item.TRICKS:
            return _count_problems("tricks", tally.tricks, everything, revoked)


def _taker_problems(field: str, seat: object, revoked: bool) -> Iterator[Problem]:
    if seat is not None or not revoked:
        yield from _seat_problems(field, seat)


def _seat_problems(field: str, seat: object, card: Card | None = None) -> Iterator[Problem]:
    if is_seat(seat):
        return
    code = ProblemCode.MISSING if seat is None else ProblemCode.BAD_SEAT
    yield Problem(code, field, {} if card is None else {"card": card})


def _count_problems(
    field: str, counts: object, everything: int, revoked: bool
) -> Iterator[Problem]:
    """Check four counts: they add up to what exists, or to less after a revoke."""
    if counts is None:
        yield Problem(ProblemCode.MISSING, field)
    elif not _are_counts(counts):
        yield Problem(ProblemCode.BAD_COUNTS, field)
    else:
        found = sum(counts)
        if found > everything or (found < everything and not revoked):
            yield Problem(
                ProblemCode.WRONG_TOTAL, field, {"expected": everything, "found": min(found, MOST)}
            )


def _queen_problems(tally: Tally, revoked: bool) -> Iterator[Problem]:
    """Check each queen's taker, or four counts where no queen is doubled; both must agree."""
    takers, counts = tally.queens_taken_by, tally.queens
    if takers == {}:
        takers = None
    if counts is not None:
        yield from _count_problems("queens", counts, 4, revoked)
    if takers is not None:
        yield from _queen_taker_problems(takers, revoked)
        if counts is not None and _are_counts(counts) and isinstance(takers, Mapping):
            seats = tuple(takers.values())
            if [seats.count(seat) for seat in SEATS] != list(counts):
                yield Problem(ProblemCode.IMPOSSIBLE, "queens")
    elif not revoked if counts is None else counts != _NONE and _queen_is_doubled(tally):
        yield Problem(ProblemCode.MISSING, "queens_taken_by")


def _queen_taker_problems(takers: object, revoked: bool) -> Iterator[Problem]:
    if not isinstance(takers, Mapping):
        yield Problem(ProblemCode.MISSING, "queens_taken_by")
        return
    for card, seat in takers.items():
        if card not in QUEENS:
            yield Problem(ProblemCode.UNKNOWN_CARD, f"queens_taken_by.{_name(card)}")
        else:
            yield from _seat_problems(f"queens_taken_by.{card}", seat, card)
    if not revoked:
        for card in QUEENS:
            if card not in takers:
                yield Problem(ProblemCode.MISSING, f"queens_taken_by.{card}", {"card": card})


def _queen_is_doubled(tally: Tally) -> bool:
    doubles = tally.doubles
    return isinstance(doubles, tuple) and any(card in QUEENS for card, _ in doubles)


# -- what a value is


def _are_counts(value: object) -> TypeGuard[Sequence[int]]:
    return (
        isinstance(value, tuple)
        and len(value) == 4
        and all(type(count) is int and count >= 0 for count in value)
    )


def _is_card(value: object, ruleset: Ruleset) -> bool:
    return isinstance(value, str) and value in ruleset.deck


def _twice(order: Sequence[object]) -> list[int]:
    return [seat for seat in SEATS if order.count(seat) > 1]


def _name(value: object) -> str:
    """Shorten a key of untrusted data so that it can be shown."""
    return value[:10] if isinstance(value, str) else "?"
