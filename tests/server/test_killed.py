"""SIGKILL of what serves, at random moments, while four phones save: what was answered is there
once; what was not is sent again with the same key until it is, and then is there once too."""

import random
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import cycle
from textwrap import dedent
from urllib.parse import quote
from uuid import UUID

import pytest

from tests.factories import evenings
from tests.server.databases import new_database
from tests.server.phones import Phone
from tests.server.processes import (
    WITHIN,
    Serving,
    children,
    environment,
    family,
    kill,
    manage,
    prepare,
)
from tests.support.tables import taps

PHONES = 4
SAVES = 500
TOGETHER = 2
"""Evenings among them that all phones enter at once; the rest each enters in matches of its own."""
KILLS = 6
"""Two of each kind; other moments in every run."""
LOST = 0.1
"""How often the phone is gone before the answer, and sends the same again."""
EVENING = evenings()["evening-levant"]
DEALS = EVENING["deals"]
OWN = (SAVES - TOGETHER * len(DEALS)) // PHONES

pytestmark = [
    pytest.mark.database,
    pytest.mark.postgresql,
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]


class Site:
    """A server that is killed and started again."""

    def __init__(self, told, rng: random.Random) -> None:
        self.told, self.rng = told, rng
        self.server = Serving(told)

    def one_process(self) -> None:
        """The web server replaces it by itself."""
        kill([self.rng.choice(children(self.server.web()))])

    def web_server(self) -> None:
        """What began it ends with it."""
        kill([self.server.web()])
        self.start_again()

    def everything(self) -> None:
        kill(family(self.server.process.pid))
        self.start_again()

    def start_again(self) -> None:
        self.server.process.wait(WITHIN)
        self.server.leaves_nothing()
        self.server = Serving(self.told, self.server.port)


class Table:
    """The phones at work, and what they were answered: a status for the key of each save."""

    def __init__(self, port: int, rng: random.Random) -> None:
        self.rng = rng
        self.phones = [Phone(port) for _ in range(PHONES)]
        self.answered: dict[UUID, int] = {}
        self.shared = [self.phones[0].open_match(EVENING["first_chooser"]) for _ in range(TOGETHER)]

    def keys(self, status: int) -> set[UUID]:
        return {key for key, had in [*self.answered.items()] if had == status}

    def play(self, phone: Phone) -> None:
        twin = self.phones[0].twin()
        for path in self.shared:
            while (number := settled(twin, path)) < len(DEALS):
                self.save(twin, path, DEALS[number])
        for begun in range(0, OWN, len(DEALS)):
            path = phone.open_match(EVENING["first_chooser"])
            for deal in DEALS[: OWN - begun]:
                assert self.save(phone, path, deal) == 303
            if deal is DEALS[-1]:
                phone.finish(path)

    def save(self, phone: Phone, path: str, deal: dict) -> int | None:
        """From the form of its page; None where that is no longer for this deal."""
        address = f"{path}?contract={quote(deal['contract'])}"
        form = phone.require_permission(address).form('name="contract"')
        if form.get("deal_number") != str(deal["deal_number"]):
            return None
        form |= {**taps(deal["input"]), "action": "save"}
        if self.rng.random() < LOST:
            phone.hang_up(address, form)
        answer = phone.require_permission(address, form)
        assert answer.status in (303, 409), answer.text
        self.answered[UUID(form["entry_key"])] = answer.status
        return answer.status


def settled(phone: Phone, path: str) -> int:
    """How many deals stand."""
    return len(
        re.search(r'data-settled="([\d ]*)"', phone.require_permission(path).text)[1].split()
    )


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    with new_database(tmp_path_factory.mktemp("database")) as database:
        yield database


@pytest.fixture(scope="module")
def told(database, tmp_path_factory):
    """The environment of a server in whose folder and database everything is ready."""
    told = environment(tmp_path_factory.mktemp("data"), DATABASE_URL=database.url)
    prepare(told)
    return told


def test_a_running_site_acknowledges_what_is_on_disk(told, database):
    asked, full = (
        ("SHOW synchronous_commit", "on") if database.is_postgresql else ("PRAGMA synchronous", "2")
    )
    ask = f"""
        with connection.cursor() as cursor:
            cursor.execute("{asked}")
            print(*cursor.fetchone())
    """
    command = "from django.db import connection" + dedent(ask)
    assert manage(told, "shell", "--no-imports", "--command", command).strip() == full


def test_every_save_is_there_once_whatever_is_killed(told, database, dice):
    site = Site(told, dice)
    try:
        table = Table(site.server.port, dice)
        kill_while_they_play(site, table, dice)
    finally:
        site.server.end()
    saved = table.keys(303)
    assert len(saved) == SAVES
    assert saved | table.keys(409) == set(table.answered)
    assert table.keys(409)
    assert sum(phone.unanswered for phone in table.phones)

    recorded = database.rows(
        "SELECT entry_key FROM scoring_matchevent WHERE kind = 'deal_recorded'"
    )
    assert sorted(UUID(str(key)) for (key,) in recorded) == sorted(saved)
    assert database.rows("SELECT count(*) FROM scoring_deal") == [(SAVES,)]
    results = database.rows("SELECT total FROM scoring_matchresult ORDER BY match_id, seat")
    assert [total for (total,) in results] == DEALS[-1]["totals"] * (OWN // len(DEALS) * PHONES)
    assert ", 0 faults, 0 erased" in manage(told, "verify_ledger")
    assert "rebuilt, 0 differed" in manage(told, "rebuild_results")
    if not database.is_postgresql:
        assert database.rows("PRAGMA integrity_check") == [("ok",)]


def kill_while_they_play(site: Site, table: Table, rng: random.Random) -> None:
    ways = cycle([site.one_process, site.web_server, site.everything])
    with ThreadPoolExecutor(PHONES) as pool:
        playing = [pool.submit(table.play, phone) for phone in table.phones]
        for moment in sorted(rng.sample(range(1, SAVES), KILLS)):
            while len(table.keys(303)) < moment and wait(playing, 0.02).not_done:
                pass
            time.sleep(rng.random() / 10)
            next(ways)()
        for phone in playing:
            phone.result()
