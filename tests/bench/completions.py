"""Ways to complete a record: how many are counted in two seconds; equal to brute force."""

import argparse
import sys
from collections import Counter, defaultdict
from dataclasses import replace
from random import Random
from time import process_time

from scoring.replay.engine import replay
from scoring.replay.partial.completions import claims_of
from scoring.replay.what_if import allowed_by
from tests.replay.partial.endings import brute, ending, of_contract, searched
from tests.support.players import any_legal_deal

MOST_SECONDS = 2.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="bin/bench completions", description=__doc__)
    parser.add_argument("records", nargs="?", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="of the first record")
    parser.add_argument("--brute", type=int, default=200, help="endings counted by brute force")
    asked = parser.parse_args()
    seeds = range(asked.seed, asked.seed + asked.records)
    late = answered(seeds)
    wrong = [
        seed
        for seed in range(asked.seed, asked.seed + asked.brute)
        if differs(seed, hidden=2 if seed % 4 == 0 else 0)
    ]
    print(f"{asked.brute} endings by brute force, {len(wrong)} differ {wrong[:10]}")
    return 1 if wrong or late else 0


def answered(seeds: range) -> int:
    """Prints how many are answered exactly by the number of tricks missing; how many are late."""
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    worst, late = 0.0, 0
    for seed in seeds:
        missing, record = gapped(seed)
        rules = record.ruleset()
        start = process_time()
        found = replay(record, rules)
        if found.complete or found.tally is None:
            continue
        allowed = allowed_by(record, found, rules, list(claims_of(record.contract, found.tally)))
        seconds = process_time() - start
        worst, late = max(worst, seconds), late + (seconds > MOST_SECONDS)
        counts[missing]["records"] += 1
        counts[missing]["bounds exact"] += allowed.proven.exact
        counts[missing]["ways counted"] += allowed.ways is not None
    for missing, own in sorted(counts.items()):
        print(f"{missing} tricks missing: " + ", ".join(f"{n} {name}" for name, n in own.items()))
    print(f"at most {worst:.2f} s a record, {late} later than {MOST_SECONDS:.0f} s")
    return late


def gapped(seed: int):
    """A trick deal with one to six tricks missing and up to three hands hidden."""
    rng = Random(seed)
    record = any_legal_deal(rng)
    while record.contract.special:
        record = any_legal_deal(rng)
    missing = rng.randrange(1, 7)
    hidden = rng.sample(range(4), rng.randrange(0, 4))
    hands = tuple(None if seat in hidden else hand for seat, hand in enumerate(record.hands))
    return missing, replace(record, plays=record.plays[: -4 * missing], hands=hands)


def differs(seed: int, hidden: int) -> bool:
    record = ending(Random(seed), hidden)
    return searched(record) != of_contract(record, brute(record))


if __name__ == "__main__":
    sys.exit(main())
