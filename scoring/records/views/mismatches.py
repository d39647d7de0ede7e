"""Page for arbiters: deals in which the card record and the entered score differ."""

from django.http import HttpRequest, HttpResponse

from scoring.access.http import club_for, page_or_part
from scoring.access.permissions import Action
from scoring.records.presenters.audits import code_label
from scoring.records.queries.mismatches import mismatch_list


def club_mismatches(request: HttpRequest, slug: str) -> HttpResponse:
    club = club_for(request, slug, Action.JUDGE)
    count, found = mismatch_list(club)
    context = {
        "club": club,
        "count": count,
        "more": count - len(found),
        "lines": [(line, [code_label(code) for code in line.codes]) for line in found],
    }
    return page_or_part(request, "records/club_mismatches.html", context)
