"""The web server and the worker for long work end together, whoever ends first and however."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".venv" / "bin" / "python"
WITHIN = 30

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


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


class Serving:
    def __init__(self, data: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        self.process = subprocess.Popen(
            [PYTHON, "-m", "trexscore.serving", str(self.port)],
            cwd=ROOT,
            env=kept | {"TREXSCORE_DATA": str(data)},
            start_new_session=True,
        )
        until(self.answers)
        until(self.worker)
        self.family = family(self.process.pid)

    def answers(self) -> bool:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", "/health/")
            return connection.getresponse().status == 200
        except ConnectionError:
            return False
        finally:
            connection.close()

    def _named(self, name) -> int | None:
        own = children(self.process.pid)
        return next((pid for pid in own if name in said(pid, "cmdline")), None)

    def web(self) -> int | None:
        return self._named("granian")

    def worker(self) -> int | None:
        return self._named("manage.py")

    def leaves_nothing(self) -> bool:
        return until(lambda: not any(map(lives, self.family)))


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A data folder in which everything is ready."""
    data = tmp_path_factory.mktemp("data")
    for command in (["migrate", "--skip-checks"], ["collectstatic", "--noinput"]):
        subprocess.run(
            [PYTHON, "manage.py", *command, "--verbosity", "0"],
            cwd=ROOT,
            check=True,
            env={"PATH": os.environ["PATH"], "TREXSCORE_DATA": str(data)},
        )
    return data


@contextmanager
def serving(data):
    server = Serving(data)
    try:
        yield server
    finally:
        for pid in family(server.process.pid) | server.family:
            if lives(pid):
                os.kill(pid, signal.SIGKILL)
        server.process.wait()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_both_end_when_they_are_told_to(data, how):
    with serving(data) as server:
        assert len(server.family) >= 5  # we, the web server, its two processes, the worker
        server.process.send_signal(how)
        assert server.process.wait(WITHIN) == 0
        assert server.leaves_nothing()


def test_nothing_is_left_of_one_that_was_killed(data):
    with serving(data) as server:
        server.process.kill()
        assert server.leaves_nothing()


def test_the_worker_ends_with_a_web_server_that_died(data):
    with serving(data) as server:
        os.kill(server.web(), signal.SIGKILL)
        assert server.process.wait(WITHIN) == 128 + signal.SIGKILL
        assert server.leaves_nothing()


def test_a_worker_that_died_is_replaced_and_the_site_goes_on(data):
    with serving(data) as server:
        first = server.worker()
        os.kill(first, signal.SIGKILL)
        assert server.answers()
        assert until(lambda: server.worker() not in (None, first))
        server.family |= family(server.process.pid)
        server.process.terminate()
        assert server.process.wait(WITHIN) == 0
        assert server.leaves_nothing()
