"""`audit_records --scheduler`: Dask's workers do it, and one of them may die."""

import os
import re
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest

from scoring.replay.notation.trex_text import write
from tests.archive.making import careless_deal

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None, reason="bin/setup --archive was not run"
)

ROOT = Path(__file__).parents[2]


def run(*command, stderr=subprocess.STDOUT):
    return subprocess.Popen(
        [sys.executable, *command],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
    )


def line_with(process, pattern):
    """What the pattern finds in the first line that has it."""
    for line in process.stdout:
        if found := re.search(pattern, line):
            return found[1]
    raise AssertionError(f"{process.args} ended without {pattern}")


def worker(scheduler, started):
    options = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
    process = run("-m", "distributed.cli.dask_worker", scheduler, *options)
    started.append(process)
    line_with(process, r"(Registered to)")
    return process


@pytest.fixture
def scheduler():
    started = []
    process = run(
        "-m",
        "distributed.cli.dask_scheduler",
        *("--host", "127.0.0.1", "--port", "0", "--no-dashboard"),
    )
    started.append(process)
    try:
        address = line_with(process, r"Scheduler at:\s+(tcp://\S+)")
        yield address, [worker(address, started) for _ in range(2)]
    finally:
        for each in started:
            each.kill()
            each.wait()


def test_an_audit_goes_on_where_a_worker_died(scheduler, tmp_path):
    address, (first, _) = scheduler
    path = tmp_path / "long.trex"
    deals = [careless_deal(Random(seed), id=f"deal {seed}") for seed in range(120)]
    path.write_text("\n".join(map(write, deals * 12)))
    alone = run("manage.py", "audit_records", str(path))
    expected, _ = alone.communicate(timeout=120)
    # Dask logs that it lost a worker, in some runs, to the stream of errors.
    sharing = ("manage.py", "audit_records", str(path), "--scheduler", address)
    shared = run(*sharing, stderr=subprocess.DEVNULL)
    begun = shared.stdout.readline()
    os.kill(first.pid, signal.SIGKILL)
    assert begun + shared.stdout.read() == expected
    shared.wait(timeout=60)
    assert shared.returncode == alone.returncode == 1


def test_a_scheduler_that_is_not_there_is_named(tmp_path):
    path = tmp_path / "one.trex"
    path.write_text(write(careless_deal(Random(1))))
    answer = run("manage.py", "audit_records", str(path), "--scheduler", "tcp://127.0.0.1:1")
    out, _ = answer.communicate(timeout=60)
    assert "tcp://127.0.0.1:1: no scheduler answers there" in out
    assert answer.returncode == 2
