"""The error finder: equal to trying everything, how often first, and its time for a deal."""

import argparse
import sys
from time import process_time

from scoring.finder import find
from scoring.rules import points
from tests.finder import brute
from tests.finder.evenings import WRITTEN, Evening, some_evening

MOST_MS = 50
LEAST_FIRST = 0.95


def main() -> int:
    parser = argparse.ArgumentParser(prog="bin/bench finder", description=__doc__)
    parser.add_argument("evenings", nargs="?", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="of the first evening")
    asked = parser.parse_args()
    evenings = [some_evening(seed) for seed in range(asked.seed, asked.seed + asked.evenings)]
    results = [differs(evenings), seldom_first(evenings), slow(evenings)]
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


def seldom_first(evenings: list[Evening]) -> bool:
    """Prints how often the change that was planted is among the first three."""
    shares = {}
    for written in WRITTEN:
        hits = 0
        for evening in evenings:
            changes = find(evening.sheet(written), evening.ruleset).changes[:3]
            hits += evening.slip in [brute.mark_of(change) for change in changes]
        shares[written] = hits / len(evenings)
        print(f"  {written} totals: among the first three in {shares[written]:.1%}")
    return min(shares["running"], shares["kingdom"]) < LEAST_FIRST


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
