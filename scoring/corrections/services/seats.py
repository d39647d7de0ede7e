"""Who sits where: somebody else from a deal on, wrong seats, and back again (C61, C75)."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from scoring.common.errors import RefusalCode, ServiceError, raise_for
from scoring.corrections.queries.seating import (
    holds,
    new_rows,
    newest_number,
    seat_problems,
    taken_back,
)
from scoring.ledger.queries.snapshots import (
    MatchSnapshot,
    sat_at,
    seating_rows,
    sittings,
    snapshot_of,
)
from scoring.ledger.services import chain
from scoring.ledger.services.chain import Write, match_write, same_match
from scoring.models import EventKind, Match, Player, Seating
from scoring.models.names import same_name
from scoring.people.services.naming import Chosen, people_meant, save_guests
from scoring.rules import ProblemCode


@dataclass(frozen=True)
class SeatsPlan:
    """A change of the seats before it is written: its rows, and whether deals were played there
    already, so that it moves points and a reason is asked for."""

    rows: tuple[Seating, ...]
    people: tuple[Player, ...]
    is_late: bool


@match_write(EventKind.SEATS_CHANGED, same_match)
def reseat(
    match: Match, write: Write, *, players: Sequence[Chosen], from_deal: int, reason: str = ""
) -> Match:
    """From this deal on these four sit there, in play order: people of the club, of this match, or
    new guests by name. Points follow the person in the seat at each deal."""
    found = plan(snapshot_of(match), seating_rows(match), players, from_deal)
    reason = chain.needed_reason(reason) if found.is_late else chain.allowed_reason(reason)
    save_guests(found.people)
    chain.append(match, write, EventKind.SEATS_CHANGED, found.rows, reason=reason)
    return match


@match_write(EventKind.SEATS_CHANGED, same_match)
def undo(match: Match, write: Write, *, event_id: UUID, reason: str = "") -> Match:
    """Those sit again who sat before this change, while its seats were not changed since. Needs a
    reason where that moves points."""
    found = plan_undo(snapshot_of(match), seating_rows(match), event_id)
    reason = chain.needed_reason(reason) if found.is_late else chain.allowed_reason(reason)
    facts = {"undoes": event_id}
    chain.append(match, write, EventKind.SEATS_CHANGED, found.rows, facts=facts, reason=reason)
    return match


def plan(
    table: MatchSnapshot, rows: Sequence[Seating], players: Sequence[Chosen], from_deal: int
) -> SeatsPlan:
    """What `reseat` would write; nothing is saved. Refused as that is."""
    most = newest_number(table)
    if not 1 <= from_deal <= most:
        raise ServiceError(ProblemCode.WRONG_NUMBER, "from_deal", {"expected": most})
    people = people_meant(table.match.club, _resolved(table.match, rows, players))
    seats = sittings(rows)
    added = new_rows(seats, people, from_deal)
    raise_for(seat_problems(table, seats, added, from_deal))
    return SeatsPlan(tuple(added), tuple(people), _is_late(table, from_deal))


def plan_undo(table: MatchSnapshot, rows: Sequence[Seating], event_id: UUID) -> SeatsPlan:
    """What `undo` would write; nothing is saved. Refused as that is."""
    own = [row for row in rows if row.event_id == event_id]
    if not own or own[0].event.kind != EventKind.SEATS_CHANGED or not holds(own, rows):
        raise ServiceError(RefusalCode.CHANGED_SINCE, "event")
    back, from_deal = taken_back(own, rows), own[0].from_deal
    raise_for(seat_problems(table, sittings(rows), back, from_deal))
    return SeatsPlan(tuple(back), (), _is_late(table, from_deal))


def _is_late(table: MatchSnapshot, from_deal: int) -> bool:
    return any(deal.deal_number >= from_deal for deal in table.played)


def now_sitting(rows: Sequence[Seating], from_deal: int) -> list[Player]:
    """Who sits there in this deal, by seat."""
    people = {row.player_id: row.player for row in rows}
    return [people[one] for one in sat_at(sittings(rows), from_deal)]


def _resolved(match: Match, rows: Sequence[Seating], players: Sequence[Chosen]) -> list[Chosen]:
    """The people of the match itself are meant first: an archived one may sit on, and without a
    club nobody else has an id or a name that is known here."""
    known = {row.player_id: row.player for row in rows}
    names = {} if match.club_id else {same_name(one.name): one for one in known.values()}
    return [_resolve(match, choice, known, names) for choice in players]


def _resolve(
    match: Match, choice: Chosen, known: dict[UUID, Player], names: dict[str, Player]
) -> Chosen:
    if isinstance(choice, str):
        return names.get(same_name(choice), choice)
    if isinstance(choice, UUID) and (choice in known or match.club_id is None):
        if choice not in known:
            raise ServiceError(RefusalCode.UNKNOWN_PLAYER, "players")
        return known[choice]
    return choice
