"""Which phone is asking: a cookie with a signed secret, and the id that rows keep of it.

The secret never reaches the database: whoever reads a row cannot pass for the phone.
"""

import secrets
from collections.abc import Callable
from uuid import UUID

from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse

from scoring.services.who import device_id

COOKIE = "trexscore_device"
MAX_AGE = 400 * 24 * 60 * 60  # as long as browsers keep a cookie


def signer() -> Signer:
    return Signer(salt="trexscore.device")


class DeviceMiddleware:
    """Reads the phone's secret; whoever writes gets it (again) as a cookie."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.device_secret = _read_secret(request)  # type: ignore[attr-defined]
        response = self.get_response(request)
        secret = request.device_secret  # type: ignore[attr-defined]
        if secret is not None and request.method == "POST":
            response.set_cookie(
                COOKIE,
                signer().sign(secret),
                max_age=MAX_AGE,
                httponly=True,
                samesite="Lax",
                secure=request.is_secure(),
            )
        return response


def device_of(request: HttpRequest) -> UUID | None:
    """The phone's id. A phone that writes gets one; one that only reads has None until then."""
    if known_device(request) is None and request.method == "POST":
        request.device_secret = secrets.token_urlsafe(24)  # type: ignore[attr-defined]
    return known_device(request)


def known_device(request: HttpRequest) -> UUID | None:
    """The phone's id where it has one; none is made for this."""
    secret: str | None = request.device_secret  # type: ignore[attr-defined]
    return None if secret is None else device_id(secret)


def _read_secret(request: HttpRequest) -> str | None:
    try:
        return signer().unsign(request.COOKIES[COOKIE])
    except (KeyError, BadSignature):
        return None
