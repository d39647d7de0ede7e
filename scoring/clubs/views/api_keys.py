"""Keys for programs that read a club's data or write deals."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.access.http import (
    actor_of,
    club_for,
    expired,
    page_or_part,
    post_data,
    preserve_on_csrf_failure,
    see_other,
)
from scoring.access.permissions import Action
from scoring.clubs.forms.api_keys import SCOPE_WORDS, TokenForm, scope_choices
from scoring.clubs.queries.api_keys import token_of, tokens_in
from scoring.clubs.services import api_keys
from scoring.common.error_sentences import show_refusal
from scoring.common.errors import ServiceError
from scoring.models import Club, ClubToken, TokenScope

# A cookie of that page alone brings a new key to where it is shown: the database, and so the
# session, never holds more than its digest.
MADE = "trexscore_token"
MADE_LASTS = 10 * 60


@preserve_on_csrf_failure
def club_tokens(request: HttpRequest, slug: str) -> HttpResponse:
    """Makes one and shows it once; ends one."""
    club = club_for(request, slug, Action.SETTINGS)
    ends = "end" in request.POST
    form = TokenForm(None if ends else post_data(request))
    ending = forms.Form(post_data(request) if ends else None)
    acting = ending if ends else form
    if request.method == "POST" and not expired(request, acting) and acting.is_valid():
        try:
            return _end(request, club) if ends else _make(request, club, form)
        except ServiceError as refused:
            show_refusal(acting, refused.problems, {})
    made = _made(request, club)
    context = {
        "club": club,
        "form": form,
        "ending": ending,
        "scopes": scope_choices(),
        "chosen": form["scope"].value(),
        "made": made,
        "secret": request.COOKIES[MADE] if made else "",
        "tokens": [(each, SCOPE_WORDS[TokenScope(each.scope)][0]) for each in tokens_in(club)],
        "address": request.build_absolute_uri("/api/"),
    }
    status = 422 if request.method == "POST" else 200
    return page_or_part(request, "clubs/club_tokens.html", context, status=status)


def _make(request: HttpRequest, club: Club, form: TokenForm) -> HttpResponse:
    secret = api_keys.make(
        club=club, actor=actor_of(request), now=timezone.now(), **form.cleaned_data
    )
    answer = see_other("club_tokens", club.slug)
    answer.set_cookie(
        MADE,
        secret,
        max_age=MADE_LASTS,
        path=request.path,
        httponly=True,
        samesite="Strict",
        secure=request.is_secure(),
    )
    return answer


def _end(request: HttpRequest, club: Club) -> HttpResponse:
    api_keys.revoke(club=club, token_id=request.POST["end"], now=timezone.now())
    messages.success(request, _("This key opens nothing any more."))
    return see_other("club_tokens", club.slug)


def _made(request: HttpRequest, club: Club) -> ClubToken | None:
    """The key just made on this phone, while it works."""
    made = token_of(request.COOKIES.get(MADE, ""))
    return made if made and made.club_id == club.id else None
