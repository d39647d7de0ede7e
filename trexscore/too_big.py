"""What somebody is told who sent more than the server takes. The body itself is gone already."""

from collections.abc import Callable

from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import render
from django.views import defaults

from trexscore.unreadable import bad_request

TOO_BIG = "trexscore.too_big"
UNREADABLE = (BadRequest, SuspiciousOperation, MultiPartParserError)


class TooBigMiddleware:
    """Stands last, so that the page knows who reads it and in which language."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if TOO_BIG not in request.META:
            return self.get_response(request)
        if "text/html" in request.headers.get("Accept", ""):
            return render(request, "413.html", status=413)
        text = "This is more than the server takes. Nothing was changed.\n"
        return HttpResponse(text, status=413, content_type="text/plain; charset=utf-8")


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's own; for the token of the forms on it what was sent is read, if it can be."""
    try:
        return defaults.page_not_found(request, exception)
    except UNREADABLE as unreadable:
        return not_understood(request, unreadable)


def not_understood(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A request that cannot be read; of a form with too much text it is said that it was that."""
    if isinstance(exception, RequestDataTooBig):
        return render(request, "413.html", {"is_text": True}, status=413)
    return bad_request(request, exception)
