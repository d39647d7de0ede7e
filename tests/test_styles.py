"""What the styles may count on, read from their files."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
SHEETS = sorted((ROOT / "static/css").glob("*.css"))
SCRIPTS = sorted((ROOT / "static/js").glob("*.js"))
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SELECTED = re.compile(r"\[(data-[\w-]+)")
IN_DATASET = re.compile(r'"(\w+)" in [\w.()]+\.dataset')
TRANSLATED = re.compile(r'(data-[\w-]+)="\{% *(?:block)?trans')


def found_in(paths, pattern):
    return {name for path in paths for name in pattern.findall(path.read_text())}


def test_no_state_has_the_name_of_a_text():
    """`[data-offline] .seat-role` once hid every role: <body> kept a sentence by that name."""
    states = found_in(SHEETS + SCRIPTS, SELECTED)
    states |= {f"data-{name}" for name in found_in(SCRIPTS, IN_DATASET)}
    assert {"data-offline", "data-state"} <= states
    texts = found_in(TEMPLATES, TRANSLATED)
    assert "data-text-offline" in texts
    assert states & texts == set()
