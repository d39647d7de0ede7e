"""The entry for the server, granian: requests come in and answers go out on an event loop, and in
between, once a request is whole, a thread runs the site for it.

Not a2wsgi or asgiref: with either, a thread waits for whoever reads slowly. Nor Django's own ASGI
handler: it runs each request on a new thread, which opens a database connection of its own.
"""

import asyncio
import gc
import io
import sys
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from http import HTTPStatus
from tempfile import SpooledTemporaryFile
from typing import IO, Any, NamedTuple, cast
from urllib.parse import unquote_to_bytes
from weakref import WeakValueDictionary
from wsgiref.util import FileWrapper

from django.conf import settings

from trexscore.receiving import (
    KEPT_IN_MEMORY,
    Bodies,
    Receive,
    Refused,
    Scope,
    address_of,
    last_moment,
)
from trexscore.too_big import TOO_BIG
from trexscore.wsgi import application as site

type Environ = dict[str, Any]
type Application = Callable[[Environ, Any], Iterable[bytes]]
type Headers = list[tuple[str, str]]
type Send = Callable[[dict[str, Any]], Awaitable[None]]

# More run slower, not faster: they take turns on one core, and each keeps a database connection.
RUNNING_AT_ONCE = 2
# Of one address. As many wait as run, so that no thread ever stands idle for this.
IN_LINE = 2 * RUNNING_AT_ONCE
# Of an answer. The server holds 32 of them for each connection that reads slowly.
PIECE = 16_384


class Answer(NamedTuple):
    """A whole response; a large body lies on disk."""

    status: int
    headers: Headers
    body: IO[bytes]


class Site:
    """An ASGI application that runs a WSGI one on a few threads of its own.

    Waiting for a body costs no thread: a phone that stalls in the middle of a form on a bad network
    holds up nobody else. Nor does an address that asks for much at once: only its first few
    requests stand in line with those of others.
    """

    def __init__(self, application: Application, proxies: int = 0) -> None:
        """`proxies`: how many stand in front and add to X-Forwarded-For."""
        self.application = application
        self.proxies = proxies
        self.bodies = Bodies()
        self.turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self.pool = ThreadPoolExecutor(RUNNING_AT_ONCE, thread_name_prefix="site")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = address_of(scope, self.proxies)
        try:
            body = await self.bodies.receive(scope, receive, address)
        except ConnectionError:
            return
        except Refused as refused:
            answer = refusal(refused)
        else:
            async with self.turns.setdefault(address, asyncio.Semaphore(IN_LINE)):
                answer = await self.run(environ_of(scope, body))
        await deliver(answer, send)

    async def run(self, environ: Environ) -> Answer:
        """What the site answers, on a thread of its own."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.pool, answered, self.application, environ)


async def deliver(answer: Answer, send: Send) -> None:
    """Sends it as fast as it is taken, and gives up where that is slower than a body may come in;
    the server then hangs up."""
    headers = [(name.lower().encode(), text.encode("latin-1")) for name, text in answer.headers]
    clock = asyncio.get_running_loop().time
    begun, taken, more = clock(), 0, True
    with closing(answer.body) as body, suppress(TimeoutError):
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        while more:
            piece = body.read(PIECE)
            more = len(piece) == PIECE
            async with asyncio.timeout_at(last_moment(begun, clock(), taken)):
                await send({"type": "http.response.body", "body": piece, "more_body": more})
            taken += len(piece)


def answered(application: Application, environ: Environ) -> Answer:
    """What the site answers. The thread that runs it also closes it: its database connection
    belongs to it. A file is passed on as it is, and closed once it was sent."""
    status: int = HTTPStatus.INTERNAL_SERVER_ERROR
    headers: Headers = []

    def start_response(line: str, given: Headers, _error: object = None) -> None:
        nonlocal status, headers
        status, headers = int(line[:3]), given

    try:
        response = application(environ, start_response)
        body = response.filelike if isinstance(response, FileWrapper) else whole(response)
    finally:
        environ["wsgi.input"].close()
    return Answer(status, headers, body)


def whole(response: Iterable[bytes]) -> IO[bytes]:
    """The body of a response, so that no thread waits until somebody has read it."""
    body = SpooledTemporaryFile(max_size=KEPT_IN_MEMORY)  # noqa: SIM115, closed once it was sent
    try:
        for piece in response:
            body.write(piece)
    except BaseException:
        body.close()
        raise
    finally:
        if close := getattr(response, "close", None):
            close()
    body.seek(0)
    return cast(IO[bytes], body)


def refusal(refused: Refused) -> Answer:
    """What somebody is told whose request was not taken in; nothing more of it is read."""
    headers = [("Content-Type", "text/plain; charset=utf-8"), ("Connection", "close")]
    if refused.status == HTTPStatus.TOO_MANY_REQUESTS:
        headers.append(("Retry-After", "10"))
    return Answer(refused.status, headers, io.BytesIO(f"{refused.text}\n".encode()))


def environ_of(scope: Scope, body: IO[bytes] | None) -> Environ:
    """A request as WSGI has it (PEP 3333); `body` is None for one that was too big."""
    host, port = scope.get("server") or ("localhost", 80)
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "REMOTE_ADDR": scope["client"][0] if scope.get("client") else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body or io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.file_wrapper": FileWrapper,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, text in scope["headers"]:
        add_header(environ, name.decode("latin-1"), text.decode("latin-1"))
    if body is None:
        environ |= {TOO_BIG: True, "CONTENT_LENGTH": "0"}
    return environ


def add_header(environ: Environ, name: str, text: str) -> None:
    """One with an underscore in its name is left out: it would pass for another one's."""
    if "_" in name:
        return
    key = name.upper().replace("-", "_")
    key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
    between = "; " if key == "HTTP_COOKIE" else ","
    environ[key] = f"{environ[key]}{between}{text}" if key in environ else text


application = Site(site, settings.ALLAUTH_TRUSTED_PROXY_COUNT)
# The program itself is never garbage, and a page makes little that points to itself.
gc.freeze()
gc.set_threshold(50_000, 20, 20)
