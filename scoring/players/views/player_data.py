"""Download of everything stored about a player, for that player and the owners."""

from uuid import UUID

from django.http import Http404, HttpRequest, StreamingHttpResponse

from scoring.access import permissions
from scoring.access.http import actor_of
from scoring.access.permissions import Action
from scoring.models import Club
from scoring.players.queries.player_data import group_of, lines_of


def player_data(request: HttpRequest, slug: str, player_id: UUID) -> StreamingHttpResponse:
    """Send the file to the owners and to whoever has claimed the player, member or not."""
    club = Club.objects.filter(slug=slug).first()
    player = club.players.filter(pk=player_id).first() if club else None
    if club is None or player is None:
        raise Http404(slug)
    actor, group = actor_of(request), group_of(player)
    is_self = actor.user is not None and any(one.user_id == actor.user.id for one in group)
    if not is_self and not permissions.may(Action.PEOPLE, club, actor):
        raise Http404(slug)
    response = StreamingHttpResponse(
        lines_of(club, group, actor.user if is_self else None), content_type="application/json"
    )
    response["Content-Disposition"] = f'attachment; filename="{club.slug}-{player.counted_id}.json"'
    response["Cache-Control"] = "private, no-store"
    return response
