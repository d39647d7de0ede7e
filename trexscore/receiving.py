"""Takes in the bodies of requests on the event loop, each whole and in time."""

import asyncio
import io
import ipaddress
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from tempfile import SpooledTemporaryFile
from typing import IO, Any, cast

type Scope = dict[str, Any]
type Receive = Callable[[], Awaitable[dict[str, Any]]]

KEPT_IN_MEMORY = 1_000_000
# More than any page takes; a body that never ends must not fill the disk.
MOST_BYTES = 20_000_000
# A browser looks at no answer before it has sent everything. So much more is read and thrown away,
# so that people are told; see trexscore.too_big.
MOST_THROWN_AWAY = 100_000_000

QUIET = 30.0
"""Seconds in which at least something has to come."""
LEAST_RATE = 1_000
"""Bytes a second, counted from the first QUIET seconds on: half of the slowest phone network."""
OF_ONE_ADDRESS = 100
"""Bodies on their way from one address: a whole café may be behind one."""
OF_ALL = 2_000


class Refused(Exception):
    """A request that is not taken in; says why to whoever sent it."""

    def __init__(self, status: HTTPStatus, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.text = text


class Bodies:
    """The bodies on their way to one process, counted by the address that sends them."""

    def __init__(self) -> None:
        self.coming: Counter[str] = Counter()

    async def receive(self, scope: Scope, receive: Receive, address: str) -> IO[bytes] | None:
        """The body of a request, or None for one of more than MOST_BYTES. Raises Refused, or
        ConnectionError where the sender is gone."""
        length = length_of(scope)
        if length == 0:
            return io.BytesIO()
        if length > MOST_THROWN_AWAY:
            raise Refused(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                "This is more than the server takes. Nothing was changed.",
            )
        with self._place(address):
            pieces = _pieces(receive, length)
            if length > MOST_BYTES:
                async for _ in pieces:
                    pass
                return None
            body = SpooledTemporaryFile(max_size=KEPT_IN_MEMORY)  # noqa: SIM115, the site closes it
            try:
                async for piece in pieces:
                    body.write(piece)
            except BaseException:
                body.close()
                raise
            body.seek(0)
            return cast(IO[bytes], body)

    @contextmanager
    def _place(self, address: str) -> Iterator[None]:
        if self.coming[address] >= OF_ONE_ADDRESS or self.coming.total() >= OF_ALL:
            raise Refused(HTTPStatus.TOO_MANY_REQUESTS, "Too many requests. Please try again.")
        self.coming[address] += 1
        try:
            yield
        finally:
            self.coming[address] -= 1
            if not self.coming[address]:
                del self.coming[address]


def length_of(scope: Scope) -> int:
    """How long the body is by its header; one in chunks says no length and is not read."""
    return int(header(scope, b"content-length") or 0)


def header(scope: Scope, name: bytes) -> str:
    """The last header of this name, or nothing."""
    found = [text for key, text in scope["headers"] if key == name]
    return found[-1].decode("latin-1") if found else ""


def address_of(scope: Scope, proxies: int) -> str:
    """Who counts as one sender: an address, or a network that IPv6 gives to one household. Behind
    so many proxies it is the address before them."""
    host = scope["client"][0] if scope.get("client") else ""
    if proxies and (passed := header(scope, b"x-forwarded-for")):
        addresses = passed.split(",")
        host = addresses[-min(proxies, len(addresses))].strip()
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    return host if address.version == 4 else str(ipaddress.ip_network((int(address), 64), False))


def last_moment(begun: float, now: float, received: int) -> float:
    """Until when the next piece has to be here: within QUIET seconds, and so that all of it comes
    at LEAST_RATE."""
    return min(now + QUIET, begun + QUIET + received / LEAST_RATE)


async def _pieces(receive: Receive, length: int) -> AsyncIterator[bytes]:
    """The body as it comes."""
    clock = asyncio.get_running_loop().time
    begun, received = clock(), 0
    while received < length:
        try:
            async with asyncio.timeout_at(last_moment(begun, clock(), received)):
                message = await receive()
        except TimeoutError:
            text = "The rest of this request did not come. Nothing was changed."
            raise Refused(HTTPStatus.REQUEST_TIMEOUT, text) from None
        if message["type"] != "http.request":
            raise ConnectionError("the sender is gone")
        piece = message.get("body", b"")
        received += len(piece)
        yield piece
        if not message.get("more_body"):
            return
