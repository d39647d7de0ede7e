"""Standings for a spreadsheet: the rows of the page, nothing is null but what has no value."""

from scoring.rules.standings import Standing
from scoring.spreadsheets import Cell, csv_lines
from scoring.standings.queries.standings import Pair, Person, StandingsPage

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
    """One line for each row, the provisional ones last and without a rank."""
    return "".join(csv_lines([COLUMNS, *map(_cells, page.rows)]))


def _cells(row: Standing) -> list[Cell]:
    entrant, record = row.player, row.record
    assert isinstance(entrant, Person | Pair)
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
