"""Raw matches from JSON: one match, an array of them, or one after the other."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from contextlib import suppress
from itertools import islice
from typing import IO, Any

from scoring.importing.faults import (
    Fault,
    FaultCode,
    Note,
    Path,
    Place,
    Raw,
    Unreadable,
    file_fault,
)
from scoring.importing.limits import Limits
from scoring.replay.notation.json_positions import find_places
from scoring.replay.notation.json_stream import Found, read_values
from scoring.rules.problems import Problem

KEYS = ("players", "deals")
"""What makes an object a match, however much of it is wrong."""

OF_MATCH = frozenset(
    {"external_id", "club", "table_name", "players", "played_at", "system", "preset", "options"}
    | {"first_chooser", "first_dealer", "deals", "totals"}
)
OF_DEAL = frozenset(
    {"deal_number", "dealer", "chooser", "leader", "forced", "contract", "input", "scores"}
    | {"totals", "played_at", "record"}
)
MOST_NAMES = 20

DEEPEST = 6
MOST_CHARACTERS = 4_000_000
"""In one match: 32 deals with their records, however they are set out."""


def raw_matches(stream: IO[bytes], limits: Limits) -> Iterator[Raw | Fault | Note]:
    """Yield the matches of a text, and a fault for each piece that is no JSON or no match.

    After a broken piece nothing counts as a match that does not look like one."""
    deals = 0
    is_spoilt = False
    last = (0, 0)
    unknown: dict[str, None] = {}
    for found in read_values(stream, MOST_CHARACTERS):
        # What has no deals costs as much to tell of as what has one.
        deals += max(1, len(_deals(found.value)))
        if deals > limits.deals:
            place = Place(found.line, found.column + 1)
            raise Unreadable(file_fault(FaultCode.TOO_MANY_DEALS, place, limit=limits.deals))
        if found.is_fault:
            is_spoilt = True
            if last != (last := (found.line, found.column)):
                yield _fault(FaultCode.NOT_JSON, found)
        elif isinstance(found.value, dict) and any(key in found.value for key in KEYS):
            if len(unknown) < MOST_NAMES:
                unknown |= dict.fromkeys(_unknown(found.value))
            yield Raw(found.value, _Places(found).find, tuple(_said_twice(found.text)))
        elif not is_spoilt:
            yield _fault(FaultCode.NOT_A_MATCH, found)
    if unknown:
        yield Note("ignored_names", tuple(unknown)[:MOST_NAMES])


def _deals(value: object) -> list[Any]:
    rows = value.get("deals") if isinstance(value, dict) else None
    return rows if isinstance(rows, list) else []


def _fault(code: FaultCode, found: Found) -> Fault:
    text = " ".join(found.text[:40].split())
    return Fault(Problem(code, "", {"found": text}), Place(found.line, found.column + 1))


def _said_twice(text: str) -> list[tuple[Path, Problem]]:
    """Find names that are twice in one object, of which a JSON reader keeps the last."""
    twice: set[str] = set()

    def noted(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = Counter(name for name, _ in pairs)
            twice.update(name for name in found if names[name] > 1)
        return found

    with suppress(RecursionError):
        json.loads(text, object_pairs_hook=noted)
    names = sorted(twice)[:MOST_NAMES]
    return [((), Problem(FaultCode.KEY_TWICE, "", {"found": name[:40]})) for name in names]


def _unknown(match: Mapping[str, Any]) -> Iterator[str]:
    """Yield the first unknown names of the match and of each deal."""
    yield from _first_unknown(match, OF_MATCH)
    for deal in _deals(match):
        if isinstance(deal, dict):
            yield from _first_unknown(deal, OF_DEAL)


def _first_unknown(names: Iterable[str], known: Set[str]) -> Iterator[str]:
    beginning = islice(names, len(known) + MOST_NAMES)
    yield from (name[:40] for name in beginning if name not in known)


class _Places:
    """Positions of the values of one match in the whole text."""

    def __init__(self, found: Found) -> None:
        self.found = found

    def find(self, paths: Collection[Path]) -> Mapping[Path, Place]:
        text = self.found.text
        cut = {path: path[:DEEPEST] for path in paths}
        spans = find_places(text, set(cut.values()))
        return {path: self._place(text, spans[short].start) for path, short in cut.items()}

    def _place(self, text: str, start: int) -> Place:
        lines = text.count("\n", 0, start)
        if not lines:
            return Place(self.found.line, self.found.column + start + 1)
        return Place(self.found.line + lines, start - text.rindex("\n", 0, start))
