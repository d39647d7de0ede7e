"""The people of a club: who plays, and finding one by name."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from scoring.models import Club, Match, Player, Seating
from scoring.models.likeness import likeness

OFFERED = 60
# So many matches back somebody counts as a regular.
RECENT = 12


@dataclass(frozen=True)
class People:
    """Who is offered for a seat; `more` are left out until a name is typed."""

    offered: tuple[Player, ...]
    more: int


def people_for_seats(club: Club, wanted: str = "", without: Sequence[Player] = ()) -> People:
    """The club's people who may be seated: those of the last matches first, then by name; with
    `wanted` those whose name may be meant by it. Two queries."""
    players = club.players.filter(archived_at=None, merged_into=None)
    found = [player for player in named(players, wanted) if player not in without]
    if not wanted:
        recent = _recent(club)
        found.sort(key=lambda player: player.id not in recent)
    return People(tuple(found[:OFFERED]), max(0, len(found) - OFFERED))


def named(players: QuerySet[Player], wanted: str) -> list[Player]:
    """Those of these people who may be meant, by name: first whose name is spelled so, then whose
    name sounds so. One query."""
    likely = [
        (-like, player)
        for player in players.order_by("name", "created_at")
        if (like := likeness(wanted, player.name))
    ]
    return [player for _, player in sorted(likely, key=itemgetter(0))]


def _recent(club: Club) -> set[object]:
    last = Match.objects.filter(club=club).order_by("-played_at").values("id")[:RECENT]
    counted = Coalesce("player__counts_for", "player")
    return set(Seating.objects.filter(match__in=last).values_list(counted, flat=True))
