"""The web server and the worker for long work end together, whoever ends first and however."""

import os
import signal
import sys

import pytest

from tests.server.processes import WITHIN, environment, family, prepare, serving, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """The environment of a server whose data folder has everything ready."""
    told = environment(tmp_path_factory.mktemp("data"))
    prepare(told)
    return told


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_both_end_when_they_are_told_to(told, how):
    with serving(told) as server:
        assert len(server.family) >= 5  # we, the web server, its two processes, the worker
        server.process.send_signal(how)
        assert server.process.wait(WITHIN) == 0
        assert server.leaves_nothing()


def test_nothing_is_left_of_one_that_was_killed(told):
    with serving(told) as server:
        server.process.kill()
        assert server.leaves_nothing()


def test_the_worker_ends_with_a_web_server_that_died(told):
    with serving(told) as server:
        os.kill(server.web(), signal.SIGKILL)
        assert server.process.wait(WITHIN) == 128 + signal.SIGKILL
        assert server.leaves_nothing()


def test_a_worker_that_died_is_replaced_and_the_site_goes_on(told):
    with serving(told) as server:
        first = server.worker()
        os.kill(first, signal.SIGKILL)
        assert server.answers()
        assert until(lambda: server.worker() not in (None, first))
        server.family |= family(server.process.pid)
        server.process.terminate()
        assert server.process.wait(WITHIN) == 0
        assert server.leaves_nothing()
