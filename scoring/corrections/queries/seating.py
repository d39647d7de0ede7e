"""Who sits where from which deal on, and what a change of that does."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from scoring.common.errors import RefusalCode
from scoring.history.queries.history import reasons
from scoring.ledger.queries.match_view import MatchView
from scoring.ledger.queries.snapshots import MatchSnapshot, Seats, Sitting, sat_at, sittings
from scoring.models import EventKind, Match, MatchEvent, Player, Seating
from scoring.rules import Problem
from scoring.rules.scoresheet import SheetPaper


def newest_number(table: MatchSnapshot) -> int:
    """The last deal from which somebody else may sit: the next one, or where no more comes the
    last that was played."""
    last = max((deal.deal_number for deal in table.played), default=0)
    return max(1, last if table.turn.over else last + 1)


def new_rows(seats: Seats, players: Sequence[Player], from_deal: int) -> list[Seating]:
    """The rows that seat these four from a deal on; those who stay where they are have none."""
    before = sat_at(seats, from_deal)
    return [
        Seating(seat=seat, player=player, from_deal=from_deal)
        for seat, player in enumerate(players)
        if player.id != before[seat]
    ]


def seat_problems(
    table: MatchSnapshot, seats: Seats, rows: Sequence[Seating], from_deal: int
) -> list[Problem]:
    """What speaks against these rows: `nothing_changed`, `inside_subtotal`, a seat that changes
    again later (`seats_changed_later`), a person who would sit twice then."""
    if not rows:
        return [Problem(RefusalCode.NOTHING_CHANGED, "players")]
    if any(is_inside(paper, from_deal) for paper in table.sheet.papers):
        return [Problem(RefusalCode.INSIDE_SUBTOTAL, "from_deal")]
    later = [one for row in rows for one in seats[row.seat] if one.from_deal > from_deal]
    if later:
        numbers = {"seat": later[0].seat, "deal": later[0].from_deal}
        return [Problem(RefusalCode.SEATS_CHANGED_LATER, "from_deal", numbers)]
    return list(_sit_twice(with_rows(seats, rows), from_deal))


def is_inside(paper: SheetPaper, from_deal: int) -> bool:
    """Whether somebody else would sit in the middle of deals whose points nobody can part."""
    subtotal = paper.subtotal
    return bool(paper.still_open) and subtotal.first_deal < from_deal <= subtotal.last_deal


def with_rows(seats: Seats, rows: Sequence[Seating]) -> list[tuple[Sitting, ...]]:
    """The sittings as they would be with these rows."""
    found = [tuple(own) for own in seats]
    for row in rows:
        kept = [one for one in found[row.seat] if one.from_deal < row.from_deal]
        found[row.seat] = (*kept, Sitting(row.seat, row.player_id, row.from_deal))
    return found


def _sit_twice(seats: Seats, from_deal: int) -> list[Problem]:
    numbers = {one.from_deal for own in seats for one in own if one.from_deal >= from_deal}
    for number in sorted(numbers):
        people = sat_at(seats, number)
        for seat, player in enumerate(people):
            if player in people[:seat]:
                return [
                    Problem(
                        RefusalCode.SAME_PERSON, f"players.{seat}", {"seat": seat, "deal": number}
                    )
                ]
    return []


@dataclass(frozen=True)
class SeatChange:
    """One write that changed the seats: who sat down where, in whose place, from which deal."""

    event: MatchEvent
    moves: tuple[tuple[int, str, str, int], ...]
    reason: str
    holds: bool

    @property
    def entered_at(self) -> datetime:
        return self.event.entered_at


def seat_changes(match: Match, rows: Sequence[Seating]) -> list[SeatChange]:
    """Every change of the seats, oldest first. `holds`: no seat of it was changed since, so it can
    be undone. Expects the rows of the match in order; two queries."""
    kinds = (EventKind.SEATS_CHANGED, EventKind.MATCH_REPAIRED)
    written = match.events.filter(kind__in=kinds).select_related("user").order_by("seq")
    events = {event.id: event for event in written}
    words = reasons(events.values())
    found = []
    for event in events.values():
        own = [row for row in rows if row.event_id == event.id]
        if own:
            moves = tuple(_move(row, rows) for row in own)
            reason = words.get(event.id) or ""
            found.append(SeatChange(event, moves, reason, holds(own, rows)))
    return found


def _move(row: Seating, rows: Sequence[Seating]) -> tuple[int, str, str, int]:
    before = sat_at(sittings(rows[: _first_of(row, rows)]), row.from_deal)[row.seat]
    names = {one.player_id: one.player.name for one in rows}
    return row.seat, names[before], names[row.player_id], row.from_deal


def _first_of(row: Seating, rows: Sequence[Seating]) -> int:
    """Where the rows of its event begin."""
    return next(place for place, one in enumerate(rows) if one.event_id == row.event_id)


def holds(own: Sequence[Seating], rows: Sequence[Seating]) -> bool:
    """Whether these rows of one event are the last of their seats."""
    last = {row.seat: row.event_id for row in rows}
    return all(last[row.seat] == row.event_id for row in own)


def taken_back(own: Sequence[Seating], rows: Sequence[Seating]) -> list[Seating]:
    """The rows that seat again who sat there before these of one event, which `hold`."""
    before = sittings(rows[: _first_of(own[0], rows)])
    people = {row.player_id: row.player for row in rows}
    return [
        Seating(
            seat=row.seat,
            player=people[sat_at(before, row.from_deal)[row.seat]],
            from_deal=row.from_deal,
        )
        for row in own
    ]


def sat_changes(view: MatchView) -> dict[int, list[tuple[str, str]]]:
    """By deal number who sits down there for whom, for the sheet."""
    found: dict[int, list[tuple[str, str]]] = {}
    for own in view.sittings:
        for before, after in pairwise(own):
            names = view.people[after.player_id].name, view.people[before.player_id].name
            found.setdefault(after.from_deal, []).append(names)
    return found
