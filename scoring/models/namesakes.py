"""Numbers that tell namesakes apart: Ahmad (1), Ahmad (2)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from scoring.models.names import same_name

NUMBER_LENGTH = 8
"""Room for a blank, two brackets and the largest small number."""

_same = lru_cache(maxsize=8192)(same_name)


def numbered(name: str, number: int) -> str:
    """Return the name with its number; 0 is none."""
    return f"{name} ({number})" if number else name


def numbers(names: Sequence[str]) -> Iterator[int]:
    """Return the number of each name, in this order; 0 for a unique name.

    A number is skipped where somebody has chosen that very name."""
    same = [_same(name) for name in names]
    count, last = Counter(same), Counter[str]()
    for name, key in zip(names, same, strict=True):
        if count[key] > 1:
            last[key] += 1
            while _same(numbered(name, last[key])) in count:
                last[key] += 1
        yield last[key]
