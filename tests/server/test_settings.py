"""The readers of trexscore.settings, and whole starts in a process of their own."""

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from trexscore import settings

ROOT = Path(__file__).parents[2]


def start(tmp_path, **environment):
    """Loads the settings as a server would; what it printed, and its exit code."""
    names = ("PATH", "HOME", "LANG")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    return subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={**kept, "TREXSCORE_DATA": str(tmp_path / "data"), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TREXSCORE_DEBUG", "maybe"),
        ("TREXSCORE_HSTS_SECONDS", "-1"),
        ("DATABASE_URL", "mysql://somewhere/trexscore"),
        ("TREXSCORE_DATA", "/dev/null/data"),
        ("TREXSCORE_TIME_ZONE", "Beirut"),
    ],
)
def test_wrong_value_is_no_start(tmp_path, name, value):
    started = start(tmp_path, **{name: value})
    assert started.returncode != 0
    assert name in started.stderr


@pytest.mark.parametrize(
    ("clock", "zone"),
    [("zoneinfo/Asia/Beirut", "Asia/Beirut"), ("zoneinfo/nowhere", "UTC"), ("clock", "UTC")],
)
def test_matches_without_a_club_go_by_the_clock_of_the_machine(tmp_path, clock, zone):
    (tmp_path / "localtime").symlink_to(tmp_path / clock)
    assert settings.time_zone("", tmp_path / "localtime") == zone
    assert settings.time_zone("Africa/Cairo", tmp_path / "localtime") == "Africa/Cairo"


def test_secret_key_is_made_once_for_our_eyes_only(tmp_path):
    path = tmp_path / "secret-key"
    first = settings.kept_secret(path)
    assert settings.kept_secret(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_damaged_secret_key_is_no_start(tmp_path):
    (tmp_path / "secret-key").write_text("short")
    with pytest.raises(ImproperlyConfigured, match="not a secret key"):
        settings.kept_secret(tmp_path / "secret-key")


def test_sqlite_waits_its_turn_and_syncs():
    read = settings.database("sqlite:////srv/trex score.sqlite3")
    assert read["NAME"] == "/srv/trex score.sqlite3"
    assert read["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "synchronous=FULL" in read["OPTIONS"]["init_command"]


def test_postgresql_url_is_read_whole():
    read = settings.database("postgresql://amal:p%40ss@db.lan:5433/trex?sslmode=require")
    assert (read["USER"], read["PASSWORD"]) == ("amal", "p@ss")
    assert (read["HOST"], read["PORT"], read["NAME"]) == ("db.lan", 5433, "trex")
    assert read["OPTIONS"] == {"sslmode": "require", "options": "-c synchronous_commit=on"}


def test_postgresql_socket_folder_may_stand_behind_the_question_mark():
    assert settings.database("postgresql:///trex?host=/run/postgresql")["HOST"] == "/run/postgresql"


def test_what_is_committed_is_on_disk(tmp_path):
    """On PostgreSQL: tests/server/test_killed.py."""
    read = settings.database("sqlite:////srv/trexscore.sqlite3")
    with closing(sqlite3.connect(tmp_path / "trexscore.sqlite3")) as connection:
        connection.executescript(read["OPTIONS"]["init_command"])
        asked = connection.execute("SELECT * FROM pragma_journal_mode, pragma_synchronous")
        assert asked.fetchone() == ("wal", 2)
