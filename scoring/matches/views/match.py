"""The match: one page to live in. Totals, what may be played, entering a deal in place, the end."""

from dataclasses import replace
from random import SystemRandom
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.views.decorators.http import require_POST

from scoring.access import permissions
from scoring.access.http import (
    actor_of,
    match_for,
    page_or_part,
    post_data,
    preserve_on_csrf_failure,
    reader_key,
    require_permission,
    see_other,
    status_of,
    view_of,
)
from scoring.access.permissions import Action
from scoring.common.errors import RefusalCode, ServiceError, Stale
from scoring.common.numbers import whole
from scoring.common.requests import is_htmx
from scoring.common.shared_cache import cache_tag
from scoring.corrections.services.redeals import record_redeal
from scoring.corrections.views.restoring import address_of, asked_version, taps_of
from scoring.entry.forms.entry import EntryForm
from scoring.entry.forms.fields import SEATS
from scoring.entry.forms.roles import DRAWN, proposed
from scoring.entry.presenters.sentences import sentences
from scoring.entry.views.entry import (
    Entering,
    asked_contract,
    named_deal,
    new_entering,
    preview_or_page,
    raw_of_post,
    read_id,
    read_key,
    write_of,
)
from scoring.ledger.queries import lease
from scoring.ledger.queries.match_view import MatchView
from scoring.ledger.services import deals
from scoring.ledger.services.lease import take
from scoring.matches.services import matches
from scoring.matches.views import match_previews, opening, overview
from scoring.matches.views.offline_bundle import taken_along
from scoring.models import Deal, Match
from scoring.records.views.entry_from_cards import taps_from_cards
from scoring.rules import Contract, Entry, Problem, ProblemCode
from scoring.rules.redeals import RedealRequest
from scoring.signatures.views import signatures

PAGE = "matches/match_entry.html"
OF_ITS_DEAL = (DRAWN, "dealer", "leader")
"""What a form says of the deal that it was drawn for, and of no other."""


@preserve_on_csrf_failure
def match(request: HttpRequest, match_id: UUID) -> HttpResponse:
    found = match_for(request, match_id, Action.SEE_MATCH)
    if request.method != "POST":
        return _page(request, view_at(request, found))
    act = ACTS.get(request.POST.get("action", ""), _unknown)
    try:
        return act(request, found)
    except ServiceError as refused:
        found.refresh_from_db()
        return _page(request, view_at(request, found), refused=refused)


