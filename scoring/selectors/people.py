"""The people of a club: who plays, and finding one by name."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.models import Club, Match, Player, Seating
from scoring.models.names import same_name

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
    `wanted`, whose name has every word of it. Two queries."""
    players = club.players.filter(archived_at=None).order_by("name", "created_at")
    words = same_name(wanted).split()
    found = [player for player in players if _has_words(player, words) and player not in without]
    recent = _recent(club)
    found.sort(key=lambda player: player.id not in recent)
    return People(tuple(found[:OFFERED]), max(0, len(found) - OFFERED))


def _has_words(player: Player, words: Sequence[str]) -> bool:
    name = same_name(player.name)
    return all(word in name for word in words)


def _recent(club: Club) -> set[object]:
    last = Match.objects.filter(club=club).order_by("-played_at").values("id")[:RECENT]
    return set(Seating.objects.filter(match__in=last).values_list("player_id", flat=True))
