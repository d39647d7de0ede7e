"""Rate limits by address."""

from contextlib import AbstractContextManager

from django.http import HttpRequest
from ninja.throttling import BaseThrottle

from scoring.common.limits import Limit

REQUESTS = 60
REQUESTS_PER_SECOND = 10  # as many count for a second of work beyond the ordinary


class ByAddress(BaseThrottle):
    """A number of requests in each minute of the clock.

    Calls with another `name` are counted apart. One object serves all threads, so it holds no
    state."""

    def __init__(self, name: str = "", requests: int | None = None) -> None:
        super().__init__()
        self.name, self.requests = name, requests

    @property
    def limit(self) -> Limit:
        return Limit(f"api{self.name}", self.requests or REQUESTS)

    def allow_request(self, request: HttpRequest) -> bool:
        """Count this request; return whether it is allowed."""
        return self.limit.allows(self.get_ident(request))

    def charged(self, request: HttpRequest) -> AbstractContextManager[None]:
        """Count a request as several if its work takes this thread long."""
        return self.limit.charged(self.get_ident(request), per_second=REQUESTS_PER_SECOND)

    def wait(self) -> float:
        """Return the seconds to the next minute."""
        return self.limit.wait
