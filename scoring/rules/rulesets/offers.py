"""Contracts that a chooser may play, alone or combined, of those left to him."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from scoring.rules.contracts import COMBINABLE, Contract
from scoring.rules.rulesets.ruleset import Ruleset

MOST_PARTS = 4
"""As many contracts may be combined in one deal under `combo: free`."""


def offers(ruleset: Ruleset, left: Sequence[str]) -> Iterator[Contract]:
    """Return what may be played by a chooser who has these contracts left.

    In the order of `fixed_order`, single contracts first. In a drawn order: what is drawn from."""
    if ruleset.combo == "complex":
        yield from _complex(left)
    elif ruleset.contract_order in ("fixed", "fixed_reversed"):
        yield from _heads(left, MOST_PARTS if ruleset.combo == "free" else 1)
    elif ruleset.contract_order == "drawn":
        yield from map(Contract.read, _drawn_from(ruleset, left))
    else:
        yield from map(Contract.read, left)
        if ruleset.combo == "free":
            yield from _combined(left)


def any_offer(ruleset: Ruleset) -> Iterator[Contract]:
    """Return everything this table plays, which tied players may choose from for an extra deal."""
    names = ruleset.fixed_order
    if ruleset.combo == "complex":
        yield from _complex(names)
        yield from map(Contract.read, _apart(names))
        return
    yield from map(Contract.read, names)
    if ruleset.combo == "free":
        yield from _combined(names)


def most_deals(ruleset: Ruleset, left: Sequence[str]) -> int:
    """Return how many deals can be made of these contracts at most."""
    if ruleset.combo != "complex":
        return len(left)
    return len(_apart(left)) + bool(_combinable(left))


def _complex(left: Sequence[str]) -> Iterator[Contract]:
    """Return all trick contracts as one deal; the others after it, one by one."""
    parts = _combinable(left)
    yield from [Contract.read(parts)] if parts else map(Contract.read, left)


def _heads(left: Sequence[str], most: int) -> Iterator[Contract]:
    """Return the next contract of a fixed order, and the next few combined."""
    for count in range(1, min(most, len(left)) + 1):
        if count == 1 or set(left[:count]) <= set(COMBINABLE):
            yield Contract.read(left[:count])


def _drawn_from(ruleset: Ruleset, left: Sequence[str]) -> Sequence[str]:
    others = [name for name in left if name != "general"]
    return others if ruleset.general_last and others else left


def _combined(left: Sequence[str]) -> Iterator[Contract]:
    for count in range(2, MOST_PARTS + 1):
        yield from map(Contract.read, combinations(_combinable(left), count))


def _combinable(names: Sequence[str]) -> list[str]:
    return [name for name in names if name in COMBINABLE]


def _apart(names: Sequence[str]) -> list[str]:
    return [name for name in names if name not in COMBINABLE]


def prerequisites(ruleset: Ruleset) -> Iterator[tuple[Contract, frozenset[str]]]:
    """Return every contract with those that must have been played before it.

    In the order of `fixed_order`; free combinations are left to the table."""
    names = ruleset.fixed_order
    if ruleset.combo == "complex":
        together = _combinable(names)
        yield Contract.read(together), frozenset()
        yield from ((Contract((name,)), frozenset(together)) for name in _apart(names))
        return
    for place, name in enumerate(names):
        earlier: Sequence[str] = ()
        if ruleset.contract_order in ("fixed", "fixed_reversed"):
            earlier = names[:place]
        elif ruleset.contract_order == "drawn" and ruleset.general_last and name == "general":
            earlier = [other for other in names if other != name]
        yield Contract((name,)), frozenset(earlier)
