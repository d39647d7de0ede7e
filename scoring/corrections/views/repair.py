"""Repairs of several deals at once: preview of the effect, reason, undo (C61)."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from scoring.access import permissions
from scoring.access.http import (
    actor_of,
    match_for,
    page_or_part,
    preserve_on_csrf_failure,
    require_permission,
    see_other,
    status_of,
    view_of,
)
from scoring.access.permissions import Action
from scoring.common import words
from scoring.common.errors import RefusalCode, ServiceError
from scoring.corrections.forms.repair import KINDS, RepairForm
from scoring.corrections.forms.seating import sits_down
from scoring.corrections.queries.dependents import hanging
from scoring.corrections.queries.effects import effects
from scoring.corrections.queries.repairs import Repaired, repairs
from scoring.corrections.queries.seating import newest_number
from scoring.corrections.services import repair as service
from scoring.corrections.services.repair import RepairPlan
from scoring.corrections.services.seats import now_sitting
from scoring.corrections.views.seats import offered
from scoring.entry.presenters.sentences import sentences
from scoring.entry.views.entry import (
    Entering,
    answered_once,
    asked_contract,
    new_entering,
    preview_or_page,
    raw_of_post,
    read_id,
    write_of,
)
from scoring.history.presenters.match_adjustments import adjusted
from scoring.ledger.queries.match_view import MatchView, told_apart
from scoring.ledger.queries.signatures import units
from scoring.ledger.queries.snapshots import sat_at, seating_rows, sittings
from scoring.models import Adjustment, Deal, EventKind, Redeal, Subtotal
from scoring.rules import Contract
from scoring.rules.repairs import ForgottenDeal, Repair

PAGE = "corrections/repair.html"
INSERT = "corrections/repair_insert.html"


@preserve_on_csrf_failure
def repair(request: HttpRequest, match_id: UUID) -> HttpResponse:
    view = view_of(request, match_for(request, match_id, Action.SEE_MATCH))
    kind = request.GET.get("what", "")
    form = RepairForm(
        kind if kind in KINDS else "", newest_number(view.table), raw_of_post(request.POST)
    )
    act = ACTS.get(request.POST.get("action", ""))
    if form.kind == "forgotten" and view.match.is_running:
        form.raw = raw_of_post(request.GET) | dict(form.raw)
    if request.method != "POST" or act is None:
        if form.kind != "forgotten" or form.one is None:
            return _page(request, view, form)
        _insist(request, view, [])
        try:
            return _insertion(request, view, form)
        except ServiceError as refused:
            return _page(request, view, form, refused=refused)
    elif form.kind == "forgotten" and act in (_look, _apply):
        act = partial(_insert, writes=act is _apply)
    _insist(request, view, [])
    return answered_once(
        request,
        view,
        [EventKind.MATCH_REPAIRED],
        first=lambda: see_other("repair", match_id),
        act=lambda: act(request, view, form),
        again=lambda now, refused: _page(request, now, form, refused=refused),
    )


# ── a deal that was forgotten ───────────────────────────────────────────


def _insertion(request: HttpRequest, view: MatchView, form: RepairForm) -> HttpResponse:
    """The form of the deal at its place, or what its preview says."""
    entering = _entering(request, view, form)
    if request.method == "POST":
        return preview_or_page(request, entering, INSERT, _insert_context(view, entering))
    return _insert_page(request, view, entering)


def _insert(
    request: HttpRequest, view: MatchView, form: RepairForm, *, writes: bool
) -> HttpResponse:
    """Shows what the deal in its place does; `writes` saves it, with everything that moves on."""
    if form.one is None:
        form.missing("one")
        return _page(request, view, form, status=422)
    entering = _entering(request, view, form)
    entry = entering.read()
    if entry is None:
        return _insert_page(request, view, entering, status=422)
    wanted = ForgottenDeal(form.one, entry, entering.roles.dealer, entering.roles.leader)
    try:
        plan = service.planned(view.table, seating_rows(view.match), wanted)
    except ServiceError as refused:
        entering.refuse(refused.problems)
        return _insert_page(request, view, entering, status=422)
    if writes:
        return _write(request, view, form, wanted, plan)
    return _page(request, view, form, effect=_effect(view, plan))


def _entering(request: HttpRequest, view: MatchView, form: RepairForm) -> Entering:
    """The form of the deal at its place, in the match with room made for it."""
    assert form.one is not None
    room = service.planned(view.table, seating_rows(view.match), ForgottenDeal(form.one))
    then = tuple(sittings(seating_rows(room.match_then)))
    there = replace(view.after(room.after), sittings=then)
    turn = there.table.turn
    contract = asked_contract(request.POST) or asked_contract(request.GET)
    contract = contract or _fitting(there, turn.chooser)[0]
    query = {"what": form.kind, "one": form.one, "contract": contract.key}
    return new_entering(
        there,
        turn,
        contract,
        action=reverse("repair", args=[view.match.id], query=query),
        raw=raw_of_post(request.POST),
        entry_key=read_id(request.POST.get("entry_key", "")),
    )


def _fitting(view: MatchView, chooser: int | None) -> list[Contract]:
    """What the chooser has left there; all contracts where that is nothing, since another may have
    chosen."""
    fitting = view.table.turn.contracts_of(chooser or 0)
    return list(fitting) or [Contract.read(name) for name in view.ruleset.contracts]


def _insert_context(view: MatchView, entering: Entering) -> dict[str, Any]:
    number, chosen = entering.turn.deal_number, entering.form.contract
    others = _fitting(entering.view, entering.form.chooser)
    return {
        **entering.context(),
        "match": view.match,
        "view": view,
        "number": number,
        "inserts": True,
        "others": [contract for contract in others if contract != chosen],
        "problems": sentences(entering.form.problems, entering.form),
    }


def _insert_page(
    request: HttpRequest, view: MatchView, entering: Entering, status: int = 200
) -> HttpResponse:
    context = _insert_context(view, entering)
    return page_or_part(request, INSERT, context, part="match", status=status)


def _insist(request: HttpRequest, view: MatchView, deals: list[Deal]) -> None:
    """Every deal that is touched is corrected."""
    for deal in (None, *deals):
        require_permission(request, Action.CORRECT, view.match, deal=deal, now=timezone.now())


# ── what is done on it ──────────────────────────────────────────────────


def _look(request: HttpRequest, view: MatchView, form: RepairForm) -> HttpResponse:
    """What it would do; nothing is written."""
    wanted = form.read() if form.kind else None
    if wanted is None:
        return _page(request, view, form, status=422)
    rows = seating_rows(view.match)
    plan = service.planned(view.table, rows, wanted)
    return _page(request, view, form, effect=_effect(view, plan))


def _apply(request: HttpRequest, view: MatchView, form: RepairForm) -> HttpResponse:
    wanted = form.read() if form.kind else None
    if wanted is None:
        return _page(request, view, form, status=422)
    plan = service.planned(view.table, seating_rows(view.match), wanted)
    return _write(request, view, form, wanted, plan)


def _write(
    request: HttpRequest, view: MatchView, form: RepairForm, wanted: Repair, plan: RepairPlan
) -> HttpResponse:
    _insist(request, view, list(plan.touched))
    reason = request.POST.get("reason", "")
    try:
        service.apply(write_of(request, view.match), repair=wanted, reason=reason)
    except ServiceError as refused:
        if not refused.is_only_about("reason"):
            raise
        form.problems = list(refused.problems)
        return _page(request, view, form, effect=_effect(view, plan), status=422)
    return see_other("repair", view.match.id)


def _revert(request: HttpRequest, view: MatchView, form: RepairForm) -> HttpResponse:
    """Asks why on its first post, with the effect; writes on the second."""
    event_id = read_id(request.POST.get("event", ""))
    if event_id is None:
        raise ServiceError(RefusalCode.CHANGED_SINCE, "event")
    plan = service.opposite(view.table, seating_rows(view.match), event_id)
    _insist(request, view, list(plan.touched))
    reason = request.POST.get("reason")
    if reason is None:
        return _page(request, view, form, effect=_effect(view, plan) | {"event": event_id})
    try:
        service.revert(write_of(request, view.match), event_id=event_id, reason=reason)
    except ServiceError as refused:
        if not refused.is_only_about("reason"):
            raise
        form.problems = list(refused.problems)
        shown = _effect(view, plan) | {"event": event_id}
        return _page(request, view, form, effect=shown, status=422)
    return see_other("repair", view.match.id)


ACTS = {"look": _look, "apply": _apply, "revert": _revert}


# ── what the page shows ─────────────────────────────────────────────────


def _effect(view: MatchView, plan: RepairPlan) -> dict[str, Any]:
    """Before and after: of the seats, of the people where they change, and each touched deal."""
    first = min((row.from_deal for row in plan.seatings), default=1)
    touched = sorted({*(deal.deal_number for deal in plan.touched), *plan.numbers})
    then = sittings(seating_rows(plan.match_then))
    found = effects(view, plan.after, seatings=plan.seatings, sittings=then, touched=touched)
    return {
        "sits": sits_down(plan.seatings, now_sitting(seating_rows(view.match), first)),
        "lines": found.lines,
        "deals": [(deal, list(_roles(view, plan, deal.number))) for deal in found.deals],
        "rates_anew": found.rates_anew,
        "names": _names_then(view, plan),
        "lost": _signatures_lost(view, plan),
        "reviewed": [number for number in view.reviews if number in touched],
        "penalties": list(_penalties_moved(view, plan)),
        "moved": list(dict.fromkeys(_moved_along(plan))),
        "missing": _missing_then(plan),
    }


ROLES = {"chooser": _("chooses"), "dealer": _("deals"), "leader": _("plays first")}


def _roles(view: MatchView, plan: RepairPlan, number: int) -> Iterator[tuple[Any, str, str]]:
    """The roles of a deal that get to another person: which, who has it and who would."""
    old, new = plan.before.deal(number), plan.after.deal(number)
    before, after = map(words.first_names, (view.names_at(number), _names_then(view, plan, number)))
    for role, said in ROLES.items() if old and new else ():
        had, has = getattr(old, role), getattr(new, role)
        one, other = ("" if had is None else before[had]), ("" if has is None else after[has])
        if one != other:
            yield said, one, other


def _missing_then(plan: RepairPlan) -> int | None:
    """The number at which room is made for a deal that is still to be entered."""
    moves = plan.facts.get("moves", {"at": 0, "by": 0})
    makes_room = moves["by"] > 0 and plan.after.deal(moves["at"]) is None
    return moves["at"] if makes_room else None


def _moved_along(plan: RepairPlan) -> Iterator[tuple[str, int, int]]:
    """What gets to another deal number: its kind, the number it has and the one it would have."""
    for void, row in plan.beside:
        if isinstance(row, Adjustment) and void.adjustment:
            old, new = void.adjustment.after_deal, row.after_deal
        elif isinstance(row, Redeal) and void.redeal:
            old, new = void.redeal.deal_number, row.deal_number
        elif isinstance(row, Subtotal) and void.subtotal:
            old, new = void.subtotal.first_deal, row.first_deal
        else:
            continue
        if old != new:
            yield row.TABLE, old, new
    if "shifts" in plan.facts:
        before, after = hanging(plan.before.match), hanging(plan.match_then)
        for key, old in before.items():
            if key in after and after[key] != old:
                yield key[0], old, after[key]


def _signatures_lost(view: MatchView, plan: RepairPlan) -> list[str]:
    """The people whose signatures lapse: of kingdoms or rounds with a deal that is replaced."""
    changed, names = plan.numbers, [one.name for one in view.seats]
    signed = [unit for unit in units(view, timezone.now()) if changed & set(unit.numbers)]
    return [names[row.seat] for unit in signed for row in unit.signatures if row]


def _penalties_moved(view: MatchView, plan: RepairPlan) -> Iterator[tuple[SafeString, SafeString]]:
    """The penalties and corrections of points that get to somebody else, before and after."""
    after = {void.adjustment_id: row for void, row in plan.beside if isinstance(row, Adjustment)}
    for row in view.table.adjustments:
        then = after.get(row.id, row)
        old = adjusted(row, view.names_at(max(row.after_deal, 1)))
        new = adjusted(then, _names_then(view, plan, max(then.after_deal, 1)))
        if old != new:
            yield old, new


def _names_then(view: MatchView, plan: RepairPlan, number: int | None = None) -> list[str]:
    """What the four would be called, now or in a deal."""
    if number is None:
        names = [seat.name for seat in view.seats]
    elif plan.match_then.shifts == view.match.shifts:
        names = view.names_at(number)
    else:
        sat = sat_at(sittings(seating_rows(plan.match_then)), number)
        names = told_apart([view.people[one].name for one in sat])
    for row in plan.seatings:
        if number is None or number >= row.from_deal:
            names[row.seat] = row.player.name
    return names


def _page(
    request: HttpRequest,
    view: MatchView,
    form: RepairForm,
    *,
    effect: dict[str, Any] | None = None,
    refused: ServiceError | None = None,
    status: int = 200,
) -> HttpResponse:
    if refused:
        form.problems, status = list(refused.problems), status_of(refused)
    match = view.match
    may_mend = match.is_running and permissions.may(Action.CORRECT, match, actor_of(request))
    names = [seat.name for seat in view.seats]
    query = {"what": form.kind} if form.kind else {}
    context = {
        "match": match,
        "view": view,
        "names": names,
        "shorts": words.first_names(names),
        "shorts_then": words.first_names(effect["names"]) if effect else [],
        "form": form,
        "said": form.said,
        "effect": effect,
        "may_mend": may_mend,
        "kinds": KINDS,
        "title": KINDS[form.kind][0] if form.kind else "",
        "by_kingdom": view.ruleset.chooser_order == "kingdom",
        "choosers": _choosers(view),
        "played": [deal for deal in view.table.deals if deal.uses_contract],
        "movable": view.table.deals,
        "contracts": [Contract.read(name).key for name in view.ruleset.contracts],
        "deals": _deals(view, form.newest),
        "repairs": [
            (done, KINDS[done.kind][0] if done.kind in KINDS else done.kind)
            for done in reversed(repairs(match, seating_rows(match)))
            if not _is_hidden(view, done)
        ],
        "entry_key": uuid4(),
        "address": reverse("repair", args=[match.id], query=query),
        **(offered(view) if may_mend and form.kind == "person" else {}),
    }
    return page_or_part(request, PAGE, context, part="repair", status=status)


def _is_hidden(view: MatchView, done: Repaired) -> bool:
    """Whether it touched a deal since that is under review, which those from outside do not see."""
    return any(
        view.hides(number) and done.event.seq > view.reviews[number].opened_seq
        for number in done.deals
    )


def _choosers(view: MatchView) -> list[int]:
    """The seats that have chosen, in the order in which they first did."""
    return list(dict.fromkeys(deal.chooser for deal in view.table.deals if deal.uses_contract))


def _deals(view: MatchView, newest: int) -> list[tuple[int, str]]:
    return [
        (number, view.deals[number].contract if number in view.deals else "")
        for number in range(1, newest + 1)
    ]
