"""How often an address may ask."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.cache import cache
from django.http import HttpRequest
from ninja.throttling import BaseThrottle

REQUESTS = 60
SECONDS = 60


REQUESTS_A_SECOND = 10  # as many count for a second of work beyond the ordinary


class ByAddress(BaseThrottle):
    """So many requests in each minute of the clock, counted in the cache, which all workers share.

    By `name` calls are counted apart, with as many `requests` as that. Two requests at the same
    instant may count as one: that lets a few more through, and costs no
    lock. Nothing is kept here, as one object serves all threads."""

    def __init__(self, name: str = "", requests: int | None = None) -> None:
        super().__init__()
        self.name, self.requests = name, requests

    def allow_request(self, request: HttpRequest) -> bool:
        """Counts this request, and says whether it is still one of those allowed."""
        return self.count(request, 1) <= (self.requests or REQUESTS)

    def count(self, request: HttpRequest, requests: int) -> int:
        """Adds to what the address has asked for in this minute, and says what it comes to."""
        window = int(time.time()) // SECONDS
        key = f"api{self.name}:{window}:{self.get_ident(request)}"
        cache.add(key, 0, timeout=2 * SECONDS)
        try:
            return cache.incr(key, requests)
        except ValueError:  # thrown out of a full cache in between
            return requests

    @contextmanager
    def charged(self, request: HttpRequest) -> Iterator[None]:
        """Counts a request for more than one if the work inside takes this thread long."""
        start = time.thread_time()
        try:
            yield
        finally:
            if requests := int((time.thread_time() - start) * REQUESTS_A_SECOND):
                self.count(request, requests)

    def wait(self) -> float:
        """Seconds to the next minute."""
        return math.ceil(SECONDS - time.time() % SECONDS)
