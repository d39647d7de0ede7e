"""Reading files of matches is ordinary Python."""

import subprocess
import sys
from pathlib import Path

import scoring.importing

IMPORTING = Path(scoring.importing.__file__).parent


def test_reading_matches_loads_no_django():
    names = [f"scoring.importing.{path.stem}" for path in IMPORTING.glob("[a-z]*.py")]
    code = (
        f"import sys, {', '.join(names)}\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('django', 'ninja')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=IMPORTING.parents[1], capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]", done.stderr
