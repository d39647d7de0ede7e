"""Scripts are modules that name what they use."""

import re
import subprocess
from pathlib import Path

import pytest

from scoring.matches.views.unsent import SHELL

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted((ROOT / "static/js").rglob("*.js"))
FAULTS = {
    "const unused = 1;": "no-unused-vars",
    "missing();": "no-undef",
    'import { missing } from "./known.js";\nmissing();': "import(named)",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_linter_finds(tmp_path, fault):
    (tmp_path / "known.js").write_text("export const known = 1;\n")
    (tmp_path / "script.js").write_text(f"{fault}\n")
    linter = [ROOT / ".venv/bin/oxlint", "--config", ROOT / ".oxlintrc.json", tmp_path]
    found = subprocess.run(linter, capture_output=True, text=True)
    assert found.returncode == 1
    assert FAULTS[fault] in found.stdout


def imports_of(script):
    names = re.findall(r'(?:from|import) *\(?"([^"]+)"', script.read_text())
    return {(script.parent / name).resolve() for name in names}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_imports_lead_to_files(script):
    assert imports_of(script) <= set(SCRIPTS)


def test_offline_pages_have_every_script_that_theirs_import():
    kept = {(ROOT / "static" / name).resolve() for name in SHELL if name.endswith(".js")}
    assert set().union(*(imports_of(script) for script in kept & set(SCRIPTS))) <= kept


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_script_says_first_what_it_is_for(script):
    assert script.read_text().startswith("// ")


def test_nothing_imports_what_acts_on_a_whole_page():
    """The television has no such page, and would run it by an import."""
    base = (ROOT / "static/js/base.js").resolve()
    assert not [script.name for script in SCRIPTS if base in imports_of(script)]
