"""The people of a club: added, renamed, archived. Nobody is ever deleted."""

from collections.abc import Sequence
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.forms import words
from scoring.forms.setup import PlayerForm
from scoring.models import Club, Player
from scoring.models.names import same_name
from scoring.selectors import access
from scoring.selectors.access import Action
from scoring.services.clubs import add_player, archive_player, rename_player
from scoring.views.http import (
    club_for,
    expired,
    insist,
    keeps_typed,
    page_or_part,
    posted,
    see_other,
    who,
)


@keeps_typed
def club_players(request: HttpRequest, slug: str) -> HttpResponse:
    club = club_for(request, slug, Action.SEE_CLUB)
    people = list(club.players.order_by("name", "created_at"))
    edited = _edited(people, request.GET.get("edit"))
    form = _form(request, people, edited)
    if request.method == "POST":
        insist(request, Action.PLAYERS, club)
        if not expired(request, form) and _act(request, form, club, edited):
            return see_other("club_players", slug)
    context = {
        "club": club,
        "form": form,
        "edited": edited,
        "people": [player for player in people if player.archived_at is None],
        "archived": [player for player in people if player.archived_at is not None],
        "namesakes": _namesakes(people),
        "may_change": access.may(Action.PLAYERS, club, who(request)),
    }
    status = 422 if request.method == "POST" else 200
    return page_or_part(request, "scoring/players.html", context, status=status)


def _edited(people: Sequence[Player], wanted: str | None) -> Player | None:
    """The person whose line is open for a change."""
    if not wanted:
        return None
    found = [player for player in people if str(player.id) == wanted]
    if not found:
        raise Http404(wanted)
    return found[0]


def _form(request: HttpRequest, people: Sequence[Player], edited: Player | None) -> PlayerForm:
    others = {same_name(player.name): player.name for player in people if player != edited}
    initial = {"name": edited.name} if edited else {}
    return PlayerForm(posted(request), initial=initial, others=others)


def _act(request: HttpRequest, form: PlayerForm, club: Club, edited: Player | None) -> bool:
    """Does what the button says; false when the form has something to say first."""
    action = request.POST.get("action")
    if edited and action in ("archive", "bring_back"):
        archive_player(player=edited, now=timezone.now() if action == "archive" else None)
        messages.success(request, _archived_words(edited))
        return True
    if not form.is_valid():
        return False
    name = form.cleaned_data["name"]
    if edited:
        messages.success(request, _said(_("{old} is now {new}."), old=edited.name, new=name))
        rename_player(player=edited, name=name)
    else:
        add_player(club=club, name=name)
        messages.success(request, _said(_("{name} can sit at tables now."), name=name))
    return True


def _archived_words(player: Player) -> SafeString:
    if player.archived_at:
        return _said(_("{name} is put away; old matches keep the name."), name=player.name)
    return _said(_("{name} is back."), name=player.name)


def _said(sentence: str, **names: str) -> SafeString:
    return format_html(sentence, **{key: words.person(name) for key, name in names.items()})


def _namesakes(people: Sequence[Player]) -> set[UUID]:
    """Those whose name somebody else of the club has too."""
    by_name: dict[str, list[UUID]] = {}
    for player in people:
        by_name.setdefault(same_name(player.name), []).append(player.id)
    return {one for ids in by_name.values() if len(ids) > 1 for one in ids}
