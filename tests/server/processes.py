"""The web server and its worker as processes: started, asked, counted, and ended with all they
began."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path

from tests.support import prepared

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".venv" / "bin" / "python"
WITHIN = 120
PORTS = range(10_000, 32_000)


def until(found, within=WITHIN):
    """What it gives as soon as it gives anything."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        if answer := found():
            return answer
        time.sleep(0.05)
    raise AssertionError(f"{found} did not come true")


def said(pid, name) -> str:
    try:
        return Path(f"/proc/{pid}/{name}").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def children(pid) -> list[int]:
    return [int(child) for child in said(pid, f"task/{pid}/children").split()]


def family(pid) -> set[int]:
    """This process and everything it has started."""
    return {pid}.union(*map(family, children(pid)))


def lives(pid) -> bool:
    return said(pid, "stat").rpartition(")")[2].split()[:1] not in ([], ["Z"])


def kill(pids) -> None:
    for pid in pids:
        if lives(pid):
            os.kill(pid, signal.SIGKILL)


def free_port() -> int:
    """A port that no connection to somewhere else is given before the server takes it: those are
    numbered from 32,768 on."""
    first = os.getpid() % len(PORTS)
    for port in (*PORTS[first:], *PORTS[:first]):
        with socket.socket() as free, suppress(OSError):
            free.bind(("0.0.0.0", port))
            return port
    raise AssertionError("no port is free")


def answers(port: int) -> bool:
    """Whether a server says that all is well."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", "/health/")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def environment(data: Path, **told: str) -> dict[str, str]:
    """That of a server on this data folder: nothing of the one that runs the tests."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return kept | {"TREXSCORE_DATA": str(data)} | told


def manage(told: Mapping[str, str], *command: str) -> str:
    """What a command of manage.py prints; it has to succeed."""
    ran = subprocess.run(
        [PYTHON, "manage.py", *command], cwd=ROOT, env=told, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def prepare(told: Mapping[str, str]) -> None:
    """Everything that has to be there before the server starts."""
    data, url = Path(told["TREXSCORE_DATA"]), told.get("DATABASE_URL", "")
    prepared.static(data / "static")
    if url.startswith("postgres"):
        manage(told, "migrate", "--skip-checks", "--verbosity", "0")
    else:
        named = url.removeprefix("sqlite:///")
        prepared.database(Path(named) if named else data / "trexscore.sqlite3")


class Serving:
    """A running server that answers and has its worker beside it."""

    def __init__(self, told: Mapping[str, str], port: int | None = None) -> None:
        self.port = port or free_port()
        self.process = subprocess.Popen(
            [PYTHON, "-m", "trexscore.serving", str(self.port)],
            cwd=ROOT,
            env=told,
            start_new_session=True,
        )
        self.family = {self.process.pid}
        try:
            until(lambda: self.answers() or self.has_ended())
            until(self.worker)
        except BaseException:
            self.end()
            raise
        self.family = family(self.process.pid)

    def answers(self) -> bool:
        return answers(self.port)

    def has_ended(self) -> bool:
        """Never where all is well: what it said stands above."""
        assert self.process.poll() is None, f"it ended with {self.process.returncode}"
        return False

    def _named(self, name) -> int | None:
        own = children(self.process.pid)
        return next((pid for pid in own if name in said(pid, "cmdline")), None)

    def web(self) -> int | None:
        return self._named("granian")

    def worker(self) -> int | None:
        return self._named("manage.py")

    def leaves_nothing(self) -> bool:
        return until(lambda: not any(map(lives, self.family)))

    def end(self) -> None:
        kill(family(self.process.pid) | self.family)
        self.process.wait()


@contextmanager
def serving(told: Mapping[str, str]):
    server = Serving(told)
    try:
        yield server
    finally:
        server.end()
