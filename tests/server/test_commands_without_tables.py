"""Commands where the database is away or not set up."""

import io
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command, get_commands
from django.db import OperationalError
from django.db.migrations.executor import MigrationExecutor

from scoring.management.database import DatabaseCommand
from tests.factories import CASES

ROOT = Path(__file__).parents[2]
OWN = {name for name, app in get_commands().items() if app == "scoring"}
WITHOUT = {"audit_records", "score", "replay"}
"""They read files, and no database."""


def test_import_into_an_empty_data_folder_is_refused_with_one_sentence(tmp_path):
    environment = {k: v for k, v in os.environ.items() if k != "DATABASE_URL"}
    ended = subprocess.run(
        [sys.executable, "manage.py", "import_matches", str(CASES / "evenings.json")],
        cwd=ROOT,
        env=environment | {"TREXSCORE_DATA": str(tmp_path / "data")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == (
        "CommandError: The database is not set up for this version. Run bin/serve once, or: "
        "manage.py migrate --skip-checks\n"
    )


@pytest.mark.parametrize("name", sorted(OWN))
def test_every_command_that_needs_the_database_looks_for_it(name):
    command = import_module(f"scoring.management.commands.{name}").Command
    assert issubclass(command, DatabaseCommand) is (name not in WITHOUT)


@pytest.mark.django_db
def test_database_of_another_version_ends_a_command(monkeypatch):
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda *_: ["something"])
    with pytest.raises(CommandError, match="not set up for this version") as refused:
        call_command("verify_ledger", stdout=io.StringIO())
    assert refused.value.returncode == 2


@pytest.mark.django_db
def test_database_that_is_away_ends_a_command(monkeypatch):
    def away(*_):
        raise OperationalError("connection refused")

    monkeypatch.setattr(MigrationExecutor, "__init__", away)
    with pytest.raises(CommandError, match="Cannot reach the database: connection refused"):
        call_command("verify_ledger", stdout=io.StringIO())
