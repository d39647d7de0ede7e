"""The rules of one table, for everybody who may see its match."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse

from scoring.forms.presets import rules_label
from scoring.forms.rules_card import rules_card
from scoring.selectors.access import Action
from scoring.selectors.tables import ruleset_of
from scoring.views.http import match_for, page_or_part


def match_rules(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match = match_for(request, match_id, Action.SEE_MATCH)
    context = {
        "match": match,
        "label": match.rules_name or rules_label(match.preset, match.system),
        "card": rules_card(ruleset_of(match)),
    }
    return page_or_part(request, "scoring/match_rules.html", context)
