"""20,000 mutated inputs. Many more: `bin/bench fuzz`."""

import random

import pytest

from tests.replay.mutations import samples, spoilt

RUNS = 20
INPUTS = 1_000  # a run; each seed makes two


@pytest.fixture(scope="module")
def records():
    return samples()


@pytest.mark.parametrize("run", range(RUNS))
def test_mutated_inputs_never_break_the_readers(records, run):
    for seed in range(run * INPUTS // 2, (run + 1) * INPUTS // 2):
        try:
            spoilt(records, random.Random(seed))
        except Exception as failure:
            raise AssertionError(f"seed {seed}") from failure
