"""The list of matches behind a statistic of a player."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import resolve_url

from scoring.access import link_previews, permissions
from scoring.access.http import actor_of, club_for, page_or_part, see_other
from scoring.access.permissions import Action
from scoring.common.paging import address_of, page_number
from scoring.models import Club, Player
from scoring.players.presenters import player_lists
from scoring.players.queries.player_matches import (
    COUNTED,
    STREAKS,
    THAN,
    MatchFilter,
    MatchList,
    match_list,
)
from scoring.standings.queries.seasons import counted_then
from scoring.standings.views.standings import family_asked, scope_asked, until_asked

PEOPLE = ("other", "beside", "partner")
PLACES = ("1", "2", "3", "4")


def player_matches(request: HttpRequest, slug: str, player_id: UUID) -> HttpResponse:
    """Show the matches that the address asks for.

    Unknown values count as not given; unknown players are a 404."""
    club = club_for(request, slug, Action.SEE_PUBLIC)
    player = person_of(club, str(player_id))
    if player.counts_for_id:
        there = resolve_url("player_matches", slug, player.counts_for_id)
        return see_other(f"{there}?{request.GET.urlencode()}")
    if is_hidden(request, club, player):
        return see_other("player", slug, player.id)
    people = {name: _person(request, club, name) for name in PEOPLE}
    if people["other"]:
        people["beside"] = None
    asked = _asked(request, club, people)
    found = match_list(club, player, asked, page_number(request))
    context = {
        "club": club,
        "player": player,
        "preview": link_previews.of_club(request, club, player.name),
        "found": found,
        "lines": [
            (line, player_lists.result_sentence(line.own, asked)) for line in found.page.lines
        ],
        "page": found.page,
        "filter_labels": list(player_lists.filter_labels(asked, people)),
        "sums": list(player_lists.list_totals(found, asked)),
        "closed": _closed(player, asked, found),
        "before": address_of(request, found.page.before),
        "after": address_of(request, found.page.after),
    }
    return page_or_part(request, "players/player_matches.html", context)


def _closed(player: Player, asked: MatchFilter, found: MatchList) -> Sequence[Any]:
    """Describe what a closed season counted instead. One query, none for any other list."""
    season, family = asked.scope.season, asked.family
    if season is None or family is None or not asked.scope.is_frozen:
        return ()
    ids = {player.id, asked.partner} if asked.partner else {player.id}
    then = counted_then(season, family, frozenset(ids))
    return player_lists.closed_sums(found, asked, then)


def _asked(request: HttpRequest, club: Club, people: dict[str, Player | None]) -> MatchFilter:
    scope = scope_asked(request, club)
    place = _one_of(request, "place", PLACES)
    return MatchFilter(
        family=family_asked(request),
        scope=replace(scope, until=until_asked(request, club, scope).day),
        streak=_one_of(request, "streak", STREAKS),
        contract=request.GET.get("contract", "").replace("\0", ""),
        what=_one_of(request, "what", COUNTED),
        than=_one_of(request, "than", THAN) if people["other"] else "",
        place=int(place) if place else None,
        **{name: person.counted_id if person else None for name, person in people.items()},
    )


def _one_of(request: HttpRequest, name: str, known: Collection[str]) -> str:
    text = request.GET.get(name, "")
    return text if text in known else ""


def person_of(club: Club, text: str) -> Player:
    """Return a player of this club, or raise 404."""
    try:
        found = club.players.filter(pk=UUID(text)).first()
    except ValueError:
        found = None
    if found is None:
        raise Http404(text)
    return found


def is_hidden(request: HttpRequest, club: Club, found: Player) -> bool:
    """Whether the statistics are hidden from the reader.

    Those of hidden and anonymous players are shown to themselves and the owners only: they could be
    recognised by them."""
    if found.hidden_at is None and found.anonymised_at is None:
        return False
    is_self = found.user_id is not None and found.user_id == request.user.pk
    return not (is_self or permissions.may(Action.PEOPLE, club, actor_of(request)))


def _person(request: HttpRequest, club: Club, name: str) -> Player | None:
    text = request.GET.get(name)
    return person_of(club, text) if text else None
