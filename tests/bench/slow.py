"""How the site answers while others hold connections on which nothing comes.

    bin/bench slow [--many 300] [--seconds 3]

Four phones ask for the front page as fast as they are answered: by themselves, and while `many`
connections stay silent, in the middle of a head or in the middle of a form, behind one address or
each with its own. All of it twice: as bin/serve runs the site, and with the threads of the server
itself waiting for what is sent.
"""

import argparse
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import quantiles
from time import perf_counter, sleep

from tests.server.processes import (
    PYTHON,
    ROOT,
    answers,
    environment,
    free_port,
    prepare,
    until,
)
from tests.server.senders import HALF_FORM, HALF_HEAD, SILENCE, all_others, one, sending
from trexscore.serving import web

PHONES = 4
PATIENCE = 5.0
"""Seconds after which a phone counts as not answered."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="bin/bench slow", description=__doc__)
    parser.add_argument("--many", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each row")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        told = environment(Path(folder))
        prepare(told)
        for name, command in {"bin/serve": web, "64 threads that wait": waiting_threads}.items():
            print(f"\n{name:<36}{'a second':>9}{'p50 ms':>9}{'p99 ms':>9}{'lost':>6}")
            with _running(told, command) as port:
                for held, connections in _held(port, asked.many).items():
                    with connections():
                        sleep(0.5)  # let the server take all of them
                        _row(held, port, asked.seconds)
    return 0


def waiting_threads(port: str) -> list[str]:
    """The server without an event loop of ours in between."""
    usual = ("-m", "granian", "trexscore.wsgi:application", "--interface", "wsgi")
    threads = ("--workers", "2", "--blocking-threads", "64", "--log-level", "error")
    return [*usual, *threads, "--port", port]


@contextmanager
def _running(told: dict[str, str], command: Callable[[str], list[str]]) -> Iterator[int]:
    port = free_port()
    server = subprocess.Popen(
        [PYTHON, *command(str(port))], cwd=ROOT, env=told, stderr=subprocess.DEVNULL
    )
    try:
        until(partial(answers, port))
        yield port
    finally:
        server.terminate()
        server.wait()


def _held(port: int, many: int):
    """Who holds connections, and how to make them do so."""
    several = {"one address": one(many), "many addresses": all_others(many)}
    told = {"silent": SILENCE, "half a head": HALF_HEAD, "half a form": HALF_FORM}
    return {"nobody else": nullcontext} | {
        f"{many} {saying}, {whose}": partial(sending, port, addresses, said)
        for saying, said in told.items()
        for whose, addresses in several.items()
    }


def _row(name: str, port: int, seconds: float) -> None:
    taken: list[float] = []
    lost: list[OSError | HTTPException] = []

    def ask() -> None:
        end = perf_counter() + seconds
        while (begun := perf_counter()) < end:
            connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            try:
                connection.request("GET", "/")
                connection.getresponse().read()
                taken.append(perf_counter() - begun)
            except (OSError, HTTPException) as error:
                lost.append(error)
            finally:
                connection.close()

    threads = [threading.Thread(target=ask) for _ in range(PHONES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cuts = quantiles(taken, n=100) if len(taken) > 1 else [float("nan")] * 99
    rate = len(taken) / seconds
    times = f"{cuts[49] * 1000:>9.1f}{cuts[98] * 1000:>9.1f}"
    print(f"  {name:<34}{rate:>9.0f}{times}{len(lost):>6}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
