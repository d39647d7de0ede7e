"""Pages of contracts without answers, which a phone fills from its offline bundle.

So a contract opens at once.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from scoring.entry.forms.roles import proposed
from scoring.entry.views.entry import Entering, new_entering
from scoring.ledger.queries.match_view import MatchView
from scoring.rules import Contract
from scoring.rules.rulesets.offers import prerequisites


def shells(request: HttpRequest, view: MatchView, context: dict[str, Any]) -> Iterator[SafeString]:
    """One for all contracts with the same dealer and leader. None where the form holds more than
    the kit knows: another chooser or deal than proposed, contracts that are taken unplayed."""
    if not context["may_enter"] or context["at"] or context["unplayed"]:
        return
    for opened in _alike(view, context["contracts"]):
        told = {**context, **_entering(view, opened[0]).context()}
        told |= {"shell": True, "opens": [contract.key for contract in opened]}
        yield render_to_string("matches/match/_shell.html", told, request)


def _alike(view: MatchView, contracts: Sequence[Contract]) -> Iterator[list[Contract]]:
    turn, alike = view.turn, dict[str, list[Contract]]()
    in_kit = {contract for contract, _ in prerequisites(view.ruleset)}
    for contract in contracts:
        if contract in in_kit and not turn.is_extra and not turn.is_forced(contract):
            alike.setdefault(proposed(turn, contract).text, []).append(contract)
    yield from alike.values()


def _entering(view: MatchView, contract: Contract) -> Entering:
    action = reverse("match", args=[view.match.id], query={"contract": contract.key})
    return new_entering(view, view.turn, contract, action=action)
