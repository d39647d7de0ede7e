"""bin/serve, started as a club would start it: a server of its own on an empty data folder."""

import os
import re
import signal
import socket
import subprocess
import time
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.server.processes import free_port, until
from tests.server.senders import HALF_FORM, HALF_HEAD, SILENCE, all_others, has_answer, one, sending
from tests.support import prepared
from trexscore.receiving import OF_ONE_ADDRESS

ROOT = Path(__file__).parents[2]
STARTED_WITHIN = 120
NAME_FIELDS = [f"name{seat}" for seat in range(4)]


class Server:
    """A running bin/serve; what it has printed so far, and requests to it."""

    def __init__(self, data: Path, *arguments: str) -> None:
        self.port = free_port()
        names = ("PATH", "HOME", "LANG", "PYENV_ROOT")
        kept = {name: os.environ[name] for name in names if name in os.environ}
        self.printed_to = data / "printed"
        with self.printed_to.open("w") as printed:
            self.process = subprocess.Popen(
                [ROOT / "bin" / "serve", *arguments],
                env=kept | {"PORT": str(self.port), "TREXSCORE_DATA": str(data)},
                stdout=printed,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def printed(self) -> str:
        return self.printed_to.read_text()

    def wait(self) -> None:
        until = time.monotonic() + STARTED_WITHIN
        while time.monotonic() < until and self.process.poll() is None:
            try:
                return self.request("GET", "/health/")
            except ConnectionError:
                time.sleep(0.1)
        raise AssertionError(f"bin/serve does not answer\n{self.printed}")

    def request(self, method, path, body=None, headers=()):
        """Status, headers and body of the answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, path, body, dict(headers))
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def post_form(self, path, **fields):
        """Reads the page with the form as a browser does, then sends it."""
        _, headers, page = self.request("GET", path)
        hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.decode())
        cookie = headers["Set-Cookie"].partition(";")[0]
        body = urlencode({**dict(hidden), **fields})
        form = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie}
        return self.request("POST", path, body, form)

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=20)


@contextmanager
def running(data: Path, *arguments: str):
    server = Server(data, *arguments)
    try:
        server.wait()
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running(tmp_path_factory.mktemp("data")) as server:
        yield server


def test_bare_start_is_ready_for_the_phones(server):
    assert f":{server.port}\n" in server.printed
    assert "█" in server.printed  # the QR code
    link = re.search(r"http://\S+(/join/\S+/)\n", server.printed)[1]
    assert server.request("GET", link)[0] == 200
    assert server.request("GET", "/")[0] == 200
    kept = {path.name for path in server.printed_to.parent.iterdir()}
    assert {"trexscore.sqlite3", "secret-key", "static"} <= kept


def test_it_prints_the_address_its_code_and_the_link_of_the_owner(server):
    code = "█▀▄ "
    lines = [line.strip() for line in server.printed.splitlines() if line.strip(code)]
    address, why, once, link = lines
    assert address == f"trexscore is at {link.partition('/join/')[0]}"
    assert why.startswith("Nobody owns this installation yet.")
    assert once.startswith("(it works once, within a day")


def test_demo_has_a_club_to_look_at_until_it_is_stopped(tmp_path):
    prepared.database(tmp_path / "trexscore.sqlite3")
    with running(tmp_path, "--demo") as server:
        assert server.request("GET", "/clubs/cafe-demo/")[0] == 200
        assert server.stop() == 0


def test_static_files_come_small_and_stay_for_good(server):
    page = server.request("GET", "/")[2].decode()
    style = re.search(r'href="(/static/[^"]+\.css)"', page)[1]
    status, headers, _ = server.request("GET", style, headers={"Accept-Encoding": "br"})
    assert (status, headers["Content-Encoding"]) == (200, "br")
    assert "immutable" in headers["Cache-Control"]


# Each process takes in so many from one address; the rest of its senders is told at once.
TAKEN_IN = 2 * OF_ONE_ADDRESS


def test_half_sent_connections_hold_up_nobody(server):
    with ExitStack() as held:

        def sent(addresses, said):
            return held.enter_context(sending(server.port, addresses, said))

        both = one(300) + all_others(300)
        sent(both, SILENCE)
        sent(both, HALF_HEAD)
        greedy, others = sent(one(300), HALF_FORM), sent(all_others(300), HALF_FORM)
        until(lambda: sum(map(has_answer, greedy)) >= 300 - TAKEN_IN)
        for _ in range(5):
            names = dict(zip(NAME_FIELDS, ("Amal", "Badr", "Carmen", "Dima"), strict=True))
            # Held up, it would run into the time limit of the request.
            status, headers, _ = server.post_form("/start/", preset="levant", **names)
            assert (status, headers["Location"][:9]) == (303, "/matches/")
        assert not any(map(has_answer, others))
        first = next(filter(has_answer, greedy))
        assert first.recv(12) == b"HTTP/1.1 429"


def test_failed_sign_ins_are_counted_over_all_workers(server):
    def said(password):
        return server.post_form("/accounts/login/", login="ghassan", password=password)[2]

    answers = [b"Too many failed login attempts" in said(f"guess {n}") for n in range(8)]
    assert answers == [False] * 5 + [True] * 3


def test_a_port_in_use_is_said_in_one_line(tmp_path):
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        answer = subprocess.run(
            [ROOT / ".venv" / "bin" / "python", "-m", "trexscore.address", port],
            capture_output=True,
            text=True,
            cwd=ROOT,
        )
    assert answer.returncode == 1
    assert answer.stderr.strip() == (
        f"Port {port} cannot be used here; try another one: PORT=8001 bin/serve"
    )
