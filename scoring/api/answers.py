"""Answers that know when they have not changed, and lists that come in pages."""

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

from scoring.api.bodies import Refused

USUAL, MOST = 100, 500
"""Rows of one page."""


def tagged(request: HttpRequest, answer: Any) -> HttpResponse:
    """The answer with a tag of what it says; 304 where the program has just that already."""
    response = JsonResponse(answer)
    tag = quote_etag(hashlib.sha256(response.content).hexdigest()[:32])
    response["ETag"] = tag
    patch_vary_headers(response, ["Authorization"])
    patch_cache_control(response, private=True, no_cache=True)
    found = get_conditional_response(request, etag=tag, response=response)
    return response if found is None else found


def limit_of(request: HttpRequest) -> int:
    """How many rows a page is to have."""
    return whole(request, "limit", USUAL, 1, MOST)


def whole(request: HttpRequest, name: str, usual: int, least: int, most: int) -> int:
    """A whole number of the query; refused where it is none, or out of its range."""
    text = request.GET.get(name, "")
    if not text:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most):
        raise bad_value(name, least=least, most=most)
    return int(text)


def id_of(request: HttpRequest, name: str) -> UUID | None:
    """An id of the query."""
    text = request.GET.get(name, "")
    try:
        return UUID(text) if text else None
    except ValueError:
        raise bad_value(name) from None


def chosen(request: HttpRequest, name: str, known: Sequence[str]) -> str:
    """One of the words that there are, or nothing."""
    text = request.GET.get(name, "")
    if text and text not in known:
        raise bad_value(name, known=list(known))
    return text


def moment_of(request: HttpRequest, name: str) -> datetime | None:
    """A moment of the query, with its offset."""
    text = request.GET.get(name, "")
    try:
        return read_moment(text) if text else None
    except ValueError:
        raise bad_value(name) from None


def read_moment(text: object) -> datetime:
    """A moment with its offset, of a year that there is everywhere; ValueError for anything
    else."""
    found = datetime.fromisoformat(text) if isinstance(text, str) else None
    if found is None or found.tzinfo is None:
        raise ValueError(text)
    try:
        return found.astimezone(UTC)
    except OverflowError:
        raise ValueError(text) from None


def bad_value(name: str, **numbers: Any) -> Refused:
    """A query that asks for what cannot be."""
    return Refused(HTTPStatus.BAD_REQUEST, "bad_value", name, **numbers)


def next_page(request: HttpRequest, **place: Any) -> str:
    """The address of the page behind a place."""
    query = request.GET.copy()
    for name, value in place.items():
        query[name] = str(value)
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")
