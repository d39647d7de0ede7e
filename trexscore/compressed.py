"""Compresses what is text on its way out."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXTS = ("application/json", "application/problem+json")


class CompressMiddleware(GZipMiddleware):
    """Django's own, but for pictures and archives, which only take time. It pads each answer at
    random, so that its length gives away no secret beside what somebody typed (BREACH)."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        kind = response.get("Content-Type", "").partition(";")[0]
        if kind.startswith("text/") or kind in TEXTS:
            return super().process_response(request, response)
        return response
