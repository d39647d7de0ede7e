"""WebKit by WebDriver: the few commands of the protocol that an evening needs, as plain HTTP."""

import json
import os
import signal
import subprocess
import time
from contextlib import contextmanager
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from tests.server.processes import free_port

WITHIN = 15
"""Seconds for anything to come."""
PHONE = {"width": 390, "height": 844}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""How the protocol names an element in its answers."""
NOT_YET = (
    "element click intercepted",
    "element not interactable",
    "no such element",
    "stale element reference",
)


class Refused(Exception):
    """What the driver says where a command could not be done."""


class Window:
    """One window of WebKit."""

    def __init__(self, driver: str) -> None:
        self.driver, self.session = driver, ""
        made = self._call("POST", "/session", {"capabilities": {}})
        self.session = f"/session/{made['sessionId']}"

    def _call(self, method: str, path: str, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        asked = Request(self.driver + self.session + path, data, headers, method=method)
        try:
            with urlopen(asked, timeout=60) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            told = json.load(error)["value"]
            raise Refused(told["error"], told["message"]) from None

    def post(self, path: str, **body):
        return self._call("POST", path, body)

    def open(self, url: str) -> None:
        self.post("/url", url=url)

    def run(self, script: str, *args):
        return self.post("/execute/sync", script=script, args=args)

    def attributes(self, selector: str, name: str) -> list[str]:
        script = "return [...document.querySelectorAll(arguments[0])].map(e => e[arguments[1]])"
        return self.run(script, selector, name)

    def has(self, selector: str) -> bool:
        return bool(self.attributes(selector, "tagName"))

    def close(self) -> None:
        self._call("DELETE", "")

    # ── tried until it can be done ──────────────────────────────────────

    def wait_for(self, selector: str) -> str:
        """Where commands for this element go, once it is there."""

        def found():
            element = self.post("/element", using="css selector", value=selector)
            return f"/element/{element[ELEMENT]}"

        return self._until(found)

    def click(self, selector: str) -> None:
        self._until(lambda: self.post(f"{self.wait_for(selector)}/click"))

    def type(self, selector: str, text: str) -> None:
        self._until(lambda: self.post(f"{self.wait_for(selector)}/value", text=text))

    def _until(self, done):
        end = time.monotonic() + WITHIN
        while True:
            try:
                return done()
            except Refused as refused:
                if refused.args[0] not in NOT_YET or time.monotonic() > end:
                    raise
            time.sleep(0.02)


@contextmanager
def window():
    """On a screen that nobody sees; nothing of either is left afterwards."""
    with _process(["Xvfb", "-displayfd", "1", "-nolisten", "tcp"]) as screen:
        display = f":{screen.stdout.readline().decode().strip()}"
        port = free_port()
        with _process(["WebKitWebDriver", f"--port={port}"], DISPLAY=display):
            opened = _opened(f"http://127.0.0.1:{port}")
            try:
                opened.post("/window/rect", **PHONE)
                yield opened
            finally:
                opened.close()


def _opened(driver: str) -> Window:
    """As soon as the driver listens."""
    end = time.monotonic() + WITHIN
    while True:
        try:
            return Window(driver)
        except URLError:
            assert time.monotonic() < end, "the driver does not answer"
            time.sleep(0.05)


@contextmanager
def _process(command, **told: str):
    process = subprocess.Popen(
        command,
        env=os.environ | told,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
