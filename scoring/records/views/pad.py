"""The card pad: a deal tapped in card by card.

The taps are in the address, so that a reload keeps them and every tap works without a script; only
the finished record is written.
"""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import reverse

from scoring.access.http import (
    match_for,
    page_or_part,
    preserve_on_csrf_failure,
    see_other,
    status_of,
)
from scoring.access.permissions import Action
from scoring.common import words
from scoring.common.error_sentences import problem_sentences
from scoring.common.errors import ServiceError
from scoring.common.numbers import whole
from scoring.entry.forms.entry import EntryForm
from scoring.entry.forms.roles import proposed
from scoring.entry.presenters.drawing import draw
from scoring.entry.presenters.sentences import sentences
from scoring.entry.views.entry import asked_contract, write_of
from scoring.ledger.queries.match_view import MatchView, match_view
from scoring.records.presenters.pad import PASS, Pad, exchanged, inserted, read_tokens
from scoring.records.services.records import attach, number_problems
from scoring.replay.record import Record
from scoring.rules import Contract, Double, Ruleset
from scoring.rules.schedule import first_leader
from scoring.rules.seats import SEATS

PAGE = "records/pad.html"


@preserve_on_csrf_failure
def pad(request: HttpRequest, match_id: UUID, number: int) -> HttpResponse:
    match = match_for(request, match_id, Action.ATTACH)
    view = match_view(match)
    data = request.POST if request.method == "POST" else request.GET
    played = _announced(view, _played(view, number, data), data)
    tapped = _pad(view, played, data) if played.contract else None
    if request.method == "POST" and tapped:
        return _save(request, view, number, played, tapped)
    return _page(request, view, number, played, tapped)


def _played(view: MatchView, number: int, data: QueryDict) -> Record:
    """What is known of the deal without a card: as it was entered, else as it is due."""
    deal = view.deals.get(number)
    frame = Record(id=f"deal {number}", deal_number=number)
    if deal:
        entry = deal.entry
        return replace(
            frame,
            contract=entry.contract,
            dealer=deal.dealer,
            chooser=deal.chooser,
            leader=deal.leader,
            forced=deal.forced,
            doubles=entry.tally.doubles,
        )
    if list(number_problems(view.table, number)):
        raise Http404(number)
    return _due(frame, view, data)


def _due(frame: Record, view: MatchView, data: QueryDict) -> Record:
    """A deal that is not entered yet: its chooser and contract are told here."""
    asked, contract = whole(data.get("chooser", "")), asked_contract(data)
    told = asked if isinstance(asked, int) and asked in SEATS else None
    turn = view.table.turn_of(frame.deal_number, seven_holder=told)
    chooser = turn.chooser if told is None else told
    if chooser is None or contract not in turn.contracts_of(chooser):
        return replace(frame, dealer=turn.dealer, chooser=chooser)
    assert contract is not None
    roles = proposed(turn, contract, chooser)
    return replace(
        frame,
        contract=contract,
        dealer=roles.dealer,
        chooser=chooser,
        leader=roles.leader,
        forced=turn.is_forced(contract, chooser),
    )


def _announced(view: MatchView, played: Record, data: QueryDict) -> Record:
    """With the doubles as they are told here; until then as they were entered."""
    sent = {name: data.get(name, "") for name in data if name.startswith("doubles.")}
    if played.contract is None or not sent:
        return played
    form = EntryForm(view.ruleset, played.contract, (), sent)
    told = next((one.read(sent) for one in form.fields if one.key == "doubles"), None) or {}
    doubles = (Double(card, by) for card, by in told.items() if by in SEATS)
    return replace(played, doubles=tuple(doubles))


def _pad(view: MatchView, played: Record, data: QueryDict) -> Pad:
    contract, rules = played.contract, view.ruleset
    assert contract is not None
    leader = whole(data.get("leader", ""))
    if leader not in SEATS:
        leader = played.leader
    if leader is None:
        leader = first_leader(contract, rules, played.dealer, played.chooser)
    tapped = Pad(contract, rules, int(leader or 0), _tokens(data, contract, rules))
    if tapped.stopped:  # what follows counts again once the card is mended
        return tapped
    # What comes after the end was never played.
    return replace(tapped, tokens=tapped.tokens[: len(tapped.plays)])


