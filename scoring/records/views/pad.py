"""Page of the card pad: record a deal by tapping its cards.

The tapped cards are in the query string, so that a reload keeps them and every tap works without a
script; only the finished record is written.
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
from scoring.records.presenters.card_pad import (
    PASS,
    CardPad,
    insert_token,
    read_tokens,
    replace_token,
)
from scoring.records.presenters.submission import known_frame
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
    known = _with_doubles(view, _known(view, number, data), data)
    tapped = _pad(view, known, data) if known.contract else None
    if request.method == "POST" and tapped:
        return _save(request, view, number, known, tapped)
    return _page(request, view, number, known, tapped)


def _known(view: MatchView, number: int, data: QueryDict) -> Record:
    """Return the deal without cards: as entered, else as due, with the choices of the query."""
    is_entered = number in view.deals
    if not is_entered and list(number_problems(view.table, number)):
        raise Http404(number)
    frame = replace(known_frame(view, number), id=f"deal {number}")
    return frame if is_entered else _with_choice(frame, view, data)


def _with_choice(frame: Record, view: MatchView, data: QueryDict) -> Record:
    """Add the chooser and contract of the query string to a deal that is not entered yet."""
    asked, contract = whole(data.get("chooser", "")), asked_contract(data)
    chosen = asked if isinstance(asked, int) and asked in SEATS else None
    turn = view.table.turn_of(frame.deal_number, seven_holder=chosen)
    chooser = turn.chooser if chosen is None else chosen
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


def _with_doubles(view: MatchView, known: Record, data: QueryDict) -> Record:
    """Replace the entered doubles by those of the query string, if it has any."""
    sent = {name: data.get(name, "") for name in data if name.startswith("doubles.")}
    if known.contract is None or not sent:
        return known
    form = EntryForm(view.ruleset, known.contract, (), sent)
    doubles = next((one.read(sent) for one in form.fields if one.key == "doubles"), None) or {}
    kept = (Double(card, seat) for card, seat in doubles.items() if seat in SEATS)
    return replace(known, doubles=tuple(kept))


def _pad(view: MatchView, known: Record, data: QueryDict) -> CardPad:
    contract, rules = known.contract, view.ruleset
    assert contract is not None
    leader = whole(data.get("leader", ""))
    if leader not in SEATS:
        leader = known.leader
    if leader is None:
        leader = first_leader(contract, rules, known.dealer, known.chooser)
    tapped = CardPad(contract, rules, int(leader or 0), _tokens(data, contract, rules))
    if tapped.stopped:  # what follows counts again once that card is corrected
        return tapped
    # What comes after the end was never played.
    return replace(tapped, tokens=tapped.tokens[: len(tapped.plays)])


def _tokens(data: QueryDict, contract: Contract, rules: Ruleset) -> tuple[str, ...]:
    """Return the tokens so far with the change of this request: append, undo, remove, insert or
    replace one."""
    tokens = read_tokens(data.get("cards", ""), contract, rules)
    card = read_tokens(data.get("card", ""), contract, rules)
    at = _position(data, "at", tokens)
    if "back" in data:
        return tokens[:-1]
    if at is not None and "remove" in data:
        return tokens[:at] + tokens[at + 1 :]
    if at is not None and card:
        put = insert_token if "insert" in data else replace_token
        return put(tokens, at, card[0])
    return read_tokens(".".join((*tokens, *card)), contract, rules)


def _position(data: QueryDict, name: str, tokens: tuple[str, ...]) -> int | None:
    at = whole(data.get(name, ""))
    return at if isinstance(at, int) and 0 <= at < len(tokens) else None


def _page(
    request: HttpRequest,
    view: MatchView,
    number: int,
    known: Record,
    tapped: CardPad | None,
    refused: ServiceError | None = None,
) -> HttpResponse:
    names = view.names_at(number)
    turn, chooser = view.table.turn_of(number), known.chooser
    context: dict[str, Any] = {
        "match": view.match,
        "number": number,
        "deal": view.deals.get(number),
        "contract": known.contract.key if known.contract else "",
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
        context |= _correction(request.GET, tapped)
        context |= _doubles_context(view, known, names)
    if refused:
        form = EntryForm(view.ruleset, known.contract or Contract(("king",)), names)
        existing_id = refused.numbers.get("row")  # the same record, attached already
        context["problems"] = (
            problem_sentences(refused.problems)
            if existing_id
            else sentences(refused.problems, form)
        )
        context["existing_id"] = existing_id
    status = status_of(refused)
    response = page_or_part(request, PAGE, context, part="pad", status=status)
    if tapped and request.method == "GET":
        query = urlencode(
            {"cards": context["cards"], "leader": tapped.leader, "contract": known.contract}
            | ({} if chooser is None else {"chooser": chooser})
            | context["doubler_by_input"]
        )
        response["HX-Replace-Url"] = f"{request.path}?{query}"
    return response


def _correction(data: QueryDict, tapped: CardPad) -> dict[str, Any]:
    """Return the context while a card is selected to be replaced, or to insert one before it."""
    if "insert" in data:
        return _insertion(data, tapped)
    at = _position(data, "mend", tapped.tokens)
    return {} if at is None else {"rows": tapped.rows_at(at), "selected": tapped.steps[at]}


def _insertion(data: QueryDict, tapped: CardPad) -> dict[str, Any]:
    """Return the context while a card is inserted, or was refused as played already."""
    at = _position(data, "at", tapped.tokens)
    before, card = (
        read_tokens(data.get(name, ""), tapped.contract, tapped.ruleset)
        for name in ("cards", "card")
    )
    is_played = bool(card) and card[0] in before and card[0] != PASS
    if at is None or (card and not is_played):
        return {}
    return {
        "rows": tapped.rows_before(at),
        "selected": tapped.steps[at],
        "is_inserting": True,
        "is_already_played": is_played,
    }


def _doubles_context(view: MatchView, known: Record, names: list[str]) -> dict[str, Any]:
    """Return the fields for doubles, and their values for the hidden inputs of the forms."""
    assert known.contract is not None
    doubler_by_input = {f"doubles.{card}": str(by) for card, by in known.doubles}
    drawn = draw(EntryForm(view.ruleset, known.contract, names, doubler_by_input))
    asked = [one for part in drawn.parts for one in part.fields if one.field.key == "doubles"]
    open_names = {name: "" for one in asked for name in one.field.names}
    return {
        "doubles": asked,
        "doubler_by_input": open_names | doubler_by_input,
        "is_doubled": bool(doubler_by_input),
    }


def _save(
    request: HttpRequest, view: MatchView, number: int, known: Record, tapped: CardPad
) -> HttpResponse:
    record = tapped.record(
        name=known.id,
        deal_number=number,
        dealer=known.dealer,
        chooser=known.chooser,
        forced=known.forced,
        doubles=known.doubles,
    )
    try:
        write = write_of(request, view.match)
        attach(write, deal_number=number, record=record)
    except ServiceError as refused:
        return _page(request, view, number, known, tapped, refused)
    query = {"play": len(record.plays)}
    return see_other(reverse("replay", args=[view.match.id, number], query=query))
