"""The page of a player: statistics, form, contracts and opponents."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url

from scoring.access import link_previews, permissions
from scoring.access.http import actor_of, club_for, page_or_part, see_other
from scoring.access.permissions import Action
from scoring.models import Club, Player
from scoring.players.presenters import player as person
from scoring.players.queries.player import (
    Families,
    PlayerFigures,
    families_of,
    family_of,
    figures_of,
)
from scoring.players.views.player_matches import is_hidden, person_of
from scoring.standings.presenters import ratings
from scoring.standings.presenters.standings import family_name, query_of
from scoring.standings.queries.ratings import rating_of
from scoring.standings.views.standings import family_asked


def player(request: HttpRequest, slug: str, player_id: UUID) -> HttpResponse:
    club = club_for(request, slug, Action.SEE_PUBLIC)
    found = person_of(club, str(player_id))
    if found.counts_for_id:
        there = resolve_url("player", slug, found.counts_for_id)
        return see_other(f"{there}?{request.GET.urlencode()}")
    context = {
        "club": club,
        "player": found,
        "preview": link_previews.of_club(request, club, found.name),
        "is_self": found.user_id is not None and found.user_id == request.user.pk,
        "may_change": permissions.may(Action.PLAYERS, club, actor_of(request)),
        "is_hidden": is_hidden(request, club, found),
    }
    if not context["is_hidden"]:
        context |= _figures(request, club, found)
    return page_or_part(request, "players/player.html", context)


def _figures(request: HttpRequest, club: Club, found: Player) -> dict[str, Any]:
    families = families_of(club, found)
    total = families.chosen(family_asked(request))
    if total is None:
        return {}
    figures = figures_of(club, found, families, total)
    matches = resolve_url("player_matches", club.slug, found.id)
    standings = resolve_url("club_standings", club.slug)
    return {
        "figures": figures,
        "family": family_name(figures.family),
        "families": _choices(families, figures),
        "list": matches,
        "tiles": list(person.tiles(figures, matches, standings)),
        "form_sentences": list(person.form_sentences(figures)),
        "deal_sentences": list(person.deal_sentences(figures)),
        "trex_places": person.trex_places(figures),
        "rivalries": list(person.rivalries(figures)),
        "opponents": figures.rivals.opponents[: person.SHOWN],
        "more_opponents": figures.rivals.opponents[person.SHOWN :],
        "query": query_of(figures.family),
        "rating": ratings.rating_card(rating_of(club, found, figures.family), has_played=True),
        "rating_rule": ratings.explanation(),
    }


def _choices(families: Families, figures: PlayerFigures) -> list[tuple[Any, str, bool]]:
    """Return each family with its name, address, and whether it is shown."""
    return [
        (family_name(family_of(row)), f"?{query_of(family_of(row))}", row == figures.total)
        for row in families.totals
    ]
