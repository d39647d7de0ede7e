"""Elevation: an arbiter's rights on somebody else's phone, for one match and a few minutes.

What was lent stands in the session of the phone, beside whoever is signed in there: nobody is
signed out for it, and nothing needs to be done for it to end. It ends with its time, with a tap,
and with a change of the arbiter's password; a copy of the session on another phone has nothing.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from scoring.common import words
from scoring.common.device import device_of, known_device
from scoring.common.requests import noted
from scoring.models import Match, User

LASTS = timedelta(minutes=10)
KEY = "lent"


@dataclass(frozen=True)
class Elevation:
    """Whose rights this phone has in a match, until when."""

    user: User
    match_id: UUID
    until: datetime
    name: str

    @property
    def seconds(self) -> int:
        return max(int((self.until - timezone.now()).total_seconds()), 0)


def elevate(request: HttpRequest, match: Match, user: User, now: datetime) -> None:
    """Give this phone the rights of the account in this match; an earlier elevation ends."""
    assert match.club
    request.session[KEY] = {
        "match": str(match.id),
        "phone": str(device_of(request)),
        "user": str(user.id),
        "proof": user.get_session_auth_hash(),
        "until": (now + LASTS).isoformat(),
        "name": words.person_of(user, match.club) or "",
    }
    _forget(request)


def end_elevation(request: HttpRequest) -> None:
    request.session.pop(KEY, None)
    _forget(request)


def about(request: HttpRequest, match_id: UUID) -> None:
    """Tell which match an address is about that does not name one."""
    noted(request).match_id = match_id
    _forget(request)


def elevation_of(request: HttpRequest) -> Elevation | None:
    """Return the elevation for the match of this page.

    One query where there is one, the first time in a request."""
    notes = noted(request)
    if not hasattr(notes, "arbiter"):
        notes.arbiter = _read(request)
    found: Elevation | None = notes.arbiter
    return found


def shown(request: HttpRequest) -> dict[str, Any]:
    """Context processor: the bar that shows an elevation."""
    return {"lent": elevation_of(request)}


def _read(request: HttpRequest) -> Elevation | None:
    named = request.resolver_match and request.resolver_match.kwargs.get("match_id")
    match_id = getattr(request, "match_id", named)
    kept = request.session.get(KEY) if match_id else None
    here = {"match": str(match_id), "phone": str(known_device(request))}
    if not kept or any(kept.get(name) != text for name, text in here.items()):
        return None
    until = datetime.fromisoformat(kept["until"])
    if until <= timezone.now():
        return None
    user = User.objects.filter(id=kept["user"], is_active=True).first()
    if user is None or not constant_time_compare(kept["proof"], user.get_session_auth_hash()):
        return None
    return Elevation(user, UUID(kept["match"]), until, kept.get("name", ""))


def _forget(request: HttpRequest) -> None:
    if hasattr(request, "_lent"):
        del request._lent
