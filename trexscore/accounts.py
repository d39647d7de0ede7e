"""What sign-in may do here beside allauth's own ways."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedAccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Nobody signs up by himself: an owner hands out one-time links."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False
