"""Differences between the table of deals of our own export and what people type."""

from __future__ import annotations

from scoring.importing.columns import Column
from scoring.importing.values import Cell

AS_TEXT = "'"
"""In a table of values this mark stands before text that spreadsheets would work out."""
BEGINS_A_FORMULA = tuple("=+-@\t\r\n＝＋－＠")

OWN_ID = Column("match_id", "text", ("own_id",), of_deal=False)
LOST = Column("not_carried", "text", ("lost",), of_deal=False)
OWN_COLUMNS = {column.name: column for column in (LOST, OWN_ID)}
"""Only an export has them: which match of which club it is, and why a table cannot carry it."""

REASONS = (*("voided", "not_finished", "substitutes", "penalties", "sums", "namesakes", "hidden"),)
"""What would change results or people if the rows of a match were imported elsewhere. Only exports
of older versions say `namesakes`: people of one name have a number now."""


def unmarked(cell: Cell) -> Cell:
    """Return the text as it was before the export marked it against formulas."""
    if isinstance(cell, str) and cell.startswith(AS_TEXT):
        text = cell.removeprefix(AS_TEXT)
        return text if text.lstrip(AS_TEXT).startswith(BEGINS_A_FORMULA) else cell
    return cell
