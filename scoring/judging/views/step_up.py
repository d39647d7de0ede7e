"""The arbiter rules on the table's own phone: name and password, ten minutes, this match only."""

from uuid import UUID

from allauth.account.adapter import get_adapter
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters

from scoring.access import permissions
from scoring.access.elevation import LASTS, elevate, end_elevation
from scoring.access.http import (
    actor_of,
    expired,
    match_for,
    page_or_part,
    post_data,
    preserve_on_csrf_failure,
    see_other,
)
from scoring.access.permissions import Action
from scoring.common import limits
from scoring.common.actor import Actor
from scoring.common.error_sentences import show_refusal
from scoring.common.errors import RefusalCode, ServiceError
from scoring.common.numbers import whole
from scoring.judging.forms.step_up import StepUpForm
from scoring.models import Match, User

PAGE = "judging/step_up.html"


@preserve_on_csrf_failure
@sensitive_post_parameters("password")
def step_up(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match = match_for(request, match_id, Action.SEE_MATCH)
    if request.POST.get("action") == "done":
        end_elevation(request)
        return _back(request, match)
    form = StepUpForm(post_data(request))
    code = ""
    if request.method == "POST" and not expired(request, form) and form.is_valid():
        try:
            elevate(request, match, _arbiter(request, match, form), timezone.now())
        except ServiceError as refused:
            code = refused.code
            show_refusal(form, refused.problems, {})
        else:
            return _back(request, match)
    context = {
        "match": match,
        "form": form,
        "number": _number(request),
        "minutes": LASTS.seconds // 60,
        "is_arbiter": permissions.may(Action.JUDGE, match, actor_of(request)),
    }
    status = 422 if request.method == "POST" else 200
    response = page_or_part(request, PAGE, context, status=status)
    if code == RefusalCode.TOO_MANY_ATTEMPTS:
        return limits.too_often(response, getattr(request, "retry_after", 0))
    return response


def _arbiter(request: HttpRequest, match: Match, form: StepUpForm) -> User:
    """The account, if it may rule here. Counted like every other sign-in with a password."""
    if match.club is None:
        raise ServiceError(RefusalCode.NO_ARBITER)
    told = {"username": form.cleaned_data["name"], "password": form.cleaned_data["password"]}
    try:
        user = get_adapter().authenticate(request, **told)
    except ValidationError:
        raise ServiceError(RefusalCode.TOO_MANY_ATTEMPTS, "password") from None
    if not isinstance(user, User):
        raise ServiceError(RefusalCode.WRONG_PASSWORD, "password")
    if not permissions.may(Action.JUDGE, match, Actor(user)):
        raise ServiceError(RefusalCode.NOT_ARBITER, "name")
    return user


def _back(request: HttpRequest, match: Match) -> HttpResponseRedirect:
    """To the deal from which it was asked for, else to the table."""
    number = _number(request)
    if number:
        return see_other("deal", match.id, number)
    return see_other("match", match.id)


def _number(request: HttpRequest) -> int | None:
    number = whole(request.GET.get("deal", ""))
    return number if isinstance(number, int) and 0 < number < 1000 else None
