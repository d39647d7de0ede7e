"""What takes seconds to make and is the same in every run, kept until what it is made of changes: a
SQLite database with all tables and nothing in them, and the static files as a server sends them."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".pytest_cache" / "d" / "prepared"


def database(path: Path) -> None:
    """Puts it there."""
    made_of = (ROOT / "scoring" / "migrations").glob("*.py")
    with _kept("trexscore.sqlite3", made_of, "migrate", "--skip-checks") as kept:
        shutil.copyfile(kept, path)


def static(path: Path) -> None:
    """Puts them there."""
    made_of = (ROOT / "static").rglob("*.*")
    with _kept("static", made_of, "collectstatic", "--noinput") as kept:
        shutil.copytree(kept, path)


@contextmanager
def _kept(name: str, made_of: Iterable[Path], *command: str) -> Iterator[Path]:
    """What this command makes in the data folder. One process makes it; others wait."""
    key = _digest([*made_of, ROOT / "requirements.txt"])
    kept = KEPT / key / name
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            _forget(name)
            _make(kept, *command)
        yield kept


def _digest(files: Iterable[Path]) -> str:
    found = sha256()
    for file in sorted(files):
        found.update(f"{file.relative_to(ROOT)}\n".encode() + file.read_bytes())
    return found.hexdigest()[:16]


def _forget(name: str) -> None:
    for old in KEPT.glob(f"*/{name}"):
        shutil.rmtree(old.parent)


def _make(kept: Path, *command: str) -> None:
    passed_on = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    with TemporaryDirectory(dir=KEPT) as data:
        manage = [sys.executable, "manage.py", *command, "--verbosity", "0"]
        subprocess.run(manage, cwd=ROOT, env=passed_on | {"TREXSCORE_DATA": data}, check=True)
        kept.parent.mkdir()
        shutil.move(Path(data) / kept.name, kept)
