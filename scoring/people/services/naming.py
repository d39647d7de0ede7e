"""Players by name: found among a club's people, else made."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from scoring.common.errors import RefusalCode, ServiceError, raise_for
from scoring.models import Club, Player
from scoring.models.clubs import NAME_LENGTH
from scoring.models.names import clean_name, same_name
from scoring.rules import Problem, ProblemCode

Chosen = Player | UUID | str


def kept_name(text: str, field: str = "name", limit: int = NAME_LENGTH) -> str:
    """The name as it is kept; refused when it is empty or too long."""
    name = clean_name(text)
    raise_for(_name_problems(name, field, limit))
    return name


def add_player(
    *, club: Club, name: str, is_guest: bool = True, is_unverified: bool = False
) -> Player:
    """A new person of the club. Two people may have one name."""
    return Player.objects.create(
        club=club, name=kept_name(name), is_guest=is_guest, is_unverified=is_unverified
    )


def seat_people(club: Club | None, chosen: Sequence[Chosen]) -> list[Player]:
    """The four people of a table, saved. Three queries and one for each guest."""
    people = people_meant(club, chosen, namesakes=club is None)
    save_guests(people)
    return people


def save_guests(people: Sequence[Player]) -> None:
    """Those of these people who are new are kept, which locks the club; the others are held."""
    known = [player for player in people if not player._state.adding]
    for player in people:
        if player._state.adding:
            player.save(force_insert=True)
    hold(known)


def hold(people: Iterable[Player]) -> None:
    """Nobody is merged into another one of them before the end of the transaction; refused where
    that was done since they were looked at. One query, none without a club."""
    known = {one.id: one for one in people if one.club_id and not one._state.adding}
    if not known:
        return
    rows = Player.objects.select_for_update(no_key=True).filter(id__in=known).order_by("id")
    for now in rows.only("counts_for"):
        if now.counted_id != known[now.id].counted_id:
            raise ServiceError(RefusalCode.UNKNOWN_PLAYER, "players")


def people_meant(
    club: Club | None, chosen: Sequence[Chosen], *, namesakes: bool = False
) -> list[Player]:
    """The four people of a table; nothing is saved. A name that exactly one player of the club has
    means that player; any other name makes a guest, with `namesakes` two guests of one name. One
    query."""
    known = _known(club, chosen)
    by_id = {player.id: player for player in known}
    people = [_meant(club, choice, known, by_id) for choice in chosen]
    fields = [f"players.{seat}" for seat in range(len(people))]
    problems = [
        problem
        for player, field in zip(people, fields, strict=True)
        for problem in _player_problems(club, player, field)
    ]
    raise_for([*problems, *_same_people(people, namesakes)])
    return [player for player in people if player is not None]


def _known(club: Club | None, chosen: Sequence[Chosen]) -> list[Player]:
    """The players that may be meant, in one query."""
    ids = [choice for choice in chosen if isinstance(choice, UUID)]
    names = [clean_name(choice) for choice in chosen if isinstance(choice, str)]
    given = [choice for choice in chosen if isinstance(choice, Player)]
    if club is None:
        return [*given, *(Player.objects.filter(id__in=ids, club=None) if ids else [])]
    players = club.players.filter(archived_at=None, merged_into=None)
    found = players.filter(id__in=ids) | players.filter(name__in=names)
    return [*given, *(found if ids or names else [])]


def _meant(
    club: Club | None, choice: Chosen, known: Sequence[Player], by_id: dict[UUID, Player]
) -> Player | None:
    if isinstance(choice, Player):
        return choice
    if isinstance(choice, UUID):
        return by_id.get(choice)
    name = clean_name(choice)
    namesakes = [player for player in known if player.name == name]
    if club is not None and len(namesakes) == 1:
        return namesakes[0]
    return Player(club=club, name=name, is_guest=True)


def _player_problems(club: Club | None, player: Player | None, field: str) -> list[Problem]:
    if player is None or player.club_id != (club.id if club else None):
        return [Problem(RefusalCode.UNKNOWN_PLAYER, field)]
    return _name_problems(player.name, field, NAME_LENGTH) if player._state.adding else []


def _name_problems(name: str, field: str, limit: int) -> list[Problem]:
    if not name:
        return [Problem(ProblemCode.MISSING, field)]
    if len(name) > limit:
        return [Problem(RefusalCode.TOO_LONG, field, {"limit": limit, "length": len(name)})]
    return []


def _same_people(people: Sequence[Player | None], namesakes: bool) -> list[Problem]:
    """Somebody who sits here already: the same person, or without `namesakes` a new name that a
    reader cannot tell from another at the table."""
    problems = []
    for seat, player in enumerate(people):
        earlier = [other for other in people[:seat] if other]
        if player is not None and any(_are_one(player, other, namesakes) for other in earlier):
            problems.append(Problem(RefusalCode.SAME_PERSON, f"players.{seat}", {"seat": seat}))
    return problems


def _are_one(one: Player, other: Player, namesakes: bool) -> bool:
    guests = not namesakes and (one._state.adding or other._state.adding)
    return one.counted_id == other.counted_id or (
        guests and same_name(one.name) == same_name(other.name)
    )
