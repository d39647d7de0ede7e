"""Answers 400 to requests that no page could read, and error pages that need nothing of the
request: reading it may be what failed."""

import codecs
from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseServerError
from django.template.loader import render_to_string


class UnreadableMiddleware:
    """Stands first. Refuses a malformed Host, a body in an encoding that no browser sends, and
    characters that no database keeps."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.get_host()  # raises DisallowedHost, which is answered as BadRequest is
        if not is_utf8((request.content_params or {}).get("charset", "utf-8")):
            raise BadRequest("The body is not said to be UTF-8.")
        if "\0" in request.path or "%00" in request.META.get("QUERY_STRING", ""):
            raise BadRequest("There is a null character in the address.")
        return self.get_response(request)


def is_utf8(charset: str) -> bool:
    """Whether this names UTF-8, or ASCII, which is a part of it."""
    try:
        return codecs.lookup(charset).name in ("utf-8", "ascii")
    except (LookupError, ValueError):
        return False


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's own page asks for the token of a form, and so reads the body once more."""
    return HttpResponseBadRequest(render_to_string("400.html"))


def server_error(request: HttpRequest) -> HttpResponse:
    """The same for errors of the site."""
    return HttpResponseServerError(render_to_string("500.html"))
