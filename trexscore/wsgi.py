"""The entry for the server, granian."""

import gc
import io
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from tempfile import SpooledTemporaryFile
from typing import IO, Any, cast

from django.core.wsgi import get_wsgi_application

from trexscore.too_big import TOO_BIG

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trexscore.settings")

type Environ = dict[str, Any]
type Application = Callable[[Environ, Any], Iterable[bytes]]

# More run slower, not faster: they take turns on one core, and each keeps a database connection.
RUNNING_AT_ONCE = 2
KEPT_IN_MEMORY = 1_000_000
# More than any page takes; a body that never ends must not fill the disk.
MOST_BYTES = 20_000_000
# A browser looks at no answer before it has sent everything. So much more is read and thrown away,
# so that people are told; see trexscore.too_big.
MOST_THROWN_AWAY = 100_000_000


def received(environ: Environ, length: int) -> Iterator[bytes]:
    """The body of the request bit by bit; waits for as long as the sender takes."""
    while length > 0 and (chunk := environ["wsgi.input"].read(min(length, 65_536))):
        yield chunk
        length -= len(chunk)


def received_body(environ: Environ, length: int) -> IO[bytes]:
    """The whole of it."""
    body = SpooledTemporaryFile(max_size=KEPT_IN_MEMORY)  # noqa: SIM115, lives as long as the request
    body.writelines(received(environ, length))
    body.seek(0)
    return cast(IO[bytes], body)


def throw_away_body(environ: Environ, length: int) -> None:
    """Leaves nothing of it but the word that it was too big."""
    for _ in received(environ, length):
        pass
    environ |= {TOO_BIG: True, "CONTENT_LENGTH": "0", "wsgi.input": io.BytesIO()}


class FewAtOnce:
    """Runs the site on a few threads of its own, and only once a request has come in whole.

    The server's threads are many and do nothing but wait for slow senders: a phone that stalls
    in the middle of a form on a bad network holds up nobody else.
    """

    def __init__(self, application: Application) -> None:
        self.application = application
        self.pool = ThreadPoolExecutor(RUNNING_AT_ONCE, thread_name_prefix="site")

    def __call__(self, environ: Environ, start_response: Any) -> list[bytes]:
        length = int(environ.get("CONTENT_LENGTH") or 0)
        if length > MOST_THROWN_AWAY:
            start_response("413 Content Too Large", [("Content-Type", "text/plain")])
            return [b"This is more than the server takes. Nothing was changed.\n"]
        if length > MOST_BYTES:
            throw_away_body(environ, length)
        else:
            environ["wsgi.input"] = received_body(environ, length)
        # The thread that ran the request also closes it: its database connection belongs to it.
        environ.pop("wsgi.file_wrapper", None)
        return self.pool.submit(self.answer, environ, start_response).result()

    def answer(self, environ: Environ, start_response: Any) -> list[bytes]:
        response = self.application(environ, start_response)
        try:
            return list(response)
        finally:
            if close := getattr(response, "close", None):
                close()


application = FewAtOnce(get_wsgi_application())
# The program itself is never garbage, and a page makes little that points to itself.
gc.freeze()
gc.set_threshold(50_000, 20, 20)
