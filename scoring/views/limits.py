"""How often an address may ask for work that costs more than a page."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.cache import cache
from django.http import HttpRequest
from ninja.throttling import BaseThrottle

SECONDS = 60
CHECKS = 40
WRONG_CODES = 20  # of links to a table; a whole café may be behind one address
CHECKS_A_SECOND = 10  # as many count for a second of work


def may_check(request: HttpRequest) -> bool:
    """Counts this request, and says whether it is still one of those allowed in this minute."""
    return _count(request, 1) <= CHECKS


@contextmanager
def charged(request: HttpRequest) -> Iterator[None]:
    """Counts a request for more than one if the work inside takes this thread long."""
    start = time.thread_time()
    try:
        yield
    finally:
        if extra := int((time.thread_time() - start) * CHECKS_A_SECOND):
            _count(request, extra)


def may_try_code(request: HttpRequest) -> bool:
    """Whether this address has not typed too many wrong codes in this minute."""
    wrong: int = cache.get(_key(request, "code"), 0)
    return wrong < WRONG_CODES


def count_wrong_code(request: HttpRequest) -> None:
    """Right ones are never counted: all phones of a table may come at once."""
    _count(request, 1, "code")


def _count(request: HttpRequest, requests: int, what: str = "check") -> int:
    key = _key(request, what)
    cache.add(key, 0, timeout=2 * SECONDS)
    try:
        return cache.incr(key, requests)
    except ValueError:  # thrown out of a full cache in between
        return requests


def _key(request: HttpRequest, what: str) -> str:
    return f"{what}:{int(time.time()) // SECONDS}:{BaseThrottle().get_ident(request)}"
