"""What a closed match came to for each person who sat in it, worked out from its table."""

from collections.abc import Sequence

from scoring.models import MatchResult, Seating
from scoring.rules.scoresheet import Row
from scoring.selectors.tables import Sitting, Table, sittings


def results_of(table: Table, seats: Sequence[Seating]) -> list[MatchResult]:
    """The rows that ought to be there, not saved. Points follow the person (C75); total and place
    are those of the seat at the end, in teams of the team."""
    return [
        _result(table, sitting, until=seat[place + 1].from_deal if place + 1 < len(seat) else None)
        for seat in sittings(seats)
        for place, sitting in enumerate(seat)
    ]


def _result(table: Table, sitting: Sitting, until: int | None) -> MatchResult:
    match, sheet, seat = table.match, table.sheet, sitting.seat
    rows = [row for row in sheet.rows if _sat(row, sitting.from_deal, until)]
    return MatchResult(
        match=match,
        club_id=match.club_id,
        player_id=sitting.player_id,
        system=match.system,
        win=table.ruleset.win,
        in_teams=table.ruleset.has_teams,
        seat=seat,
        deals=sum(row.deal is not None for row in rows),
        points=sum(row.points[seat] for row in rows),
        total=sheet.team_totals[seat % 2] if sheet.team_totals else sheet.totals[seat],
        place=sheet.places[seat],
        played_at=match.played_at,
    )


def _sat(row: Row, from_deal: int, until: int | None) -> bool:
    """Whether a line of the sheet belongs to somebody who sat from this deal to before that one.
    An adjustment belongs to who sat in the deal before it."""
    number = row.deal.deal_number if row.deal else max(row.adjustment.after_deal, 1)  # type: ignore[union-attr]
    return from_deal <= number and (until is None or number < until)
