"""A phone that speaks plain HTTP: forms as they stand in the pages, cookies, and the same form
again until somebody answers."""

import re
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from html import unescape
from http.client import HTTPConnection, HTTPException
from http.cookies import SimpleCookie
from urllib.parse import urlencode

NAMES = ("Amal", "Badr", "Carmen", "Dima")
PATIENCE = 120
"""Seconds without any answer after which nobody will come any more."""


@dataclass(frozen=True)
class Answer:
    status: int
    location: str
    text: str

    def form(self, mark: str) -> dict[str, str]:
        """The hidden fields of the form in which this stands, none where there is no such form."""
        forms = re.findall(r"<form.*?</form>", self.text, re.DOTALL)
        inside = next((form for form in forms if mark in form), "")
        hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', inside)
        return {name: unescape(value) for name, value in hidden}


class Phone:
    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}
        self.unanswered = 0

    def twin(self) -> "Phone":
        """The same phone to the server, in another hand."""
        twin = Phone(self.port)
        twin.cookies |= self.cookies
        return twin

    def ask(self, path: str, form=None) -> Answer:
        """One request; OSError or HTTPException where no whole answer came."""
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            self._send(connection, path, form)
            answer = connection.getresponse()
            text = answer.read().decode()
        for header in answer.headers.get_all("Set-Cookie", ()):
            self.cookies |= {name: one.value for name, one in SimpleCookie(header).items()}
        return Answer(answer.status, answer.headers.get("Location", ""), text)

    def hang_up(self, path: str, form) -> None:
        """Sends it, and is gone before the answer comes."""
        with (
            suppress(OSError, HTTPException),
            closing(HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection,
        ):
            self._send(connection, path, form)

    def _send(self, connection: HTTPConnection, path: str, form) -> None:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if form is None:
            return connection.request("GET", path, headers=headers)
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        return connection.request("POST", path, urlencode(form), headers)

    def require_permission(self, path: str, form=None) -> Answer:
        """The same request until it is answered."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return self.ask(path, form)
            except (OSError, HTTPException):
                assert time.monotonic() < end, f"nobody answers {path}"
                self.unanswered += 1
                time.sleep(0.05)

    # ── a match of Trex with kingdoms ───────────────────────────────────

    def open_match(self, first_chooser: int) -> str:
        """Four names on the front page, and who begins: the path of the match."""
        names = {f"name{seat}": name for seat, name in enumerate(NAMES)}
        form = self.require_permission("/start/").form('name="name0"')
        path = self.require_permission("/start/", {**form, **names, "preset": "levant"}).location
        deals = self.require_permission(path).form('value="deals"')
        assert (
            self.require_permission(path, {**deals, "seat": (first_chooser - 1) % 4}).status == 303
        )
        first = self.require_permission(path).form('value="first"')
        assert self.require_permission(path, {**first, "seat": first_chooser}).status == 303
        return path

    def finish(self, path: str) -> None:
        assert (
            self.require_permission(
                path, self.require_permission(path).form('value="finish"')
            ).status
            == 303
        )
