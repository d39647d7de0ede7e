"""What many see alike is rendered once, for all workers of this machine."""

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


def tag_of(match: Match) -> str:
    """Another one for whatever changes on the pages of this match, a new build of them included."""
    return f"{match.tag}-{build()}"


def once[Drawn: (str, bytes)](
    key: str, render: Callable[[], Drawn], holds: Callable[[], bool]
) -> Drawn:
    """What was rendered for this key, by whichever worker was first. The others wait for it. Kept
    only if it still holds afterwards."""
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
    """One thread of one process at a time; ends with the process that holds it."""
    folder = settings.DATA_DIR / "locks"
    folder.mkdir(mode=0o700, exist_ok=True)
    with (folder / f"live-{number}").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
