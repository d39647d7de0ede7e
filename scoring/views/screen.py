"""The match on a television across the café: read from afar, touched by nobody."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from scoring.forms import words
from scoring.models import LinkKind
from scoring.rules.scoresheet import Kingdom
from scoring.selectors import access
from scoring.selectors.access import Action
from scoring.selectors.matches import MatchView, match_view
from scoring.views import links, overview
from scoring.views.http import match_for, page_or_part, who
from scoring.views.shared import tag_of

BLOCKS = 4
"""So many kingdoms or rounds fit beside the table: the newest."""


def screen(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """What is under review hangs in the room as it stood before, whoever has opened it."""
    match = match_for(request, match_id, Action.SEE_MATCH)
    shares = access.may(Action.SHARE, match, who(request))
    context = screen_of(match_view(match, public=True)) | {
        "tag": tag_of(match),
        "link": links.card(request, match, LinkKind.VIEW) if shares else None,
    }
    return page_or_part(request, "scoring/screen.html", context)


def screen_of(view: MatchView) -> dict[str, Any]:
    kingdoms = list(enumerate(view.sheet.kingdoms, start=1))[-BLOCKS:]
    blocks = [(number, _short_owner(view, one), one.subtotal) for number, one in kingdoms]
    return overview.shown(view, view.turn.chooser) | {"blocks": blocks}


def _short_owner(view: MatchView, kingdom: Kingdom) -> str:
    """Whose it is, as the table calls them; nobody's where it is a round."""
    names = words.first_names(view.names_at(kingdom.rows[0].number))
    return "" if kingdom.chooser is None else names[kingdom.chooser]
