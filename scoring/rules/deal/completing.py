"""Values of an entry that follow with certainty from those already given."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from scoring.rules.cards import QUEENS
from scoring.rules.contracts import Contract
from scoring.rules.items import COUNTED, Item
from scoring.rules.rulesets.ruleset import Ruleset
from scoring.rules.seats import SEATS, Seat, is_seat
from scoring.rules.tally import PENALTY_KEYS

type Counts = list[int | None]


def complete(contract: Contract, ruleset: Ruleset, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the input with all values filled in that follow from those given.

    Three counts of four give the fourth, a total that is reached gives the zeros, a seat without
    tricks has nothing, and places of Trex still open are filled once nothing hangs on them. An
    open value is None or absent. With a revoke, cheating or a forfeit nothing follows.

    >>> complete(Contract.read("diamonds"), preset("levant"), {"diamonds": [5, None, 8, None]})
    {'diamonds': [5, 0, 8, 0]}"""
    found = dict(given)
    # Seat 0 is no False: 0 == False holds in Python.
    if any(given.get(key) is not None and given[key] is not False for key in PENALTY_KEYS):
        return found
    if contract.special == "trex":
        _complete_order(found, ruleset)
    elif not contract.special:
        _complete_items(found, contract, ruleset)
    return found


def places_settled(ruleset: Ruleset, places: Collection[int]) -> bool:
    """Return whether it makes no difference who takes these open places of Trex (1..4).

    True for a single place, and where they are worth the same to everybody, the chooser included
    (C-B5)."""
    values = {ruleset.trex_values[place - 1] for place in places}
    if len(places) < 2 or values == {0}:
        return True
    doubled = {place <= ruleset.trex_doubled_places for place in places}
    return len(values) == 1 and (len(doubled) == 1 or ruleset.chooser_factor == 1)


def _complete_order(found: dict[str, Any], ruleset: Ruleset) -> None:
    """Fill open places, lowest seat first (rules.md, "Input of a deal")."""
    order = _four(found.get("finish_order"))
    given = [seat for seat in order or () if seat is not None]
    if not order or not given or not all(is_seat(seat) for seat in given):
        return
    places = [place for place, seat in enumerate(order, start=1) if seat is None]
    left = [seat for seat in SEATS if seat not in given]
    if len(left) == len(places) and places_settled(ruleset, places):
        found["finish_order"] = [left.pop(0) if seat is None else seat for seat in order]


def _complete_items(found: dict[str, Any], contract: Contract, ruleset: Ruleset) -> None:
    items = contract.items
    tricks = _complete_counts(found, Item.TRICKS, ruleset, SEATS) if Item.TRICKS in items else None
    could = _holders(tricks)
    for item in items:
        if item in COUNTED and item is not Item.TRICKS:
            _complete_counts(found, item, ruleset, could)
    if Item.QUEENS in items:
        _complete_queens(found, ruleset, could)
    if Item.LAST_TRICK in items:
        _complete_taker(found, "last_trick_by", could)
    if Item.KING in items:
        hearts = _holders(_whole(found.get("hearts"))) if Item.HEARTS in items else SEATS
        _complete_taker(found, "king_taken_by", [seat for seat in could if seat in hearts])


def _complete_counts(
    found: dict[str, Any], item: Item, ruleset: Ruleset, could: Collection[Seat]
) -> Sequence[int] | None:
    """Fill the counts of an item that only the seats in `could` can have.

    Returns the counts if all four are known."""
    given = found.get(item.value)
    counts = _counts(given)
    if counts is None:
        return None
    filled = [0 if n is None and seat not in could else n for seat, n in enumerate(counts)]
    left = ruleset.how_many(item) - sum(n for n in filled if n is not None)
    if left == 0:
        filled = [n or 0 for n in filled]
    elif left > 0 and filled.count(None) == 1:
        filled = [left if n is None else n for n in filled]
    if filled != counts and (given is not None or None not in filled):
        found[item.value] = filled
    return _whole(found.get(item.value))


def _complete_queens(found: dict[str, Any], ruleset: Ruleset, could: Collection[Seat]) -> None:
    takers = found.get("queens_taken_by")
    if isinstance(takers, Mapping) and takers:
        if len(could) == 1:
            known = {card: seat for card, seat in takers.items() if seat is not None}
            found["queens_taken_by"] = dict.fromkeys(QUEENS, next(iter(could))) | known
    elif not found.get("doubles"):
        _complete_counts(found, Item.QUEENS, ruleset, could)


def _complete_taker(found: dict[str, Any], key: str, could: Collection[Seat]) -> None:
    if found.get(key) is None and len(could) == 1:
        found[key] = next(iter(could))


def _holders(counts: Sequence[int] | None) -> Sequence[Seat]:
    """Return the seats that have some of an item, or all four while the counts are unknown."""
    return SEATS if counts is None else [seat for seat in SEATS if counts[seat]]


def _counts(value: Any) -> Counts | None:
    """Return four counts or Nones; None if the value is something else."""
    counts = _four(value)
    if counts is None or any(n is not None and (type(n) is not int or n < 0) for n in counts):
        return None
    return counts


def _whole(value: Any) -> Sequence[int] | None:
    counts = [n for n in _counts(value) or () if n is not None]
    return counts if len(counts) == 4 else None


def _four(value: Any) -> list[Any] | None:
    """Return a list of four, padded with None at the end; None if the value is no such list."""
    if value is None:
        return [None] * 4
    if not isinstance(value, list | tuple) or len(value) > 4:
        return None
    return [*value, *[None] * (4 - len(value))]
