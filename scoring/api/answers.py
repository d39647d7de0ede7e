"""Answers with an ETag, query parameters, and pages of lists."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.http import quote_etag

from scoring.api.bodies import ApiError

DEFAULT_ROWS, MAX_ROWS = 100, 500
"""Rows of one page."""


def with_etag(request: HttpRequest, answer: Any) -> HttpResponse:
    """Answer with an ETag; 304 if the program has this answer already."""
    response = JsonResponse(answer)
    tag = quote_etag(hashlib.sha256(response.content).hexdigest()[:32])
    response["ETag"] = tag
    patch_vary_headers(response, ["Authorization"])
    patch_cache_control(response, private=True, no_cache=True)
    found = get_conditional_response(request, etag=tag, response=response)
    return response if found is None else found


def limit_of(request: HttpRequest) -> int:
    """Return the number of rows of a page."""
    return whole_number(request, "limit", DEFAULT_ROWS, 1, MAX_ROWS)


def whole_number(request: HttpRequest, name: str, default: int, low: int, high: int) -> int:
    """Return a whole number of the query; raise `bad_value` outside its range."""
    text = request.GET.get(name, "")
    if not text:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 10 and low <= int(text) <= high):
        raise bad_value(name, least=low, most=high)
    return int(text)


def id_of(request: HttpRequest, name: str) -> UUID | None:
    """Return an id of the query."""
    text = request.GET.get(name, "")
    try:
        return UUID(text) if text else None
    except ValueError:
        raise bad_value(name) from None


def choice_of(request: HttpRequest, name: str, known: Sequence[str]) -> str:
    """Return one of the known words, or ""."""
    text = request.GET.get(name, "")
    if text and text not in known:
        raise bad_value(name, known=list(known))
    return text


def moment_of(request: HttpRequest, name: str) -> datetime | None:
    """Return a moment of the query, which must have an offset."""
    text = request.GET.get(name, "")
    try:
        return read_moment(text) if text else None
    except ValueError:
        raise bad_value(name) from None


def read_moment(text: object) -> datetime:
    """Parse a moment with an offset; raise ValueError for anything else."""
    found = datetime.fromisoformat(text) if isinstance(text, str) else None
    if found is None or found.tzinfo is None:
        raise ValueError(text)
    try:
        return found.astimezone(UTC)
    except OverflowError:
        raise ValueError(text) from None


def bad_value(name: str, **numbers: Any) -> ApiError:
    """Return the error of a query that asks for the impossible."""
    return ApiError(HTTPStatus.BAD_REQUEST, "bad_value", name, **numbers)


def next_page(request: HttpRequest, **place: Any) -> str:
    """Return the address of the next page."""
    query = request.GET.copy()
    for name, value in place.items():
        query[name] = str(value)
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")
