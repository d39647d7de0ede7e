"""Scores of many tallies at once, without a second scorer.

`rules.points` adds up lines, and each line is about one item or one card. So the scores of a deal
are the sum of what its items bring alone, and each of these has few outcomes: a table holds them,
filled by `rules.points` as outcomes turn up. Where taking everything turns the deal round
(kabbout) the whole tally is scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from scoring.archive.card_bytes import Bytes, Flags, Numbers
from scoring.archive.trick_pass import Taken
from scoring.rules import Contract, Double, Entry, Item, Ruleset, Tally, points
from scoring.rules.cards import KING_OF_HEARTS, Card
from scoring.rules.seats import SEATS

NOBODY = 4
CONTEXTS = 2 * (NOBODY + 1)
"""Chooser (or nobody) and whether the contract is forced."""
RADIX = 14
"""More than there are of any item."""


def entry_of(contract: Contract, context: int, tally: Tally) -> Entry:
    """The entry of a deal of one context."""
    chooser, forced = divmod(context, 2)
    return Entry(contract, None if chooser == NOBODY else chooser, bool(forced), tally)


def context_of(chooser: Bytes, forced: Flags) -> Bytes:
    """One number for the chooser (4: unknown) and whether the contract is forced."""
    return chooser * np.uint8(2) + forced.view(np.uint8)


class ScoreTable:
    """Scores by seat of each outcome of one item or card, for every chooser."""

    outcomes: int

    def __init__(self, contract: Contract, ruleset: Ruleset) -> None:
        self.contract, self.ruleset = contract, ruleset
        self.scores = np.zeros((CONTEXTS * self.outcomes, 4), np.int32)
        self.is_filled = np.zeros(CONTEXTS * self.outcomes, np.bool_)

    def tally(self, outcome: int) -> Tally:
        """The facts of an outcome."""
        raise NotImplementedError

    def _find(self, is_good: Flags, outcome: Numbers, context: Bytes) -> Numbers:
        """Scores by deal and seat; anything where the deal is not good."""
        rows = context * np.int32(self.outcomes) + outcome
        if not is_good.all():
            rows = np.where(is_good, rows, rows[is_good][:1] if is_good.any() else 0)
        is_filled = self.is_filled.take(rows)
        if not is_filled.all() and is_good.any():
            for row in np.unique(rows[~is_filled]).tolist():
                entry = entry_of(
                    self.contract, row // self.outcomes, self.tally(row % self.outcomes)
                )
                self.scores[row] = points(entry, self.ruleset).scores
                self.is_filled[row] = True
        return self.scores.take(rows, axis=0)


class ItemTable(ScoreTable):
    """An item that is counted, or the last trick."""

    def __init__(self, item: Item, ruleset: Ruleset) -> None:
        self.item, self.everything = item, ruleset.how_many(item)
        self.outcomes = 4 if item is Item.LAST_TRICK else RADIX**3
        super().__init__(Contract.read(item.value), _additive(ruleset))

    def find(self, is_good: Flags, counts: Sequence[Bytes], context: Bytes) -> Numbers:
        """By the counts of the four seats, or by who took the last trick."""
        outcome = counts[0].astype(np.int32)
        for count in counts[1:3]:
            outcome = outcome * np.int32(RADIX) + count
        return self._find(is_good, outcome, context)

    def tally(self, outcome: int) -> Tally:
        if self.item is Item.LAST_TRICK:
            return Tally(last_trick_by=outcome)
        rest, third = divmod(outcome, RADIX)
        first, second = divmod(rest, RADIX)
        counts = (first, second, third, self.everything - first - second - third)
        own: dict[str, Any] = {self.item.value: counts}
        return Tally(**own)


class CardTable(ScoreTable):
    """K♥ or a queen: who took it, who doubled it, who led the trick."""

    outcomes = 4 * 5 * 4

    def __init__(self, card: Card, ruleset: Ruleset) -> None:
        self.card = card
        name = "king" if card == KING_OF_HEARTS else "queens"
        super().__init__(Contract.read(name), _additive(ruleset))

    def find(self, is_good: Flags, taken: Taken, doubler: Bytes | None, context: Bytes) -> Numbers:
        """By what became of the card; `doubler` is 0 for nobody, else the seat + 1."""
        code = taken.by * np.uint8(20)
        if doubler is not None:
            code += doubler * np.uint8(4) + taken.leader
        return self._find(is_good, code.astype(np.int32), context)

    def tally(self, outcome: int) -> Tally:
        rest, leader = divmod(outcome, 4)
        by, doubler = divmod(rest, 5)
        doubles = (Double(self.card, doubler - 1),) if doubler else ()
        if self.card == KING_OF_HEARTS:
            return Tally(king_taken_by=by, doubles=doubles, trick_leader={self.card: leader})
        takers = {self.card: by}
        return Tally(queens_taken_by=takers, doubles=doubles, trick_leader={self.card: leader})


class PlacesTable(ScoreTable):
    """The finish order of Trex."""

    outcomes = 4**4

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(Contract.read("trex"), ruleset)

    def find(self, is_good: Flags, places: Sequence[Bytes], context: Bytes) -> Numbers:
        """By the place (from 0) of each of the four seats."""
        code = places[0]
        for place in places[1:]:
            code = code * np.uint8(4) + place
        return self._find(is_good, code.astype(np.int32), context)

    def tally(self, outcome: int) -> Tally:
        places = [outcome >> shift & 3 for shift in (6, 4, 2, 0)]
        return Tally(finish_order=tuple(sorted(SEATS, key=places.__getitem__)))


def _additive(ruleset: Ruleset) -> Ruleset:
    """The rules without what looks at a whole tally."""
    return replace(ruleset, kabbout=replace(ruleset.kabbout, contracts=frozenset()))
