"""Attributes that the middleware and views of this site set on a request."""

from typing import Any, cast
from uuid import UUID

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class SiteRequest(HttpRequest):
    """A request with these notes, of which only the first two are always there."""

    htmx: HtmxDetails
    device_secret: str | None
    signed_in_names: list[str]
    match_id: UUID
    arbiter: Any
    form_expired: bool
    link_over: bool
    table_closed: bool
    retry_after: int


def noted(request: HttpRequest) -> SiteRequest:
    return cast(SiteRequest, request)


def is_htmx(request: HttpRequest) -> bool:
    """Return whether htmx asks for a part of the page."""
    return bool(noted(request).htmx)
