"""Deals of a club whose card record and entered score cannot both be right."""

from django.db.models import QuerySet

from scoring.models import Club, Verdict
from scoring.records.queries.archive import RecordLine, lines_of

LISTED = 50


def mismatches(club: Club) -> QuerySet[Verdict]:
    """Return the verdicts of these deals, the last played first; no voided matches."""
    rows = Verdict.objects.filter(club=club).disagreeing().exclude(match__state="voided")
    return rows.order_by("-played_at", "match", "deal_number")


def mismatch_list(club: Club) -> tuple[int, tuple[RecordLine, ...]]:
    """Return the number of mismatches and the first of them. Three queries."""
    found = mismatches(club)
    return found.count(), lines_of(found[:LISTED])
