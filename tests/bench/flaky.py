"""Everything again and again, each time with another seed: which tests come out otherwise?

bin/bench flaky N [pytest's arguments]: N runs on SQLite with the browsers, and N on PostgreSQL.
A seed decides over ids, dice, secrets, what Hypothesis tries, the order of tests and of sets.
"""

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

SUITES = {"SQLite": ([], ""), "PostgreSQL": (["bin/with-postgresql"], "postgresql")}


def command(suite: str, seed: int, report: Path, more: list[str]) -> list[str]:
    before, marked = SUITES[suite]
    tests = [sys.executable, "-m", "pytest", "--numprocesses=2", "--quiet", "-m", marked]
    seeds = [f"--seed={seed}", f"--hypothesis-seed={seed}"]
    return [*before, *tests, *seeds, f"--junit-xml={report}", *more]


def outcomes(report: Path) -> Iterator[tuple[str, str]]:
    """Each test of a run and what came of it."""
    for case in ElementTree.parse(report).iter("testcase"):
        found = {each.tag for each in case} & {"failure", "error", "skipped"}
        name = f"{case.get('classname')}::{case.get('name')}"
        yield name, " and ".join(sorted(found)) or "passed"


def differing(runs: dict[str, dict[int, str]]) -> dict[str, dict[int, str]]:
    """Tests that did not come out alike with every seed."""
    return {name: by_seed for name, by_seed in runs.items() if len(set(by_seed.values())) > 1}


def main(times: int, more: list[str]) -> int:
    runs: dict[str, dict[int, str]] = defaultdict(dict)
    seeds = range(2, times + 2)  # 1 is what bin/test runs with
    with TemporaryDirectory() as folder:
        for seed in seeds:
            for suite in SUITES:
                report = Path(folder) / f"{suite}-{seed}.xml"
                told = os.environ | {"PYTHONHASHSEED": str(seed)}
                subprocess.run(command(suite, seed, report, more), env=told, check=False)
                for name, outcome in outcomes(report) if report.exists() else ():
                    runs[f"{name} on {suite}"][seed] = outcome
    for by_seed in runs.values():
        by_seed.update({seed: "did not run" for seed in seeds if seed not in by_seed})
    flaky = differing(runs)
    failed = [name for name, found in runs.items() if set(found.values()) - {"passed"}]
    for name in {**flaky, **dict.fromkeys(failed)}:
        print(name, *(f"{seed}: {runs[name][seed]}" for seed in seeds), sep="\n  ")
    print(f"{len(runs)} tests, {times} times: {len(flaky)} differ, {len(failed)} did not pass")
    return bool(flaky or failed or not runs)


if __name__ == "__main__":
    if not sys.argv[1:2] or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
