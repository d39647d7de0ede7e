"""4,000 mutated inputs. Many more: `bin/bench fuzz`."""

import random

import pytest

from tests import chance
from tests.replay.mutations import samples, spoilt


@pytest.fixture(scope="module")
def records():
    return samples()


@pytest.mark.parametrize("seeds", chance.blocks(4, 500), ids=str)  # two inputs a seed
def test_mutated_inputs_never_break_the_readers(records, seeds):
    for seed in seeds:
        try:
            spoilt(records, random.Random(seed))
        except Exception as failure:
            raise AssertionError(f"seed {seed}") from failure
