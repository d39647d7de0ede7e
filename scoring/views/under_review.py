"""What those from outside are told of the cards and photos of a deal that is under review."""

from django.http import HttpRequest, HttpResponse

from scoring.selectors.matches import MatchView
from scoring.views.http import page_or_part


def under_review(request: HttpRequest, view: MatchView, number: int) -> HttpResponse:
    context = {"match": view.match, "view": view, "number": number}
    return page_or_part(request, "scoring/under_review.html", context)
