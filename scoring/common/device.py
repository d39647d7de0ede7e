"""Phones, recognised by a cookie with a signed secret, and the id that rows store.

The secret never reaches the database: whoever reads a row cannot pass for the phone.
"""

import secrets
from collections.abc import Callable
from hashlib import sha256
from uuid import UUID

from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse

from scoring.common.actor import device_id
from scoring.common.requests import noted

COOKIE = "trexscore_device"
SIGNED_IN = "trexscore_signed_in"
MOST_NAMES = 10
MAX_AGE = 400 * 24 * 60 * 60  # as long as browsers keep a cookie


def signer() -> Signer:
    return Signer(salt="trexscore.device")


class DeviceMiddleware:
    """Read the phone's secret; a phone that writes gets the cookie (again)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        notes = noted(request)
        notes.device_secret = _read_secret(request)
        response = self.get_response(request)
        secret = notes.device_secret
        if secret is not None and request.method == "POST":
            _set_cookie(request, response, COOKIE, signer().sign(secret))
        if names := getattr(request, "signed_in_names", None):
            value = _names_signer(secret).sign(".".join(names))
            _set_cookie(request, response, SIGNED_IN, value)
        return response


def device_of(request: HttpRequest) -> UUID | None:
    """Return the phone's id.

    A phone that writes gets one; one that only reads has None until then."""
    if known_device(request) is None and request.method == "POST":
        noted(request).device_secret = secrets.token_urlsafe(24)
    return known_device(request)


def known_device(request: HttpRequest) -> UUID | None:
    """Return the phone's id if it has one; none is created."""
    secret = noted(request).device_secret
    return None if secret is None else device_id(secret)


def has_signed_in(request: HttpRequest, name: str) -> bool:
    """Return whether this phone has ever signed in with this name."""
    return _spelled(name) in _read_names(request)


def note_sign_in(request: HttpRequest, name: str) -> None:
    """Remember on the phone that it has signed in with this name; only the newest few."""
    device_of(request)
    others = [each for each in _read_names(request) if each != _spelled(name)]
    noted(request).signed_in_names = [_spelled(name), *others][:MOST_NAMES]


def _spelled(name: str) -> str:
    return sha256(name.lower().encode()).hexdigest()


def _names_signer(secret: str | None) -> Signer:
    """Return the signer of those names, which are valid on this phone only."""
    return Signer(salt=f"trexscore.signed_in.{secret}")


def _read_names(request: HttpRequest) -> list[str]:
    secret = noted(request).device_secret
    try:
        return _names_signer(secret).unsign(request.COOKIES[SIGNED_IN]).split(".")
    except (KeyError, BadSignature):
        return []


def _set_cookie(request: HttpRequest, response: HttpResponse, name: str, value: str) -> None:
    response.set_cookie(
        name,
        value,
        max_age=MAX_AGE,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )


def _read_secret(request: HttpRequest) -> str | None:
    try:
        return signer().unsign(request.COOKIES[COOKIE])
    except (KeyError, BadSignature):
        return None
