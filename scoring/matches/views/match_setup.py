"""A new match of a club: people are seated by tapping them in order of play, or by lot.

Who sits so far stands in the address (`?seat=…&seat=…`), so that every tap is a link that works
without a script, Back takes it back, and nothing is written before the match is opened.
"""

import random
from collections.abc import Sequence
from datetime import date
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone

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
from scoring.common.error_sentences import show_refusal
from scoring.common.errors import ServiceError
from scoring.house_rules.presenters.presets import rules_cards
from scoring.house_rules.queries.house_rules import sets_for_today
from scoring.matches.forms.setup import SeatsForm
from scoring.matches.services.matches import NewMatch, open_match
from scoring.models import Club, HouseRules, Player
from scoring.models.days import day_of, noon
from scoring.people.forms.player_form import PlayerForm
from scoring.people.queries.people import names_of, people_for_seats, playing_now
from scoring.people.services.naming import add_player
from scoring.people.services.people import free_guest_name
from scoring.rules import preset

lot = random.SystemRandom()


@preserve_on_csrf_failure
def club_match_new(request: HttpRequest, slug: str) -> HttpResponse:
    club = club_for(request, slug, Action.OPEN)
    seated = _seated(club, request)
    if request.method == "POST" and request.POST.get("action") == "guest":
        return _seat_guest(request, club, seated)
    sets = _sets(club)
    form = SeatsForm(post_data(request), seated=seated, sets=sets, today=_today(club))
    if request.method == "POST" and not expired(request, form) and form.is_valid():
        match = _open(request, form, club, seated)
        if match:
            return match
    if request.method == "GET" and "lot" in request.GET:
        return redirect(f"{request.path}?{_query(lot.sample(seated, len(seated)))}")
    return _page(request, club, seated, form, PlayerForm())


def _today(club: Club) -> date:
    return day_of(club, timezone.now())


def _sets(club: Club) -> list[HouseRules]:
    return sets_for_today(club, _today(club))


def _page(
    request: HttpRequest,
    club: Club,
    seated: Sequence[Player],
    form: SeatsForm,
    guest: PlayerForm,
) -> HttpResponse:
    wanted, busy = request.GET.get("q", ""), playing_now(seated) if seated else {}
    sets = list(form.sets.values())
    context = {
        "club": club,
        "form": form,
        "guest": guest,
        "seats": [*seated, *([None] * (4 - len(seated)))],
        "seated": seated,
        "playing": [(player, busy[player.id]) for player in seated if player.id in busy],
        "people": people_for_seats(club, wanted, without=seated),
        "wanted": wanted,
        "sets": sets,
        "presets": rules_cards(sets, form["rules"].value()),
    }
    status = 422 if request.method == "POST" else 200
    return page_or_part(request, "matches/match_setup.html", context, part="setup", status=status)


def _seated(club: Club, request: HttpRequest) -> list[Player]:
    """The people in the address or the form, in order, at most four, without the one to leave."""
    data: QueryDict = request.POST if request.method == "POST" else request.GET
    ids = [each for each in map(_id, data.getlist("seat")) if each and each != _id(data.get("out"))]
    by_id = club.players.filter(archived_at=None, merged_into=None).in_bulk(ids)
    return [by_id[each] for each in ids if each in by_id][:4]


def _id(text: str | None) -> UUID | None:
    try:
        return UUID(text or "")
    except ValueError:
        return None


def _seat_guest(request: HttpRequest, club: Club, seated: Sequence[Player]) -> HttpResponse:
    """A person nobody has met before: of the club from now on, and on the next free seat. Who it
    was can be said later, by a new name or by a link to claim it (C22)."""
    nameless = {"name": free_guest_name(club)} if "nameless" in request.POST else request.POST
    guest = PlayerForm(nameless, others=names_of(club.players.all()))
    if not expired(request, guest) and guest.is_valid():
        player = add_player(club=club, name=guest.cleaned_data["name"])
        to = redirect(f"{request.path}?{_query([*seated, player])}")
        to.status_code = 303
        return to
    form = SeatsForm(seated=seated, sets=_sets(club), today=_today(club))
    return _page(request, club, seated, form, guest)


def _open(
    request: HttpRequest, form: SeatsForm, club: Club, seated: Sequence[Player]
) -> HttpResponse | None:
    chosen = form.cleaned_data["rules"]
    own = form.sets.get(chosen)
    rules = own.ruleset if own else preset(chosen)
    day = form.cleaned_data["day"]
    # Where the dealer decides who chooses, the page does not ask for the seven of hearts.
    seven = rules.chooser_first == "seven_of_hearts"
    new = NewMatch(
        ruleset=rules,
        preset=own.preset if own else chosen,
        rules_name=own.name if own else "",
        players=seated,
        club=club,
        table_name=form.cleaned_data["table_name"],
        first_chooser=form.cleaned_data["first_chooser"] if seven else None,
        first_dealer=form.cleaned_data["first_dealer"],
        played_at=noon(club, day) if day and day < _today(club) else None,
    )
    key = form.cleaned_data["entry_key"]
    try:
        match = open_match(new, actor=actor_of(request), now=timezone.now(), entry_key=key)
    except ServiceError as refused:
        show_refusal(form, refused.problems, {})
        return None
    return see_other("match", match.id)


def _query(people: Sequence[Player]) -> str:
    return urlencode([("seat", player.id) for player in people])
