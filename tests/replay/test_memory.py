"""Memory does not grow with the file: 20 MB in one file, or 10 MB in one line. The other forms of a
file are tried with 10 MB."""

import subprocess
import sys
from pathlib import Path

import pytest

from scoring.replay.notation.json_records import write_json
from scoring.replay.notation.trex_text import write
from tests.replay.mutations import samples

MB = 1_000_000
READ = r"""
import re, sys
from pathlib import Path
from scoring.replay.notation.trex_text import read
from scoring.replay.notation.json_records import read_json
status = Path("/proc/self/status")  # of this program alone; rusage counts who started it too
peak = lambda: int(re.search(r"VmHWM:\s+(\d+)", status.read_text())[1]) // 1024
start = peak()
with open(sys.argv[1], "rb") as file:
    good = sum(not record.errors for record in (read_json if sys.argv[2] == "json" else read)(file))
print(good, peak() - start)
"""
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
RECORD = samples()[0]
NOTE = "% " + "what was said at the table " * 90 + "\n"


def read_apart(path: Path, kind: str) -> tuple[int, int]:
    """Records without errors, and MB over the start, of a process of its own."""
    run = subprocess.run(
        [sys.executable, "-c", READ, str(path), kind],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    good, peak = run.stdout.split()
    return int(good), int(peak)


@pytest.mark.parametrize(
    ("kind", "size", "piece", "between", "ends"),
    [
        ("text", 20, NOTE + write(RECORD), "\n", ("", "")),
        ("json", 10, write_json(RECORD), ",\n", ("[", "]")),
        ("json", 10, write_json(RECORD), "\n", ("", "")),
        ("json", 10, write_json(RECORD), ",", ("[", "]")),  # all in one line
    ],
)
def test_a_file_of_many_mb(tmp_path, kind, size, piece, between, ends):
    count = size * MB // len(piece)
    path = tmp_path / "archive"
    path.write_text(ends[0] + between.join([piece] * count) + ends[1])
    good, peak = read_apart(path, kind)
    assert good == count
    assert peak < size / 2  # kept, the records would take more


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("text", "W " + "KH " * (10 * MB // 3)),
        ("text", "x" * (10 * MB)),
        ("text", "% " + "x" * (10 * MB)),
        ("text", '[Club "' + '\\"' * (5 * MB)),
        ("text", '[Options "' + "a=[ " * (10 * MB // 4) + '"]'),
        ("text", "{" * (10 * MB)),
        ("json", "[" * (10 * MB)),
        ("json", '{"a":' * (2 * MB)),
        ("json", '{"id": "' + "x" * (10 * MB) + '"}'),
        ("json", '{"plays": [' + '{"seat": 0, "card": "KH"}, ' * (10 * MB // 27) + "]}"),
        ("json", '[{"a":[' * (10 * MB // 7)),
        ("json", " " * (10 * MB)),
    ],
    ids=lambda value: value[:12],
)
def test_a_line_of_10_mb(tmp_path, kind, line):
    write_it = write if kind == "text" else write_json
    path = tmp_path / "archive"
    path.write_text(f"{write_it(RECORD)}\n{line}\n\n{write_it(RECORD)}")
    good, peak = read_apart(path, kind)
    assert good == 2
    assert peak < 100
