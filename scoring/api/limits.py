"""Rate limits by address."""

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


REQUESTS_PER_SECOND = 10  # as many count for a second of work beyond the ordinary


class ByAddress(BaseThrottle):
    """A number of requests in each minute of the clock, counted in the shared cache.

    Calls with another `name` are counted apart. Two requests at the same instant may count as one,
    which costs no lock. One object serves all threads, so it holds no state."""

    def __init__(self, name: str = "", requests: int | None = None) -> None:
        super().__init__()
        self.name, self.requests = name, requests

    def allow_request(self, request: HttpRequest) -> bool:
        """Count this request; return whether it is allowed."""
        return self.count(request, 1) <= (self.requests or REQUESTS)

    def count(self, request: HttpRequest, requests: int) -> int:
        """Add to the requests of this minute and return their number."""
        window = int(time.time()) // SECONDS
        key = f"api{self.name}:{window}:{self.get_ident(request)}"
        cache.add(key, 0, timeout=2 * SECONDS)
        try:
            return cache.incr(key, requests)
        except ValueError:  # thrown out of a full cache in between
            return requests

    @contextmanager
    def charged(self, request: HttpRequest) -> Iterator[None]:
        """Count a request as several if its work takes this thread long."""
        start = time.thread_time()
        try:
            yield
        finally:
            if requests := int((time.thread_time() - start) * REQUESTS_PER_SECOND):
                self.count(request, requests)

    def wait(self) -> float:
        """Return the seconds to the next minute."""
        return math.ceil(SECONDS - time.time() % SECONDS)
