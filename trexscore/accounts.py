"""What sign-in may do here beside allauth's own ways."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.views import LoginView
from django import forms
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import HttpRequest, HttpResponse

from scoring.common import limits
from scoring.common.device import device_of, has_signed_in, note_sign_in
from scoring.common.requests import noted

TOO_MANY = "too_many_login_attempts"


class ClosedAccountAdapter(DefaultAccountAdapter):
    """Nobody signs up by himself: an owner hands out one-time links.

    Wrong passwords are counted by name, address and phone together, so that nobody can close an
    account to its owner, nor a café's address to all who sit there."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def is_safe_url(self, url: str | None) -> bool:
        """Whether somebody may be sent there; what is no address at all is as bad as another
        site's."""
        try:
            return bool(super().is_safe_url(url))
        except ValueError:
            return False

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Raise `ValidationError` without looking at the password after too many wrong ones."""
        name = credentials.get("username", "").lower()
        counted = limits.sign_in_limits(request, name, has_signed_in(request, name))
        full = [limit for limit, whose in counted if limit.is_full(*whose)]
        device_of(request)  # from now on this phone is told from the others at its address
        if full:
            noted(request).retry_after = max(limit.wait for limit in full)
            raise self.validation_error(TOO_MANY)
        for limit, whose in counted:
            limit.count(*whose)
        user: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if user is not None:
            for limit, whose in counted:
                limit.count(*whose, by=-1)
            note_sign_in(request, name)
        return user


class SignIn(LoginView):
    """The page to sign in on."""

    def form_invalid(self, form: forms.Form) -> HttpResponse:
        """429 after too many wrong passwords."""
        response: HttpResponse = super().form_invalid(form)
        if form.has_error(NON_FIELD_ERRORS, TOO_MANY) or form.has_error("password", TOO_MANY):
            return limits.too_often(response, getattr(self.request, "retry_after", 0))
        return response
