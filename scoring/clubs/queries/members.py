"""The accounts of a club, each with the name of its player there as `player_name`."""

from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery

from scoring.models import Club, Membership, Player


def members_of(club: Club) -> list[Membership]:
    """Whoever came first stands first. One query."""
    return list(_members(club).order_by("created_at", "id"))


def member_of(club: Club, member_id: UUID) -> Membership | None:
    """The member of this club with this id. One query."""
    return _members(club).filter(pk=member_id).first()


def _members(club: Club) -> QuerySet[Membership]:
    player = Player.objects.filter(club=club, user=OuterRef("user"))
    members = club.memberships.select_related("user")
    return members.annotate(player_name=Subquery(player.values("name")[:1]))
