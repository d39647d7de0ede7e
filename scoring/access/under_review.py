"""Page that stands in for cards and photos of a deal while the deal is under review."""

from django.http import HttpRequest, HttpResponse

from scoring.access.http import page_or_part
from scoring.ledger.queries.match_view import MatchView


def under_review(request: HttpRequest, view: MatchView, number: int) -> HttpResponse:
    context = {
        "match": view.match,
        "view": view,
        "number": number,
        "has_deal": number in view.deals,
    }
    return page_or_part(request, "access/under_review.html", context)
