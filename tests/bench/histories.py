"""Lets many clubs live on both databases: what is derived of them is dropped and rebuilt, and they
move to other installations and back."""

import argparse
import os
import subprocess
import sys
import time

TESTS = ["tests/standings/test_club_histories.py", "tests/transfer/test_club_moves.py"]
PYTEST = [*("-m", "pytest", "--quiet", "--numprocesses", "0", "--timeout", "0"), *TESTS]


def main() -> int:
    parser = argparse.ArgumentParser(prog="bin/bench histories", description=__doc__)
    parser.add_argument("times", nargs="?", type=int, default=30, help="as many as in bin/test")
    asked = parser.parse_args()
    given = os.environ | {"TIMES": str(asked.times)}
    given.pop("DATABASE_URL", None)
    running = {
        name: subprocess.Popen([*before, sys.executable, *PYTEST], env=given)
        for name, before in (("SQLite", []), ("PostgreSQL", ["bin/with-postgresql"]))
    }
    start, failed = time.perf_counter(), 0
    for name, process in running.items():
        code = process.wait()
        failed += code != 0
        seconds = time.perf_counter() - start
        said = "nothing differed" if code == 0 else f"FAILED ({code})"
        print(
            f"{name}: {asked.times} times as many histories in {seconds:.0f} s: {said}", flush=True
        )
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
