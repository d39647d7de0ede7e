"""For the arbiter: deals whose cards say something else than their entry."""

from django.http import HttpRequest, HttpResponse

from scoring.forms.audits import code_words
from scoring.selectors.access import Action
from scoring.selectors.disagreements import listed_disagreements
from scoring.views.http import club_for, page_or_part


def club_disagreements(request: HttpRequest, slug: str) -> HttpResponse:
    club = club_for(request, slug, Action.JUDGE)
    count, listed = listed_disagreements(club)
    context = {
        "club": club,
        "count": count,
        "more": count - len(listed),
        "listed": [(each, [code_words(code) for code in each.codes]) for each in listed],
    }
    return page_or_part(request, "scoring/club_disagreements.html", context)
