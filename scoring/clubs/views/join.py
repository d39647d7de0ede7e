"""One-time links: used by whoever opens them, made by the owner of a club."""

from dataclasses import dataclass
from datetime import datetime

import segno
from django import forms
from django.contrib.auth import login
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

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
from scoring.clubs.forms.clubs import (
    ROLE_WORDS,
    AccountForm,
    InviteForm,
    NewClubForm,
    PersonForm,
    invite_choices,
)
from scoring.clubs.queries.members import members_of
from scoring.clubs.services import invitations
from scoring.clubs.views.founding import found_club
from scoring.common.actor import Actor
from scoring.common.device import note_sign_in
from scoring.common.error_sentences import show_refusal
from scoring.common.errors import ServiceError
from scoring.house_rules.presenters.presets import preset_cards
from scoring.models import Club, Invitation, Role, User
from scoring.models.log import acting

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
# A cookie of that page alone brings a new link to where it is shown: the database, and so the
# session, never holds more than its digest.
MADE = "trexscore_invitation"
MADE_LASTS = 10 * 60


@preserve_on_csrf_failure
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Account, and for the first owner the first club, in one page."""
    now = timezone.now()
    found = Invitation.objects.filter(token_hash=invitations.digest(token))
    invited = found.select_related("club", "player__counts_for").first()
    if invited is None or not invited.is_open(now):
        return _over(request, invited)
    page = _Page.of(request, invited)
    if request.method == "POST" and not page.expired(request) and page.is_valid():
        try:
            user, club = page.save(token, actor_of(request), now)
        except ServiceError as refused:
            show_refusal(page.person, refused.problems, {})
        else:
            login(request, user, backend=BACKEND)
            note_sign_in(request, user.username)
            return see_other("club", club.slug)
    context = {
        "invited": invited,
        "role": ROLE_WORDS[Role(invited.role)],
        "person": page.person,
        "form": page.club,
        "presets": preset_cards(page.club["preset"].value()) if page.club else None,
        "asks_account": page.user is None,
    }
    status = 422 if request.method == "POST" else 200
    return page_or_part(request, "clubs/join.html", context, status=status)


def _over(request: HttpRequest, invited: Invitation | None) -> HttpResponse:
    """The link was used, has ended, or never was; whoever used it is led to the club."""
    user = actor_of(request).user
    if invited and invited.club and user and invited.used_by_id == user.pk:
        return redirect("club", invited.club.slug)
    context = {"used": bool(invited and invited.used_at)}
    return page_or_part(request, "clubs/join_over.html", context, status=404)


@dataclass
class _Page:
    """The forms of one invitation: who comes, and for the first owner which club."""

    invited: Invitation
    user: User | None
    person: AccountForm | PersonForm
    club: NewClubForm | None

    @classmethod
    def of(cls, request: HttpRequest, invited: Invitation) -> "_Page":
        user = actor_of(request).user
        data = post_data(request)
        club = None
        if invited.club is None:
            club = NewClubForm(data, prefix="club", initial={"language": get_language()})
        person = PersonForm(data) if user else AccountForm(data)
        if invited.player:
            person.take_name(invited.player.name)
        else:
            person.club = invited.club
        return cls(invited, user, person, club)

    def expired(self, request: HttpRequest) -> bool:
        return expired(request, self.person)

    def is_valid(self) -> bool:
        club_is_right = self.club is None or self.club.is_valid()
        return self.person.is_valid() and club_is_right

    @transaction.atomic
    def save(self, token: str, asks: Actor, now: datetime) -> tuple[User, Club]:
        name = self.person.name_at_table()
        user = self.user
        if isinstance(self.person, AccountForm):
            user = self.person.new_user()
        assert user is not None  # who is not signed in fills in the account form
        with acting(lambda: user.pk):  # before anybody has signed in
            return self._save(token, user, name, Actor(user=user, device=asks.device), now)

    def _save(
        self, token: str, user: User, name: str, asks: Actor, now: datetime
    ) -> tuple[User, Club]:
        invitations.accept(secret=token, user=user, now=now)
        if self.club is not None:
            return user, found_club(self.club, user, name, asks, now)
        assert self.invited.club is not None
        invitations.sit_down(invitation=self.invited, user=user, name=name, actor=asks, now=now)
        return user, self.invited.club


@preserve_on_csrf_failure
def club_invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Makes a link for one person, or for everybody, and shows it once as text and as a code to
    scan."""
    club = club_for(request, slug, Action.SETTINGS)
    ends = "end" in request.POST
    form = InviteForm(None if ends else post_data(request))
    ending = forms.Form(post_data(request) if ends else None)
    acting = ending if ends else form
    now = timezone.now()
    if request.method == "POST" and not expired(request, acting) and acting.is_valid():
        try:
            return _end(request, club, now) if ends else _make(request, club, form, now)
        except ServiceError as refused:
            show_refusal(acting, refused.problems, {})
    waiting = invitations.waiting(now).filter(club=club).select_related("player")
    made = made_link(request, club, now)
    context = {
        "club": club,
        "form": form,
        "ending": ending,
        "roles": invite_choices(),
        "chosen": form["role"].value(),
        "made": made,
        "waiting": [(each, ROLE_WORDS[Role(each.role)][0]) for each in waiting],
        "members": [(each, ROLE_WORDS[Role(each.role)][0]) for each in members_of(club)],
    }
    status = 422 if request.method == "POST" else 200
    return page_or_part(request, "clubs/club_invite.html", context, status=status)


def _end(request: HttpRequest, club: Club, now: datetime) -> HttpResponse:
    invitations.withdraw(club=club, invitation_id=request.POST["end"], now=now)
    return see_other("club_invite", club.slug)


def _make(request: HttpRequest, club: Club, form: InviteForm, now: datetime) -> HttpResponse:
    role = form.role_of()
    reusable = role is None
    secret = invitations.invite(
        club=club, role=role or Role.MEMBER, by=actor_of(request).user, now=now, reusable=reusable
    )
    return shown_once(request, secret, see_other("club_invite", club.slug))


def shown_once(request: HttpRequest, secret: str, answer: HttpResponse) -> HttpResponse:
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


@dataclass(frozen=True)
class MadeLink:
    """A link that was just made on this phone: its address, and the picture of it to scan."""

    url: str
    code: SafeString
    invitation: Invitation


def made_link(request: HttpRequest, club: Club, now: datetime) -> MadeLink | None:
    """The link just made on this page, while it can still be used."""
    secret = request.COOKIES.get(MADE, "")
    found = invitations.find_open(secret=secret, now=now)
    if found is None or found.club_id != club.id:
        return None
    url = request.build_absolute_uri(reverse("invitation", args=[secret]))
    return MadeLink(url, qr_code(url), found)


def qr_code(text: str) -> SafeString:
    """A picture for cameras, drawn without inline style."""
    code = segno.make(text, error="m")
    return mark_safe(code.svg_inline(scale=1, border=4, omitsize=True, svgclass="qr-code"))
