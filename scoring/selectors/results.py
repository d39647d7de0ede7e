"""What a match came to for each person who sat in it, worked out from its table."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from scoring.models import MatchResult, Seating
from scoring.rules.scoresheet import Row, Scoresheet
from scoring.selectors.tables import Sitting, Table, sittings


@dataclass(frozen=True)
class Share:
    """What one person had in one seat: so many deals, and their points."""

    seat: int
    player_id: UUID
    deals: int
    points: int


def shares(sheet: Scoresheet, seats: Sequence[Sequence[Sitting]]) -> list[Share]:
    """One for each person and seat, in the order of seats and sittings; points follow the person
    (C75). Somebody who came back to a seat has one for both times. An adjustment belongs to who
    sat in the deal before it, a line from paper to who sat in its deals."""
    found: dict[tuple[int, UUID], Share] = {}
    for seat, own in enumerate(seats):
        for place, sitting in enumerate(own):
            until = own[place + 1].from_deal if place + 1 < len(own) else None
            rows = [row for row in sheet.rows if _sat(row, sitting.from_deal, until)]
            key = seat, sitting.player_id
            before = found.get(key) or Share(*key, 0, 0)
            deals = before.deals + sum(row.deals for row in rows)
            points = before.points + sum(row.points[seat] for row in rows)
            found[key] = Share(*key, deals, points)
    return list(found.values())


def _sat(row: Row, from_deal: int, until: int | None) -> bool:
    number = max(row.number, 1)
    return from_deal <= number and (until is None or number < until)


def points_of_people(sheet: Scoresheet, seats: Sequence[Seating]) -> dict[UUID, int]:
    """Everybody who ever sat here, with the points of all their seats."""
    return points_of_sittings(sheet, sittings(seats))


def points_of_sittings(sheet: Scoresheet, seats: Sequence[Sequence[Sitting]]) -> dict[UUID, int]:
    """The same where it is known already who sat where. No query."""
    sums: dict[UUID, int] = {}
    for share in shares(sheet, seats):
        sums[share.player_id] = sums.get(share.player_id, 0) + share.points
    return sums


def results_of(table: Table, seats: Sequence[Seating]) -> list[MatchResult]:
    """The rows that ought to be there, not saved. Total and place are those of the seat at the
    end, in teams of the team. Who sat in no deal has none."""
    return results_of_sittings(table, sittings(seats))


def results_of_sittings(table: Table, seats: Sequence[Sequence[Sitting]]) -> list[MatchResult]:
    """The same where it is known already who sat where. No query."""
    sat = [share for share in shares(table.sheet, seats) if share.deals or share.points]
    return [_result(table, share) for share in sat]


def _result(table: Table, share: Share) -> MatchResult:
    match, sheet, seat = table.match, table.sheet, share.seat
    return MatchResult(
        match=match,
        club_id=match.club_id,
        player_id=share.player_id,
        seated_id=share.player_id,
        system=match.system,
        win=table.ruleset.win,
        in_teams=table.ruleset.has_teams,
        seat=seat,
        deals=share.deals,
        points=share.points,
        total=sheet.team_totals[seat % 2] if sheet.team_totals else sheet.totals[seat],
        place=sheet.places[seat],
        played_at=match.played_at,
        opened_at=match.opened_at,
    )
