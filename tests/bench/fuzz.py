"""Reads mutated records, text and JSON in turn, and says which seeds break a reader."""

import argparse
import random
import sys
import time

from tests.replay.mutations import samples, spoilt

SLOW = 2.0  # seconds for two inputs: that would be a hang on a longer text


def main() -> int:
    parser = argparse.ArgumentParser(prog="bin/bench fuzz", description=__doc__)
    parser.add_argument("inputs", nargs="?", type=int, default=80_000)
    parser.add_argument(
        "--seed", type=int, default=10_000, help="the first one; default %(default)s"
    )
    asked = parser.parse_args()
    records = samples()
    seeds = range(asked.seed, asked.seed + (asked.inputs + 1) // 2)
    start = time.perf_counter()
    broken = [line for seed in seeds if (line := tried(records, seed))]
    seconds = time.perf_counter() - start
    print(f"{2 * len(seeds)} inputs in {seconds:.0f} s, {len(broken)} broke a reader")
    return 1 if broken else 0


def tried(records, seed: int) -> str:
    """Runs one seed; says what went wrong, at once and as its answer."""
    start = time.perf_counter()
    try:
        spoilt(records, random.Random(seed))
    except Exception as failure:
        said = f"seed {seed}: {type(failure).__name__} {failure}"
    else:
        seconds = time.perf_counter() - start
        said = f"seed {seed}: {seconds:.1f} s" if seconds > SLOW else ""
    if said:
        print(said, flush=True)
    return said


if __name__ == "__main__":
    sys.exit(main())
