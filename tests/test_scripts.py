"""Scripts are modules that name what they use."""

import re
import subprocess
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_imports_lead_to_files(script):
    for name in re.findall(r'from "([^"]+)"', script.read_text()):
        assert (script.parent / name).is_file(), name


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_script_says_first_what_it_is_for(script):
    assert script.read_text().startswith("// ")
