"""Enter a deal from its card record: address of the filled-in form, and the values in it."""

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
from scoring.records.queries.records import audit_of, entry_of_cards
from scoring.rules import Contract


def entry_address_of(
    request: HttpRequest, view: MatchView, number: int, attached: Audited | None
) -> str:
    """Return the address of the form filled in from the cards.

    Empty if the deal is entered already or not due, the record is incomplete, or this reader may
    not enter deals."""
    if attached is None or attached.deal or not view.match.is_running:
        return ""
    actor = actor_of(request)
    if not (permissions.may(Action.ENTER, view.match, actor) and lease.keeps(view.match, actor)):
        return ""
    if view.table.is_open(number):
        view = replace(view, filling=number)
    entry, turn = entry_of_cards(attached), view.turn
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


def taps_from_cards(
    request: HttpRequest, view: MatchView, contract: Contract
) -> dict[str, str] | None:
    """Return the form values that the record of the due deal makes, if the address has `by=cards`
    and the record is of this contract. One query then."""
    if request.GET.get("by") != "cards":
        return None
    attached = audit_of(view, view.turn.deal_number)
    entry = entry_of_cards(attached) if attached and not attached.deal else None
    return raw_of(entry) if entry and entry.contract == contract else None
