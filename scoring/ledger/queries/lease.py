"""The holder of the table lease, as other phones see it."""

from scoring.common.actor import Actor
from scoring.ledger.queries.match_view import MatchView
from scoring.models import Match, SeatPhone


def keeps(match: Match, actor: Actor) -> bool:
    """Return whether no other phone keeps score."""
    return match.lease_device in (None, actor.device)


def keeper_seat(view: MatchView) -> int | None:
    """Return the seat of the phone that keeps score, else of its account. At most one query."""
    match, device = view.match, view.match.lease_device
    phone = device and SeatPhone.objects.filter(match=match, device=device).first()
    if phone or match.lease_user_id is None:
        return phone.seat if phone else None
    sits = (view.people[one.player_id].user_id == match.lease_user_id for one in view.seats)
    return next((seat for seat, is_there in enumerate(sits) if is_there), None)
