"""The edit page of a player: rename and archive; for owners also merge, hide, anonymise, invite."""

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
    post_data,
    preserve_on_csrf_failure,
    require_permission,
    see_other,
)
from scoring.access.permissions import Action
from scoring.clubs.services import invitations
from scoring.clubs.views.join import made_link, shown_once
from scoring.common.actor import Actor
from scoring.common.error_sentences import show_refusal
from scoring.common.errors import RefusalCode, ServiceError
from scoring.entry.views.entry import read_id
from scoring.models import Club, Player
from scoring.people.forms.player_form import PlayerForm
from scoring.people.queries.people import file_of, matches_played, names_of, person_of
from scoring.people.services import people as persons
from scoring.players.forms import ConfirmForm, HideForm, event_line, success_message
from scoring.players.services import merging


@dataclass(frozen=True)
class PlayerAction:
    """An action chosen on the page, with the player and the actor."""

    request: HttpRequest
    club: Club
    player: Player
    form: forms.Form
    actor: Actor
    now: datetime

    @property
    def given(self) -> dict[str, Any]:
        """The arguments of every service that changes a player."""
        return {"player": self.player, "actor": self.actor, "now": self.now}


@preserve_on_csrf_failure
def player_edit(request: HttpRequest, slug: str, player_id: UUID) -> HttpResponse:
    club = club_for(request, slug, Action.PLAYERS)
    player = person_of(club, player_id)
    if player is None:
        raise Http404(player_id)
    action = request.POST.get("action", "rename") if request.method == "POST" else ""
    form = _form(request, club, player, action)
    if action in ACTIONS:
        needed, perform = ACTIONS[action]
        require_permission(request, needed, club)
        if not expired(request, form) and form.is_valid():
            try:
                return perform(
                    PlayerAction(request, club, player, form, actor_of(request), timezone.now())
                )
            except ServiceError as refused:
                show_refusal(form, refused.problems, {})
    context = _page_context(request, club, player) | {
        "acting": action,
        "form": form if action == "rename" else _name_form(request, club, player),
        "refused": form if action and action != "rename" else None,
    }
    status = 422 if request.method == "POST" else 200
    return page_or_part(request, "players/player_edit.html", context, status=status)


def _form(request: HttpRequest, club: Club, player: Player, action: str) -> forms.Form:
    """Return the form that was sent."""
    if action == "rename":
        return _name_form(request, club, player, sent=True)
    if action == "hide":
        return HideForm(post_data(request))
    return (
        ConfirmForm(post_data(request)) if action == "anonymise" else forms.Form(post_data(request))
    )


def _name_form(
    request: HttpRequest, club: Club, player: Player, *, sent: bool = False
) -> PlayerForm:
    others = club.players.filter(merged_into=None).exclude(pk=player.pk)
    data = post_data(request) if sent else None
    return PlayerForm(data, initial={"name": player.plain_name}, others=names_of(others))


def _page_context(request: HttpRequest, club: Club, player: Player) -> dict[str, Any]:
    wanted = request.GET.get("q", "")
    person, into = file_of(player, wanted), _into(request, club)
    now, actor = timezone.now(), actor_of(request)
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
        "may_people": permissions.may(Action.PEOPLE, club, actor),
    }


def _into(request: HttpRequest, club: Club) -> Player | None:
    """Return the player chosen to merge into, if any."""
    wanted = read_id(request.POST.get("into") or request.GET.get("into", ""))
    return person_of(club, wanted) if wanted else None


def _played(*people: Player) -> list[int]:
    """Count the matches of each player."""
    counts = matches_played(people)
    return [counts.get(person.id, 0) for person in people]


# ── what can be done ────────────────────────────────────────────────────


def _rename(task: PlayerAction) -> HttpResponse:
    name = task.form.cleaned_data["name"]
    persons.rename(name=name, **task.given)
    return _back(task, "rename", name)


def _hide(task: PlayerAction) -> HttpResponse:
    hidden = persons.hide(name=task.form.cleaned_data["name"], **task.given)
    return _back(task, "hide", hidden.name)


def _merge(task: PlayerAction) -> HttpResponse:
    into = _into(task.request, task.club)
    if into is None:
        raise ServiceError(RefusalCode.UNKNOWN_PLAYER, "into")
    merging.merge(into=into, **task.given)
    return _back(task, "merge", into.name)


def _unmerge(task: PlayerAction) -> HttpResponse:
    """Unmerge this player, or one who was merged into them."""
    other = read_id(task.request.POST.get("other", ""))
    player = person_of(task.club, other) if other else task.player
    if player is None:
        raise ServiceError(RefusalCode.UNKNOWN_PLAYER)
    apart = merging.unmerge(**task.given | {"player": player})
    return _back(task, "unmerge", apart.name)


def _invite(task: PlayerAction) -> HttpResponse:
    secret = invitations.invite_person(player=task.player, by=task.actor.user, now=task.now)
    return shown_once(task.request, secret, _back(task))


def _simple(action: str, service: Callable[..., Player]) -> Callable[[PlayerAction], HttpResponse]:
    return lambda task: _back(task, action, service(**task.given).name)


ACTIONS: dict[str, tuple[Action, Callable[[PlayerAction], HttpResponse]]] = {
    "rename": (Action.PLAYERS, _rename),
    "archive": (Action.PLAYERS, _simple("archive", persons.archive)),
    "bring_back": (Action.PLAYERS, _simple("bring_back", persons.bring_back)),
    "verify": (Action.PEOPLE, _simple("verify", persons.verify)),
    "hide": (Action.PEOPLE, _hide),
    "show": (Action.PEOPLE, _simple("show", persons.show)),
    "anonymise": (Action.PEOPLE, _simple("anonymise", persons.anonymise)),
    "merge": (Action.PEOPLE, _merge),
    "unmerge": (Action.PEOPLE, _unmerge),
    "invite": (Action.SETTINGS, _invite),
    "release": (Action.PEOPLE, _simple("release", persons.release)),
}


def _back(task: PlayerAction, action: str = "", name: str = "") -> HttpResponse:
    """Redirect to the page, with a message about what was done."""
    if action:
        messages.success(task.request, success_message(action, name))
    return see_other("player_edit", task.club.slug, task.player.id)
