"""The error finder: how often each kind of slip is found, equal to trying everything, its time."""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from random import Random
from time import process_time

from scoring.finder import Change, Effort, PossibleFacts, find
from scoring.finder.costs import COSTS, OF_DOUBLES
from scoring.rules import points
from tests.finder import brute
from tests.finder.evenings import WRITTEN, Evening, some_evening
from tests.finder.slips import FORMS, Planted, planted

MOST_MS = 50
MOST_TRIES = 1_500_000
"""As in the paper check (`paper.forms.paper_sheet`)."""
LEAST_FOUND, LEAST_FIRST = 0.95, 0.9

COUNTED = """\
Counted in explanations: one kind of slip in one line or total that leaves the same numbers. No
total tells its changes apart, so that the page lists them in one place; which of them is the right
one, the paper does not say. What other lines or other kinds leave counts apart, even where the
numbers are the same.
The last share is what a ranking could reach that knew the kind of each slip: explanations of one
kind that end in the same totals differ in nothing that the paper shows, so that three of n of them
hold the right one in three of n sheets.
  planted, found, first, among the first three; among the first three changes; falsely accused;
  at most among the first three"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="bin/bench finder", description=__doc__)
    parser.add_argument("evenings", nargs="?", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="of the first evening")
    asked = parser.parse_args()
    evenings = [some_evening(seed) for seed in range(asked.seed, asked.seed + asked.evenings)]
    results = [seldom_found(evenings, asked.seed), differs(evenings), slow(evenings)]
    return 1 if any(results) else 0


def differs(evenings: list[Evening]) -> bool:
    """Prints every evening whose list is another than that of trying everything."""
    wrong = 0
    for number, evening in enumerate(evenings):
        near = brute.remembered()
        for written in WRITTEN:
            sheet = evening.sheet(written)
            found = brute.marks_of(find(sheet, evening.ruleset))
            if found != brute.mending(sheet, evening.ruleset, near):
                wrong += 1
                print(f"evening {number}, {written}: not the same", flush=True)
    print(f"{len(evenings)} evenings, {wrong} lists differ from trying everything")
    return wrong > 0


@dataclass
class Tally:
    """How often a slip was planted; found at all, in the first explanation, in one of the first
    three, among the first three changes; how often it was not found and a deal was accused that
    has no slip; and how often it could be among three of its own kind."""

    planted: int = 0
    found: int = 0
    first: int = 0
    three: int = 0
    changes: int = 0
    accused: int = 0
    reachable: float = 0

    def count(self, slip: Planted, explanations: Sequence[Sequence[Change]]) -> None:
        places = [n for n, each in enumerate(explanations) if any(map(slip.is_right, each))]
        changes = [change for each in explanations for change in each]
        self.planted += 1
        self.found += bool(places)
        self.first += bool(places) and places[0] == 0
        self.three += bool(places) and places[0] < 3
        self.changes += any(map(slip.is_right, changes[:3]))
        kinds = [priced_as(each[0]) for each in explanations]
        if places:
            self.reachable += min(1, 3 / kinds.count(kinds[places[0]]))
        accused = [each.row for each in changes if each.row not in (None, slip.row)]
        self.accused += not places and bool(accused)

    def __str__(self) -> str:
        counts = (self.found, self.first, self.three, self.changes)
        shares = "".join(f"{100 * count / self.planted:7.1f}%" for count in counts)
        most = 100 * self.reachable / self.planted
        return f"{self.planted:5}{shares}{self.accused:6}{most:7.1f}%"


def priced_as(change: Change) -> str:
    """The kind whose cost a change has."""
    if change.step and change.step.kind == "moved" and change.step.count > 1:
        return "several"
    if change.kind in OF_DOUBLES:
        return "doubles"
    return f"{change.kind}{' (late)' if change.slip and change.slip.late else ''}"


def seldom_found(evenings: list[Evening], seed: int) -> bool:
    """Prints how each kind of slip is found, per system, as deals and as points on paper, under
    each kind of totals; and how often an explanation that is listed is right, which is what the
    costs of its kind should follow."""
    tallies: dict[tuple[str, ...], Tally] = defaultdict(Tally)
    listed: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for number, evening in enumerate(evenings, start=seed):
        near = brute.remembered()
        for form, written in product(FORMS, WRITTEN):
            for slip in planted(evening, written, form, Random(number), near):
                facts = PossibleFacts(evening.ruleset, Effort(MOST_TRIES))
                explanations = find(slip.sheet, evening.ruleset, facts).explanations
                where = evening.ruleset.system, form, written
                for key in ((*where, slip.kind), (*where, "all"), ("all",), ("all", slip.kind)):
                    tallies[key].count(slip, explanations)
                for explained in explanations:
                    price = priced_as(explained[0])
                    listed[price] += 1
                    right[price] += any(map(slip.is_right, explained))
    print(COUNTED)
    for key, tally in sorted(tallies.items()):
        print(f"  {' '.join(key):48}{tally}")
    prices = COSTS | {"doubles": COSTS["double_missing"]}
    for kind in sorted(listed, key=lambda each: -right[each] / listed[each]):
        share = 100 * right[kind] / listed[kind]
        print(f"  {kind:24}{listed[kind]:7} listed, right {share:5.1f}%, costs {prices.get(kind)}")
    every = tallies["all",]
    return every.found < LEAST_FOUND * every.planted or every.three < LEAST_FIRST * every.planted


def slow(evenings: list[Evening]) -> bool:
    """Prints the time of a deal in an evening of 20 or more, entered and as points on paper, and
    how much that is of adding its points up once, which is the least that anybody has to do."""
    long = [evening for evening in evenings if len(evening.truth) >= 20]
    worst = 0.0
    for written, on_paper in [*((each, False) for each in WRITTEN), ("running", True)]:
        ask = Evening.paper if on_paper else Evening.sheet
        times = [seconds(find, ask(e, written), e.ruleset) / len(e.truth) for e in long]
        plain = [seconds(add_up, e) / len(e.truth) for e in long]
        worst = max(worst, *times)
        mean, most = 1000 * sum(times) / len(times), 1000 * max(times)
        print(
            f"  {'points' if on_paper else 'deals'} under {written} totals: {mean:.2f} ms a deal,"
            f" at most {most:.2f} (fewer than {MOST_MS}),"
            f" {sum(times) / sum(plain):.0f} × adding the deal up once"
        )
    return 1000 * worst >= MOST_MS


def add_up(evening: Evening) -> None:
    """The plain loop: every deal's points once."""
    for entry in evening.entered:
        points(entry, evening.ruleset)


def seconds(run, *arguments) -> float:
    start = process_time()
    run(*arguments)
    return process_time() - start


if __name__ == "__main__":
    sys.exit(main())
