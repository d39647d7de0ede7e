"""The list behind every figure of a person."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.forms import words
from scoring.forms.standings import family_name
from scoring.models import Club, Player
from scoring.selectors import access
from scoring.selectors.access import Action
from scoring.selectors.player_matches import Asked, MatchList, match_list
from scoring.views import previews
from scoring.views.archive import address_of, page_number
from scoring.views.http import club_for, page_or_part, see_other, who
from scoring.views.standings import family_asked, scope_asked


def player_matches(request: HttpRequest, slug: str, player_id: UUID) -> HttpResponse:
    """By the address only those of a game, season, evening, contract, with somebody."""
    club = club_for(request, slug, Action.SEE_PUBLIC)
    player = person_of(club, str(player_id))
    if player.counts_for_id:
        there = resolve_url("player_matches", slug, player.counts_for_id)
        return see_other(f"{there}?{request.GET.urlencode()}")
    if is_shut(request, club, player):
        return see_other("player", slug, player.id)
    people = {name: _person(request, club, name) for name in ("other", "partner")}
    asked = Asked(
        family=family_asked(request),
        scope=scope_asked(request, club),
        contract=request.GET.get("contract", "").replace("\0", ""),
        **{name: person.counted_id if person else None for name, person in people.items()},
    )
    found = match_list(club, player, asked, page_number(request))
    context = {
        "club": club,
        "player": player,
        "preview": previews.of_club(request, club, player.name),
        "asked": asked,
        "found": found,
        "lines": found.page.lines,
        "page": found.page,
        "which": list(_which(asked, people)),
        "sums": _sums(found, asked),
        "before": address_of(request, found.page.before),
        "after": address_of(request, found.page.after),
    }
    return page_or_part(request, "scoring/player_matches.html", context)


def person_of(club: Club, text: str) -> Player:
    """Somebody of this club, or 404."""
    try:
        found = club.players.filter(pk=UUID(text)).first()
    except ValueError:
        found = None
    if found is None:
        raise Http404(text)
    return found


def is_shut(request: HttpRequest, club: Club, found: Player) -> bool:
    """Whoever is hidden or anonymous shows their figures to nobody but themselves and the owners:
    who they are could be read from them."""
    if found.hidden_at is None and found.anonymised_at is None:
        return False
    is_self = found.user_id is not None and found.user_id == request.user.pk
    return not (is_self or access.may(Action.PEOPLE, club, who(request)))


def _person(request: HttpRequest, club: Club, name: str) -> Player | None:
    text = request.GET.get(name)
    return person_of(club, text) if text else None


def _which(asked: Asked, people: dict[str, Player | None]) -> Iterator[Any]:
    """The filter in words, so that every sum is labelled with what it is of (C82)."""
    if asked.family:
        yield family_name(asked.family)
    if within := asked.scope.season or asked.scope.evening:
        yield words.person(within.name)
    else:
        yield _("of all time")
    if asked.contract:
        yield words.contract(asked.contract)
    if partner := people["partner"]:
        yield format_html(_("as partner of {name}"), name=words.person(partner.name))
    if other := people["other"]:
        yield format_html(_("with {name} at the table"), name=words.person(other.name))


def _sums(found: MatchList, asked: Asked) -> list[Any]:
    text = ngettext("{n} match", "{n} matches", found.matches)
    sums = [format_html(text, n=words.figures(str(found.matches)))]
    if asked.contract:
        text = ngettext("{n} deal", "{n} deals", found.deals)
        sums.append(format_html(text, n=words.figures(str(found.deals))))
    if asked.family:
        text = _("{points} points")
        sums.append(format_html(text, points=words.figures(words.signed(found.points))))
    if not asked.contract:
        text = ngettext("{n} first place", "{n} first places", found.wins)
        sums.append(format_html(text, n=words.figures(str(found.wins))))
    return sums
