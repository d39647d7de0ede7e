"""The people of a club: who plays, and finding one by name."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from uuid import UUID

from django.db.models import Count, QuerySet
from django.db.models.functions import Coalesce

from scoring.ledger.queries.snapshots import seating_rows, sittings
from scoring.models import (
    Club,
    Match,
    MatchResult,
    MatchState,
    PersonEvent,
    Player,
    Seating,
)
from scoring.models.name_matching import similarity
from scoring.models.names import same_name

OFFERED = 60
LISTED = 200
ALIKE = 12
SUGGESTED = 5
EVENTS = 30
# So many matches back somebody counts as a regular.
RECENT = 12


@dataclass(frozen=True)
class People:
    """Who is offered for a seat; `more` are left out until a name is typed. `namesakes`: whose
    name is that of somebody else who might be meant."""

    offered: tuple[Player, ...]
    more: int
    namesakes: frozenset[UUID] = frozenset()


def people_for_seats(club: Club, wanted: str = "", without: Sequence[Player] = ()) -> People:
    """The club's people who may be seated: those of the last matches first, then by name; with
    `wanted` those whose name may be meant by it. Two queries."""
    players = club.players.filter(archived_at=None, merged_into=None)
    likely = named(players, wanted)
    found = [player for player in likely if player not in without]
    if not wanted:
        recent = _recent(club)
        found.sort(key=lambda player: player.id not in recent)
    return People(tuple(found[:OFFERED]), max(0, len(found) - OFFERED), namesakes(likely))


def people_alike(club: Club, typed: str, *, seatable: bool, without: Collection[UUID]) -> People:
    """Who may be meant by a name that is being typed, of those who may be seated or of all, the
    likeliest first; two letters at least. One query."""
    if len(typed) < 2:
        return People((), 0)
    likely = named(club.players.filter(merged_into=None), typed)
    found = [one for one in likely if not (seatable and one.archived_at) and one.id not in without]
    return People(tuple(found[:SUGGESTED]), max(0, len(found) - SUGGESTED), namesakes(likely))


def namesakes(people: Iterable[Player]) -> frozenset[UUID]:
    """Those whose name somebody else of them has too."""
    by_name: dict[str, list[UUID]] = {}
    for player in people:
        by_name.setdefault(same_name(player.plain_name), []).append(player.id)
    return frozenset(one for ids in by_name.values() if len(ids) > 1 for one in ids)


def names_of(people: Iterable[Player]) -> list[str]:
    """What they are called, with and without the numbers that tell namesakes apart."""
    return list(dict.fromkeys(name for one in people for name in (one.plain_name, one.name)))


def named(players: QuerySet[Player], wanted: str) -> list[Player]:
    """Those of these people who may be meant, by name: first whose name is spelled so, then whose
    name sounds so. One query."""
    likely = [
        (-like, player)
        for player in players.order_by("name", "created_at")
        if (like := similarity(wanted, player.name))
    ]
    return [player for _, player in sorted(likely, key=itemgetter(0))]


def people_of(club: Club) -> list[Player]:
    """Everybody who counts for themselves, put away or not, by name. One query."""
    return list(club.players.filter(merged_into=None).order_by("name", "created_at"))


def _recent(club: Club) -> set[object]:
    last = Match.objects.filter(club=club).order_by("-played_at").values("id")[:RECENT]
    counted = Coalesce("player__counts_for", "player")
    return set(Seating.objects.filter(match__in=last).values_list(counted, flat=True))


def evening_of(match_id: UUID) -> set[UUID]:
    """This match and all others without a club in which any of its people sat, or any of theirs.
    One query more for each match further away."""
    found, new = {match_id}, {match_id}
    while new:
        people = Player.objects.filter(seatings__match__in=new, club=None).values("id")
        sat = Match.objects.filter(club=None, seatings__player__in=people)
        new = set(sat.values_list("id", flat=True)) - found
        found |= new
    return found


# ── one person, for whoever keeps the list ──────────────────────────────


@dataclass(frozen=True)
class PersonFile:
    """What is known of a person beside their matches: who was merged into them, who might be the
    same person, and what was done with them, the newest first."""

    player: Player
    merged: tuple[Player, ...]
    alike: tuple[Player, ...]
    events: tuple[PersonEvent, ...]


def person_of(club: Club, player_id: UUID) -> Player | None:
    """One query."""
    known = club.players.select_related("club", "user", "merged_into", "counts_for")
    return known.filter(pk=player_id).first()


def file_of(player: Player, wanted: str = "") -> PersonFile:
    """With `wanted` those are alike whose name may be meant by it. Three queries."""
    assert player.club is not None
    others = player.club.players.filter(merged_into=None).exclude(pk=player.pk)
    alike = (
        named(others, wanted) if wanted else _alike(others, player.own_name or player.plain_name)
    )
    merged = player.merged.order_by("own_name", "created_at")
    events = PersonEvent.objects.filter(player=player).select_related("user", "other")
    return PersonFile(
        player, tuple(merged), tuple(alike[:ALIKE]), tuple(events.order_by("-at", "-id")[:EVENTS])
    )


def _alike(players: QuerySet[Player], name: str) -> list[Player]:
    """Those whose name may be a longer or a shorter way to write this one. One query."""
    by_name = players.order_by("name", "created_at")
    return [
        one for one in by_name if similarity(name, one.name) or similarity(one.plain_name, name)
    ]


def matches_played(people: Iterable[Player]) -> dict[UUID, int]:
    """How many finished matches count for each. One query."""
    rows = MatchResult.objects.filter(player__in=list(people)).order_by()
    counts = rows.values_list("player").annotate(count=Count("match", distinct=True))
    return dict(counts)


def playing_now(players: Iterable[Player]) -> dict[UUID, Match]:
    """The running match in which each of these people sits, for those who do. Two queries."""
    wanted = {player.id for player in players}
    rows = Seating.objects.filter(player__in=wanted, match__state=MatchState.RUNNING)
    matches = Match.objects.in_bulk(rows.values_list("match_id", flat=True))
    return {
        seat[-1].player_id: match
        for match in matches.values()
        for seat in sittings(seating_rows(match, events=False))
        if seat[-1].player_id in wanted
    }
