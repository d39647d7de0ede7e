"""Records as `.trex` text, read with all their errors, and written.

Nothing is judged by the rules of play. A record that cannot be read whole comes out with its
errors, and the next one is read; memory does not grow with the text.
"""

from __future__ import annotations

from collections.abc import Iterator

from scoring.replay.notation.lines import Source
from scoring.replay.notation.paragraphs import Paragraph, paragraphs, record_of_paragraph
from scoring.replay.notation.spelling import (
    letters,
    write_cards_and_seats,
    write_claim,
    write_hands,
    write_options,
)
from scoring.replay.notation.tags import record_of
from scoring.replay.record import Pass, Play, Record

PLAYS_A_LINE = 8  # of Trex and fifty_one: two rounds of the table


def read(source: Source) -> Iterator[Record]:
    """Yield the records of a text or a stream as they come; none for a text without any."""
    for each in paragraphs(source):
        yield record_of_paragraph(each) if isinstance(each, Paragraph) else record_of(each)


def write(record: Record) -> str:
    """Return the text of a record without errors.

    Separate two of them by an empty line."""
    values = [(name, value) for name, value in _values(record) if value]
    tags = [values[0], *record.tags.items(), *values[1:]]
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in tags]
    return "\n".join([*lines, *_play_lines(record), ""])


def _values(record: Record) -> Iterator[tuple[str, str]]:
    clockwise = record.options.get("direction") == "clockwise"
    names = {None: ""} | dict(enumerate(letters(clockwise)))
    yield "Id", record.id
    yield "System", record.system
    yield "Options", write_options(record.options)
    yield "Deal", "" if record.deal_number is None else str(record.deal_number)
    yield "Dealer", names[record.dealer]
    yield "Chooser", names[record.chooser]
    yield "Forced", "true" if record.forced else ""
    yield "Contract", record.contract.key if record.contract else ""
    yield "Doubled", write_cards_and_seats(record.doubles, clockwise)
    yield "Hands", write_hands(record.hands, clockwise) if any_known(record) else ""
    yield "Leader", names[record.leader]
    yield "Captured", write_cards_and_seats(record.captured, clockwise)
    yield "Result", write_claim(record.claimed, clockwise) if record.claimed else ""


def any_known(record: Record) -> bool:
    """Return whether any hand was recorded."""
    return any(hand is not None for hand in record.hands)


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _play_lines(record: Record) -> Iterator[str]:
    names = letters(record.options.get("direction") == "clockwise")
    if record.contract is None or record.contract.special:
        turns = [_turn(play, names) for play in record.plays]
        for start in range(0, len(turns), PLAYS_A_LINE):
            yield " ".join(turns[start : start + PLAYS_A_LINE])
    else:
        for leader, cards in _tricks(record.plays):
            yield " ".join([names[leader], *cards])


def _turn(play: Play | Pass, names: str) -> str:
    return f"{names[play.seat]}:{play.card if isinstance(play, Play) else '-'}"


def _tricks(plays: tuple[Play | Pass, ...]) -> Iterator[tuple[int, list[str]]]:
    """Return the plays in lines of four.

    A seat that plays out of turn begins a new line."""
    line: list[str] = []
    leader = 0
    for play in plays:
        assert isinstance(play, Play)  # a pass among tricks is not read
        if line and (len(line) == 4 or play.seat != (leader + len(line)) % 4):
            yield leader, line
            line = []
        leader = leader if line else play.seat
        line.append(play.card)
    if line:
        yield leader, line
