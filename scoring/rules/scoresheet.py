"""The scoresheet of a match: rows, running totals, zero checks, places and winners.

A sheet holds nothing that does not follow from the entries: nothing of it is ever stored.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Self

from scoring.rules.course import Played, contracts_left
from scoring.rules.deal.points import PointsLine, points, team_sums
from scoring.rules.deal.promises import promised_sum, zero_sum
from scoring.rules.ranking import Final, Four, TieBreak, final_places, places_now, sides
from scoring.rules.rulesets.ruleset import Ruleset
from scoring.rules.schedule import is_replayed
from scoring.rules.seats import SEATS, Seat
from scoring.rules.subtotals import SheetSubtotal
from scoring.rules.tally import Entry

__all__ = [
    "ScoreRow",
    "Scoresheet",
    "SheetAdjustment",
    "SheetDeal",
    "SheetKingdom",
    "SheetSubtotal",
    "scoresheet",
]


@dataclass(frozen=True, slots=True)
class SheetDeal:
    """A current deal on the sheet.

    `uses_contract` is false for the tie-break deal and for a deal that was played again after
    cheating; `id` is the caller's."""

    deal_number: int
    dealer: Seat
    chooser: Seat
    entry: Entry
    id: Hashable = None
    uses_contract: bool = True

    def played(self, ruleset: Ruleset) -> Played:
        """Return the same deal for the schedule."""
        return Played(
            self.deal_number,
            self.dealer,
            self.chooser,
            self.entry.contract,
            self.entry.forced,
            self.uses_contract,
            not self.uses_contract and is_replayed(self.entry, ruleset),
        )


