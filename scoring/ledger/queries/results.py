"""Results of a match for each person who sat in it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from scoring.ledger.queries.snapshots import MatchSnapshot, Sitting, sittings
from scoring.models import ContractResult, MatchResult, Seating
from scoring.rules import rules_key
from scoring.rules.scoresheet import ScoreRow, Scoresheet
from scoring.rules.seats import partner_of
from scoring.rules.statistics.contract_counts import ContractTally, counts_of

type Seats = Sequence[Sequence[Sitting]]
type Whose = Mapping[UUID, UUID]
"""Whom the points of a person belong to, where it is somebody else: two were merged."""


@dataclass(frozen=True)
class Share:
    """The number of deals and the points of one person in one seat."""

    seat: int
    player_id: UUID
    deals: int
    points: int


def shares(sheet: Scoresheet, seats: Seats) -> list[Share]:
    """Return one share for each person and seat, in the order of seats and sittings.

    Points follow the person (C75). Somebody who came back to a seat has one share for both times.
    An adjustment belongs to the person of the deal before it, a line from paper to those of its
    deals."""
    found: dict[tuple[int, UUID], Share] = {}
    for sitting, rows in _rows_of_sittings(sheet, seats):
        key = sitting.seat, sitting.player_id
        before = found.get(key) or Share(*key, 0, 0)
        deals = before.deals + sum(row.deals for row in rows)
        points = before.points + sum(row.points[sitting.seat] for row in rows)
        found[key] = Share(*key, deals, points)
    return list(found.values())


def _rows_of_sittings(sheet: Scoresheet, seats: Seats) -> Iterator[tuple[Sitting, list[ScoreRow]]]:
    """Yield each sitting with the rows of the sheet that belong to it."""
    for own in seats:
        for place, sitting in enumerate(own):
            until = own[place + 1].from_deal if place + 1 < len(own) else None
            yield sitting, [row for row in sheet.rows if _sat(row, sitting.from_deal, until)]


def _sat(row: ScoreRow, from_deal: int, until: int | None) -> bool:
    number = max(row.number, 1)
    return from_deal <= number and (until is None or number < until)


def points_of_people(sheet: Scoresheet, seats: Sequence[Seating]) -> dict[UUID, int]:
    """Return the points of everybody who ever sat here, over all their seats."""
    return points_of_sittings(sheet, sittings(seats))


def points_of_sittings(sheet: Scoresheet, seats: Seats) -> dict[UUID, int]:
    """Return the points of people from sittings. No query."""
    sums: dict[UUID, int] = {}
    for share in shares(sheet, seats):
        sums[share.player_id] = sums.get(share.player_id, 0) + share.points
    return sums


def owners_of_points(seats: Sequence[Seating]) -> dict[UUID, UUID]:
    """Return whom the points belong to; expects the rows with their players."""
    return {row.player_id: row.player.counted_id for row in seats}


def results_of(table: MatchSnapshot, seats: Sequence[Seating]) -> list[MatchResult]:
    """Return the result rows that should exist, not saved; expects the seats with their players."""
    return results_of_sittings(table, sittings(seats), owners_of_points(seats))


def results_of_sittings(table: MatchSnapshot, seats: Seats, whose: Whose) -> list[MatchResult]:
    """Return result rows from sittings, not saved. No query.

    Total and place are those of the seat at the end, in teams of the team. A person who sat in no
    deal has none."""
    sat = [share for share in shares(table.sheet, seats) if share.deals or share.points]
    partners = _partners(table, seats, sat)
    return [_result(table, share, whose, partners) for share in sat]


def _partners(
    table: MatchSnapshot, seats: Seats, sat: Sequence[Share]
) -> dict[tuple[int, UUID], UUID]:
    """Return by seat and person who sat opposite at the end, where teams play."""
    if not (table.ruleset.has_teams and sat):
        return {}
    there = {(share.seat, share.player_id) for share in sat}
    last = [(own[-1].seat, own[-1].player_id) for own in seats if own]
    return {
        each: opposite[1]
        for each, opposite in ((last[seat], last[partner_of(seat)]) for seat in range(4))
        if {each, opposite} <= there
    }


def _result(
    table: MatchSnapshot, share: Share, whose: Whose, partners: Mapping[tuple[int, UUID], UUID]
) -> MatchResult:
    match, sheet, seat = table.match, table.sheet, share.seat
    return MatchResult(
        match=match,
        club_id=match.club_id,
        evening_id=match.evening_id,
        player_id=whose.get(share.player_id, share.player_id),
        seated_id=share.player_id,
        partner_id=partners.get((seat, share.player_id)),
        system=match.system,
        win=table.ruleset.win,
        rules_key=rules_key(table.ruleset),
        in_teams=table.ruleset.has_teams,
        seat=seat,
        deals=share.deals,
        points=share.points,
        total=sheet.team_totals[seat % 2] if sheet.team_totals else sheet.totals[seat],
        place=sheet.places[seat],
        played_at=match.played_at,
        opened_at=match.opened_at,
    )


def contract_results_of(table: MatchSnapshot, seats: Seats, whose: Whose) -> list[ContractResult]:
    """Return each person's counts by contract, not saved. No query.

    Deals that nobody has filled in from paper are in none. Only a match of a club has any."""
    if table.match.club_id is None:
        return []
    found: dict[tuple[UUID, str], ContractTally] = {}
    for sitting, rows in _rows_of_sittings(table.sheet, seats):
        player = whose.get(sitting.player_id, sitting.player_id)
        for row in rows:
            if row.deal:
                key = player, row.deal.entry.contract.key
                counts = counts_of(row, sitting.seat, table.ruleset)
                found[key] = found.get(key, ContractTally()).added(counts)
    return [_contract_result(table, *key, counts) for key, counts in found.items()]


def _contract_result(
    table: MatchSnapshot, player: UUID, contract: str, counts: ContractTally
) -> ContractResult:
    match = table.match
    return ContractResult(
        match=match,
        club=match.club,
        player_id=player,
        system=match.system,
        win=table.ruleset.win,
        contract=contract,
        **counts._asdict(),
    )
