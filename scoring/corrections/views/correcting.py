"""The form that corrects a deal.

Filled with the current entry, with an earlier version, or from the address.
"""

from dataclasses import replace
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse

from scoring.corrections.views.restoring import asked_version, taps_of
from scoring.entry.forms.entry import raw_of
from scoring.entry.forms.roles import ROLE_KEYS, Roles
from scoring.entry.views.entry import Entering, asked_contract, new_entering, raw_of_post
from scoring.ledger.queries.match_view import MatchView
from scoring.ledger.queries.snapshots import sheet_deal
from scoring.models import Deal
from scoring.rules import Contract
from scoring.rules.schedule import Turn
from scoring.rules.tally import TALLY_KEYS

NAMED = (*TALLY_KEYS, *ROLE_KEYS)
"""What an address may bring for a correction."""


def stored(request: HttpRequest, view: MatchView, standing: Deal) -> Entering:
    """The form with the deal as it stands in it, empty for another contract; or filled in by the
    address, with the names that `raw_of` gives: one tap from being a correction."""
    if version := asked_version(request, view.match, standing.deal_number):
        contract = Contract.from_key(version.contract)
        return correcting(view, standing, contract, taps_of(version))
    entry = sheet_deal(standing).entry
    contract = asked_contract(request.GET) or entry.contract
    given = _given(request)
    as_it_stands = contract == entry.contract and not given
    if contract == entry.contract and set(given) <= set(ROLE_KEYS):
        given = raw_of(entry) | given
    return replace(correcting(view, standing, contract, given), as_it_stands=as_it_stands)


def _given(request: HttpRequest) -> dict[str, str]:
    """The facts that stand in the address."""
    sent = raw_of_post(request.GET)
    return {name: text for name, text in sent.items() if name.split(".")[0] in NAMED}


def correcting(
    view: MatchView,
    standing: Deal,
    contract: Contract,
    raw: dict[str, str],
    entry_key: UUID | None = None,
) -> Entering:
    query = {"correct": 1, "contract": contract.key}
    turn = view.table.turn_of(standing.deal_number)
    return new_entering(
        view,
        turn,
        contract,
        action=reverse("deal", args=[view.match.id, standing.deal_number], query=query),
        raw=raw,
        usual=stored_roles(turn, standing, contract),
        entry_key=entry_key,
        corrects=standing,
    )


def stored_roles(turn: Turn, standing: Deal, contract: Contract) -> Roles:
    """Who chose, dealt and led as it stands; another contract may have another leader."""
    dealer, chooser, leader = standing.dealer, standing.chooser, standing.leader
    if leader == turn.leader(Contract.from_key(standing.contract), dealer, chooser):
        leader = turn.leader(contract, dealer, chooser)
    return Roles(chooser, dealer, leader)
