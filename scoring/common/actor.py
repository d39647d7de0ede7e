"""Who asks or writes: an account, a phone, both or neither; or a program."""

import hashlib
from dataclasses import dataclass
from uuid import UUID

from scoring.models import ClubToken, User


@dataclass(frozen=True)
class Actor:
    """`device` is made by `device_id`; a phone without its cookie has none. A program has a `token`
    of a club and nothing else."""

    user: User | None = None
    device: UUID | None = None
    token: ClubToken | None = None


def device_id(secret: str) -> UUID:
    """The id of a phone that may be stored and shown. Its secret cannot be found from it."""
    return UUID(bytes=hashlib.sha256(secret.encode()).digest()[:16], version=4)
