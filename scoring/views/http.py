"""What every view begins and ends with.

Beginning: `club_for` or `match_for` finds the thing and checks that this reader may do the action;
who may not see it gets 404, who may see but not do it 403.
End: `page_or_part` draws the whole page, or for htmx only the part that changes.

A form whose token has expired (the tab lay open over a sign-in, the cookies were cleared) is not
lost. A view that says `@keeps_typed` is called again by `csrf_failure` with a fresh token and
`request.form_expired` set; it shows the bound form with `form_expired` as its error:

    form = StartForm(request.POST)
    if not expired(request, form) and form.is_valid():
        …

Whatever such a view would write by mistake is rolled back, and an answer that claims success
(anything below 400) is replaced by the plain page.
"""

from collections.abc import Callable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy as _
from django_htmx.middleware import HtmxDetails

from scoring.models import User
from scoring.services.who import Who
from scoring.views.device import device_of

FORM_EXPIRED = _("This page was open for too long, so nothing was saved. Please send it again.")


class HtmxHttpRequest(HttpRequest):
    htmx: HtmxDetails


View = Callable[..., HttpResponse]


def who(request: HttpRequest) -> Who:
    """The account and the phone behind this request."""
    user = request.user if isinstance(request.user, User) else None
    return Who(user=user, device=device_of(request))


def page_or_part(
    request: HttpRequest,
    template: str,
    context: dict[str, Any],
    *,
    part: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page, or for htmx the named partial of it.

    Back and Forward ask for the whole page again, and no cache may mix the two up.
    """
    htmx: HtmxDetails = request.htmx  # type: ignore[attr-defined]
    if part and htmx and not htmx.history_restore_request:
        template = f"{template}#{part}"
    response = render(request, template, context, status=status)
    patch_vary_headers(response, ["HX-Request", "HX-History-Restore-Request"])
    return response


# ── a form that came too late ───────────────────────────────────────────


def keeps_typed(view: View) -> View:
    """Marks a view that can show its form again, as typed, when the form's token has expired."""
    view.keeps_typed = True  # type: ignore[attr-defined]
    return view


def is_expired(request: HttpRequest) -> bool:
    """The post came with an expired token: show it again, write nothing."""
    return getattr(request, "form_expired", False)


def expired(request: HttpRequest, form: forms.BaseForm) -> bool:
    """Like `is_expired`, and says so in the form."""
    if is_expired(request):
        form.full_clean()
        form.add_error(None, ValidationError(FORM_EXPIRED, code="form_expired"))
    return is_expired(request)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Django calls this instead of a view whose post has no valid token."""
    found = request.resolver_match
    # Another site's post has a foreign Origin or Referer: nothing of it is shown.
    ours = reason.startswith("CSRF ")
    if found and ours and getattr(found.func, "keeps_typed", False):
        request.form_expired = True  # type: ignore[attr-defined]
        with transaction.atomic():
            response: HttpResponse = found.func(request, *found.args, **found.kwargs)
            transaction.set_rollback(True)
        if response.status_code >= 400:
            return response
    return render(request, "403_csrf.html", {"ours": ours}, status=403)
