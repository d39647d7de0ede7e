"""The rules of one table, for everybody who may see its match."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse

from scoring.access.http import match_for, page_or_part
from scoring.access.permissions import Action
from scoring.house_rules.presenters.presets import rules_label
from scoring.house_rules.presenters.rules_card import rules_card
from scoring.ledger.queries.snapshots import ruleset_of


def match_rules(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match = match_for(request, match_id, Action.SEE_MATCH)
    context = {
        "match": match,
        "label": match.rules_name or rules_label(match.preset, match.system),
        "card": rules_card(ruleset_of(match)),
    }
    return page_or_part(request, "house_rules/match_rules.html", context)
