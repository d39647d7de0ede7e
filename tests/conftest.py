"""What every test may count on: which ones touch the database, a ledger that can be emptied
between tests, a browser, and a word about what was skipped."""

import os
import shutil
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client, TransactionTestCase
from hypothesis import HealthCheck, settings
from playwright.sync_api import expect

from scoring.common import limits
from scoring.models import triggers
from tests import chance
from tests.factories import make_cast
from tests.support import prepared

TESTS = Path(__file__).parent
ORDINARY_PYTHON = [TESTS / "rules", TESTS / "replay", TESTS / "finder"]
OF_ONE_KIND = ("browser", "webkit", "server")
OTHERS = (*OF_ONE_KIND, "importing", "pages")
DATABASE_FIXTURES = {"db", "transactional_db", "django_db_setup", "live_server"}
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

# A busy machine is no failure, and what one run finds the next one finds again.
settings.register_profile(
    "any machine",
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("usual", settings.get_profile("any machine"), derandomize=True)

# A condition on a page may take its time on a busy machine; a test ends as soon as it holds.
expect.set_options(timeout=20_000)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, default=chance.USUAL, help="what tests owe to chance")


def pytest_configure(config: pytest.Config) -> None:
    is_usual = config.getoption("seed") == chance.USUAL
    settings.load_profile("usual" if is_usual else "any machine")


def uses_database(item: pytest.Item) -> bool:
    if item.get_closest_marker("django_db"):
        return True
    if issubclass(getattr(item, "cls", None) or object, TransactionTestCase):
        return True
    return not DATABASE_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))


def is_of_rows(path: Path) -> bool:
    """Queries, constraints and locks may differ on PostgreSQL; pages only show what these give."""
    return not path.stem.endswith("_pages") and path.relative_to(TESTS).parts[0] not in OTHERS


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks what needs a browser, a server or the database, and what runs on PostgreSQL as well."""
    for item in items:
        for folder in OF_ONE_KIND:
            if TESTS / folder in item.path.parents:
                item.add_marker(folder)
        if uses_database(item):
            item.add_marker("database")
            if is_of_rows(item.path):
                item.add_marker("postgresql")
            if any(folder in item.path.parents for folder in ORDINARY_PYTHON):
                raise pytest.UsageError(f"{item.nodeid}: adding numbers needs no database")
    if (seed := config.getoption("seed")) != chance.USUAL:
        chance.shuffle(items, seed)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """With CI=true a skipped test is a failed run: it would have shown nothing."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") == "true" and reporter and reporter.stats.get("skipped"):
        reporter.write_line("\nCI=true, and tests were skipped: that is a failure", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(autouse=True)
def dice(request, monkeypatch):
    """What this test throws; its ids and secrets come from them too."""
    own = chance.dice_of(request.config.getoption("seed"), request.node.nodeid)
    chance.load(own, monkeypatch)
    return own


@pytest.fixture(scope="session")
def django_db_keepdb():
    """On SQLite the tables are there already; what holds them is thrown away in tests.settings."""
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix):
    """A copy of a migrated database, on SQLite: to migrate takes longer than most tests."""
    if connection.vendor == "sqlite":
        prepared.database(Path(connection.settings_dict["TEST"]["NAME"]))


@pytest.fixture(scope="session", autouse=True)
def emptied_ledger():
    """Lets tests with real transactions empty the database afterwards, which the ledger refuses."""
    flush = TransactionTestCase._fixture_teardown

    def lifted_flush(case):
        with triggers.without_triggers(connection):
            flush(case)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lifted_flush)
        yield


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """Debian's Chromium, quiet on a machine without a way out."""
    if not CHROMIUM:
        pytest.skip("Chromium is not installed")
    quiet = ["disable-gpu", "disable-quic", "no-first-run", "disable-background-networking"]
    quiet += ["disable-component-update", "disable-sync", "no-sandbox"]
    args = [f"--{flag}" for flag in quiet]
    return browser_type_launch_args | {"executable_path": CHROMIUM, "args": args}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args):
    """A phone of usual size, held upright. Without a service worker, which would ask for pages of
    its own; where it matters it is let in."""
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    return browser_context_args | phone | {"service_workers": "block"}


@pytest.fixture(autouse=True)
def fresh_limits(monkeypatch):
    """Nothing was asked for by an earlier test, and no minute ends in the middle of one."""
    cache.clear()
    clock = SimpleNamespace(time=lambda: 6_000_010.0, thread_time=time.thread_time)
    monkeypatch.setattr(limits, "time", clock)


@pytest.fixture
def cast(db):
    return make_cast()


@pytest.fixture
def phone(db):
    """A phone that nobody signed in on."""
    return Client()


@pytest.fixture
def phone_of(db):
    """The phone of an account that signed in."""

    def signed_in(user, **kwargs):
        client = Client(**kwargs)
        client.force_login(user)
        return client

    return signed_in
