"""Runs the site for bin/serve: the web server and, beside it, the worker for long work.

They end together, whoever ends first and however this process ends. A worker that dies alone is
replaced: nobody at a table waits for it."""

import ctypes
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from threading import Event
from time import monotonic

LOOK_EVERY = 0.25
AGAIN_AFTER = 5.0
"""Seconds until a worker that died is replaced, so that a broken one does not fill the log."""
PATIENCE = 10
"""Seconds to end in: the server itself gives its own workers five."""
PR_SET_PDEATHSIG = 1
MOST_FILES = 65_536


def web(port: str) -> list[str]:
    """Two processes for two cores. Each takes in requests on an event loop, however slowly they
    come, and runs the site on two threads: trexscore/asgi.py. Each connection has one of the places
    that `--backpressure` names, and loses it when no head of a request comes in time."""
    return [
        *("-m", "granian", "trexscore.asgi:application", "--interface", "asginl"),
        *("--host", "0.0.0.0", "--port", port, "--http", "1", "--no-ws"),
        *("--workers", "2", "--backlog", "4096", "--backpressure", "4096"),
        *("--http1-header-read-timeout", "15000"),
        *("--respawn-failed-workers", "--workers-kill-timeout", "5"),
        *("--log-level", "warning"),
    ]


WORKER = ["manage.py", "work"]


def allow_connections() -> None:
    """Lets this process and those that it starts hold as many connections as the system allows,
    not the 1,024 that are usual."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = MOST_FILES if most == resource.RLIM_INFINITY else most
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(allowed, MOST_FILES), most))


def begin(arguments: Sequence[str]) -> "subprocess.Popen[bytes]":
    """A process in a session of its own: a Ctrl-C of the terminal reaches only us, who pass it
    on."""
    return subprocess.Popen(
        [sys.executable, *arguments],
        start_new_session=True,
        preexec_fn=partial(_end_with, os.getpid()),
    )


def end(process: "subprocess.Popen[bytes]") -> None:
    """Waits for the end that was asked for; then nothing of it may be left."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(PATIENCE)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def serve(port: str) -> int:
    """Until somebody stops it, or the web server ends: its code, 0 where it was stopped."""
    allow_connections()
    ending = Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: ending.set())
    server, worker = begin(web(port)), begin(WORKER)
    died: float | None = None
    while not ending.wait(LOOK_EVERY) and server.poll() is None:
        if worker.poll() is None:
            continue
        if died is None:
            died = monotonic()
            print(f"the worker ended with {worker.returncode}: a new one begins", file=sys.stderr)
        elif monotonic() - died > AGAIN_AFTER:
            worker, died = begin(WORKER), None
    code = server.poll()
    for process in (server, worker):
        process.terminate()
    for process in (server, worker):
        end(process)
    return 0 if code is None else code if code >= 0 else 128 - code


def _end_with(parent: int) -> None:
    """In the new process: the kernel tells it when its parent is gone. Elsewhere than on Linux a
    parent that is killed outright leaves it behind."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(0)


if __name__ == "__main__":
    sys.exit(serve(sys.argv[1]))
