"""The finder is ordinary Python, and no second scorer."""

import re
import subprocess
import sys
from pathlib import Path

import scoring.finder

FINDER = Path(scoring.finder.__file__).parent


def test_importing_the_finder_loads_no_django():
    code = (
        "import sys, scoring.finder\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('django', 'ninja')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=FINDER.parents[1], capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]", done.stderr


# Points come from the rules alone: no value stands here. C88
def test_no_value_of_the_game_stands_in_the_finder():
    for path in FINDER.glob("*.py"):
        code = re.sub(r'""".*?"""|#.*', "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        if path.name not in ("costs.py", "search.py"):
            assert not re.search(r"\b(15|25|50|75|80|100|150|200|400)\b", code), path
