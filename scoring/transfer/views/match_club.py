"""Page that moves a match without a club to a club, for an owner who has a link to it."""

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _

from scoring.access.http import (
    actor_of,
    expired,
    match_for,
    page_or_part,
    post_data,
    preserve_on_csrf_failure,
    require_permission,
    see_other,
)
from scoring.access.permissions import Action
from scoring.common import words
from scoring.common.error_sentences import show_refusal
from scoring.common.errors import ServiceError
from scoring.models import Club, Match, Player, Role
from scoring.people.queries.people import evening_of, people_of
from scoring.transfer.forms.match_club import MoveToClubForm
from scoring.transfer.services.match_club import move_to_club


@preserve_on_csrf_failure
def match_club(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match = match_for(request, match_id, Action.SEE_MATCH)
    clubs = [] if match.club else _owned(request)
    club = _chosen(request, clubs)
    form = _form(request, match, club)
    if request.method == "POST":
        _require_owner(request, match, club)
        if not expired(request, form) and form.is_valid():
            try:
                return _move(request, match, club or match.club, form)
            except ServiceError as refused:
                show_refusal(form, refused.problems, {})
    context = {
        "match": match,
        "clubs": clubs,
        "club": club,
        "form": form,
        "others": len(evening_of(match.id)) - 1 if club else 0,
    }
    status = 422 if request.method == "POST" else 200
    return page_or_part(request, "transfer/match_club.html", context, status=status)


def _owned(request: HttpRequest) -> list[Club]:
    user = actor_of(request).user
    owns = Club.objects.filter(memberships__user=user, memberships__role=Role.OWNER)
    return list(owns.order_by("name")) if user else []


def _chosen(request: HttpRequest, clubs: list[Club]) -> Club | None:
    """Return the chosen club, or the only one."""
    wanted = request.POST.get("club") or request.GET.get("club")
    named = [club for club in clubs if club.slug == wanted]
    return named[0] if named else clubs[0] if len(clubs) == 1 else None


def _form(request: HttpRequest, match: Match, club: Club | None) -> MoveToClubForm:
    guests = Player.objects.filter(seatings__match__in=evening_of(match.id), club=None)
    people = [one for one in people_of(club) if not one.hidden_at] if club else []
    return MoveToClubForm(
        post_data(request), guests=guests.distinct().order_by("created_at", "id"), people=people
    )


def _require_owner(request: HttpRequest, match: Match, club: Club | None) -> None:
    """Require an owner of the club; a match that has a club stays there."""
    if match.club is None and club is None:
        raise PermissionDenied(Action.PEOPLE)
    require_permission(request, Action.PEOPLE, match.club or club)


def _move(
    request: HttpRequest, match: Match, club: Club | None, form: MoveToClubForm
) -> HttpResponse:
    assert club is not None  # see `_require_owner`
    move_to_club(
        match_id=match.id,
        club=club,
        same=form.same(),
        actor=actor_of(request),
        now=timezone.now(),
        entry_key=form.cleaned_data["entry_key"],
    )
    text = format_html(_("This match belongs to {club} now."), club=words.person(club.name))
    messages.success(request, text)
    return see_other("match", match.id)
