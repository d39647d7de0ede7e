"""A match in figures: the curve of its totals, what turned it, who lost it where, how long."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse

from scoring.access.http import match_for, page_or_part, view_of
from scoring.access.permissions import Action
from scoring.judging.presenters.flags import marks
from scoring.matches.presenters.match_summary import MatchStory
from scoring.matches.views import match_previews, overview
from scoring.models import MatchState
from scoring.standings.queries.statistics import first_entered


def match_figures(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match = match_for(request, match_id, Action.SEE_MATCH)
    view = view_of(request, match)
    story = MatchStory(view)
    context = {
        "match": match,
        "preview": match_previews.of_match(request, view),
        "view": view,
        "voided": match.state == MatchState.VOIDED,
        "marks": list(marks(view).values()),
        **overview.ranking(view),
    }
    if view.sheet.rows:
        context |= {
            "story": story,
            "chart": story.curve(),
            "pace": story.pace(first_entered(match)),
            "costs": [story.by_contract(), story.by_kingdom()],
        }
    return page_or_part(request, "matches/match_figures.html", context)
