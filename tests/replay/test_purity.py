"""The replay is ordinary Python."""

import subprocess
import sys
from pathlib import Path

import scoring.replay

REPLAY = Path(scoring.replay.__file__).parent


def test_importing_the_replay_loads_no_django():
    paths = [path.relative_to(REPLAY.parents[1]) for path in REPLAY.rglob("[a-z]*.py")]
    names = [".".join(path.with_suffix("").parts) for path in paths]
    code = (
        f"import sys, {', '.join(names)}\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('django', 'ninja')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=REPLAY.parents[1], capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]", done.stderr
