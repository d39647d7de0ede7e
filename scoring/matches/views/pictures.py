"""The result as a picture, for a chat: what everybody may see of a match, whoever asks for it.

A picture leaves the house with whoever has it, so nobody is given more than an outsider may see.
"""

from hashlib import sha256
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.http import quote_etag

from scoring.access.http import match_for
from scoring.access.permissions import Action
from scoring.common.shared_cache import get_or_render
from scoring.ledger.queries.match_view import match_view
from scoring.matches.presenters.card import ShareCard, card, drawn
from trexscore.build import build


def match_picture(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """Drawn once for all who see the same on it. `?language=`: who fetches a preview has none."""
    match = match_for(request, match_id, Action.SEE_MATCH)
    with translation.override(_language(request)):
        shown = card(match_view(match))
        etag = quote_etag(_name(shown))
        response = get_conditional_response(request, etag=etag) or HttpResponse(
            get_or_render(_name(shown), lambda: drawn(shown), lambda: True),
            content_type="image/png",
        )
    response["ETag"] = etag
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response


def _name(shown: ShareCard) -> str:
    """Another one for whatever is drawn otherwise: a total, a name, a new way of drawing."""
    return sha256(f"{build()} {shown!r}".encode()).hexdigest()


def _language(request: HttpRequest) -> str:
    named = request.GET.get("language", "")
    return named if named in dict(settings.LANGUAGES) else translation.get_language() or "en"
