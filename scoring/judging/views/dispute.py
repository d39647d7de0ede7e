"""The page of one dispute, for the arbiter.

What was flagged, entered, recorded and photographed, earlier rulings on the same rule; at its end
the ruling, with a preview before it is published.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.access.http import (
    actor_of,
    match_for,
    page_or_part,
    preserve_on_csrf_failure,
    see_other,
    status_of,
)
from scoring.access.permissions import Action
from scoring.common import words
from scoring.common.errors import RefusalCode, ServiceError, Stale
from scoring.common.requests import is_htmx
from scoring.corrections.queries.effects import effects
from scoring.corrections.views.correcting import stored_roles
from scoring.corrections.views.restoring import taps_of
from scoring.entry.forms.entry import raw_of
from scoring.entry.forms.roles import Roles
from scoring.entry.presenters import explain, facts
from scoring.entry.presenters.sentences import sentence
from scoring.entry.views.entry import (
    Entering,
    answered_once,
    asked_contract,
    new_entering,
    raw_of_post,
    read_id,
    write_of,
)
from scoring.history.presenters.history import stories
from scoring.history.queries.history import HistoryLine, deal_history, photo_history
from scoring.house_rules.presenters.contested import grouped, name_of
from scoring.judging.forms.rulings import OUTCOMES, RulingForm, first
from scoring.judging.forms.rulings import told as told_points
from scoring.judging.presenters.flags import doubt_lines
from scoring.judging.queries.flags import doubts
from scoring.judging.queries.rulings import RulingFilter, precedents
from scoring.judging.services import rulings as service
from scoring.judging.services.rulings import Decision, is_of_ruling
from scoring.judging.views.rulings import ruling_boxes
from scoring.ledger.queries.match_view import MatchView, match_view
from scoring.ledger.queries.verdicts import Audited
from scoring.models import Deal, EventKind, MatchState, Outcome
from scoring.records.forms.photos import KINDS
from scoring.records.presenters.audits import AuditSummary
from scoring.records.presenters.submission import contradiction_sentences
from scoring.records.presenters.what_if import WhatIfSummary
from scoring.records.queries.records import audit_of, entry_of_cards
from scoring.rules import Contract, Entry, Points, Problem, ProblemCode, points

PAGE = "judging/dispute.html"
WITH_ENTRY = (Outcome.CORRECTED, Outcome.REVOKE)


@dataclass
class DisputeCase:
    """A deal number being ruled on. `entering` is the entry that a correction or a revoke needs."""

    view: MatchView
    number: int
    history: list[HistoryLine]
    audit: Audited | None
    outcome: str
    form: RulingForm
    entering: Entering | None = None

    @property
    def standing(self) -> Deal | None:
        return self.view.deals.get(self.number)

    @property
    def shown(self) -> Deal:
        """The deal that stands, else the last that did."""
        last = next(line.deal for line in reversed(self.history) if line.deal)
        return self.standing or last

    @property
    def versions(self) -> list[HistoryLine]:
        """Earlier entries that said something else, the newest first, each once."""
        now = self.standing
        found: dict[str, HistoryLine] = {}
        for line in reversed(self.history):
            if line.deal and line.is_version and now and line.deal.payload != now.payload:
                found.setdefault(str(line.deal.payload), line)
        return list(found.values())

    @property
    def names(self) -> list[str]:
        return self.view.names_at(self.number)

    def address(self, **query: str) -> str:
        asked = {name: text for name, text in query.items() if text}
        return reverse("dispute", args=[self.view.match.id, self.number], query=asked or None)

    def decision(self) -> Decision | None:
        """What was found, if it is whole; else the forms say what is missing."""
        if self.outcome not in OUTCOMES:
            self.form.problems.append(Problem(ProblemCode.MISSING, "outcome"))
        if not self.form.reason.strip():
            self.form.problems.append(Problem(ProblemCode.MISSING, "reason"))
        entry = self.entering.read() if self.entering else None
        given = self.form.points if self.outcome == Outcome.ADJUSTED else None
        if self.form.problems or (self.entering and entry is None):
            return None
        roles = self.entering.roles if self.entering else Roles(None, None, None)
        return Decision(self.outcome, entry, roles.dealer, roles.leader, given)

    def refuse(self, problems: tuple[Problem, ...]) -> None:
        """Takes over what the service said, where it was asked."""
        own = [one for one in problems if one.field in ("reason", "rule", "points", "outcome", "")]
        own = list(problems) if self.entering is None else own
        self.form.problems += own
        if self.entering and len(own) < len(problems):
            self.entering.refuse([one for one in problems if one not in own])


@preserve_on_csrf_failure
def dispute(request: HttpRequest, match_id: UUID, number: int) -> HttpResponse:
    match = match_for(request, match_id, Action.JUDGE)
    case = _case(request, match_view(match), number)
    act = ACTS.get(request.POST.get("action", ""))
    if request.method != "POST" or act is None:
        part = "precedents" if "precedents" in request.GET else "match"
        return _page(request, case, part=part)
    return answered_once(
        request,
        case.view,
        [EventKind.RULING_PUBLISHED],
        first=lambda: see_other(_after(case)),
        act=lambda: act(request, case),
        again=lambda now, refused: _refused(request, now, number, refused),
    )


def _case(request: HttpRequest, view: MatchView, number: int) -> DisputeCase:
    history = deal_history(view.match, number)
    if not any(line.deal for line in history):
        raise Http404(number)
    raw = raw_of_post(request.POST) or raw_of_post(request.GET)
    asked = request.POST.get("outcome") or request.GET.get("outcome", "")
    outcome = asked if asked in OUTCOMES else ""
    case = DisputeCase(view, number, history, audit_of(view, number), outcome, RulingForm(raw))
    if outcome in WITH_ENTRY and case.standing:
        case.entering = _entering(request, case, case.standing)
    return case


# ── the entry that a ruling may need ────────────────────────────────────


def _entering(request: HttpRequest, case: DisputeCase, standing: Deal) -> Entering:
    """The form of the deal: as posted, as an earlier version, as the cards say, as it stands."""
    contract, raw = _given(request, case, standing)
    turn = case.view.table.turn_of(case.number)
    query = {"outcome": case.outcome, "contract": contract.key}
    return new_entering(
        case.view,
        turn,
        contract,
        action=case.address(**query),
        raw=raw,
        usual=stored_roles(turn, standing, contract),
        entry_key=read_id(request.POST.get("entry_key", "")),
        corrects=standing,
    )


def _given(
    request: HttpRequest, case: DisputeCase, standing: Deal
) -> tuple[Contract, Mapping[str, str]]:
    if request.method == "POST":
        contract = asked_contract(request.POST)
        if contract is None:
            contract = Contract.from_key(standing.contract)
        return contract, case.form.raw
    if version := _asked_version(request, case):
        return Contract.from_key(version.contract), taps_of(version)
    if proposal := _proposed(request, case):
        return proposal.contract, raw_of(proposal)
    asked = asked_contract(request.GET)
    entry = standing.entry
    return (asked, {}) if asked and asked != entry.contract else (entry.contract, raw_of(entry))


def _asked_version(request: HttpRequest, case: DisputeCase) -> Deal | None:
    wanted = read_id(request.GET.get("of", ""))
    return next((line.deal for line in case.versions if line.deal and line.deal.id == wanted), None)


def _proposed(request: HttpRequest, case: DisputeCase) -> Entry | None:
    """What a record makes of it: for a revoke at once, for a correction when it is asked for."""
    if case.outcome == Outcome.REVOKE:
        return _revoked(case)
    by_the_cards = request.GET.get("of") == "cards"
    return entry_of_cards(case.audit) if by_the_cards and case.audit else None


def _revoked(case: DisputeCase) -> Entry | None:
    found = AuditSummary(case.audit, case.names).revoked if case.audit else None
    return found.entry if found else None


# ── what is done on it ──────────────────────────────────────────────────


def _preview(request: HttpRequest, case: DisputeCase) -> HttpResponse:
    """While it is being filled in: what the entry is worth, or the totals with these points."""
    if case.entering:
        case.entering.judge()
    if not is_htmx(request):
        return _page(request, case)
    if case.entering is None:
        return page_or_part(request, "judging/dispute/_sums.html", {"purses": _purses(case)})
    told = [(one.code, sentence(one, case.entering.form)) for one in case.entering.form.problems]
    context = {**case.entering.preview(), "told": told}
    return page_or_part(request, "entry/_preview.html", context)


def _redraw(request: HttpRequest, case: DisputeCase) -> HttpResponse:
    """Another seat chose, dealt or led; or what was looked at is changed once more."""
    if case.entering:
        case.entering.judge()
    return _page(request, case, roles_open=request.POST.get("action") == "redraw")


def _look(request: HttpRequest, case: DisputeCase) -> HttpResponse:
    """What the ruling would do; nothing is written."""
    decision = case.decision()
    if decision is None:
        return _page(request, case, status=422)
    try:
        service.grounds(case.form.reason, case.form.rule)
        effect = _effect(case, decision)
    except ServiceError as refused:
        case.refuse(refused.problems)
        return _page(request, case, status=422)
    return _page(request, case, effect=effect)


def _publish(request: HttpRequest, case: DisputeCase) -> HttpResponse:
    decision = case.decision()
    if decision is None:
        return _page(request, case, status=422)
    try:
        service.publish(
            write_of(request, case.view.match),
            deal_number=case.number,
            decision=decision,
            reason=case.form.reason,
            rule=case.form.rule,
        )
    except Stale:
        raise
    except ServiceError as refused:
        case.refuse(refused.problems)
        return _page(request, case, status=422)
    return see_other(_after(case))


ACTS = {
    "preview": _preview,
    "redraw": _redraw,
    "change": _redraw,
    "look": _look,
    "publish": _publish,
}


def _after(case: DisputeCase) -> str:
    return f"{case.address()}#rulings"


def _refused(
    request: HttpRequest, view: MatchView, number: int, refused: ServiceError
) -> HttpResponse:
    """Drawn anew from what stands now, with what was typed in it, and what came in between."""
    case = _case(request, view, number)
    case.refuse(refused.problems)
    since = {event.id for event in refused.events} if isinstance(refused, Stale) else set()
    return _page(request, case, status=status_of(refused), since=since)


# ── what the page shows ─────────────────────────────────────────────────


def _effect(case: DisputeCase, decision: Decision) -> dict[str, Any]:
    view = case.view
    plan = service.planned(view.table, case.number, decision)
    names = [seat.name for seat in view.seats]
    return {
        "found": (found := effects(view, plan.after)),
        "told": told_points(
            service.worth(plan.before, case.number),
            service.worth(plan.after, case.number),
            case.names,
        ),
        **first(found, names, view.match.is_running, view.ruleset),
        "facts": list(facts.facts(decision.entry, case.names, view.ruleset))
        if decision.entry
        else [],
    }


def _page(
    request: HttpRequest,
    case: DisputeCase,
    *,
    part: str = "match",
    effect: dict[str, Any] | None = None,
    status: int = 200,
    since: frozenset[UUID] | set[UUID] = frozenset(),
    roles_open: bool = False,
) -> HttpResponse:
    view, match, number = case.view, case.view.match, case.number
    names, asks = case.names, actor_of(request)
    row = view.disputes.get(number)
    context: dict[str, Any] = {
        "match": match,
        "view": view,
        "number": number,
        "case": case,
        "form": case.form,
        "said": case.form.said,
        "names": names,
        "shorts": words.first_names(names),
        "dispute": row,
        "is_claimed": row is not None and row.claimed_by_id == (asks.user and asks.user.id),
        "doubts": doubt_lines(doubts(match, number), names, asks),
        **_deal(case),
        **_evidence(request, case, since),
        "precedents": _precedents(case),
        "rule_name": name_of(case.form.rule) if case.form.rule else "",
        "rulings": ruling_boxes(view, number),
        "outcomes": _outcomes(case),
        "outcome_label": OUTCOMES[case.outcome][0] if case.outcome else "",
        "rule_groups": grouped(match.system),
        "may_rule": match.state != MatchState.VOIDED,
        "effect": effect,
        "is_stale": status == 409,
        "entry_key": uuid4(),
        "roles_open": roles_open,
        **_asked(case),
    }
    return page_or_part(request, PAGE, context, part=part, status=status)


def _deal(case: DisputeCase) -> dict[str, Any]:
    """The deal as it stands, or the last that did."""
    shown, shorts = case.shown, words.first_names(case.names)
    entry = shown.entry
    worth = points(entry, case.view.ruleset)
    return {
        "standing": case.standing,
        "shown": shown,
        "entered": {
            "facts": list(facts.facts(entry, case.names, case.view.ruleset)),
            "scores": list(zip(shorts, worth.scores, strict=True)),
            "reasons": explain.reasons(worth, case.names),
            "sides": explain.team_scores(worth, case.names),
        },
    }


def _evidence(
    request: HttpRequest, case: DisputeCase, since: frozenset[UUID] | set[UUID]
) -> dict[str, Any]:
    view, names, audit = case.view, case.names, case.audit
    device, now, club = actor_of(request).device, timezone.now(), case.view.match.club
    lines = stories(case.history, names, view.ruleset, device=device, now=now, club=club)
    return {
        "history": [(story, "") for story in lines],
        "news": [story for story in lines if story.line.event.id in since],
        "audit": AuditSummary(audit, names) if audit else None,
        "contradictions": contradiction_sentences(audit, case.number, names) if audit else [],
        "may_ask_what_if": audit is not None and WhatIfSummary.applies_to(audit),
        "what_if": WhatIfSummary(audit, names) if audit and "what_if" in request.GET else None,
        "photos": [
            (line, KINDS.get(line.row.kind, line.row.kind))
            for line in photo_history(view.match, case.number)
        ],
    }


def _precedents(case: DisputeCase) -> list[tuple[str, Any]]:
    """Of the same rule, and of the same contract with the same outcome."""
    club, rule = case.view.match.club, case.form.rule
    assert club
    asked = [("rule", RulingFilter(rule=rule))] if rule else []
    asked.append(("contract", RulingFilter(contract=case.shown.contract, outcome=case.outcome)))
    found = [(name, precedents(club, one, case.view.match, case.number)) for name, one in asked]
    shown = {one.line.ruling.id for one in found[0][1]} if rule else set()
    return [
        (name, [one for one in own if name == "rule" or one.line.ruling.id not in shown])
        for name, own in found
    ]


def _outcomes(case: DisputeCase) -> list[tuple[str, Any, Any, str]]:
    """What may be found here: a revoke only where the rules price one, an entry only where a deal
    stands."""
    special = Contract.from_key(case.shown.contract).special
    off = case.view.ruleset.revoke == "off" or special
    barred = set(WITH_ENTRY) if case.standing is None else {Outcome.REVOKE} if off else set()
    return [
        (key, label, text, f"{case.address(outcome=key)}#ruling")
        for key, (label, text) in OUTCOMES.items()
        if key not in barred
    ]


def _asked(case: DisputeCase) -> dict[str, Any]:
    """What the chosen outcome asks for."""
    if case.entering is None:
        return {"low_wins": case.view.ruleset.win == "low", "purses": _purses(case)}
    others = case.entering.turn.contracts_of(case.entering.form.chooser or 0)
    return {
        **case.entering.context(),
        "ruling": True,
        "is_proposed": case.outcome == Outcome.REVOKE and _revoked(case) is not None,
        "reason": case.form.reason,
        "others": [
            (one.key, f"{case.address(outcome=case.outcome, contract=one.key)}#ruling")
            for one in others
            if one != case.entering.form.contract
        ],
        "ways": _ways(case),
    }


def _purses(case: DisputeCase) -> list[explain.Purse]:
    """The totals as they would be with these points; what an earlier ruling gave or took counts no
    more then."""
    view = case.view
    names = [seat.name for seat in view.seats]
    one, two, three, four = case.form.points
    whole = case.outcome == Outcome.ADJUSTED and any(case.form.points)
    earlier = [row.points for row in view.table.adjustments if is_of_ruling(row, case.number)]
    totals = [
        total - sum(points[seat] for points in earlier)
        for seat, total in enumerate(view.sheet.totals)
    ]
    worth = Points((one, two, three, four), (), None) if whole else None
    return explain.purses(names, totals if whole else view.sheet.totals, worth)


@dataclass(frozen=True)
class ReadyCorrection:
    """A ready correction in one tap; `refused`: why it cannot be one (C55)."""

    title: Any
    facts: list[Any]
    address: str
    refused: Any = ""


def _ways(case: DisputeCase) -> list[ReadyCorrection]:
    """The cards, if they make an entry, and the earlier versions of the deal."""
    if case.outcome != Outcome.CORRECTED:
        return []
    cards = entry_of_cards(case.audit) if case.audit else None
    versions = [line.deal for line in case.versions if line.deal]
    ways = [_way(case, _("As the cards say"), cards, "cards")] if cards else []
    ways += [
        _way(case, _("As it was entered before"), deal.entry, str(deal.id), deal)
        for deal in versions
    ]
    return list(filter(None, ways))


def _way(
    case: DisputeCase, title: Any, entry: Entry, of: str, deal: Deal | None = None
) -> ReadyCorrection | None:
    """None for what stands already."""
    address = f"{case.address(outcome=case.outcome, of=of)}#ruling"
    dealer, leader = (deal.dealer, deal.leader) if deal else (None, None)
    refused: Any = ""
    try:
        decision = Decision(case.outcome, entry, dealer, leader)
        service.planned(case.view.table, case.number, decision)
    except ServiceError as found:
        assert case.entering
        if found.code == RefusalCode.NOTHING_CHANGED:
            return None
        refused = sentence(found.problems[0], case.entering.form)
    return ReadyCorrection(
        title, list(facts.facts(entry, case.names, case.view.ruleset)), address, refused
    )
