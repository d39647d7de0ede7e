"""All that a test could owe to chance comes from one seed: ids, dice, secrets, and the order of the
tests. `bin/bench flaky` gives other seeds than the usual one."""

import os
from pathlib import Path
from random import Random, SystemRandom

import pytest

USUAL = 1
"""With it, tests run as they stand in their files."""
TIMES = int(os.environ.get("TIMES", "1"))
"""How many times as much random tests try as in `bin/test`: see `bin/bench deep`."""


def seeds(few: int) -> range:
    """The seeds that a random test tries."""
    return range(few * TIMES)


def blocks(few: int, size: int) -> list[range]:
    """The same for tests that are too quick to count one by one."""
    return [range(first * size, (first + 1) * size) for first in seeds(few)]


def dice_of(seed: int, test: str) -> Random:
    """A row of its own for each test: what ran before it changes nothing."""
    return Random(f"{seed} {test}")


def load(dice: Random, patch: pytest.MonkeyPatch) -> None:
    """From now on these dice are thrown for uuid4(), `secrets` and SystemRandom."""
    patch.setattr(os, "urandom", dice.randbytes)
    patch.setattr(SystemRandom, "random", lambda self: dice.random())
    patch.setattr(SystemRandom, "getrandbits", lambda self, bits: dice.getrandbits(bits))
    patch.setattr(SystemRandom, "randbytes", lambda self, count: dice.randbytes(count))


def shuffle(items: list[pytest.Item], seed: int) -> None:
    """The files in another order, and the tests in each. A file stays together, with what its
    fixtures have made for it."""
    dice = Random(seed)
    dice.shuffle(items)
    files: dict[Path, float] = {}
    items.sort(key=lambda item: files.setdefault(item.path, dice.random()))
