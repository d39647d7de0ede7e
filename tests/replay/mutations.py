"""Records that somebody's editor, line or cat has been at, and what must hold of them."""

import json
import random
from dataclasses import replace
from pathlib import Path

from scoring.replay.notation.json_records import read_json, to_json, write_json
from scoring.replay.notation.trex_text import read, write
from scoring.replay.record import Record

CASES = Path(__file__).parents[1] / "cases"
PIECES = [
    *'[]{}":,%\\\n\r\t -.+=0123456789NWSEnwseTJQKAxZ♥♠\0\x1b\ud800\ufeff\u2028é١',
    "10",
    "--",
    "\n\n",
    "\r\n",
    '"]',
    '[Id "',
    '{"id": ',
    '{"seat":',
    "null",
    "NaN",
    "1e999",
    "9" * 5_000,
    "[" * 2_000,
    '{"a":' * 2_000,
    '"\\' * 500,
    "{ " * 500,
    "x" * 70_000,
    "KH " * 500,
    '[Options "values.trex=[1,2"]\n',
    '[Hands "N:-"]\n',
]


def samples():
    """Records of every kind; a few of them carry all that a record may."""
    rows = json.loads((CASES / "records.json").read_text())
    records = list(read_json(json.dumps([row["record"] for row in rows])))
    text = write(records[0]).replace("[System", '[Club "A \\\\ \\"b\\" {c} %d"]\n[System', 1)
    text = text.replace(
        "[Contract", '[Options "early_end=off values.trex=[4,3,2,1]"]\n[Contract', 1
    )
    text += "\n" + write(records[1]) + '[Captured "QS:S 7D:N"]\n'
    return [*records, *(record for record in read(text) if not record.errors)]


def mutated(text: str, chance: random.Random) -> str:
    """The text after one to six small accidents."""
    for _ in range(chance.choice([1, 1, 1, 2, 3, 6])):
        at, to = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        near = min(to, at + chance.choice([1, 1, 2, 5, 40]))
        match chance.randrange(6):
            case 0:
                text = text[:at] + text[near:]
            case 1:
                text = text[:at] + chance.choice(PIECES) + text[at:]
            case 2:
                text = text[:at] + chance.choice(PIECES) + text[near:]
            case 3:
                text = text[:at] + text[at:near] + text[at:]
            case 4:
                text = text[:near] + text[to:] + text[near:to]
            case 5 if chance.random() < 0.1:
                text = text[:at]
    return text


def spoilt(records, chance: random.Random) -> None:
    """Two mutated inputs, one of text and one of JSON; now and then between two good records."""
    before, record, after = (chance.choice(records) for _ in range(3))
    text = mutated(write(record), chance)
    holds(text, read)
    data = mutated(write_json(record), chance)
    holds(data, read_json)
    if chance.random() < 0.2:
        whole = f"{write(before)}\n{text}\n\n{write(after)}"
        hides_no_other(whole, before, after, read)
        whole = f"[{write_json(before)},\n{data},\n{write_json(after)}]"
        hides_no_other(whole, before, after, read_json)


def holds(text: str, read_it) -> None:
    """What comes out can be written and read again, or has errors with a place in the text."""
    for record in placed(text, read_it):
        if record.errors:
            json.dumps(to_json(record))
        else:
            assert list(read(write(record))) == [record]
            assert list(read_json(write_json(record))) == [record]


def hides_no_other(whole: str, before, after, read_it) -> None:
    """Of a file with one broken record in the middle, the others come out as they are; but where
    nothing is left of it than a tag that nobody knows, that is a tag of the next."""
    found = placed(whole, read_it)
    assert found[0] == before
    assert found[-1] == after or replace(found[-1], tags=after.tags) == after


def placed(text: str, read_it) -> list[Record]:
    """The records of a text, whose errors all have a place inside it."""
    lines = text.split("\n" if "\n" in text or read_it is read_json else "\r")
    found = list(read_it(text))
    for error in (error for record in found for error in record.errors):
        assert 1 <= error.line <= len(lines), error
        assert 0 <= error.column < max(1, len(lines[error.line - 1])), error
        error.text.encode()
    return found