@preserve_on_csrf_failure
@require_POST
def rematch(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """The same four again, on the same seats or each one seat further."""
    found = match_for(request, match_id, Action.RUN)
    try:
        again = matches.rematch(
            match_id=found.id,
            turn_seats=request.POST.get("seats") == "next",
            actor=actor_of(request),
            now=timezone.now(),
            entry_key=read_key(request),
        )
    except ServiceError as refused:
        return _page(request, view_at(request, found), refused=refused)
    return see_other("match", again.id)


# ── what the page shows ─────────────────────────────────────────────────


def view_at(request: HttpRequest, found: Match) -> MatchView:
    """The match, at the next deal or at one on paper that is to be filled in (`?deal=`)."""
    view = view_of(request, found)
    number = whole(request.POST.get("deal_number", "") or request.GET.get("deal", ""))
    if isinstance(number, int) and view.table.is_open(number):
        return replace(view, filling=number)
    return view


def _page(
    request: HttpRequest,
    view: MatchView,
    *,
    refused: ServiceError | None = None,
    address: QueryDict | None = None,
) -> HttpResponse:
    """The form of the contract that is asked for, or the only one left; else the table. `address`
    is what its own would ask for, where it is drawn as the answer to a post."""
    context = _context(request, view, address)
    query = request.GET if address is None else address
    asked = asked_contract(query)
    contract = _open_contract(context, asked, named="contract" in query)
    if contract and refused is None:
        usual = proposed(view.turn, contract, context["chooser"])
        version = asked_version(request, view.match, view.turn.deal_number)
        restored = version is not None and version.contract == contract.key
        by_cards = taps_from_cards(request, view, contract)
        entering = new_entering(
            view,
            view.turn,
            contract,
            action=_action(view, contract),
            raw=taps_of(version) if version and restored else by_cards,
            usual=usual,
        )
        if entering.form.unplayed:
            entering.judge()
        elif restored or by_cards:
            entering.read()
        context |= entering.context() | {"restored": restored}
    else:
        context |= signatures.card(request, view) | {
            "preview": SimpleLazyObject(lambda: match_previews.of_match(request, view)),
            "shells": opening.shells(request, view, context),
        }
    context["problems"] = said(view, list(refused.problems) if refused else [], asked)
    if asked and not contract and not refused and context["may_enter"]:
        # Back leads to the form of a deal that was saved since: no mistake of anybody.
        closed = Problem(ProblemCode.NOT_THIS_CONTRACT, "contract", {"seat": context["chooser"]})
        context["notices"] = said(view, [closed], asked)
    return page_or_part(request, PAGE, context, part="match", status=status_of(refused))


def _context(
    request: HttpRequest, view: MatchView, address: QueryDict | None = None
) -> dict[str, Any]:
    """Everything but the form of a deal."""
    turn, found = view.turn, view.match
    query = request.GET if address is None else address
    chooser = _asked_seat(view, address or post_data(request) or query)
    shown = overview.shown(view, chooser)
    contracts: tuple[Contract, ...] = shown["contracts"]
    undone = overview.just_undone(view, query.get("undone", ""), timezone.now())
    return {
        **shown,
        "at": _at(view, chooser),
        "by_lot": _by_lot(view, contracts),
        "lot": "lot" in query,
        **overview.several(turn, contracts),
        "unplayed": overview.unplayed(turn, contracts, chooser),
        "saved": overview.just_saved(view, query.get("saved", ""), timezone.now()),
        "undone": undone,
        "bring_back": address_of(view, undone) if undone else "",
        **_rights(request, view),
        "tag": cache_tag(found),
        "device": actor_of(request).device,
        "entry_key": uuid4(),
        **({"as_text": _as_text(request, view)} if found.is_finished else {}),
    }


def _rights(request: HttpRequest, view: MatchView) -> dict[str, Any]:
    """What this reader is offered. Entering only on the phone that keeps score, or on any while
    none does; the others may take over."""
    asks, found, running = actor_of(request), view.match, view.match.is_running
    enters = permissions.may(Action.ENTER, found, asks)
    keeps = lease.keeps(found, asks)
    rights = {
        "may_enter": running and keeps and enters,
        "may_flag": overview.may_flag(view, asks),
        "may_take": running and not keeps and permissions.may(Action.LEASE, found, asks),
        "may_sit": running and enters,
        "may_share": permissions.may(Action.SHARE, found, asks),
        "may_attach": permissions.may(Action.ATTACH, found, asks),
        "may_run": permissions.may(Action.RUN, found, asks),
        "may_finish": view.can_finish and permissions.may(Action.FINISH, found, asks),
        "may_judge": permissions.may(Action.JUDGE, found, asks),
        "may_close": permissions.may(Action.REOPEN, found, asks),
        "may_change_day": permissions.may(Action.CORRECT, found, asks),
        "may_reopen": not running and permissions.may(permissions.to_reopen(found), found, asks),
    }
    kept = taken_along(view, reader_key(request), enters=rights["may_enter"]) if enters else {}
    # Who has nothing to tap sees what everybody sees, and follows it as it was drawn for all.
    return rights | {
        "personal": enters or any(rights.values()) or not permissions.reads_publicly(found, asks),
        "keeper": overview.keeper(view) if rights["may_take"] else "",
        **kept,
    }


def _as_text(request: HttpRequest, view: MatchView) -> str:
    page = reverse("sheet", args=[view.match.id])
    return overview.as_text(view, request.build_absolute_uri(page))


def _at(view: MatchView, chooser: int | None) -> str:
    """What a link to a contract says besides, where it is not the next deal as proposed."""
    told = f"&deal={view.filling}" if view.filling else ""
    return told + (f"&chooser={chooser}" if chooser != view.turn.chooser else "")


def _open_contract(
    context: dict[str, Any], asked: Contract | None, *, named: bool
) -> Contract | None:
    """What is asked for and open, or the only one that is open. `?contract=` asks for none."""
    contracts: tuple[Contract, ...] = context["contracts"]
    # A form that is asked for by name opens: it may hold what was tapped before another took over.
    if not (context["may_enter"] or (named and context["may_take"])):
        return None
    if context["turn"].asks_dealer:
        return None
    if asked in contracts or (asked and asked.key in context["unplayed"]):
        return asked
    # Whether there is a last deal to settle a tie is the table's decision.
    only = len(contracts) == 1 and not named and not context["turn"].is_extra
    return contracts[0] if only else None


def _by_lot(view: MatchView, contracts: tuple[Contract, ...]) -> bool:
    """Whether there is something to be drawn now."""
    drawn = view.ruleset.contract_order == "drawn" and not view.turn.is_extra
    return drawn and len(contracts) > 1


def _asked_seat(view: MatchView, told: QueryDict) -> int | None:
    """Who chooses: by the schedule, or as the table has told: another seat, or who holds the 7 of
    hearts where each kingdom asks anew (C-L11)."""
    seat = _seat(told.get("chooser", ""))
    begun = bool(view.table.deals) or view.turn.chooser is not None
    return seat if begun and seat is not None else view.turn.chooser


def _seat(text: str) -> int | None:
    seat = whole(text)
    return seat if isinstance(seat, int) and seat in SEATS else None


def _action(view: MatchView, contract: Contract) -> str:
    query: dict[str, Any] = {"contract": contract.key}
    if view.filling:
        query["deal"] = view.filling
    return reverse("match", args=[view.match.id], query=query)


def said(view: MatchView, problems: list[Problem], contract: Contract | None) -> Any:
    names = [each.name for each in view.seats]
    form = EntryForm(view.ruleset, contract or Contract(("king",)), names)
    return sentences(problems, form)


# ── what is done on it ──────────────────────────────────────────────────


def _unknown(request: HttpRequest, found: Match) -> HttpResponse:
    return _page(request, view_at(request, found))


def _preview(request: HttpRequest, found: Match) -> HttpResponse:
    require_permission(request, Action.ENTER, found)
    view = view_at(request, found)
    entering = posted_entering(request, view)
    return preview_or_page(request, entering, PAGE, _context(request, view))


def _save(request: HttpRequest, found: Match, *, as_next: bool = False) -> HttpResponse:
    require_permission(request, Action.ENTER, found)
    view = view_at(request, found)
    entering = posted_entering(request, view, as_next=as_next)
    entry = entering.read()
    if entry is None:
        return _again(request, entering)
    try:
        saved = recorded(request, found, entering, entry)
    except Stale:
        return _conflict(request, found)
    except ServiceError as refused:
        entering.refuse(refused.problems)
        return _again(request, entering)
    if view.filling:
        return see_other("subtotal", found.id)
    return _after(request, saved, view.after(saved.after) if saved.after else None)


def _save_after(request: HttpRequest, found: Match) -> HttpResponse:
    """After a conflict: both deals were played, and mine comes after the other one."""
    return _save(request, found, as_next=True)


def _after(request: HttpRequest, saved: deals.Saved, view: MatchView | None) -> HttpResponse:
    """The page that says so: for a script at once, where the match as it is now is known."""
    news = QueryDict(f"saved={saved.deal.deal_number}")
    address = f"{reverse('match', args=[saved.deal.match_id])}?{news.urlencode()}"
    if view is None or not is_htmx(request):
        return see_other(address)
    response = _page(request, view, address=news)
    response["HX-Replace-Url"] = address
    return response


def recorded(request: HttpRequest, found: Match, entering: Entering, entry: Entry) -> deals.Saved:
    return deals.record_deal(
        write_of(request, found),
        entry=entry,
        deal_number=entering.turn.deal_number,
        dealer=entering.roles.dealer,
        leader=entering.roles.leader,
        seen=entering.view.table,
    )


def posted_entering(request: HttpRequest, view: MatchView, *, as_next: bool = False) -> Entering:
    """The form as posted, at the place where it was drawn. `as_next`: where its number is taken by
    now, at the next deal, whose dealer and leader follow from the schedule."""
    data = request.POST
    contract = asked_contract(data)
    if contract is None:
        raise ServiceError(ProblemCode.UNKNOWN_CONTRACT, "contract")
    number, raw = whole(data.get("deal_number", "")), raw_of_post(data)
    place = number if isinstance(number, int) and number in view.deals else None
    if place and as_next:
        raw = {name: text for name, text in raw.items() if name not in OF_ITS_DEAL}
    return new_entering(
        view,
        view.table.turn_of(place) if place and not as_next else view.turn,
        contract,
        action=_action(view, contract),
        raw=raw,
        entry_key=read_id(data.get("entry_key", "")),
    )


def _again(request: HttpRequest, entering: Entering) -> HttpResponse:
    """The same form with everything that was tapped, and what is wrong with it."""
    context = _context(request, entering.view) | entering.context()
    return page_or_part(request, PAGE, context, part="match", status=422)


def _conflict(request: HttpRequest, found: Match) -> HttpResponse:
    """Another phone was quicker: what it entered, this beside it, and the choice."""
    found.refresh_from_db()
    view = view_at(request, found)
    mine = posted_entering(request, view)
    mine.read()
    number = mine.turn.deal_number
    context = _context(request, view) | {
        "conflict": True,
        "mine": mine,
        "entry_key": mine.entry_key,  # what a phone has kept of it is settled with it
        "mine_preview": mine.preview(),
        "theirs": overview.deal_line(view, number),
        "may_correct": _may_correct(request, found, view.deals.get(number)),
        "may_follow": number in view.deals and _may_follow(view, mine),
    }
    return page_or_part(request, PAGE, context, part="match", status=409)


def _may_follow(view: MatchView, mine: Entering) -> bool:
    """Whether this deal can have been played after all that were saved, by the same chooser."""
    turn, chooser = view.turn, mine.roles.chooser
    if turn.over or turn.is_extra or chooser is None or turn.chooser != chooser:
        return False
    return mine.entry is not None and mine.form.contract in turn.contracts_of(chooser)


def _may_correct(request: HttpRequest, found: Match, deal: Deal | None) -> bool:
    asks, now = actor_of(request), timezone.now()
    return deal is not None and permissions.may(Action.CORRECT, found, asks, deal=deal, now=now)


def _replace(request: HttpRequest, found: Match) -> HttpResponse:
    """After a conflict: mine is the right one, theirs stays in the history."""
    view = view_at(request, found)
    mine = posted_entering(request, view)
    theirs = view.deals.get(mine.turn.deal_number)
    require_permission(request, Action.CORRECT, found, deal=theirs, now=timezone.now())
    entry = mine.read()
    if entry is None:
        return _again(request, mine)
    write = write_of(request, found)
    try:
        saved = deals.correct_deal(
            write,
            deal_id=named_deal(request, found, mine.turn.deal_number),
            entry=entry,
            dealer=mine.roles.dealer,
            leader=mine.roles.leader,
            reason=request.POST.get("reason", ""),
        )
    except Stale:
        return _conflict(request, found)
    found.refresh_from_db()
    return _after(request, saved, None if saved.repeated else view_at(request, found))


def _redeal(request: HttpRequest, found: Match) -> HttpResponse:
    """Queens that lie two and two between the teams are no deal: they are dealt again, and how
    they lay is kept."""
    require_permission(request, Action.ENTER, found)
    entering = posted_entering(request, view_at(request, found))
    entry = entering.read()
    if entry is None:
        return _again(request, entering)
    try:
        record_redeal(
            write_of(request, found),
            redeal=RedealRequest("queens_draw"),
            entry=entry,
            dealer=entering.roles.dealer,
        )
    except Stale:
        raise
    except ServiceError as refused:
        entering.refuse(refused.problems)
        return _again(request, entering)
    return see_other(reverse("match", args=[found.id], query={"contract": ""}))


def _void(request: HttpRequest, found: Match) -> HttpResponse:
    """Takes the last deal back. An earlier one is voided on its own page, with a reason, which the
    service insists on."""
    require_permission(request, Action.ENTER, found)
    write, deal_id = write_of(request, found), read_id(request.POST.get("deal", ""))
    if deal_id is None:
        raise ServiceError(RefusalCode.NOT_STANDING, "deal")
    saved = deals.void_deal(write, deal_id=deal_id)
    number = saved.deal.deal_number
    return see_other(reverse("match", args=[found.id], query={"undone": number}))


def _first(request: HttpRequest, found: Match) -> HttpResponse:
    """Who begins: the holder of the 7 of hearts, or who deals."""
    require_permission(request, Action.ENTER, found)
    write, seat = write_of(request, found), _seat(request.POST.get("seat", ""))
    if seat is None:
        raise ServiceError(ProblemCode.BAD_SEAT, "seat")
    seven = view_at(request, found).ruleset.chooser_first == "seven_of_hearts"
    matches.set_first_chooser(
        write,
        chooser=seat if seven else None,
        dealer=None if seven else seat,
    )
    return see_other("match", found.id)


def _deals(request: HttpRequest, found: Match) -> HttpResponse:
    """Who deals first, where the rules leave it to the lot."""
    require_permission(request, Action.ENTER, found)
    write, seat = write_of(request, found), _seat(request.POST.get("seat", ""))
    if seat is None:
        raise ServiceError(ProblemCode.BAD_SEAT, "seat")
    matches.set_first_chooser(write, dealer=seat)
    return see_other("match", found.id)


def _draw(request: HttpRequest, found: Match) -> HttpResponse:
    """A contract by lot, of those the chooser has left (C-B9). It stands in the address: a reload
    draws no other."""
    require_permission(request, Action.ENTER, found)
    view = view_at(request, found)
    context = _context(request, view)
    contracts: tuple[Contract, ...] = context["contracts"]
    if not context["by_lot"]:
        raise ServiceError(ProblemCode.OPTION_OFF, "contract")
    query = {"contract": SystemRandom().choice(contracts).key, "lot": 1}
    if view.filling:
        query["deal"] = view.filling
    if context["at"]:
        query["chooser"] = context["chooser"]
    return see_other(reverse("match", args=[found.id], query=query))


def _take(request: HttpRequest, found: Match) -> HttpResponse:
    """This phone keeps score from now on, on the same page."""
    require_permission(request, Action.LEASE, found)
    take(match_id=found.id, actor=actor_of(request), now=timezone.now())
    return see_other(reverse("match", args=[found.id], query=request.GET.dict()))


def _finish(request: HttpRequest, found: Match) -> HttpResponse:
    require_permission(request, Action.FINISH, found)
    matches.finish(write_of(request, found))
    return see_other("match", found.id)


def _reopen(request: HttpRequest, found: Match) -> HttpResponse:
    require_permission(request, permissions.to_reopen(found), found)
    matches.reopen(write_of(request, found), reason=request.POST.get("reason", ""))
    return see_other("match", found.id)


ACTS = {
    "preview": _preview,
    "redraw": _preview,
    "save": _save,
    "after": _save_after,
    "replace": _replace,
    "redeal": _redeal,
    "void": _void,
    "first": _first,
    "deals": _deals,
    "finish": _finish,
    "draw": _draw,
    "reopen": _reopen,
    "take": _take,
}
