"""What hangs on the number of a deal without a row that is rewritten when deals move."""

from scoring.ledger.queries.deal_numbers import renumbered
from scoring.ledger.queries.disputes import disputes_of, ledger_of
from scoring.ledger.queries.snapshots import seating_rows, sittings
from scoring.models import CardRecord, Dispute, Match, Photo, Seating

type Key = tuple[str, object]


def hanging(match: Match) -> dict[Key, int]:
    """By kind and row the deal number of each record and photo that was not withdrawn, of each
    dispute, and of each change of seats. About ten queries; the shifts of the match need not be
    saved yet."""
    found: dict[Key, int] = {}
    for record in renumbered(match, CardRecord.objects.standing().filter(match=match)):
        found[CardRecord.TABLE, record.id] = record.deal_number
    for photo in renumbered(match, Photo.objects.standing().filter(match=match)):
        found[Photo.TABLE, photo.id] = photo.deal_number
    for number, dispute in disputes_of(match, ledger_of(match)).items():
        found[Dispute.TABLE, dispute.opened_seq] = number
    rows = seating_rows(match)
    for own in sittings(rows):
        for one in own[1:]:
            place = one.seat, one.from_deal
            row = next(row for row in reversed(rows) if (row.seat, row.from_deal) == place)
            found[Seating.TABLE, row.id] = one.from_deal
    return found
