"""The deals of a club whose record and entry cannot both be right, for whoever judges them."""

from django.db.models import QuerySet

from scoring.models import Club, Verdict
from scoring.records.queries.archive import Line, lines_of

LISTED = 50


def disagreements(club: Club) -> QuerySet[Verdict]:
    """Of matches that are kept, the last played first."""
    rows = Verdict.objects.filter(club=club).disagreeing().exclude(match__state="voided")
    return rows.order_by("-played_at", "match", "deal_number")


def listed_disagreements(club: Club) -> tuple[int, tuple[Line, ...]]:
    """How many there are, and the first of them. Three queries."""
    found = disagreements(club)
    return found.count(), lines_of(found[:LISTED])
