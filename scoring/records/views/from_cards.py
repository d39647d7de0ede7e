"""A deal entered from its card record: the link to the form, and what the form is filled with."""

from dataclasses import replace
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from scoring.access import permissions
from scoring.access.http import actor_of
from scoring.access.permissions import Action
from scoring.entry.forms.entry import raw_of
from scoring.ledger.queries import lease
from scoring.ledger.queries.match_view import MatchView
from scoring.ledger.queries.verdicts import Audited
from scoring.records.queries.records import audit_of, by_cards
from scoring.rules import Contract


def entering_address(
    request: HttpRequest, view: MatchView, number: int, attached: Audited | None
) -> str:
    """The form of this deal, filled in; "" where the deal is entered or not due, the record leaves
    something open, or this reader may not enter."""
    if attached is None or attached.deal or not view.match.is_running:
        return ""
    asks = actor_of(request)
    if not (permissions.may(Action.ENTER, view.match, asks) and lease.keeps(view.match, asks)):
        return ""
    if view.table.is_open(number):
        view = replace(view, filling=number)
    entry, turn = by_cards(attached), view.turn
    if entry is None or turn.over or turn.deal_number != number:
        return ""
    chooser = turn.chooser if entry.chooser is None else entry.chooser
    if chooser is None or entry.contract not in turn.contracts_of(chooser):
        return ""
    query: dict[str, Any] = {"contract": entry.contract.key, "by": "cards"}
    if view.filling:
        query["deal"] = number
    if chooser != turn.chooser:
        query["chooser"] = chooser
    return reverse("match", args=[view.match.id], query=query)


def asked_taps(request: HttpRequest, view: MatchView, contract: Contract) -> dict[str, str] | None:
    """The entry by the cards of the deal that is due, as if it had been tapped in, where the
    address asks for it and the record is of this contract. One query where it asks."""
    if request.GET.get("by") != "cards":
        return None
    attached = audit_of(view, view.turn.deal_number)
    entry = by_cards(attached) if attached and not attached.deal else None
    return raw_of(entry) if entry and entry.contract == contract else None
