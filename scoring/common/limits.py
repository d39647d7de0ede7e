"""Rate limits for phones and addresses: expensive work, wrong codes, sign-ins.

Nothing waits here: a request past its limit is refused at once, with the time to come back.
"""

import math
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from ninja.throttling import BaseThrottle

from scoring.common.device import known_device

SECONDS = 60
CHECKS = 40
WRONG_CODES = 20  # of links to a table, from one phone
CHECKS_A_SECOND = 10  # as many count for a second of work


@dataclass(frozen=True)
class Limit:
    """At most `most` in each period of `seconds`, counted in the cache that all workers share.

    Two requests at the same instant may count as one, which costs no lock."""

    name: str
    most: int
    seconds: int = SECONDS

    def count(self, *whose: object, by: int = 1) -> int:
        """Add to the counter of these, and return what it comes to."""
        key = self._key(whose)
        cache.add(key, 0, timeout=2 * self.seconds)
        try:
            return cache.incr(key, by)
        except ValueError:  # thrown out of a full cache in between
            return by

    def is_full(self, *whose: object) -> bool:
        counted: int = cache.get(self._key(whose), 0)
        return counted >= self.most

    def _key(self, whose: tuple[object, ...]) -> str:
        window = int(time.time()) // self.seconds
        return f"{self.name}:{window}:{sha256(repr(whose).encode()).hexdigest()}"

    def allows(self, *whose: object) -> bool:
        """Count one more for these and return whether it is within the limit."""
        return self.count(*whose) <= self.most

    @contextmanager
    def charged(self, *whose: object, per_second: int) -> Iterator[None]:
        """Add `per_second` for each second that this thread works inside, even if it fails."""
        start = time.thread_time()
        try:
            yield
        finally:
            if extra := int((time.thread_time() - start) * per_second):
                self.count(*whose, by=extra)

    @property
    def wait(self) -> int:
        """Return the seconds until the count begins again."""
        return math.ceil(self.seconds - time.time() % self.seconds)


CHECK = Limit("check", CHECKS)
WRONG_CODE = Limit("code", WRONG_CODES)
SIGN_IN_SECONDS = 5 * 60
OF_NAME_ON_PHONE = Limit("sign-in", 5, SIGN_IN_SECONDS)
OF_NAME = Limit("sign-in-name", 20, SIGN_IN_SECONDS)  # a phone may be given a new id at will
OF_PHONE = Limit("sign-in-phone", 10)
OF_ADDRESS = Limit("sign-in-address", 100)  # a whole café may be behind one


def may_check(request: HttpRequest) -> bool:
    """Count this request and return whether it is within the limit of this minute."""
    return CHECK.allows(address_of(request))


def charged(request: HttpRequest) -> AbstractContextManager[None]:
    """Count a request for more than one if the work inside takes this thread long."""
    return CHECK.charged(address_of(request), per_second=CHECKS_A_SECOND)


def count_wrong_code(request: HttpRequest, phone: UUID | None) -> bool:
    """Count a wrong code and return whether there were too many in this minute.

    `phone` is None for one that has not been here before. A right code is always accepted: there
    are too many codes to find one by trying, and others at the same address must be able to join.
    """
    return not WRONG_CODE.allows(address_of(request), phone)


def sign_in_limits(
    request: HttpRequest, name: str, is_known: bool
) -> list[tuple[Limit, tuple[object, ...]]]:
    """Return the limits that a sign-in with this name counts for.

    A phone that has signed in with it before is counted by itself, so that nobody else can use up
    its tries."""
    phone, address = known_device(request), address_of(request)
    if is_known:
        return [(OF_NAME_ON_PHONE, (name, phone))]
    return [
        (OF_NAME_ON_PHONE, (name, address, phone)),
        (OF_NAME, (name, address)),
        (OF_PHONE, (address, phone)),
        (OF_ADDRESS, (address,)),
    ]


def too_often(response: HttpResponse, seconds: int = 0) -> HttpResponse:
    """Turn an answer into 429 with the time after which to try again."""
    response.status_code = 429
    response["Retry-After"] = str(seconds or CHECK.wait)
    return response


def address_of(request: HttpRequest) -> str | None:
    """Return the address of the reader, behind trusted proxies."""
    address: str | None = BaseThrottle().get_ident(request)
    return address
