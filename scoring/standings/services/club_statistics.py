"""Recalculate the stored statistics of a club, in the background."""

from datetime import datetime

from django.db.models import Max

from scoring.models import Club, ClubFigures, RatingState
from scoring.standings.queries.club_statistics import worked_out


def are_behind(*, club: Club) -> bool:
    """Whether ratings were calculated after the statistics. Two queries at most."""
    rated = RatingState.objects.filter(club=club).aggregate(last=Max("rebuilt_at"))["last"]
    figures = ClubFigures.objects.filter(club=club)
    return rated is not None and not figures.filter(as_of__gte=rated).exists()


def refresh(*, club: Club, now: datetime) -> None:
    """Recalculate them from all finished matches. Two queries."""
    ClubFigures.objects.bulk_create(
        [ClubFigures(club=club, figures=worked_out(club), as_of=now)],
        update_conflicts=True,
        unique_fields=["club"],
        update_fields=["figures", "as_of"],
    )
