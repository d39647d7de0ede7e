"""A match in figures: the curve of its totals, what turned it, who lost it where, how long."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse

from scoring.forms.doubts import marks
from scoring.forms.story import Story
from scoring.models import MatchState
from scoring.selectors.access import Action
from scoring.selectors.figures import first_entered
from scoring.views import overview, previews
from scoring.views.http import match_for, page_or_part, view_of


def match_figures(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match = match_for(request, match_id, Action.SEE_MATCH)
    view = view_of(request, match)
    story = Story(view)
    context = {
        "match": match,
        "preview": previews.of_match(request, view),
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
    return page_or_part(request, "scoring/match_figures.html", context)
