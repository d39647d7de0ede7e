"""One member of a club: what the account may do there, and the way out. The player stays."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _

from scoring.access.http import (
    club_for,
    expired,
    page_or_part,
    post_data,
    preserve_on_csrf_failure,
    see_other,
)
from scoring.access.permissions import Action
from scoring.clubs.forms.clubs import ROLE_WORDS, RoleForm, role_choices
from scoring.clubs.queries.members import member_of
from scoring.clubs.services.clubs import remove_member, set_role
from scoring.common import words
from scoring.common.error_sentences import show_refusal
from scoring.common.errors import ServiceError
from scoring.models import Club, Membership, Role


@preserve_on_csrf_failure
def club_member(request: HttpRequest, slug: str, member_id: UUID) -> HttpResponse:
    club = club_for(request, slug, Action.SETTINGS)
    member = member_of(club, member_id)
    if member is None:
        raise Http404(member_id)
    removes = request.POST.get("action") == "remove"
    form = RoleForm(None if removes else post_data(request), initial={"role": member.role})
    leaving = forms.Form(post_data(request) if removes else None)
    acting = leaving if removes else form
    if request.method == "POST" and not expired(request, acting) and acting.is_valid():
        try:
            if removes:
                return _remove(request, club, member)
            return _change(request, club, member, Role(form.cleaned_data["role"]))
        except ServiceError as refused:
            show_refusal(acting, refused.problems, {})
    context = {
        "club": club,
        "member": member,
        "form": form,
        "leaving": leaving,
        "roles": role_choices(),
        "chosen": form["role"].value(),
        "is_self": member.user == request.user,
    }
    status = 422 if request.method == "POST" else 200
    return page_or_part(request, "clubs/club_member.html", context, status=status)


def _change(request: HttpRequest, club: Club, member: Membership, role: Role) -> HttpResponse:
    set_role(club=club, user_id=member.user_id, role=role, now=timezone.now())
    name, label = words.person(member.user.username), ROLE_WORDS[role][0]
    said = format_html(_("{name} now has the role: {role}."), name=name, role=label)
    messages.success(request, said)
    still_may = role == Role.OWNER or member.user != request.user
    return see_other("club_invite" if still_may else "club", club.slug)


def _remove(request: HttpRequest, club: Club, member: Membership) -> HttpResponse:
    remove_member(club=club, user_id=member.user_id, now=timezone.now())
    name = words.person(member.user.username)
    if member.user == request.user:
        messages.success(request, _("You are no longer a member of this club."))
        return see_other("home")
    said = _("{name} is no longer a member. All results stay, and a new link brings {name} back.")
    messages.success(request, format_html(said, name=name))
    return see_other("club_invite", club.slug)
