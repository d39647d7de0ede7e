"""Search for every single change that makes a sheet agree with itself.

A sheet agrees when some table can have produced every line and every written total is the sum of
its lines. A single change is one of

- the facts of one deal, changed as `single` says. Of an entered deal they are known. Behind a line
  of points may stand any facts that give it; the new line is what the changed ones give.
- `line_number`: one number of a line of points is another.
- `line_exchanged`: two numbers of a line of points stand in each other's place.
- `line_negated`: all four numbers of a line of points have the other sign.
- `line_contract`, `line_chooser`: the points of a line are right, its contract or chooser is not.
- `left_out`: a penalty or a correction stands in no total that should have it.
- a slip in adding up, of which `totals` has the kinds.

Changes are told apart by the place and the numbers that they leave, of an entered deal by the facts
(`single.facts_key`). What can be had in several ways is listed once, as the likeliest of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby, islice
from types import MappingProxyType
from typing import Any

from scoring.finder.costs import LATE, LEAST, OF_DOUBLES, cost
from scoring.finder.effort import FACTS, Enough
from scoring.finder.facts import PossibleFacts
from scoring.finder.impossible import Why, why_impossible
from scoring.finder.prices import NOTHING
from scoring.finder.sheet import (
    Disagreement,
    Entered,
    Some,
    TotalsRun,
    WrittenLine,
    WrittenSheet,
    fits,
)
from scoring.finder.single import (
    FactChange,
    after,
    facts_key,
    frame_steps,
    is_possible,
    moves_of_doubled,
    steps,
)
from scoring.finder.totals import AddingSlip, numbers, slips
from scoring.finder.values import other_values
from scoring.rules import Entry, Ruleset, points
from scoring.rules.ranking import Four
from scoring.rules.seats import SEATS, Seat

SHOWN = 6
"""As many facts as are told of one line."""
LOOKED_AT = 60
"""As many facts behind one line of points as are changed in search of another line; the first come
from all over. Only queens with doubles, general and combined deals have more."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change that explains all disagreements.

    It is about the line `row`, or about the written total `total`. `before` and `after` are the
    points of the line, or the numbers of the total that are wrong and nothing else; `slip` says how
    the total came to be wrong. `frame` is what a line has otherwise than noted. `step` says what
    was changed in the facts `entry`, `others` are facts like `step.tally` that no sheet tells apart
    from it. Where they are `guessed`, they are some of those that may stand behind a line of
    points."""

    kind: str
    cost: int
    row: int | None
    total: int | None
    before: Some
    after: Some
    seats: tuple[Seat, ...] = ()
    entry: Entry | None = None
    step: FactChange | None = None
    others: tuple[Entry, ...] = ()
    guessed: bool = False
    slip: AddingSlip | None = None
    frame: Mapping[str, Any] = MappingProxyType({})

    @property
    def explanation(self) -> Hashable:
        """A key that is equal for changes that a reader takes for one.

        The same kind of mistake in the same place, with the same numbers. Doubles are one kind."""
        kind = "doubles" if self.kind in OF_DOUBLES else self.kind
        return kind, self.cost, self.row, self.total, self.after

    @property
    def corrected(self) -> Entry | None:
        """The deal as it would be after the change."""
        return after(self.entry, self.step) if self.entry and self.step else None


@dataclass(frozen=True, slots=True)
class Meaning:
    """What may stand behind a line of points.

    Some of the facts, whether there are more, and where there are none, why. `open`: the search
    ended before any were found, which proves nothing."""

    row: int
    facts: tuple[Entry, ...]
    more: bool
    why: tuple[Why, ...]
    open: bool = False

    @property
    def impossible(self) -> bool:
        """Whether no table can have produced the line."""
        return not self.facts and not self.open


@dataclass(frozen=True, slots=True)
class Findings:
    """All there is to say of a sheet. `groups`: the changes, likeliest first; those in one group
    are equally likely, and those of one explanation stand side by side. `runs`: the disagreements,
    those of totals one below the other together. `whole`: everything was looked at; otherwise there
    may be more of them."""

    meanings: tuple[Meaning, ...]
    disagreements: tuple[Disagreement, ...]
    groups: tuple[tuple[Change, ...], ...]
    whole: bool = True
    runs: tuple[TotalsRun, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether nothing is wrong."""
        return not self.disagreements and not any(not meaning.facts for meaning in self.meanings)

    @property
    def impossible(self) -> tuple[int, ...]:
        """The rows that no table can have produced."""
        return tuple(meaning.row for meaning in self.meanings if meaning.impossible)

    @property
    def explanations(self) -> tuple[tuple[Change, ...], ...]:
        """The changes, likeliest first; those of one explanation together."""
        return tuple(explained for group in self.groups for explained in by_explanation(group))

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes in one list."""
        return tuple(change for group in self.groups for change in group)


def find(sheet: WrittenSheet, ruleset: Ruleset, facts: PossibleFacts | None = None) -> Findings:
    """Search a sheet for mistakes; with `facts` only as far as their limit allows."""
    facts = facts or PossibleFacts(ruleset)
    meanings = tuple(_meanings(sheet, facts))
    wrong = [meaning.row for meaning in meanings if meaning.impossible]
    found: list[Change] = []
    whole = not any(meaning.open for meaning in meanings)
    if (wrong or sheet.disagreements) and len(wrong) < 2:
        try:
            found.extend(_changes(sheet, wrong, facts))
        except Enough:
            whole = False
    ordered = _in_order(_told_once(found, ruleset))
    groups = tuple(tuple(group) for _, group in groupby(ordered, key=lambda change: change.cost))
    return Findings(meanings, sheet.disagreements, groups, whole, sheet.runs)


def _meanings(sheet: WrittenSheet, facts: PossibleFacts) -> Iterator[Meaning]:
    for row, line in enumerate(sheet.lines):
        if isinstance(line, WrittenLine):
            yield _meaning(row, line, facts)


def _meaning(row: int, line: WrittenLine, facts: PossibleFacts) -> Meaning:
    some: list[Entry] = []
    ended = False
    try:
        some.extend(islice(facts.behind(line), SHOWN + 1))
    except Enough:
        ended = True
    why = () if some or ended else tuple(why_impossible(line, facts))
    more = ended or len(some) > SHOWN
    return Meaning(row, tuple(some[:SHOWN]), bool(some) and more, why, open=ended and not some)


def by_explanation(changes: Iterable[Change]) -> list[tuple[Change, ...]]:
    """Group the changes by explanation, in the order of the first of each."""
    found: dict[Hashable, list[Change]] = {}
    for change in changes:
        found.setdefault(change.explanation, []).append(change)
    return [tuple(each) for each in found.values()]


def _in_order(changes: Iterable[Change]) -> list[Change]:
    """Return changes likeliest first; of equal cost what may have come about in more ways."""
    explained = by_explanation(changes)
    explained.sort(key=lambda each: (each[0].cost, -len(each)))
    return [change for each in explained for change in each]


def _changes(sheet: WrittenSheet, wrong: Sequence[int], facts: PossibleFacts) -> Iterator[Change]:
    """Yield changes of the totals first, then of the one impossible line, or of every line."""
    if not wrong:
        yield from (_total_change(sheet, slip) for slip in slips(sheet))
    for row in wrong or range(len(sheet.lines)):
        yield from _line_changes(sheet, row, facts)


# -- changes of a line


def _line_changes(sheet: WrittenSheet, row: int, facts: PossibleFacts) -> Iterator[Change]:
    wanted = sheet.wanted(row)
    line = sheet.lines[row]
    if wanted is None:
        return
    if isinstance(line, Entered):
        if not fits(line.points, wanted):
            for change in _fact_changes(row, line.entry, line.points, wanted, facts):
                if not _is_played_again(change, sheet):
                    yield change
    elif isinstance(line, WrittenLine):
        yield from _written_changes(row, line, wanted, facts)
    elif line.beside and line.points != NOTHING and fits(NOTHING, wanted):
        seats = tuple(seat for seat in SEATS if line.points[seat])
        yield Change("left_out", cost("left_out"), row, None, line.points, NOTHING, seats)


def _is_played_again(change: Change, sheet: WrittenSheet) -> bool:
    """Return whether another chooser or contract is one that another line has.

    Nobody chooses the same contract twice."""
    if not change.step or not {"contract", "chooser"} & set(change.step.frame):
        return False
    now = change.corrected
    others = (
        line.entry
        for row, line in enumerate(sheet.lines)
        if row != change.row and isinstance(line, Entered)
    )
    return now is not None and any(
        (each.contract, each.chooser) == (now.contract, now.chooser) for each in others
    )


def _fact_changes(
    row: int,
    entry: Entry,
    before: Four,
    wanted: Some,
    facts: PossibleFacts,
    tried: Callable[[Entry, Ruleset, frozenset[Seat]], Iterator[FactChange]] = steps,
) -> Iterator[Change]:
    ruleset = facts.ruleset
    for step in tried(entry, ruleset, _must(before, wanted)):
        facts.effort.spend(FACTS)
        changed = after(entry, step)
        scores = points(changed, ruleset).scores
        if scores != before and fits(scores, wanted) and is_possible(changed, ruleset):
            price = cost(step.kind, step.count)
            yield Change(step.kind, price, row, None, before, scores, _seats(step), entry, step)


def _must(before: Four, wanted: Some) -> frozenset[Seat]:
    """Return the seats whose points are not those wanted."""
    return frozenset(seat for seat in SEATS if wanted[seat] not in (None, before[seat]))


def _seats(step: FactChange) -> tuple[Seat, ...]:
    return tuple(seat for seat in (step.source, step.target) if seat is not None)


def _written_changes(
    row: int, line: WrittenLine, wanted: Some, facts: PossibleFacts
) -> Iterator[Change]:
    """Yield changes of chooser or contract, of the points, and of the facts behind them."""
    if fits(line.points, wanted):
        yield from _noted_otherwise(row, line, facts)
    for after_points, seats, kind in _renumbered(line, wanted, facts):
        yield Change(kind, cost(kind), row, None, line.points, after_points, seats)
    for change in _guessed(row, line, wanted, facts):
        yield replace(change, guessed=True)


def _noted_otherwise(row: int, line: WrittenLine, facts: PossibleFacts) -> Iterator[Change]:
    """Yield another contract or chooser than the one noted with an impossible line."""
    if (line.contract is None and line.chooser is None) or facts.is_possible(line):
        return
    same = line.points
    for contract in facts.offers if line.contract is not None else ():
        if facts.is_possible(replace(line, contract=contract)):
            kind, frame = "line_contract", {"contract": contract}
            yield Change(kind, cost(kind), row, None, same, same, frame=frame)
    for seat in SEATS if line.chooser is not None else ():
        if facts.is_possible(replace(line, chooser=seat)):
            kind, chooser = "line_chooser", {"chooser": seat}
            yield Change(kind, cost(kind), row, None, same, same, (seat,), frame=chooser)


def _guessed(row: int, line: WrittenLine, wanted: Some, facts: PossibleFacts) -> Iterator[Change]:
    """Yield changes of facts that may stand behind the line.

    Of some of them with a double that changes no number until its card is another seat's."""
    if not facts.is_possible(line):
        yield from _reckoned_otherwise(row, line, wanted, facts)
        return
    whole = _whole(wanted)
    if whole and not facts.is_possible(replace(line, points=whole)):
        # Whatever the facts were, they have not become this line, unless it was noted wrongly.
        for entry in islice(facts.behind(line), SHOWN):
            yield from _fact_changes(row, entry, line.points, wanted, facts, _framed)
        return
    for entry in islice(facts.behind(line), LOOKED_AT):
        for change in _fact_changes(row, entry, line.points, wanted, facts):
            yield change
            if whole and change.cost == LEAST:
                return  # there is only this one line, and nothing likelier that leads to it
    for entry in islice(facts.behind(line), SHOWN):
        for doubled in facts.unseen(entry):
            yield from _fact_changes(row, doubled, line.points, wanted, facts, moves_of_doubled)


