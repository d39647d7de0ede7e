"""The worked cases of tests/cases, as they come with the rules book."""

import json
from pathlib import Path

CASES = Path(__file__).parents[1] / "cases"


def load(name):
    """The rows of one file: `load("scoring")`."""
    return json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))


def ids(row):
    """The name of a row, for pytest."""
    return row["id"]
