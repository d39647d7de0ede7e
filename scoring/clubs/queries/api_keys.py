"""Keys for programs, found by what only their holder knows."""

from hashlib import sha256

from django.db.models import QuerySet

from scoring.models import Club, ClubToken

PREFIX = "trex_"


def digest(secret: str) -> str:
    """What is kept of a secret. It is long and drawn by chance, so one round is enough."""
    return sha256(secret.encode()).hexdigest()


def token_of(secret: str) -> ClubToken | None:
    """The token with this secret that was not revoked, with its club. One query, none for what
    cannot be a secret."""
    if not secret.startswith(PREFIX) or len(secret) > 100:
        return None
    found = ClubToken.objects.filter(digest=digest(secret), revoked_at=None)
    return found.select_related("club").first()


def tokens_in(club: Club) -> QuerySet[ClubToken]:
    """Those that work, the newest first."""
    return club.tokens.filter(revoked_at=None).order_by("-created_at", "id")
