"""What a phone stores for use without a network.

The forms of every contract with their texts, fetched once, and with each page the schedule of the
deals to come.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language, ngettext

from scoring.access.http import match_for
from scoring.access.permissions import Action
from scoring.common import words
from scoring.entry.forms.entry import EntryForm
from scoring.entry.forms.roles import Roles
from scoring.entry.views.entry import Entering
from scoring.ledger.queries.match_view import MatchView, match_view
from scoring.matches.queries.offline_state import plan
from scoring.models.canonical import canonical
from scoring.rules import Contract
from scoring.rules.course import dealer_follows_chooser
from scoring.rules.rulesets.offers import prerequisites
from scoring.rules.upcoming import chooser_continues
from trexscore.build import build

MOST_WAITING = 40
"""More deals than any match has."""


def kit(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The forms of all contracts that are offered by themselves, and the words around them."""
    view = match_view(match_for(request, match_id, Action.ENTER))
    offered = list(prerequisites(view.ruleset))
    told = {
        "tag": kit_tag(view),
        "offers": [
            {"key": contract.key, "parts": contract.parts, "before": sorted(before)}
            for contract, before in offered
        ],
        "shared": view.ruleset.contracts_scope == "game",
        "stays": chooser_continues(view.ruleset),
        "beside": dealer_follows_chooser(view.ruleset),
        "again": ["cheat_by"] if view.ruleset.cheat.replay else [],
        "counts": list(_counts()),
        "words": _words(request, view, [contract.key for contract, _ in offered]),
        "forms": {contract.key: _form(request, view, contract) for contract, _ in offered},
    }
    response = JsonResponse(told)
    patch_cache_control(response, private=True, no_cache=True)
    return response


def taken_along(view: MatchView, reader: str, *, enters: bool) -> dict[str, str]:
    """What the page gives to the script: who reads it, which kit it needs and, where deals are
    entered on it, the plan."""
    known = json.dumps(plan(view), separators=(",", ":")) if enters else ""
    return {"reader": reader, "kit": kit_tag(view), "plan": known}


def kit_tag(view: MatchView) -> str:
    """Another one where a form or a word in the kit would be another."""
    match, names = view.match, [each.name for each in view.seats]
    made_of = [build(), get_language(), match.system, canonical(match.options), *names]
    return sha256(json.dumps(made_of).encode()).hexdigest()[:12]


def _words(request: HttpRequest, view: MatchView, keys: list[str]) -> str:
    names = [each.name for each in view.seats]
    by_lot = view.ruleset.contract_order == "drawn"
    context = {"keys": keys, "shorts": words.first_names(names), "by_lot": by_lot}
    return render_to_string("matches/kit.html", context, request)


def _form(request: HttpRequest, view: MatchView, contract: Contract) -> str:
    """Blank, and nobody's: who chooses is said by the script, who deals and leads by the schedule
    once it arrives."""
    form = EntryForm(view.ruleset, contract, [each.name for each in view.seats])
    action = reverse("match", args=[view.match.id])
    entering = Entering(view, view.table.turn, form, Roles(None, None, None), action, uuid4())
    context: dict[str, Any] = {**entering.context(), "offline": True}
    return render_to_string("entry/_form.html", context, request)


def _counts() -> Iterator[str]:
    for count in range(MOST_WAITING + 1):
        yield ngettext(
            "No network: %(count)s deal waits on this phone.",
            "No network: %(count)s deals wait on this phone.",
            count,
        ) % {"count": count}
