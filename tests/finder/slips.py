"""A slip of every kind, planted into an evening: what the paper then says, and what is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from scoring.finder import Entered, PossibleFacts, WrittenLine, WrittenSheet, WrittenTotal
from scoring.rules import Entry, Ruleset, points
from scoring.rules.seats import SEATS
from tests.finder import brute
from tests.finder.evenings import Evening

FORMS = ("entered", "paper")


@dataclass
class Planted:
    """A sheet with one slip. `is_right` says of a change whether it is the one that undoes it;
    `row` is the line that is wrong, if any is."""

    kind: str
    sheet: WrittenSheet
    is_right: Callable[..., bool]
    row: int | None = None


def planted(
    evening: Evening, written: str, form: str, rng: Random, near=brute.neighbours
) -> Iterator[Planted]:
    """One of each kind that this evening can have, as deals or as points on paper."""
    clean = _clean(evening, written, form)
    yield from _wrong_facts(evening, clean, form, rng, near)
    if form == "paper":
        yield from _wrong_lines(evening, clean, rng)
    yield from _wrong_sums(clean, rng)


def _clean(evening: Evening, written: str, form: str) -> WrittenSheet:
    rules = evening.ruleset
    lines = [_line(entry, rules, form) for entry in evening.truth]
    totals = [
        WrittenTotal(written, rows, brute.summed(WrittenSheet(lines), rows))
        for rows in evening.added(written)
    ]
    return WrittenSheet(lines, totals)


def _line(entry: Entry, rules: Ruleset, form: str):
    if form == "entered":
        return Entered.of(entry, rules)
    chooser = entry.chooser if rules.chooser_factor != 1 else None
    return WrittenLine(points(entry, rules).scores, entry.contract, chooser)


# -- deals entered or noted otherwise than they were


def _wrong_facts(
    evening: Evening, clean: WrittenSheet, form: str, rng: Random, near
) -> Iterator[Planted]:
    rules = evening.ruleset
    by_kind: dict[str, list[tuple[int, Entry]]] = {}
    rows = rng.sample(range(len(evening.truth)), len(evening.truth))
    for row in rows:
        found: dict[str, list[Entry]] = {}
        right = clean.lines[row].points
        for kind, entry in near(evening.truth[row], rules):
            found.setdefault(_named(kind, evening.truth[row], entry), []).append(entry)
        for kind, entries in found.items():
            wrong = [entry for entry in entries if points(entry, rules).scores != right]
            if wrong and kind not in by_kind:
                by_kind[kind] = [(row, rng.choice(wrong))]
    for kind, ((row, entry),) in sorted(by_kind.items()):
        line = _line(entry, rules, form)
        if form == "paper":
            # The points of the wrong facts, beside the contract and the chooser that are noted.
            known = _line(evening.truth[row], rules, form)
            line = replace(known, points=line.points)
        right, truth = clean.lines[row].points, brute.canonical(evening.truth[row])
        yield Planted(kind, _with_line(clean, row, line), _mends(row, right, truth, form), row)


def _named(kind: str, truth: Entry, entry: Entry) -> str:
    """What was done wrong, where the kind says what would mend it."""
    if kind == "count":
        return "count, one" if _moved(truth, entry) == 1 else "count, several"
    if kind == "forced":
        return "forced missing" if truth.forced else "forced extra"
    turned = {"missing": "double extra", "extra": "double forgotten", "doubler": "wrong doubler"}
    return turned.get(kind, kind)


def _moved(one: Entry, other: Entry) -> int:
    for item in brute.COUNTS:
        have, had = getattr(one.tally, item), getattr(other.tally, item)
        if have != had:
            return max(abs(a - b) for a, b in zip(have, had, strict=True))
    return 0


def _mends(row: int, right, truth, form: str) -> Callable[..., bool]:
    def mends(change) -> bool:
        if change.row != row or change.frame:
            return False
        if form == "paper":
            return change.after == right
        return brute.canonical(change.corrected) == truth

    return mends


# -- numbers of a line


def _wrong_lines(evening: Evening, clean: WrittenSheet, rng: Random) -> Iterator[Planted]:
    row = rng.choice([n for n, line in enumerate(clean.lines) if len(set(line.points)) > 1])
    line = clean.lines[row]

    def wrong(kind: str, four) -> Planted:
        changed = _with_line(clean, row, replace(line, points=tuple(four)))
        return Planted(kind, changed, _mends(row, line.points, None, "paper"), row)

    number = list(line.points)
    number[rng.choice(SEATS)] += rng.choice([-10, 10, 20, -30, 100])
    yield wrong("a number of a line", number)
    one, other = rng.choice(
        [(a, b) for a in SEATS for b in SEATS if line.points[a] != line.points[b]]
    )
    turned = list(line.points)
    turned[one], turned[other] = turned[other], turned[one]
    yield wrong("two numbers of a line", turned)
    yield wrong("all signs of a line", [-each for each in line.points])
    yield from _wrongly_noted(evening, clean, rng)


def _wrongly_noted(evening: Evening, clean: WrittenSheet, rng: Random) -> Iterator[Planted]:
    """Another contract, or another chooser, beside the points; where the line can be right so,
    there is nothing to be found."""
    facts = PossibleFacts(evening.ruleset)
    for row in rng.sample(range(len(clean.lines)), len(clean.lines)):
        line = clean.lines[row]
        others = [each for each in facts.offers if each != line.contract]
        noted = others and replace(line, contract=rng.choice(others))
        if noted and not facts.is_possible(noted):
            yield Planted(
                "contract noted wrongly",
                _with_line(clean, row, noted),
                _is_noted(row, "contract", line.contract),
                row,
            )
            break
    for row in rng.sample(range(len(clean.lines)), len(clean.lines)):
        line = clean.lines[row]
        if line.chooser is None:
            return
        noted = replace(line, chooser=(line.chooser + rng.choice([1, 2, 3])) % 4)
        if not facts.is_possible(noted):
            yield Planted(
                "chooser noted wrongly",
                _with_line(clean, row, noted),
                _is_noted(row, "chooser", line.chooser),
                row,
            )
            return


def _is_noted(row: int, key: str, right) -> Callable[..., bool]:
    return lambda change: change.row == row and change.frame == {key: right}


# -- sums


def _wrong_sums(clean: WrittenSheet, rng: Random) -> Iterator[Planted]:
    place = rng.randrange(len(clean.totals))
    total = clean.totals[place]
    carried = [n for n, each in enumerate(clean.totals) if set(total.rows) <= set(each.rows)]
    seat, by = rng.choice(SEATS), rng.choice([-100, -10, 10, 30, 100])
    one = tuple(by * (each == seat) for each in SEATS)
    yield _summed("total_number", clean, place, [place], one)
    if len(carried) > 1:
        yield _summed("total_carried", clean, place, carried, one)
    above = {row for each in clean.totals if set(each.rows) < set(total.rows) for row in each.rows}
    row = rng.choice([n for n in total.rows if n not in above])
    line = clean.lines[row].points
    for kind, times in (("line_skipped", -1), ("line_twice", 1), ("line_signs", -2)):
        yield _summed(kind, clean, place, carried, tuple(times * each for each in line), row)
    a, b = rng.sample(SEATS, 2)
    if total.points[a] != total.points[b]:
        apart = total.points[b] - total.points[a]
        turned = tuple(apart * (each == a) - apart * (each == b) for each in SEATS)
        yield _summed("totals_exchanged", clean, place, [place], turned)
    if total.kind == "kingdom" and len(clean.totals) > 1:
        other = place + 1 if place + 1 < len(clean.totals) else place - 1
        lacks = brute.with_times(total.points, line, 0)
        has = brute.with_times(clean.totals[other].points, line, 2)
        totals = list(clean.totals)
        totals[place], totals[other] = (
            replace(total, points=lacks),
            replace(totals[other], points=has),
        )
        yield Planted(
            "line_elsewhere", WrittenSheet(clean.lines, totals), _is_slip("line_elsewhere", row)
        )


def _summed(kind, clean, place, places, by, row=None) -> Planted:
    totals = list(clean.totals)
    for each in places:
        four = tuple(a + b for a, b in zip(totals[each].points, by, strict=True))
        totals[each] = replace(totals[each], points=four)

    def is_right(change) -> bool:
        return _is_slip(kind, row)(change) and change.total == place

    return Planted(kind, WrittenSheet(clean.lines, totals), is_right)


def _is_slip(kind: str, row: int | None) -> Callable[..., bool]:
    def is_slip(change) -> bool:
        return change.kind == kind and change.slip is not None and change.slip.line == row

    return is_slip


def _with_line(sheet: WrittenSheet, row: int, line) -> WrittenSheet:
    lines = list(sheet.lines)
    lines[row] = line
    return WrittenSheet(lines, sheet.totals)
