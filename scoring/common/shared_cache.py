"""Cache of rendered parts that many readers share, for all workers of this machine."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256

from django.conf import settings
from django.core.cache import caches

from scoring.models import Match
from trexscore.build import build

LOCKS = 16
"""Files; two renderings that meet in one only wait for each other."""


def cache_tag(match: Match) -> str:
    """Return a cache key that changes with the pages of this match and with each new build."""
    return f"{match.tag}-{build()}"


def get_or_render[Drawn: (str, bytes)](
    key: str, render: Callable[[], Drawn], holds: Callable[[], bool]
) -> Drawn:
    """Return the rendered text of a key; one worker renders it while others wait.

    It is stored only if `holds` is still true afterwards."""
    cache, name = caches["live"], sha256(key.encode()).hexdigest()
    found: Drawn | None = cache.get(name)
    if found:
        return found
    with _alone(int(name[:8], 16) % LOCKS):
        found = cache.get(name)
        if found:
            return found
        text = render()
        if holds():
            with suppress(OSError):  # a full disk: everybody renders
                cache.set(name, text)
        return text


@contextmanager
def _alone(number: int) -> Iterator[None]:
    """Lock out all other threads and processes; ends with the process that holds it."""
    folder = settings.DATA_DIR / "locks"
    folder.mkdir(mode=0o700, exist_ok=True)
    with (folder / f"live-{number}").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