def _reckoned_otherwise(
    row: int, line: WrittenLine, wanted: Some, facts: PossibleFacts
) -> Iterator[Change]:
    """Yield points that were worked out for another contract or another chooser."""
    contracts = facts.offers if line.contract is not None else ()
    choosers = SEATS if line.chooser is not None else ()
    noted = [replace(line, contract=each) for each in contracts if each != line.contract]
    noted += [replace(line, chooser=each) for each in choosers if each != line.chooser]
    for other in noted:
        for entry in islice(facts.behind(other), SHOWN):
            for change in _fact_changes(row, entry, line.points, wanted, facts, _framed):
                if change.corrected and _is_noted(line, change.corrected):
                    yield change


def _is_noted(line: WrittenLine, entry: Entry) -> bool:
    return line.contract in (None, entry.contract) and line.chooser in (None, entry.chooser)


def _framed(entry: Entry, ruleset: Ruleset, must: frozenset[Seat]) -> Iterator[FactChange]:
    return frame_steps(entry, ruleset)


def _whole(wanted: Some) -> Four | None:
    one, two, three, four = wanted
    if one is None or two is None or three is None or four is None:
        return None
    return one, two, three, four


def _renumbered(
    line: WrittenLine, wanted: Some, facts: PossibleFacts
) -> Iterator[tuple[Four, tuple[Seat, ...], str]]:
    for seat in SEATS:
        for number in other_values(line, seat, wanted, facts):
            changed = _with(line.points, seat, number)
            if fits(changed, wanted) and facts.is_possible(replace(line, points=changed)):
                yield changed, (seat,), "line_number"
    for one, other in combinations(SEATS, 2):
        changed = _with(line.points, one, line.points[other])
        changed = _with(changed, other, line.points[one])
        if changed == line.points or not fits(changed, wanted):
            continue
        if facts.is_possible(replace(line, points=changed)):
            yield changed, (one, other), "line_exchanged"
    one, two, three, four = line.points
    negated = (-one, -two, -three, -four)
    if (
        negated != line.points
        and fits(negated, wanted)
        and facts.is_possible(replace(line, points=negated))
    ):
        yield negated, SEATS, "line_negated"


