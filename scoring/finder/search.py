"""Where a sheet disagrees with itself, and every single change that would mend all of it.

A sheet agrees when some table can have produced every line and every written total is the sum of
its lines. A single change is one of

- the facts of one deal, changed as `single` says. Of an entered deal they are known. Behind a line
  of points may stand any facts that give it; the new line is what the changed ones give.
- `line_number`: one number of a line of points is another.
- `line_exchanged`: two numbers of a line of points stand in each other's place.
- `total_number`: one number of one written total is another.
- `left_out`: a penalty or a correction stands in no total that should have it.
- `total_carried`: one number of one written total is another, and so by as much are the numbers
  below it in every total that adds up the same lines and more.

Changes are told apart by the place and the numbers that they leave, of an entered deal by the facts
(`single.facts_key`). What can be had in several ways is listed once, as the likeliest of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby, islice

from scoring.finder.costs import LEAST, cost
from scoring.finder.effort import FACTS, Enough
from scoring.finder.facts import Facts
from scoring.finder.impossible import Why, why_impossible
from scoring.finder.prices import NOTHING
from scoring.finder.sheet import Disagreement, Entered, Sheet, Some, Written, fits
from scoring.finder.single import Step, after, facts_key, is_possible, steps
from scoring.finder.values import other_values
from scoring.rules import Entry, Ruleset, points
from scoring.rules.places import Four
from scoring.rules.seats import SEATS, Seat

SHOWN = 6
"""As many facts as are told of one line."""
LOOKED_AT = 60
"""As many facts behind one line of points as are changed in search of another line; the first come
from all over. Only queens with doubles, general and combined deals have more."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change that mends everything.

    It is about the line `row`, or about the written total `total`. `before` and `after` are the
    points of the line, or the number of the total and nothing else. `step` says what was changed in
    the facts `entry`, `others` are facts like `step.tally` that no sheet tells apart from it. Where
    they are `guessed`, they are some of those that may stand behind a line of points."""

    kind: str
    cost: int
    row: int | None
    total: int | None
    before: Some
    after: Some
    seats: tuple[Seat, ...] = ()
    entry: Entry | None = None
    step: Step | None = None
    others: tuple[Entry, ...] = ()
    guessed: bool = False

    @property
    def corrected(self) -> Entry | None:
        """The deal as it then would be."""
        return after(self.entry, self.step) if self.entry and self.step else None


@dataclass(frozen=True, slots=True)
class Meaning:
    """What may stand behind a line of points: some of the facts, whether there are more, and where
    there are none, why. `open`: the search ended before any were found, which says nothing."""

    row: int
    facts: tuple[Entry, ...]
    more: bool
    why: tuple[Why, ...]
    open: bool = False

    @property
    def impossible(self) -> bool:
        """No table can have produced the line."""
        return not self.facts and not self.open


@dataclass(frozen=True, slots=True)
class Findings:
    """All there is to say of a sheet. `groups`: the changes, likeliest first; those in one group
    are equally likely. `whole`: everything was looked at; otherwise there may be more of them."""

    meanings: tuple[Meaning, ...]
    disagreements: tuple[Disagreement, ...]
    groups: tuple[tuple[Change, ...], ...]
    whole: bool = True

    @property
    def agrees(self) -> bool:
        """Nothing is wrong."""
        return not self.disagreements and not any(not meaning.facts for meaning in self.meanings)

    @property
    def impossible(self) -> tuple[int, ...]:
        """The rows that no table can have produced."""
        return tuple(meaning.row for meaning in self.meanings if meaning.impossible)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes in one list."""
        return tuple(change for group in self.groups for change in group)


def find(sheet: Sheet, ruleset: Ruleset, facts: Facts | None = None) -> Findings:
    """Looks a sheet through; with `facts` only as far as their effort goes."""
    facts = facts or Facts(ruleset)
    meanings = tuple(_meanings(sheet, facts))
    wrong = [meaning.row for meaning in meanings if meaning.impossible]
    found: list[Change] = []
    whole = not any(meaning.open for meaning in meanings)
    if (wrong or sheet.disagreements) and len(wrong) < 2:
        try:
            found.extend(_changes(sheet, wrong, facts))
        except Enough:
            whole = False
    ordered = sorted(_told_once(found, ruleset), key=lambda change: change.cost)
    groups = tuple(tuple(group) for _, group in groupby(ordered, key=lambda change: change.cost))
    return Findings(meanings, sheet.disagreements, groups, whole)


def _meanings(sheet: Sheet, facts: Facts) -> Iterator[Meaning]:
    for row, line in enumerate(sheet.lines):
        if isinstance(line, Written):
            yield _meaning(row, line, facts)


def _meaning(row: int, line: Written, facts: Facts) -> Meaning:
    some: list[Entry] = []
    ended = False
    try:
        some.extend(islice(facts.behind(line), SHOWN + 1))
    except Enough:
        ended = True
    why = () if some or ended else tuple(why_impossible(line, facts))
    more = ended or len(some) > SHOWN
    return Meaning(row, tuple(some[:SHOWN]), bool(some) and more, why, open=ended and not some)


