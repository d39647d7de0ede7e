"""Rows with today's deal numbers, after deals were inserted or removed in their match."""

from collections.abc import Iterable, Mapping
from copy import copy
from uuid import UUID

from scoring.models import CardRecord, Flag, Match, Photo, Ruling, Seating

type Numbered = CardRecord | Photo | Flag | Ruling
type Seqs = Mapping[UUID, int]


def renumbered[Row: (CardRecord, Photo, Flag, Ruling)](
    match: Match, rows: Iterable[Row], seqs: Seqs | None = None
) -> list[Row]:
    """Return the rows with today's numbers, without those of removed deals.

    Where a number has changed, a copy that must not be saved. One query where deals were moved,
    none where the events are given."""
    if not match.shifts:
        return list(rows)
    seqs = _seqs(match) if seqs is None else seqs
    found = []
    for row in rows:
        number = match.number_now(row.deal_number, seqs.get(row.event_id, 0))
        if number is not None:
            then, row = row.deal_number, copy(row)
            row.deal_number = number
            if isinstance(row, CardRecord):
                row.number_then = then
            found.append(row)
    return found


def seats_now(match: Match, rows: Iterable[Seating], seqs: Seqs | None = None) -> list[Seating]:
    """Return seatings with today's deal numbers."""
    if not match.shifts:
        return list(rows)
    seqs = _seqs(match) if seqs is None else seqs
    found = []
    for row in rows:
        row = copy(row)
        row.from_deal = match.start_now(row.from_deal, seqs.get(row.event_id, 0))
        found.append(row)
    return found


def _seqs(match: Match) -> Seqs:
    return dict(match.events.values_list("id", "seq"))
