"""Updates for everybody who follows a match.

Pages poll every second and a half and get a body only when there is something new.

The parts are the same for all who look, so nothing of a reader may stand in them: no right, no
token, no name of whoever is signed in.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.http import quote_etag
from django.utils.translation import get_language

from scoring.access import permissions
from scoring.access.http import actor_of, match_for
from scoring.access.permissions import Action
from scoring.common.shared_cache import cache_tag, get_or_render
from scoring.ledger.queries.match_view import MatchView, match_view
from scoring.matches.views import overview, scoresheet
from scoring.matches.views.screen import screen_of
from scoring.models import Match


def live(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """One look-up, besides what the right to see needs, where nothing has changed."""
    match = match_for(request, match_id, Action.SEE_MATCH)
    tag = cache_tag(match)
    response = get_conditional_response(request, etag=quote_etag(tag))
    response = response or HttpResponse(_part(request, match, tag))
    response["ETag"] = quote_etag(tag)
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response


def _part(request: HttpRequest, match: Match, tag: str) -> str:
    kind = request.GET.get("kind", "")
    kind = kind if kind in PARTS else "table"
    public = kind == "screen" or permissions.reads_publicly(match, actor_of(request))
    key = f"{match.id} {tag} {get_language()} {kind} {public}"
    return get_or_render(key, lambda: drawn(match, kind, public), lambda: _is_newest(match, tag))


def drawn(match: Match, kind: str, public: bool) -> str:
    template, context = PARTS[kind]
    view = match_view(match, public=public)
    told = {"public": public, "tag": cache_tag(match)}
    return render_to_string(template, context(view) | told)


def _is_newest(match: Match, tag: str) -> bool:
    """What was read while another phone wrote may be a bit of both."""
    known = Match.objects.select_related("club")
    only = known.only("version", "lease_at", "club__names_version")
    return cache_tag(only.get(pk=match.pk)) == tag


def _table(view: MatchView) -> dict[str, Any]:
    return overview.shown(view, view.turn.chooser)


def _news(view: MatchView) -> dict[str, Any]:
    """For a phone with a form or with rights of its own: what it must know, and it draws itself."""
    settled = " ".join(map(str, view.deals))
    return {"view": view, "settled": settled, "keeper": overview.keeper(view)}


PARTS: dict[str, tuple[str, Callable[[MatchView], dict[str, Any]]]] = {
    "news": ("matches/match/_live_news.html", _news),
    "table": ("matches/match/_now.html", _table),
    "sheet": ("matches/match_sheet.html#live", scoresheet.shown),
    "screen": ("matches/screen.html#live", screen_of),
}
