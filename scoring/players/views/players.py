"""The players of a club: search, add, and similar names while typing."""

from collections.abc import Sequence
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url

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
from scoring.common.requests import noted
from scoring.entry.views.entry import read_id
from scoring.models import Club, Player
from scoring.models.clubs import NAME_LENGTH
from scoring.models.name_matching import similarity
from scoring.people.forms.player_form import PlayerForm
from scoring.people.queries.people import LISTED, names_of, people_alike, people_of
from scoring.people.services.naming import add_player
from scoring.players.forms import success_message


@preserve_on_csrf_failure
def club_players(request: HttpRequest, slug: str) -> HttpResponse:
    club = club_for(request, slug, Action.SEE_CLUB)
    players, wanted = people_of(club), request.GET.get("q", "").strip()
    form = PlayerForm(post_data(request), others=names_of(players))
    if request.method == "POST":
        require_permission(request, Action.PLAYERS, club)
        if not expired(request, form) and form.is_valid():
            player = add_player(club=club, name=form.cleaned_data["name"])
            messages.success(request, success_message("add", player.name))
            return see_other("club_players", slug)
    people, archived = _found(players, wanted)
    context = {
        "club": club,
        "form": form,
        "wanted": wanted,
        "people": people[:LISTED],
        "more": max(0, len(people) - LISTED),
        "archived": archived[:LISTED],
        "may_change": permissions.may(Action.PLAYERS, club, actor_of(request)),
        "may_people": permissions.may(Action.PEOPLE, club, actor_of(request)),
    }
    status = 422 if request.method == "POST" else 200
    return page_or_part(request, "players/players.html", context, status=status)


def club_alike(request: HttpRequest, slug: str) -> HttpResponse:
    """List players whose name is like the one being typed.

    Where choosing one leads depends on what the name is typed for (`at`)."""
    club = club_for(request, slug, Action.OPEN)
    typed, place = request.GET.get("name", "")[:NAME_LENGTH].strip(), request.GET.get("at", "")
    htmx = noted(request).htmx
    if not htmx:
        return see_other(f"{resolve_url('club_players', slug)}?{urlencode({'q': typed})}")
    chosen = [*request.GET.getlist("seat"), *request.GET.getlist("here")]
    seated = [one for one in map(read_id, chosen) if one]
    people = people_alike(club, typed, seatable=place != "list", without=seated)
    found = [(player, _taken(club, player, place, seated)) for player in people.offered]
    context = {"found": found, "people": people}
    return page_or_part(request, "players/_alike.html", context)


def _taken(club: Club, player: Player, place: str, seated: Sequence[UUID]) -> str:
    """Return the address that choosing this player leads to; empty where a form takes them."""
    if place == "seats":
        query = urlencode({"seat": [*seated, player.id]}, doseq=True)
        return f"{resolve_url('club_match_new', club.slug)}?{query}"
    return resolve_url("player", club.slug, player.id) if place == "list" else ""


def _found(players: Sequence[Player], wanted: str) -> tuple[list[Player], list[Player]]:
    """Return active and archived players whose name matches, best match first."""
    like = {player.id: similarity(wanted, player.name) for player in players}
    found = sorted((one for one in players if like[one.id]), key=lambda one: -like[one.id])
    return (
        [one for one in found if one.archived_at is None],
        [one for one in found if one.archived_at is not None],
    )
