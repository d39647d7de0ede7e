"""Records with gaps: how many bounds are not exact, how many impossible claims pass, the time."""

import argparse
import sys
from dataclasses import replace
from random import Random
from time import process_time
from unittest.mock import patch

from scoring.replay.engine import replay
from scoring.replay.partial import bounds
from tests.support.players import any_legal_deal

SEATS = range(4)
FAR = 10
"""How many times as far one looks to know whether a claim that passed is possible."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="bin/bench bounds", description=__doc__)
    parser.add_argument("records", nargs="?", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="of the first record")
    parser.add_argument("--far", action="store_true", help="look further at claims that passed")
    asked = parser.parse_args()
    open_ends = inexact = claims = passed = wrong = 0
    worst = 0.0
    for seed in range(asked.seed, asked.seed + asked.records):
        record = gapped(seed)
        start = process_time()
        found = replay(record, record.ruleset())
        worst = max(worst, process_time() - start)
        if found.complete or found.bounds is None:
            continue
        open_ends += 1
        inexact += not found.exact
        claims += 1
        passed += bool(found.possible)
        wrong += asked.far and bool(found.possible) and not is_possible(record)
    print(f"{open_ends} records with gaps, bounds of {inexact} not exact")
    print(f"{claims} claims, {passed} called possible", end="")
    print(f", {wrong} of them impossible" if asked.far else "")
    print(f"at most {1000 * worst:.0f} ms a record")
    return 0


def gapped(seed: int):
    """A deal that breaks off with four to six tricks left, one to three hands hidden, under a
    claim that two seats have exchanged some points of."""
    rng = Random(seed)
    record = any_legal_deal(rng)
    scores = list(replay(record, record.ruleset()).scores or (0, 0, 0, 0))
    one, other = rng.sample(SEATS, 2)
    by = rng.choice([5, 10, 15, 25, 75])
    scores[one], scores[other] = scores[one] + by, scores[other] - by
    hidden = rng.sample(SEATS, rng.choice([1, 2, 2, 3, 3]))
    hands = tuple(None if seat in hidden else hand for seat, hand in enumerate(record.hands))
    plays = record.plays[: max(0, len(record.plays) - rng.randrange(13, 25))]
    return replace(record, plays=plays, hands=hands, claimed=tuple(scores))


def is_possible(record) -> bool:
    """The same with more patience."""
    with (
        patch.object(bounds, "LIMIT", FAR * bounds.LIMIT),
        patch.object(bounds, "LIMIT_TOGETHER", FAR * bounds.LIMIT_TOGETHER),
    ):
        return bool(replay(record, record.ruleset()).possible)


if __name__ == "__main__":
    sys.exit(main())