def _changes(sheet: Sheet, wrong: Sequence[int], facts: Facts) -> Iterator[Change]:
    """Of the totals first, which costs nothing; of the one impossible line, or of every line."""
    if not wrong:
        yield from _total_changes(sheet)
    for row in wrong or range(len(sheet.lines)):
        yield from _line_changes(sheet, row, facts)


# -- changes of a line


def _line_changes(sheet: Sheet, row: int, facts: Facts) -> Iterator[Change]:
    wanted = sheet.wanted(row)
    line = sheet.lines[row]
    if wanted is None:
        return
    if isinstance(line, Entered):
        if not fits(line.points, wanted):
            yield from _fact_changes(row, line.entry, line.points, wanted, facts)
    elif isinstance(line, Written):
        yield from _written_changes(row, line, wanted, facts)
    elif line.beside and line.points != NOTHING and fits(NOTHING, wanted):
        seats = tuple(seat for seat in SEATS if line.points[seat])
        yield Change("left_out", cost("left_out"), row, None, line.points, NOTHING, seats)


def _fact_changes(
    row: int, entry: Entry, before: Four, wanted: Some, facts: Facts
) -> Iterator[Change]:
    ruleset = facts.ruleset
    for step in steps(entry, ruleset, _must(before, wanted)):
        facts.effort.spend(FACTS)
        changed = after(entry, step)
        scores = points(changed, ruleset).scores
        if scores != before and fits(scores, wanted) and is_possible(changed, ruleset):
            price = cost(step.kind, step.count)
            yield Change(step.kind, price, row, None, before, scores, _seats(step), entry, step)


def _must(before: Four, wanted: Some) -> frozenset[Seat]:
    """The seats whose points are not those wanted."""
    return frozenset(seat for seat in SEATS if wanted[seat] not in (None, before[seat]))


def _seats(step: Step) -> tuple[Seat, ...]:
    return tuple(seat for seat in (step.source, step.target) if seat is not None)


def _written_changes(row: int, line: Written, wanted: Some, facts: Facts) -> Iterator[Change]:
    """Of the facts behind the line; of one number; of two that stand in each other's place."""
    for after_points, seats, kind in _renumbered(line, wanted, facts):
        yield Change(kind, cost(kind), row, None, line.points, after_points, seats)
    whole = _whole(wanted)
    if whole and not facts.is_possible(replace(line, points=whole)):
        return  # whatever the facts were, they cannot have become this line
    for entry in islice(facts.behind(line), LOOKED_AT):
        for change in _fact_changes(row, entry, line.points, wanted, facts):
            yield replace(change, guessed=True)
            if whole and change.cost == LEAST:
                return  # there is only this one line, and nothing likelier that leads to it


def _whole(wanted: Some) -> Four | None:
    one, two, three, four = wanted
    if one is None or two is None or three is None or four is None:
        return None
    return one, two, three, four


def _renumbered(
    line: Written, wanted: Some, facts: Facts
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


def _with(four: Four, seat: Seat, number: int) -> Four:
    changed = list(four)
    changed[seat] = number
    return changed[0], changed[1], changed[2], changed[3]


# -- changes of a total


def _total_changes(sheet: Sheet) -> Iterator[Change]:
    """Only where one seat's numbers are off, all by as much, from one total on."""
    off = sheet.disagreements
    if not off or len({(d.seat, d.off_by) for d in off}) > 1:
        return
    seat = off[0].seat
    for place, total in enumerate(sheet.totals):
        if total.points[seat] is None:
            continue
        below = [
            other
            for other, each in enumerate(sheet.totals)
            if each.points[seat] is not None and set(each.rows) >= set(total.rows)
        ]
        numbers = {d.total for d in off}
        if numbers == {place}:
            yield _total_change("total_number", place, off[0])
        elif numbers == set(below):
            yield _total_change("total_carried", place, next(d for d in off if d.total == place))


def _total_change(kind: str, place: int, off: Disagreement) -> Change:
    before, now = _only(off.seat, off.written), _only(off.seat, off.summed)
    return Change(kind, cost(kind), None, place, before, now, (off.seat,))


def _only(seat: Seat, number: int) -> Some:
    numbers: list[int | None] = [number if each == seat else None for each in SEATS]
    return numbers[0], numbers[1], numbers[2], numbers[3]


# -- each change once


def _told_once(changes: Iterable[Change], ruleset: Ruleset) -> Iterator[Change]:
    """The likeliest of those that leave the same, with the others' facts beside it."""
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
    """The same for changes that leave the same: the place and what then stands there. The facts of
    a line of points are anybody's guess, so that only its numbers count; facts and slips of the pen
    are told apart."""
    if change.row is None:
        return change.kind, change.total, change.after
    if change.corrected is None:
        return "number", change.row, change.after
    if change.guessed:
        return "guess", change.row, change.after
    return "facts", change.row, facts_key(change.corrected, ruleset)
