"""Runs the tests that try random deals, sheets and files with many times as many of them."""

import argparse
import os
import subprocess
import sys

TESTS = ("tests/rules", "tests/replay", "tests/finder", "tests/importing", "tests/records")


def main() -> int:
    parser = argparse.ArgumentParser(prog="bin/bench deep", description=__doc__)
    parser.add_argument("times", nargs="?", type=int, default=10, help="as many as in bin/test")
    asked = parser.parse_args()
    pytest = [sys.executable, *("-m", "pytest", "--quiet", "--numprocesses", "2"), *TESTS]
    return subprocess.run(pytest, env=os.environ | {"TIMES": str(asked.times)}).returncode


if __name__ == "__main__":
    sys.exit(main())
