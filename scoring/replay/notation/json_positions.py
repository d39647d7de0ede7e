"""Positions of values in a JSON text."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

type Path = tuple[str | int, ...]

MOST_DEEP = 4
"""A key that stands deeper means nothing in a record."""

_DECODER = json.JSONDecoder()
_COLON = re.compile(r'"\s*+:')
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]++')


class TextSpan(NamedTuple):
    """From the first character of a value to after its last."""

    start: int
    end: int


def find_places(text: str, paths: Collection[Path]) -> Mapping[Path, TextSpan]:
    """Return where the values at these paths are in a JSON text.

    A path that leads nowhere gets the place of what should hold the value."""
    wanted = {path[:length] for path in paths for length in range(len(path) + 1)}
    deepest = max(map(len, paths), default=0)
    starts = {path: start for path, start in _values(text, deepest) if path in wanted}
    found = {path: _nearest(path, starts) for path in paths}
    ends = {start: _DECODER.raw_decode(text, start)[1] for start in set(found.values())}
    return {path: TextSpan(start, ends[start]) for path, start in found.items()}


def repeated_keys(text: str, value: Mapping[str, Any]) -> list[Path]:
    """Return the paths of keys that are twice in an object of this text, whose value was read."""
    if len(_COLON.findall(text)) == _keys_of(value):  # as nearly every text has it
        return []
    seen, twice = set(), []
    for path, _ in _values(text, MOST_DEEP):
        if path in seen:
            twice.append(path)
        seen.add(path)
    return [path for path in twice if isinstance(path[-1], str)]


def _keys_of(value: Mapping[str, Any]) -> int:
    """Count the keys of a value, with those of the objects and lists in it."""
    count = 0
    waiting: list[Any] = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Mapping):
            count += len(each)
            each = each.values()
        waiting += [inner for inner in each if isinstance(inner, Mapping | list)]
    return count


def _nearest(path: Path, starts: Mapping[Path, int]) -> int:
    while path not in starts:
        path = path[:-1]
    return starts[path]


def _values(text: str, deepest: int) -> Iterator[tuple[Path, int]]:
    """Yield where every value begins, with its path, down to this depth.

    No recursion: the text may be nested deeply."""
    path: list[str | int] = []
    is_key = False
    for token in _TOKEN.finditer(text):
        char = token[0][0]
        if char in "}]":
            path.pop()
            is_key = False
        elif char == ",":
            is_key = isinstance(path[-1], str)
            path[-1] = path[-1] + 1 if isinstance(path[-1], int) else ""
        elif char == ":":
            is_key = False
        elif is_key:
            path[-1] = json.loads(token[0])
        else:
            if len(path) <= deepest:
                yield tuple(path), token.start()
            if char in "{[":
                is_key = char == "{"
                path.append("" if is_key else 0)
