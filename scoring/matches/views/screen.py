"""The match on a television across the café: read from afar, touched by nobody."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from scoring.access import permissions
from scoring.access.http import actor_of, match_for, page_or_part
from scoring.access.permissions import Action
from scoring.common import words
from scoring.common.shared_cache import cache_tag
from scoring.ledger.queries.match_view import MatchView, match_view
from scoring.matches.views import overview
from scoring.models import LinkKind
from scoring.phones.views import links
from scoring.rules.scoresheet import SheetKingdom

BLOCKS = 4
"""So many kingdoms or rounds fit beside the table: the newest."""


def screen(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """What is under review hangs in the room as it stood before, whoever has opened it."""
    match = match_for(request, match_id, Action.SEE_MATCH)
    shares = permissions.may(Action.SHARE, match, actor_of(request))
    context = screen_of(match_view(match, public=True)) | {
        "tag": cache_tag(match),
        "link": links.card(request, match, LinkKind.VIEW) if shares else None,
    }
    return page_or_part(request, "matches/screen.html", context)


def screen_of(view: MatchView) -> dict[str, Any]:
    kingdoms = list(enumerate(view.sheet.kingdoms, start=1))[-BLOCKS:]
    blocks = [(number, _short_owner(view, one), one.subtotal) for number, one in kingdoms]
    return overview.shown(view, view.turn.chooser) | {"blocks": blocks}


def _short_owner(view: MatchView, kingdom: SheetKingdom) -> str:
    """Whose it is, as the table calls them; nobody's where it is a round."""
    names = words.first_names(view.names_at(kingdom.rows[0].number))
    return "" if kingdom.chooser is None else names[kingdom.chooser]
