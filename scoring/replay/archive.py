"""Many records at once, in either notation, for commands and the API.

A `Piece` is a record whose words have been found but not yet read. It costs little to make and
can be sent to another process, where `read_piece` does the work.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, NamedTuple

from scoring.replay.engine import card_by_card, replay
from scoring.replay.notation.draft import Draft
from scoring.replay.notation.json_records import record_of_value
from scoring.replay.notation.json_stream import Found, read_values
from scoring.replay.notation.lines import BYTE_ORDER_MARK, Source
from scoring.replay.notation.paragraphs import Paragraph, paragraphs, record_of_paragraph
from scoring.replay.notation.tags import record_of
from scoring.replay.record import Record
from scoring.replay.result import Replay

type Kind = Literal["text", "json"]
type Piece = Draft | Paragraph | tuple[int, Found]

_JSON = re.compile(r"\[\s*(?:[\[\]{\"\d-]|$)|\{\s*(?:[\"}]|$)")
_JSON_LINE = re.compile(r'^[ \t]*\[?[ \t]*\{[ \t]*"', re.MULTILINE)


def kind_of(start: str) -> Kind:
    """Return which notation a source has, from how it begins.

    `[` opens both a tag and an array."""
    words = start.removeprefix(BYTE_ORDER_MARK).lstrip()
    return "json" if _JSON.match(words) or _JSON_LINE.search(words) else "text"


def pieces(source: Source, kind: Kind) -> Iterator[Piece]:
    """Yield the records of a text or stream, unread."""
    return paragraphs(source) if kind == "text" else enumerate(read_values(source), start=1)


def read_piece(piece: Piece) -> Record:
    """Return the record, with everything that could not be read."""
    if isinstance(piece, Paragraph):
        return record_of_paragraph(piece)
    return record_of(piece) if isinstance(piece, Draft) else record_of_value(piece[1], piece[0])


def read_all(source: Source, kind: Kind) -> Iterator[Record]:
    """Yield the records of a text or stream as they come."""
    return map(read_piece, pieces(source, kind))


def replayed(record: Record, report: bool = True, bounds: bool = True) -> Replay:
    """Return the replay of a record by the record's own rules.

    A record with notation errors is not replayed. `bounds` of a record that leaves something open
    take a second where everything else takes none."""
    found = _replayed(record, report, bounds)
    return replace(found, unknown=record.unknown) if record.unknown else found


def _replayed(record: Record, report: bool, bounds: bool) -> Replay:
    if record.errors:
        return Replay(record.id, claimed=record.claimed, errors=record.errors)
    if report and not bounds:
        return card_by_card(record, record.ruleset())
    return replay(record, record.ruleset(), report)


class RecordMark(NamedTuple):
    """One code that an audit reports for a record.

    `place` is the play, counted from 0, or the line where the code is a notation error."""

    code: str
    place: int | None = None


class RecordVerdict(NamedTuple):
    """The result of the audit of one record; without marks nothing is wrong."""

    id: str
    marks: tuple[RecordMark, ...]


WRONG_CLAIM = "wrong_claim"