def _with(four: Four, seat: Seat, number: int) -> Four:
    changed = list(four)
    changed[seat] = number
    return changed[0], changed[1], changed[2], changed[3]


# -- changes of a total


def _total_change(sheet: WrittenSheet, slip: AddingSlip) -> Change:
    before, now = numbers(sheet, slip)
    seats = tuple(seat for seat in SEATS if before[seat] is not None)
    price = cost(slip.kind) + (LATE if slip.late else 0)
    return Change(slip.kind, price, None, slip.total, before, now, seats, slip=slip)


# -- each change once


def _told_once(changes: Iterable[Change], ruleset: Ruleset) -> Iterator[Change]:
    """Return the likeliest of those changes that leave the same, with the others' facts."""
    found: dict[Hashable, list[Change]] = {}
    for change in changes:
        found.setdefault(change_key(change, ruleset), []).append(change)
    for same in found.values():
        best = min(same, key=lambda change: change.cost)
        if best.entry is None or best.row is None:
            yield best
        else:
            yield replace(best, others=tuple(_others(best, same)))


def _others(best: Change, same: Sequence[Change]) -> Iterator[Entry]:
    told = [best.corrected]
    for change in same:
        like = (change.entry, change.kind) == (best.entry, best.kind)
        if like and change.corrected and change.corrected not in told:
            told.append(change.corrected)
            yield change.corrected


def change_key(change: Change, ruleset: Ruleset) -> Hashable:
    """Return a key that is equal for changes that leave the same sheet.

    The place and what then stands there. The facts of a line of points are unknown, so only its
    numbers count; facts and writing mistakes are told apart."""
    if change.row is None:
        slip = change.slip
        return change.kind, change.total, change.after, slip and (slip.line, slip.other)
    if change.frame:
        return change.kind, change.row, tuple(change.frame.items())
    if change.corrected is None:
        return "number", change.row, change.after
    if change.guessed:
        return "guess", change.row, change.after
    return "facts", change.row, facts_key(change.corrected, ruleset)
