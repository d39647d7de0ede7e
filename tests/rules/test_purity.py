"""The rules are ordinary Python."""

import re
import subprocess
import sys
from pathlib import Path

import scoring.rules

RULES = Path(scoring.rules.__file__).parent


def test_importing_the_rules_loads_no_django():
    code = (
        "import sys, scoring.rules\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('django', 'ninja')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=RULES.parents[1], capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]", done.stderr


def test_no_rule_asks_for_the_name_of_a_system():
    for path in RULES.rglob("*.py"):
        if path.name != "presets.py":
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"\bsystem\s*(==|!=|in\b)", text), path


def test_every_public_name_says_what_it_is():
    for name in scoring.rules.__all__:
        thing = getattr(scoring.rules, name)
        if callable(thing):
            assert thing.__doc__, name
