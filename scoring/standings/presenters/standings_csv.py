"""Standings as CSV."""

from scoring.rules.standings import Standing
from scoring.spreadsheets import Cell, csv_lines
from scoring.standings.queries.standings import RankedPair, RankedPerson, StandingsPage

COLUMNS = (
    "rank",
    "name",
    "partner",
    "matches",
    "total",
    "average",
    "wins",
    "place",
    "rating",
    "needs",
    "decided_by",
)


def standings_csv(page: StandingsPage) -> str:
    """Return one line for each row, provisional ones last and without a rank."""
    return "".join(csv_lines([COLUMNS, *map(_cells, page.rows)]))


def _cells(row: Standing) -> list[Cell]:
    entrant, record = row.player, row.record
    assert isinstance(entrant, RankedPerson | RankedPair)
    names = [person.name for person in entrant.people]
    whole, tenths = divmod(record.place_tenths, 10)
    return [
        row.rank,
        *(names if len(names) == 2 else [*names, None]),
        record.matches,
        record.total,
        record.average,
        record.wins,
        f"{whole}.{tenths}",
        None if record.rating is None else round(record.rating),
        row.needs or None,
        row.decided_by,
    ]