@dataclass(frozen=True, slots=True)
class SheetAdjustment:
    """Points outside the deals, given or taken by the arbiter; `reason` is a code."""

    after_deal: int
    points: Four
    reason: str
    id: Hashable = None


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One line of the sheet: a deal, an adjustment, or a sum from paper.

    Its points, the lines that explain them, and the totals after it. `played` is None for what is
    no deal."""

    deal: SheetDeal | None
    adjustment: SheetAdjustment | None
    played: Played | None
    points: Four
    lines: tuple[PointsLine, ...]
    totals: Four
    paper: SheetPaper | None = None

    @property
    def number(self) -> int:
        """The number of the deal, or of the deal after which the row comes.

        For a sum from paper the last of its deals that are still open."""
        if self.deal:
            return self.deal.deal_number
        if self.adjustment:
            return self.adjustment.after_deal
        assert self.paper
        return self.paper.number

    @property
    def deals(self) -> int:
        """How many deals the row stands for."""
        return 1 if self.deal else len(self.paper.still_open) if self.paper else 0


@dataclass(frozen=True, slots=True)
class SheetPaper:
    """A subtotal as the sheet shows it.

    The deals that are `still_open` and the `share` of its sums that they keep; once there are none,
    by how much paper and deals differ (`difference`)."""

    subtotal: SheetSubtotal
    still_open: tuple[Played, ...]
    share: Four
    difference: Four | None

    @property
    def number(self) -> int:
        """The number of its line: after the last deal that is still open."""
        return max((deal.deal_number for deal in self.still_open), default=0)


@dataclass(frozen=True, slots=True)
class SheetKingdom:
    """The deals of one kingdom, or (`chooser` None) of one round where choosers rotate.

    `complete`: no deal of it is missing or still to come. `zero`: whether it sums to 0; None where
    the rules do not promise that, or not yet."""

    chooser: Seat | None
    rows: tuple[ScoreRow, ...]
    subtotal: Four
    complete: bool
    zero: bool | None


@dataclass(frozen=True, slots=True)
class Scoresheet:
    """The sheet of a match.

    `places` go 1-2-2-4 by seat; teams take 1 and 2, partners the same. `winners` are the seats in
    place 1, in a running match those that lead (none before the first line). `positives` are the
    seats of sides above 0 (below 0 where the lowest total wins), winners beside the best under
    `positive_wins` (C-L17), else none.
    `complete`: nobody has a contract left; only then a tie is broken. `zero` is the check of the
    whole match, as in a kingdom."""

    rows: tuple[ScoreRow, ...]
    kingdoms: tuple[SheetKingdom, ...]
    totals: Four
    team_totals: tuple[int, int] | None
    places: Four
    winners: tuple[Seat, ...]
    positives: tuple[Seat, ...]
    complete: bool
    zero: bool | None
    tie_break: TieBreak | None
    papers: tuple[SheetPaper, ...] = ()
    uncounted: tuple[ScoreRow, ...] = ()
    """Extra deals whose tie is gone since, by a correction: they stand on the sheet, belong to none
    of `rows` and count again once there is a tie for them to break."""

    def row_of(self, deal_number: int) -> ScoreRow | None:
        """Return the row of a deal, whether it counts or not."""
        rows = (row for row in (*self.rows, *self.uncounted) if row.deal)
        return next((row for row in rows if row.number == deal_number), None)

    @property
    def begun(self) -> bool:
        """Whether there are points at all: an empty sheet has no leader and no 0."""
        return bool(self.rows)

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """The seat that leads alone, or the team that does; empty where the lead is shared."""
        return self.winners if len(self.winners) == (2 if self.team_totals else 1) else ()

    @property
    def extra_due(self) -> tuple[Seat, ...]:
        """The seats between which an extra deal must decide; `turn` takes them as `tied`."""
        if self.tie_break is None or self.tie_break.kind != "extra_due":
            return ()
        return self.tie_break.contenders


def scoresheet(
    ruleset: Ruleset,
    deals: Iterable[SheetDeal],
    adjustments: Iterable[SheetAdjustment] = (),
    subtotals: Iterable[SheetSubtotal] = (),
) -> Scoresheet:
    """Return the sheet of these current deals.

    In the order of their numbers, each adjustment after the deal it names, sums from paper after
    their last open deal. Trex first places that nobody has filled in yet break no tie."""
    deals, adjustments = tuple(deals), tuple(adjustments)
    papers = tuple(_papers(ruleset, deals, subtotals))
    rows = tuple(_rows(ruleset, deals, adjustments, papers))
    left = contracts_left(ruleset, (deal for row in rows for deal in _played(row)))
    complete = not any(left)
    uncounted = _without_tie(ruleset, rows, complete)
    if uncounted:
        numbers = {row.number for row in uncounted}
        counted = [deal for deal in deals if deal.deal_number not in numbers]
        rows = tuple(_rows(ruleset, counted, adjustments, papers))
    regular = tuple(row for row in rows if any(not deal.is_extra for deal in _played(row)))
    totals = _sum(rows)
    check = ZeroCheck.of(ruleset, regular)
    places, tie_break = places_now(ruleset, totals), None
    if complete:
        places, tie_break = final_places(ruleset, _final(rows))
    return Scoresheet(
        rows=rows,
        kingdoms=tuple(_kingdoms(ruleset, regular, left, check)),
        totals=totals,
        team_totals=team_sums(totals) if ruleset.has_teams else None,
        places=places,
        winners=tuple(seat for seat in SEATS if rows and places[seat] == 1),
        positives=_positives(ruleset, totals),
        complete=complete,
        zero=check.of_rows(regular) if complete else None,
        tie_break=tie_break,
        papers=papers,
        uncounted=uncounted,
    )


def _without_tie(
    ruleset: Ruleset, rows: Sequence[ScoreRow], complete: bool
) -> tuple[ScoreRow, ...]:
    """Return the extra deals that have no tie to break.

    Somebody is ahead alone without them, or a deal of the match is missing again."""
    extra = tuple(row for row in rows if row.played and row.played.is_extra)
    if not extra or ruleset.tie_break != "trex_firsts":
        return ()
    _, tie = final_places(ruleset, _final(rows))
    return () if complete and tie and len(tie.contenders) > len(sides(ruleset)[0]) else extra


def _papers(
    ruleset: Ruleset, deals: Sequence[SheetDeal], subtotals: Iterable[SheetSubtotal]
) -> Iterator[SheetPaper]:
    for subtotal in subtotals:
        filled = [deal for deal in deals if subtotal.covers(deal.deal_number)]
        still_open = subtotal.still_open([deal.played(ruleset) for deal in filled])
        share = subtotal.points
        for deal in filled:
            share = _less(share, points(deal.entry, ruleset).scores)
        yield SheetPaper(subtotal, still_open, share, None if still_open else share)


def _played(row: ScoreRow) -> tuple[Played, ...]:
    """Return the deals that a row stands for."""
    if row.played:
        return (row.played,)
    return row.paper.still_open if row.paper else ()


def _rows(
    ruleset: Ruleset,
    deals: Iterable[SheetDeal],
    adjustments: Iterable[SheetAdjustment],
    papers: Iterable[SheetPaper],
) -> Iterator[ScoreRow]:
    totals: Four = (0, 0, 0, 0)
    on_paper = [paper for paper in papers if paper.still_open]
    lines: list[SheetDeal | SheetAdjustment | SheetPaper] = [*deals, *adjustments, *on_paper]
    for each in sorted(lines, key=_place_on_sheet):
        if isinstance(each, SheetAdjustment):
            totals = _add(totals, each.points)
            yield ScoreRow(None, each, None, each.points, (), totals)
        elif isinstance(each, SheetPaper):
            totals = _add(totals, each.share)
            yield ScoreRow(None, None, None, each.share, (), totals, each)
        else:
            worth = points(each.entry, ruleset)
            totals = _add(totals, worth.scores)
            yield ScoreRow(each, None, each.played(ruleset), worth.scores, worth.lines, totals)


def _place_on_sheet(each: SheetDeal | SheetAdjustment | SheetPaper) -> tuple[int, int]:
    if isinstance(each, SheetAdjustment):
        return each.after_deal, 2
    return (each.number, 1) if isinstance(each, SheetPaper) else (each.deal_number, 0)


def _kingdoms(
    ruleset: Ruleset, rows: Sequence[ScoreRow], left: Sequence[Sequence[str]], check: ZeroCheck
) -> Iterator[SheetKingdom]:
    if ruleset.chooser_order == "rotate":
        yield from _rounds(rows, match_complete=not any(left))
        return
    by_chooser: dict[Seat, list[ScoreRow]] = {}
    for row in rows:
        by_chooser.setdefault(_played(row)[0].chooser, []).append(row)
    for chooser, own in by_chooser.items():
        complete = not left[chooser]
        zero = check.of_rows(own) if complete else None
        yield SheetKingdom(chooser, tuple(own), _sum(own), complete, zero)


def _rounds(rows: Sequence[ScoreRow], match_complete: bool) -> Iterator[SheetKingdom]:
    """Return rounds in which each seat chooses once.

    Seats with nothing left are skipped, a deal played again counts once, and a missing number keeps
    its place."""
    rounds: list[list[ScoreRow]] = []
    numbers: list[list[int]] = []
    chose: set[Seat] = set()
    turns, last = 0, 0
    in_turn = [(deal, row) for row in rows for deal in _played(row)]
    for deal, row in sorted(in_turn, key=lambda pair: pair[0].deal_number):
        turns += deal.deal_number - last - 1
        if not rounds or turns >= len(SEATS) or deal.chooser in chose:
            rounds.append([])
            chose, turns = set(), max(turns - len(SEATS), 0)
            numbers.append([])
        if not any(row is one for one in rounds[-1]):
            rounds[-1].append(row)
        numbers[-1].append(deal.deal_number)
        last = deal.deal_number
        if not deal.replayed:
            chose.add(deal.chooser)
            turns += 1
    done = 0
    for own, had, after in zip_longest(rounds, numbers, numbers[1:]):
        ended = after is not None or len(chose) == len(SEATS)
        whole = len(had) == (after[0] if after else had[-1] + 1) - done - 1
        in_order = tuple(sorted(own, key=_number))
        yield SheetKingdom(None, in_order, _sum(own), match_complete or (ended and whole), None)
        done = had[-1]


def _final(rows: Sequence[ScoreRow]) -> Final:
    extra = [row for row in rows if row.played and row.played.is_extra]
    firsts = [0, 0, 0, 0]
    for row in rows:
        if row not in extra and (first := _trex_first(row)) is not None:
            firsts[first] += 1
    return Final(
        totals=_sum([row for row in rows if row not in extra]),
        extra=_sum(extra) if extra else None,
        firsts=(firsts[0], firsts[1], firsts[2], firsts[3]),
    )


def _trex_first(row: ScoreRow) -> Seat | None:
    if row.deal is None or row.deal.entry.contract.special != "trex":
        return None
    tally = row.deal.entry.tally
    return tally.finish_order[0] if tally.finish_order and tally.cheat_by is None else None


def _positives(ruleset: Ruleset, totals: Four) -> tuple[Seat, ...]:
    if not ruleset.positive_wins:
        return ()
    better = 1 if ruleset.win == "high" else -1
    winning = [side for side in sides(ruleset) if better * sum(totals[seat] for seat in side) > 0]
    return tuple(sorted(seat for side in winning for seat in side))


@dataclass(frozen=True, slots=True)
class ZeroCheck:
    """Whether the deals of a kingdom or a match sum to 0.

    `loose` are the numbers of the deals whose sum the rules do not fix."""

    promised: bool
    loose: frozenset[int]

    @classmethod
    def of(cls, ruleset: Ruleset, rows: Sequence[ScoreRow]) -> Self:
        if not zero_sum(ruleset):
            return cls(False, frozenset())
        deals = [row.deal for row in rows if row.deal]
        loose = (deal.deal_number for deal in deals if promised_sum(deal.entry, ruleset) is None)
        return cls(True, frozenset(loose))

    def of_rows(self, rows: Sequence[ScoreRow]) -> bool | None:
        """Return the check of these rows, None where the sum is not fixed for all of them."""
        loose = any(row.deal and row.deal.deal_number in self.loose for row in rows)
        return None if loose or not self.promised else sum(_sum(rows)) == 0


def _number(row: ScoreRow) -> int:
    return row.number


def _sum(rows: Sequence[ScoreRow]) -> Four:
    total: Four = (0, 0, 0, 0)
    for row in rows:
        total = _add(total, row.points)
    return total


def _less(one: Four, other: Four) -> Four:
    return one[0] - other[0], one[1] - other[1], one[2] - other[2], one[3] - other[3]


def _add(one: Four, other: Four) -> Four:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3]
