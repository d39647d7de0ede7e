"""What sign-in may do here beside allauth's own ways."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedAccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Nobody signs up by himself: an owner hands out one-time links."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def is_safe_url(self, url: str | None) -> bool:
        """Whether somebody may be sent there; what is no address at all is as bad as another
        site's."""
        try:
            return bool(super().is_safe_url(url))
        except ValueError:
            return False
