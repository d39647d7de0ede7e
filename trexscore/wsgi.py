"""The site as a plain WSGI application: what trexscore.asgi runs."""

import os
from collections.abc import Iterable
from typing import Any

from django.core.exceptions import BadRequest
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trexscore.settings")
_site = get_wsgi_application()


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Django's application. Some headers it reads before it can answer for them."""
    try:
        return _site(environ, start_response)
    except BadRequest as error:
        start_response("400 Bad Request", [("Content-Type", "text/plain; charset=utf-8")])
        return [f"{error}\n".encode()]
