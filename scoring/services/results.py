"""What a closed match came to: derived rows, written in the transaction that closes it."""

from scoring.models import Match, MatchResult
from scoring.selectors.results import results_of
from scoring.selectors.tables import Table, seating_rows


def refresh(table: Table) -> None:
    """Writes the results of a match anew, with what is under review as it was. Three queries, and
    two where something is."""
    drop(table.match)
    MatchResult.objects.bulk_create(results_of(table.public, seating_rows(table.match)))


def drop(match: Match) -> None:
    MatchResult.objects.filter(match=match).delete()
