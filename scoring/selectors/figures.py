"""What the pages of figures are made of, beside what stands in one table."""

from datetime import datetime

from django.db.models import Min

from scoring.models import Deal, Match


def first_entered(match: Match) -> dict[int, datetime]:
    """When each deal was entered for the first time, whatever was corrected later. One query."""
    rows = Deal.objects.filter(match=match).order_by().values_list("deal_number")
    return dict(rows.annotate(at=Min("event__entered_at")))
