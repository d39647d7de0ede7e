"""One person of a club, for whoever keeps the list: called otherwise, put away; for the owner also
merged, hidden, made anonymous, and the link by which an account becomes this person."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone

from scoring.access import permissions
from scoring.access.http import (
    actor_of,
    club_for,
    expired,
    page_or_part,
    posted,
    preserve_on_csrf_failure,
    require_permission,
    see_other,
)
from scoring.access.permissions import Action
from scoring.clubs.services import invitations
from scoring.clubs.views.join import made_link, shown_once
from scoring.common.actor import Actor
from scoring.common.error_sentences import show_refusal
from scoring.common.errors import ServiceError
from scoring.entry.views.entry import read_id
from scoring.models import Club, Player
from scoring.people.forms.player_form import PlayerForm
from scoring.people.queries.people import file_of, matches_played, names_of, person_of
from scoring.people.services import people as persons
from scoring.players.forms.people import HideForm, SureForm, event_line, said
from scoring.players.services import merging


@dataclass(frozen=True)
class Wish:
    """What was tapped, about whom, by whom."""

    request: HttpRequest
    club: Club
    player: Player
    form: forms.Form
    actor: Actor
    now: datetime

    @property
    def act(self) -> dict[str, Any]:
        """What every service of a person is given."""
        return {"player": self.player, "actor": self.actor, "now": self.now}


@preserve_on_csrf_failure
def player_edit(request: HttpRequest, slug: str, player_id: UUID) -> HttpResponse:
    club = club_for(request, slug, Action.PLAYERS)
    player = person_of(club, player_id)
    if player is None:
        raise Http404(player_id)
    action = request.POST.get("action", "rename") if request.method == "POST" else ""
    form = _form(request, club, player, action)
    if action in ACTS:
        needed, act = ACTS[action]
        require_permission(request, needed, club)
        if not expired(request, form) and form.is_valid():
            try:
                return act(Wish(request, club, player, form, actor_of(request), timezone.now()))
            except ServiceError as refused:
                show_refusal(form, refused.problems, {})
    context = _shown(request, club, player) | {
        "acting": action,
        "form": form if action == "rename" else _name_form(request, club, player),
        "refused": form if action and action != "rename" else None,
    }
    status = 422 if request.method == "POST" else 200
    return page_or_part(request, "players/player_edit.html", context, status=status)


def _form(request: HttpRequest, club: Club, player: Player, action: str) -> forms.Form:
    """The one that was sent."""
    if action == "rename":
        return _name_form(request, club, player, sent=True)
    if action == "hide":
        return HideForm(posted(request))
    return SureForm(posted(request)) if action == "anonymise" else forms.Form(posted(request))


def _name_form(
    request: HttpRequest, club: Club, player: Player, *, sent: bool = False
) -> PlayerForm:
    others = club.players.filter(merged_into=None).exclude(pk=player.pk)
    data = posted(request) if sent else None
    return PlayerForm(data, initial={"name": player.plain_name}, others=names_of(others))


def _shown(request: HttpRequest, club: Club, player: Player) -> dict[str, Any]:
    wanted = request.GET.get("q", "")
    person, into = file_of(player, wanted), _into(request, club)
    now, asks = timezone.now(), actor_of(request)
    return {
        "club": club,
        "player": player,
        "person": person,
        "wanted": wanted,
        "into": into,
        "together": merging.tablemates(player, into) if into else None,
        "played": _played(player, into) if into else (),
        "events": [
            (each, event_line(each, each.other.name if each.other else ""))
            for each in person.events
        ],
        "made": made_link(request, club, now),
        "may_people": permissions.may(Action.PEOPLE, club, asks),
    }


def _into(request: HttpRequest, club: Club) -> Player | None:
    """Whom this person may be the same as, as was tapped."""
    wanted = read_id(request.POST.get("into") or request.GET.get("into", ""))
    return person_of(club, wanted) if wanted else None


def _played(*people: Player) -> list[int]:
    """How many matches count for each."""
    counts = matches_played(people)
    return [counts.get(person.id, 0) for person in people]


# ── what can be done ────────────────────────────────────────────────────


def _rename(wish: Wish) -> HttpResponse:
    name = wish.form.cleaned_data["name"]
    persons.rename(name=name, **wish.act)
    return _back(wish, "rename", name)


def _hide(wish: Wish) -> HttpResponse:
    hidden = persons.hide(name=wish.form.cleaned_data["name"], **wish.act)
    return _back(wish, "hide", hidden.name)


def _merge(wish: Wish) -> HttpResponse:
    into = _into(wish.request, wish.club)
    if into is None:
        raise ServiceError("unknown_player", "into")
    merging.merge(into=into, **wish.act)
    return _back(wish, "merge", into.name)


def _unmerge(wish: Wish) -> HttpResponse:
    """This person, or one who was merged into them: from either side."""
    other = read_id(wish.request.POST.get("other", ""))
    player = person_of(wish.club, other) if other else wish.player
    if player is None:
        raise ServiceError("unknown_player")
    apart = merging.unmerge(**wish.act | {"player": player})
    return _back(wish, "unmerge", apart.name)


def _invite(wish: Wish) -> HttpResponse:
    secret = invitations.invite_person(player=wish.player, by=wish.actor.user, now=wish.now)
    return shown_once(wish.request, secret, _back(wish))


def _plainly(action: str, service: Callable[..., Player]) -> Callable[[Wish], HttpResponse]:
    return lambda wish: _back(wish, action, service(**wish.act).name)


ACTS: dict[str, tuple[Action, Callable[[Wish], HttpResponse]]] = {
    "rename": (Action.PLAYERS, _rename),
    "archive": (Action.PLAYERS, _plainly("archive", persons.archive)),
    "bring_back": (Action.PLAYERS, _plainly("bring_back", persons.bring_back)),
    "verify": (Action.PEOPLE, _plainly("verify", persons.verify)),
    "hide": (Action.PEOPLE, _hide),
    "show": (Action.PEOPLE, _plainly("show", persons.show)),
    "anonymise": (Action.PEOPLE, _plainly("anonymise", persons.anonymise)),
    "merge": (Action.PEOPLE, _merge),
    "unmerge": (Action.PEOPLE, _unmerge),
    "invite": (Action.SETTINGS, _invite),
    "release": (Action.PEOPLE, _plainly("release", persons.release)),
}


def _back(wish: Wish, action: str = "", name: str = "") -> HttpResponse:
    """To the page again, with a word about what was done."""
    if action:
        messages.success(wish.request, said(action, name))
    return see_other("player_edit", wish.club.slug, wish.player.id)