def _tokens(data: QueryDict, contract: Contract, rules: Ruleset) -> tuple[str, ...]:
    """All that was tapped before, with what is tapped now: one card more or less, another
    one at a place, or one before it."""
    tokens = read_tokens(data.get("cards", ""), contract, rules)
    card = read_tokens(data.get("card", ""), contract, rules)
    at = _place(data, "at", tokens)
    if "back" in data:
        return tokens[:-1]
    if at is not None and "remove" in data:
        return tokens[:at] + tokens[at + 1 :]
    if at is not None and card:
        put = inserted if "insert" in data else exchanged
        return put(tokens, at, card[0])
    return read_tokens(".".join((*tokens, *card)), contract, rules)


def _place(data: QueryDict, name: str, tokens: tuple[str, ...]) -> int | None:
    at = whole(data.get(name, ""))
    return at if isinstance(at, int) and 0 <= at < len(tokens) else None


def _page(
    request: HttpRequest,
    view: MatchView,
    number: int,
    played: Record,
    tapped: Pad | None,
    refused: ServiceError | None = None,
) -> HttpResponse:
    names = view.names_at(number)
    turn, chooser = view.table.turn_of(number), played.chooser
    context: dict[str, Any] = {
        "match": view.match,
        "number": number,
        "deal": view.deals.get(number),
        "contract": played.contract.key if played.contract else "",
        "names": names,
        "shorts": words.first_names(names),
        "pad": tapped,
        "entry_key": uuid4(),
        "chooser": chooser,
        "choosers": turn.choosers,
        "contracts": () if chooser is None else turn.contracts_of(chooser),
    }
    if tapped:
        context |= {"cards": ".".join(tapped.tokens), "rows": tapped.rows(), "pass": PASS}
        context |= _correcting(request.GET, tapped)
        context |= _doubles(view, played, names)
    if refused:
        form = EntryForm(view.ruleset, played.contract or Contract(("king",)), names)
        known = refused.numbers.get("row")  # the same record, attached already
        context["problems"] = (
            problem_sentences(refused.problems) if known else sentences(refused.problems, form)
        )
        context["known"] = known
    status = status_of(refused)
    response = page_or_part(request, PAGE, context, part="pad", status=status)
    if tapped and request.method == "GET":
        asked = urlencode(
            {"cards": context["cards"], "leader": tapped.leader, "contract": played.contract}
            | ({} if chooser is None else {"chooser": chooser})
            | context["told"]
        )
        response["HX-Replace-Url"] = f"{request.path}?{asked}"
    return response


def _correcting(data: QueryDict, tapped: Pad) -> dict[str, Any]:
    """The place that waits for another card, or for one before it."""
    if "insert" in data:
        return _inserting(data, tapped)
    at = _place(data, "mend", tapped.tokens)
    return {} if at is None else {"rows": tapped.rows_at(at), "mending": tapped.steps[at]}


def _inserting(data: QueryDict, tapped: Pad) -> dict[str, Any]:
    """Nothing once a card was inserted; one that lies already is refused."""
    at = _place(data, "at", tapped.tokens)
    before, card = (
        read_tokens(data.get(name, ""), tapped.contract, tapped.ruleset)
        for name in ("cards", "card")
    )
    lies = bool(card) and card[0] in before and card[0] != PASS
    if at is None or (card and not lies):
        return {}
    return {
        "rows": tapped.rows_before(at),
        "mending": tapped.steps[at],
        "inserting": True,
        "lies_already": lies,
    }


def _doubles(view: MatchView, played: Record, names: list[str]) -> dict[str, Any]:
    """The question who doubled what, and its answer for the forms to carry on."""
    assert played.contract is not None
    told = {f"doubles.{card}": str(by) for card, by in played.doubles}
    drawn = draw(EntryForm(view.ruleset, played.contract, names, told))
    asked = [one for part in drawn.parts for one in part.fields if one.field.key == "doubles"]
    open_names = {name: "" for one in asked for name in one.field.names}
    return {"doubles": asked, "told": open_names | told, "is_doubled": bool(told)}


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
        write = write_of(request, view.match)
        attach(write, deal_number=number, record=record)
    except ServiceError as refused:
        return _page(request, view, number, played, tapped, refused)
    query = {"play": len(record.plays)}
    return see_other(reverse("replay", args=[view.match.id, number], query=query))
