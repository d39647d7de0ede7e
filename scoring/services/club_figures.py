"""What the page of a club's figures shows beside sums: a derived row, written in the background."""

from datetime import datetime

from scoring.models import Club, ClubFigures
from scoring.selectors.club_figures import worked_out


def refresh(*, club: Club, now: datetime) -> None:
    """Works it out anew from all finished matches: not while somebody waits. Two queries."""
    ClubFigures.objects.bulk_create(
        [ClubFigures(club=club, figures=worked_out(club), as_of=now)],
        update_conflicts=True,
        unique_fields=["club"],
        update_fields=["figures", "as_of"],
    )
