"""JSON to raw matches: one match, an array of them, or one behind the other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import IO

from scoring.importing.faults import Fault, Path, Place, Raw, Unreadable, file_fault
from scoring.importing.limits import Limits
from scoring.replay.json_places import find_places
from scoring.replay.json_stream import Found, read_values
from scoring.rules.problems import Problem

KEYS = ("players", "deals")
"""What makes an object a match, however much of it is wrong."""

DEEPEST = 6
MOST_CHARACTERS = 4_000_000
"""In one match: 32 deals with their records, however they are set out."""


def raw_matches(stream: IO[bytes], limits: Limits) -> Iterator[Raw | Fault]:
    """The matches of a text, and a fault for each piece that is no JSON or no match. Behind a
    piece that is broken nothing is taken for a match that does not look like one."""
    deals = 0
    is_spoilt = False
    last = (0, 0)
    for found in read_values(stream, MOST_CHARACTERS):
        if found.is_fault:
            is_spoilt = True
            if last != (last := (found.line, found.column)):
                yield _fault("not_json", found)
        elif isinstance(found.value, dict) and any(key in found.value for key in KEYS):
            rows = found.value.get("deals")
            deals += len(rows) if isinstance(rows, list) else 0
            if deals > limits.deals:
                place = Place(found.line, found.column + 1)
                raise Unreadable(file_fault("too_many_deals", place, limit=limits.deals))
            yield Raw(found.value, _Places(found).find)
        elif not is_spoilt:
            yield _fault("not_a_match", found)


def _fault(code: str, found: Found) -> Fault:
    text = " ".join(found.text[:40].split())
    return Fault(Problem(code, "", {"found": text}), Place(found.line, found.column + 1))


class _Places:
    """Where the values of one match stand in the whole text."""

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
