"""The actor behind a request or a write: an account, a phone, both, neither, or an API key."""

import hashlib
from dataclasses import dataclass
from uuid import UUID

from scoring.models import ClubToken, User


@dataclass(frozen=True)
class Actor:
    """Who reads or writes.

    `device` is made by `device_id`; a phone without its cookie has none. Other software has a
    `token` of a club and nothing else."""

    user: User | None = None
    device: UUID | None = None
    token: ClubToken | None = None


def device_id(secret: str) -> UUID:
    """Return the id of a phone that may be stored and shown.

    The phone's secret cannot be found from it."""
    return UUID(bytes=hashlib.sha256(secret.encode()).digest()[:16], version=4)
