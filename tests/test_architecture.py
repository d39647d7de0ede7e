"""ARCHITECTURE.md and the rules of imports name the packages that are there, in one order."""

import ast
import re
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "ARCHITECTURE.md").read_text()
# What is below no subject or above all of them, and stands in no table.
OTHERS = {"management", "migrations", "templatetags", "locale", "fonts"}


def modules():
    """The modules with anything in them, migrations left out, as syntax trees."""
    paths = [path for path in (ROOT / "scoring").rglob("*.py") if "migrations" not in path.parts]
    trees = {path.relative_to(ROOT): ast.parse(path.read_text()) for path in sorted(paths)}
    return {path: tree for path, tree in trees.items() if tree.body}


def packages_of_the_table():
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", TEXT, re.MULTILINE)
    return [name for row in rows for name in re.findall(r"\w+", row)]


def layers():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    found = next(
        each for each in contracts["contracts"] if "scoring.ledger" in each.get("layers", [])
    )
    return [name.removeprefix("scoring.") for line in found["layers"] for name in line.split(" | ")]


def test_every_package_is_in_the_table():
    folders = {each.name for each in (ROOT / "scoring").iterdir() if any(each.glob("*.py"))}
    assert set(packages_of_the_table()) == folders - OTHERS


def test_table_has_the_order_of_the_layers():
    named = set(packages_of_the_table())
    order = [name for name in layers() if name in named]
    assert [name for name in packages_of_the_table() if name in order] == order


def test_every_path_that_is_named_is_there():
    named = re.findall(r"`((?:[\w.]+/)+[\w.]*)`", TEXT)
    missing = [
        name for name in named if not ((ROOT / name).exists() or (ROOT / "scoring" / name).exists())
    ]
    assert missing == []


def test_lines_of_templates_can_be_read():
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted((ROOT / "templates").rglob("*.html"))
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if len(line) > 140
    ]
    assert long == []


def test_every_module_begins_with_a_sentence():
    firsts = {
        path: (ast.get_docstring(tree) or "").partition("\n")[0] for path, tree in modules().items()
    }
    assert [str(path) for path, first in firsts.items() if not first.endswith(".")] == []


def test_no_name_of_a_class_is_used_twice():
    classes = [
        node for tree in modules().values() for node in tree.body if isinstance(node, ast.ClassDef)
    ]
    # Django asks every command for a class of this name.
    names = Counter(each.name for each in classes if each.name != "Command")
    assert [name for name, count in names.items() if count > 1] == []
