"""A deal tapped in card by card. What was tapped stands in the address, so that a reload keeps it,
and every tap works without a script; only the finished record is written."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import reverse

from scoring.forms import words
from scoring.forms.entry import EntryForm
from scoring.forms.fields import whole
from scoring.forms.pad import PASS, Pad, read_tokens
from scoring.forms.sentences import sentences
from scoring.replay.record import Record
from scoring.rules import Contract
from scoring.rules.schedule import first_leader
from scoring.rules.seats import SEATS
from scoring.selectors.access import Action
from scoring.selectors.matches import MatchView, match_view
from scoring.selectors.tables import entry_of
from scoring.services.records import attach
from scoring.services.refusals import LedgerRefused, Stale
from scoring.views.entry import asked_contract, read_writing
from scoring.views.http import keeps_typed, match_for, page_or_part, see_other

PAGE = "scoring/pad.html"


@keeps_typed
def pad(request: HttpRequest, match_id: UUID, number: int) -> HttpResponse:
    match = match_for(request, match_id, Action.ATTACH)
    view = match_view(match)
    data = request.POST if request.method == "POST" else request.GET
    played = _played(view, number, data)
    tapped = _pad(view, played, data) if played.contract else None
    if request.method == "POST" and tapped:
        return _save(request, view, number, played, tapped)
    return _page(request, view, number, played, tapped)


def _played(view: MatchView, number: int, data: QueryDict) -> Record:
    """What is known of the deal without a card: as it was entered, else as it is due."""
    deal, turn = view.deals.get(number), view.turn
    frame = Record(id=f"deal {number}", deal_number=number)
    if deal:
        entry = entry_of(deal)
        return replace(
            frame,
            contract=entry.contract,
            dealer=deal.dealer,
            chooser=deal.chooser,
            leader=deal.leader,
            forced=deal.forced,
            doubles=entry.tally.doubles,
        )
    if turn.over or number != turn.deal_number:
        raise Http404(number)
    contract = asked_contract(data)
    if turn.chooser is None or contract not in turn.contracts_of(turn.chooser):
        contract = None
    forced = contract is not None and turn.is_forced(contract, turn.chooser)
    return replace(
        frame, contract=contract, dealer=turn.dealer, chooser=turn.chooser, forced=forced
    )


def _pad(view: MatchView, played: Record, data: QueryDict) -> Pad:
    contract, rules = played.contract, view.ruleset
    assert contract is not None
    leader = whole(data.get("leader", ""))
    if leader not in SEATS:
        leader = played.leader
    if leader is None:
        leader = first_leader(contract, rules, played.dealer, played.chooser)
    tokens = read_tokens(f"{data.get('cards', '')}.{data.get('card', '')}", contract, rules)
    if "back" in data:
        tokens = tokens[:-1]
    tapped = Pad(contract, rules, int(leader or 0), tokens)
    # What comes after the end, or after what cannot have been, was never played.
    return replace(tapped, tokens=tokens[: len(tapped.plays)])


def _page(
    request: HttpRequest,
    view: MatchView,
    number: int,
    played: Record,
    tapped: Pad | None,
    refused: LedgerRefused | None = None,
) -> HttpResponse:
    names = view.names_at(number)
    context: dict[str, Any] = {
        "match": view.match,
        "number": number,
        "contract": played.contract.key if played.contract else "",
        "names": names,
        "shorts": words.first_names(names),
        "pad": tapped,
        "entry_key": uuid4(),
        "contracts": view.turn.contracts_of(view.turn.chooser)
        if view.turn.chooser is not None
        else (),
    }
    if tapped:
        context |= {"cards": ".".join(tapped.tokens), "rows": tapped.rows(), "pass": PASS}
    if refused:
        form = EntryForm(view.ruleset, played.contract or Contract(("king",)), names)
        context["problems"] = sentences(refused.problems, form)
    status = 200 if refused is None else 409 if isinstance(refused, Stale) else 422
    response = page_or_part(request, PAGE, context, part="pad", status=status)
    if tapped and request.method == "GET":
        asked = urlencode(
            {"cards": context["cards"], "leader": tapped.leader, "contract": played.contract}
        )
        response["HX-Replace-Url"] = f"{request.path}?{asked}"
    return response


def _save(
    request: HttpRequest, view: MatchView, number: int, played: Record, tapped: Pad
) -> HttpResponse:
    record = tapped.record(
        name=played.id,
        deal_number=number,
        dealer=played.dealer,
        chooser=played.chooser,
        forced=played.forced,
        doubles=played.doubles,
    )
    try:
        writing = read_writing(request, view.match)
        attach(**writing, deal_number=number, record=record)
    except LedgerRefused as refused:
        return _page(request, view, number, played, tapped, refused)
    query = {"play": len(record.plays)}
    return see_other(reverse("replay", args=[view.match.id, number], query=query))
