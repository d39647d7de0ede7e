"""Who keeps score at a table, as its other phones are told."""

from scoring.models import Match, SeatPhone
from scoring.selectors.matches import MatchView
from scoring.selectors.who import Who


def keeps(match: Match, who: Who) -> bool:
    """Whether no other phone does."""
    return match.lease_device in (None, who.device)


def keeper_name(view: MatchView) -> str:
    """Whose seat the phone has, else its account: by the name at the table where it plays there.
    Empty for a phone of which nothing is known. At most two queries."""
    match = view.match
    phone = SeatPhone.objects.filter(match=match, device=match.lease_device).first()
    if phone:
        return view.seats[phone.seat].name
    if match.lease_user_id is None or match.lease_user is None:
        return ""
    own = (one for one in view.seats if view.people[one.player_id].user_id == match.lease_user_id)
    seat = next(own, None)
    return seat.name if seat else match.lease_user.username
