"""Whatever a file holds, reading it never fails: it gives matches and faults."""

import io
from random import Random

import pytest

from scoring.importing.limits import PAGE
from scoring.importing.reading import read_file
from scoring.transfer.presenters.import_sentences import fault_place, fault_sentence
from tests import chance
from tests.importing.files import (
    HEADINGS,
    as_csv,
    as_json,
    as_xlsx,
    csv_of,
    evening,
    table,
    xlsx_of,
)

JUNK = [
    *(None, True, False, 0, -1, 5, 2.5, 10**30, -(10**30), 1e400, "", "x", "0", "1", "٣", "−", "="),
    *([], {}, [[]], [None] * 4, ["x"] * 4, [1, 2, 3], {"KH": 1}, {"QS": "x"}, [{"card": "KH"}]),
    *("king", ["king", "king"], ["trex", "king"], "2026-13-01", "\u200b", "\x1b[31m", "é" * 300),
]
SEEDS = chance.seeds(20)


def spoilt(value, rng, depth=0):
    """The value with something in it replaced, dropped or doubled."""
    if rng.random() < 0.12 and depth:
        return rng.choice(JUNK)
    if isinstance(value, dict):
        kept = list(value)
        if kept and rng.random() < 0.1:
            kept.remove(rng.choice(kept))
        place = rng.choice(kept) if kept else None
        return {k: spoilt(value[k], rng, depth + 1) if k == place else value[k] for k in kept}
    if isinstance(value, list) and value:
        place = rng.randrange(len(value))
        changed = [spoilt(v, rng, depth + 1) if n == place else v for n, v in enumerate(value)]
        return changed + changed[:1] if rng.random() < 0.05 else changed
    return rng.choice(JUNK)


def said(data):
    """Everything that is found in a file, in words."""
    for each in read_file(io.BytesIO(data), PAGE):
        for fault in getattr(each, "faults", (each,) if hasattr(each, "problem") else ()):
            text = f"{fault_place(fault)} {fault_sentence(fault, getattr(each, 'names', ()))}"
            text.encode()


def a_match(rng):
    name = rng.choice(["evening-levant", "evening-kleshchi", "evening-barbu"])
    return evening(name, deals=rng.choice([1, 4, None]))


@pytest.mark.parametrize("seed", SEEDS)
def test_spoilt_json_is_read(seed):
    rng = Random(seed)
    match = a_match(rng)
    for _ in range(rng.randrange(1, 8)):
        match = spoilt(match, rng)
    text = as_json(match, indent=rng.choice([None, 1])).decode()
    said(text.replace("Infinity", "1e999").encode())


@pytest.mark.parametrize("seed", SEEDS)
def test_spoilt_table_is_read(seed):
    rng = Random(seed)
    rows = table(a_match(rng))
    for _ in range(rng.randrange(1, 9)):
        row = rng.choice(rows if rng.random() < 0.3 else rows[1:])
        row[rng.randrange(len(HEADINGS))] = rng.choice(JUNK)
    if rng.random() < 0.3:
        rng.shuffle(rows)
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    said(csv_of(cells, rng.choice(",;\t")))
    said(xlsx_of([[clean(cell) for cell in row] for row in rows]))


def clean(cell):
    """What a workbook can hold."""
    if isinstance(cell, list | dict) or (isinstance(cell, str) and not cell.isprintable()):
        return "junk"
    return cell if cell == cell and cell not in (1e400,) else "junk"


@pytest.mark.parametrize("seed", SEEDS)
def test_spoilt_bytes_are_read(seed):
    rng = Random(seed)
    match = evening(deals=3)
    data = bytearray(rng.choice([as_json, as_csv, as_xlsx])(match))
    for _ in range(rng.randrange(1, 30)):
        at = rng.randrange(len(data))
        data[at : at + rng.randrange(3)] = rng.randbytes(rng.randrange(3))
    said(bytes(data[: rng.randrange(len(data))] if rng.random() < 0.3 else data))
