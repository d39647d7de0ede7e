"""The entry for the server, granian."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from tempfile import SpooledTemporaryFile
from typing import IO, Any, cast

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trexscore.settings")

type Environ = dict[str, Any]
type Application = Callable[[Environ, Any], Iterable[bytes]]

# More run slower, not faster: they take turns on one core, and each keeps a database connection.
RUNNING_AT_ONCE = 2
KEPT_IN_MEMORY = 1_000_000
# More than any page takes; a body that never ends must not fill the disk.
MOST_BYTES = 20_000_000


def received_body(environ: Environ) -> IO[bytes]:
    """The whole body of the request; waits for as long as the sender takes."""
    body = SpooledTemporaryFile(max_size=KEPT_IN_MEMORY)  # noqa: SIM115, lives as long as the request
    left = int(environ.get("CONTENT_LENGTH") or 0)
    while left > 0 and (chunk := environ["wsgi.input"].read(min(left, 65_536))):
        body.write(chunk)
        left -= len(chunk)
    body.seek(0)
    return cast(IO[bytes], body)


class FewAtOnce:
    """Runs the site on a few threads of its own, and only once a request has come in whole.

    The server's threads are many and do nothing but wait for slow senders: a phone that stalls
    in the middle of a form on a bad network holds up nobody else.
    """

    def __init__(self, application: Application) -> None:
        self.application = application
        self.pool = ThreadPoolExecutor(RUNNING_AT_ONCE, thread_name_prefix="site")

    def __call__(self, environ: Environ, start_response: Any) -> list[bytes]:
        if int(environ.get("CONTENT_LENGTH") or 0) > MOST_BYTES:
            start_response("413 Content Too Large", [("Content-Type", "text/plain")])
            return [b"This is more than the server takes. Nothing was changed.\n"]
        environ["wsgi.input"] = received_body(environ)
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
