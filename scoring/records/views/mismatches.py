"""For the arbiter: deals whose cards say something else than their entry."""

from django.http import HttpRequest, HttpResponse

from scoring.access.http import club_for, page_or_part
from scoring.access.permissions import Action
from scoring.records.presenters.audits import code_words
from scoring.records.queries.mismatches import listed_disagreements


def club_disagreements(request: HttpRequest, slug: str) -> HttpResponse:
    club = club_for(request, slug, Action.JUDGE)
    count, listed = listed_disagreements(club)
    context = {
        "club": club,
        "count": count,
        "more": count - len(listed),
        "listed": [(each, [code_words(code) for code in each.codes]) for each in listed],
    }
    return page_or_part(request, "records/club_disagreements.html", context)
