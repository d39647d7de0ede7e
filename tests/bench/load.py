"""Phones that ask one after another as fast as they are answered."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from http.client import HTTPConnection
from itertools import cycle
from statistics import quantiles
from time import perf_counter
from urllib.parse import quote, urlencode
from uuid import uuid4

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.middleware.csrf import _get_new_csrf_string
from django.utils.module_loading import import_string

from scoring.models import Club, User
from tests.bench import seeded
from tests.server.processes import Serving
from tests.support.tables import taps

PHONES = 4
ROUNDS = 8
AGAINST = {
    "save": "a bare save",
    "scoresheet": "its template",
    "standings": "its template",
    "player": "its template",
}
SCRIPT = {"HX-Request": "true", "HX-Request-Type": "partial", "HX-Target": "match"}


class Phone:
    """Signed in as the owner of a club. Minutes pass between two taps at a table, so each comes by
    a connection of its own: one that is kept would stay with one worker, by chance with the same
    as all others."""

    def __init__(self, port: int, club: Club) -> None:
        self.connection = HTTPConnection("127.0.0.1", port, timeout=60)
        self.token = _get_new_csrf_string()
        cookies = {"csrftoken": self.token, settings.SESSION_COOKIE_NAME: signed_in(club)}
        self.cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())

    def ask(self, path: str, form: dict[str, str] | None = None) -> str:
        """The page; of one that is sent only the part that the script of a form asks for."""
        headers = {"Cookie": self.cookie, **({} if form is None else SCRIPT)}
        body = None
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urlencode(form | {"csrfmiddlewaretoken": self.token})
        self.connection.request("POST" if body else "GET", path, body, headers)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        self.connection.close()
        assert answer.status == 200, f"{answer.status} for {path}: {text[:500]}"
        return text


def signed_in(club: Club) -> str:
    """The key of a new session of the club's owner."""
    owner = User.objects.get(username=club.slug)
    session = import_string(f"{settings.SESSION_ENGINE}.SessionStore")()
    session[SESSION_KEY] = str(owner.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = owner.get_session_auth_hash()
    session.create()
    return session.session_key


def run(clubs: list[Club], seconds: float, folder) -> list[tuple[str, float]]:
    """Prints what each page takes in each club and what it is held against, in turns on one server;
    gives the ratio of the two for each, in the larger club."""
    told = {name: value for name, value in os.environ.items() if not name.startswith("CI")}
    server = Serving(told | {"TREXSCORE_DATA": str(folder)})
    try:
        return [ratio for club in clubs for ratio in _measured(server.port, club, seconds)]
    finally:
        server.end()


def _measured(port: int, club: Club, seconds: float) -> Iterator[tuple[str, float]]:
    print(f"\n{club.slug}: {PHONES} phones\n{'':24}{'a second':>9}{'p50 ms':>9}{'p99 ms':>9}")
    for name, (real, plain) in _works(port, club).items():
        taken, least = [], []
        for _ in range(ROUNDS):
            taken += _timed(port, club, real, seconds)
            least += _timed(port, club, plain, seconds)
        ratio = _row(name, taken) / _row(f"  {AGAINST[name]}", least)
        print(f"  {ratio:.2f} times")
        yield name, ratio


def _row(name: str, taken: list[float]) -> float:
    """Prints how long these took; gives the median."""
    cuts = quantiles(taken, n=100)
    rate = PHONES * len(taken) / sum(taken)
    print(f"{name:<24}{rate:>9.0f}{cuts[49] * 1000:>9.1f}{cuts[98] * 1000:>9.1f}")
    return cuts[49]


type Work = Callable[[Phone], Callable[[], float]]


def _works(port: int, club: Club) -> dict[str, tuple[Work, Work]]:
    shown = [f"/bare{path}" for path in seeded.answers(club)]
    last = club.matches.finished().latest("played_at")
    person = club.players.earliest("created_at", "id")
    pages = {
        "scoresheet": f"matches/{last.id}/sheet/",
        "standings": f"clubs/{club.slug}/standings/",
        "player": f"clubs/{club.slug}/players/{person.id}/",
    }
    reading = {name: (read(f"/{path}"), read(f"/constant/{path}")) for name, path in pages.items()}
    return {"save": (lambda phone: saving(phone, club), bare(shown)), **reading}


def read(path: str) -> Work:
    return lambda phone: lambda: _time(lambda: phone.ask(path))


def bare(paths: Sequence[str]) -> Work:
    """As much is sent, as much comes back after each deal of an evening, and one row is written."""
    form = {"text": "as long as the facts of one deal may well be"}

    def work(phone: Phone) -> Callable[[], float]:
        answers = cycle(paths)
        return lambda: _time(lambda: phone.ask(next(answers), form))

    return work


def saving(phone: Phone, club: Club) -> Callable[[], float]:
    """One deal after another, in a match of its own until that is full. What the form of a deal
    carries is known, so that nothing else is asked in between; the answer is what its script swaps
    in."""
    deals, match = cycle(seeded.DEALS), None

    def save() -> float:
        nonlocal match
        deal = next(deals)
        if match is None or deal is seeded.DEALS[0]:
            match = seeded.running(club, deal["chooser"])
        address = f"/matches/{match.id}/?contract={quote(deal['contract'])}"
        form = {"action": "save", "entry_key": str(uuid4()), "version": str(match.version)}
        form |= {name: str(deal[name]) for name in ("deal_number", "contract")}
        match.version += 1
        return _time(lambda: phone.ask(address, form | taps(deal["input"])))

    return save


def _time(ask: Callable[[], object]) -> float:
    begun = perf_counter()
    ask()
    return perf_counter() - begun


def _timed(port: int, club: Club, work: Work, seconds: float) -> list[float]:
    """How long each took that four phones asked in this time."""
    taken: list[float] = []
    failed: list[BaseException] = []

    def ask() -> None:
        try:
            once = work(Phone(port, club))
            end = perf_counter() + seconds
            while perf_counter() < end:
                taken.append(once())
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=ask) for _ in range(PHONES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    return taken
