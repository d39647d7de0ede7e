"""Entering a deal: what the match page and the deal page share.

Both draw the same form, answer the same preview and say the same refusals.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils import timezone

from scoring.access.http import actor_of, is_expired, page_or_part
from scoring.common import words
from scoring.common.errors import RefusalCode, ServiceError
from scoring.common.numbers import whole
from scoring.common.requests import is_htmx
from scoring.entry.forms.entry import EntryForm
from scoring.entry.forms.fields import LONGEST_CARDS, Raw
from scoring.entry.forms.roles import Roles, other_than, proposed, told, wrong_seats
from scoring.entry.presenters import explain
from scoring.entry.presenters.drawing import draw
from scoring.entry.presenters.facts import PLAYED_AGAIN
from scoring.entry.presenters.sentences import sentences
from scoring.ledger.queries.match_view import MatchView, match_view
from scoring.ledger.queries.snapshots import sheet_deal
from scoring.ledger.services.chain import Write
from scoring.models import Deal, EventKind, Match
from scoring.rules import (
    Contract,
    Entry,
    Points,
    Problem,
    ProblemCode,
    RulesRefused,
    is_queens_draw,
    points,
)
from scoring.rules.schedule import Turn, check_turn, is_replayed

OF_CHOOSER = (ProblemCode.CONTRACT_USED, ProblemCode.NOT_THIS_CONTRACT)
MOST_PARTS = 10
"""More than any contract has; the rest of a longer query is not read."""


def write_of(request: HttpRequest, match: Match) -> Write:
    """What the form says of a write to this match. Refused where its key or version is missing."""
    version = whole(request.POST.get("version", ""))
    if not isinstance(version, int):
        raise ServiceError(RefusalCode.FORM_EXPIRED, "version")
    return Write(match.id, read_key(request), version, actor_of(request), timezone.now())


def read_key(request: HttpRequest) -> UUID:
    """The key of a form. Refused without one: the form is none of ours, or its token expired."""
    entry_key = read_id(request.POST.get("entry_key", ""))
    if entry_key is None or is_expired(request):
        raise ServiceError(RefusalCode.FORM_EXPIRED, "entry_key")
    return entry_key


def is_answered(request: HttpRequest, match: Match, *kinds: EventKind) -> bool:
    """Whether this form was saved already: its answer got lost on the way, and what it asks for can
    no longer be judged."""
    entry_key = read_id(request.POST.get("entry_key", ""))
    return entry_key is not None and (
        match.events.filter(entry_key=entry_key, kind__in=kinds).exists()
    )


def answered_once(
    request: HttpRequest,
    view: MatchView,
    kinds: Sequence[EventKind],
    *,
    first: Callable[[], HttpResponse],
    act: Callable[[], HttpResponse],
    again: Callable[[MatchView, ServiceError], HttpResponse],
) -> HttpResponse:
    """What every page with a look, a save and a way back does with a post: `first` once more where
    it was answered before; else the act; and where that is refused the page `again`, with the match
    as it is by then."""
    try:
        if is_expired(request):
            raise ServiceError(RefusalCode.FORM_EXPIRED, "entry_key")
        return first() if is_answered(request, view.match, *kinds) else act()
    except ServiceError as refused:
        view.match.refresh_from_db()
        return again(match_view(view.match), refused)


def read_id(text: str) -> UUID | None:
    """An id from outside, None if it is none."""
    try:
        return UUID(text)
    except ValueError:
        return None


def named_deal(request: HttpRequest, match: Match, number: int) -> UUID:
    """The deal that a form speaks of. Refused if it has another number than the one for which the
    right was asked: a form of the newest deal must not reach an earlier one."""
    deal_id = read_id(request.POST.get("deal", ""))
    known = Deal.objects.filter(match=match, deal_number=number)
    if deal_id is None or not known.filter(id=deal_id).exists():
        raise ServiceError(RefusalCode.NOT_STANDING, "deal")
    return deal_id


def asked_contract(data: QueryDict) -> Contract | None:
    """The contract of an address or a form: one key, or the parts of a combined one."""
    parts = [part for key in data.getlist("contract") for part in key.replace(" ", "+").split("+")]
    try:
        return Contract.read([part for part in parts if part][:MOST_PARTS])
    except RulesRefused:
        return None


@dataclass
class Entering:
    """One deal being entered: where it belongs, its form, and what it is worth once it is whole.

    `corrects` is the standing deal that it takes the place of, `as_it_stands`: nothing of that was
    changed yet.
    """

    view: MatchView
    turn: Turn
    form: EntryForm
    roles: Roles
    action: str
    entry_key: UUID
    corrects: Deal | None = None
    entry: Entry | None = None
    as_it_stands: bool = False

    def read(self) -> Entry | None:
        self.entry = self.form.read()
        return self.entry

    @property
    def is_draw(self) -> bool:
        """Whether these queens are dealt again instead of scored; a deal that stands is only
        refused."""
        refused = any(problem.code == RefusalCode.QUEENS_DRAW for problem in self.form.problems)
        drawn = self.entry is not None and is_queens_draw(self.entry, self.view.ruleset)
        return self.corrects is None and (refused or drawn)

    @property
    def draft(self) -> str:
        """Under which name a phone keeps what was tapped. Cards that are dealt again are others."""
        number, again = self.turn.deal_number, self.view.table.redeals
        place = self.corrects.id if self.corrects else number
        times = sum(row.deal_number == number for row in again)
        return f"{self.view.match.id}:{place}:{self.form.contract.key}:{times}"

    @property
    def is_blank(self) -> bool:
        """Whether nothing of it was filled in here: what a phone has kept may be put into it."""
        return self.as_it_stands or not (self.form.is_begun or self.form.meant)

    def judge(self) -> None:
        """Reads it for a preview: what a save would say of the schedule is told at once."""
        entry = self.read()
        self.refuse(check_turn(entry, self.turn) if entry else self.form.problems)
        self.form.problems = [one for one in self.form.problems if one.code != ProblemCode.MISSING]

    def refuse(self, problems: Sequence[Problem]) -> None:
        """Takes over what a service said. What another chooser may not play is said where he was
        chosen."""
        other = "chooser" in self.form.meant
        self.form.problems = [
            replace(one, field="chooser") if other and one.code in OF_CHOOSER else one
            for one in problems
        ]
        if any(one.field != "reason" for one in problems):  # that is no fact of the deal
            self.entry = None

    def preview(self) -> dict[str, Any]:
        """What `entry/_preview.html` needs: the worth of a whole entry, or what is wrong with one
        beside what is merely open."""
        form, ruleset = self.form, self.view.ruleset
        worth = points(self.entry, ruleset) if self.entry and not self.is_draw else None
        old = points(sheet_deal(self.corrects).entry, ruleset) if self.corrects else None
        purses = explain.purses(form.names, self._totals(worth, old), worth, old)
        return {
            "purses": purses,
            "sides": explain.sides(purses) if ruleset.has_teams else [],
            "effects": explain.effects(worth, form.names, ruleset) if worth else [],
            "reasons": explain.reasons(worth, form.names) if worth else [],
            "running": explain.running(form),
            "played_again": PLAYED_AGAIN if self.entry and is_replayed(self.entry, ruleset) else "",
            "really": explain.really(self.entry, ruleset, form.names) if self.entry else [],
            "entering": self,
            "contract": form.contract.key,
            "drawn": draw(form),
            "names": form.names,
            "shorts": words.first_names(form.names),
        }

    def _totals(self, worth: Points | None, old: Points | None) -> Sequence[int]:
        """The totals without this deal: what paper says of it counts in them already."""
        sheet, number = self.view.sheet, self.turn.deal_number
        papers = [one for one in sheet.papers if one.still_open and one.subtotal.covers(number)]
        if worth is None or not papers:
            return sheet.totals
        known: Sequence[int] = papers[0].share
        if any(deal.deal_number != number for deal in papers[0].still_open):
            before = old.scores if old else (0, 0, 0, 0)
            known = [new - had for new, had in zip(worth.scores, before, strict=True)]
        return [total - part for total, part in zip(sheet.totals, known, strict=True)]

    def context(self) -> dict[str, Any]:
        """What `entry/_form.html` needs."""
        return {
            **self.preview(),
            "cards_text": self.form.raw.get("plays", "")[:LONGEST_CARDS],
            "clockwise": self.view.ruleset.direction == "clockwise",
        }


def new_entering(
    view: MatchView,
    turn: Turn,
    contract: Contract,
    *,
    action: str,
    raw: Raw | None = None,
    usual: Roles | None = None,
    entry_key: UUID | None = None,
    corrects: Deal | None = None,
) -> Entering:
    """The form of this contract at this place of the match. `usual` are the roles where nothing
    is said of them: those of the schedule, unless given."""
    raw = raw or {}
    usual = usual or proposed(turn, contract)
    roles = told(turn, contract, usual, raw)
    wrong = {problem.field: raw[problem.field] for problem in wrong_seats(raw)}
    unplayed = _only_unplayed(turn, contract, roles.chooser)
    form = EntryForm(
        ruleset=view.ruleset,
        contract=contract,
        names=view.names_at(turn.deal_number),
        raw={**({"forfeited": "1"} if unplayed else {}), **raw, **roles.raw, **wrong},
        chooser=roles.chooser,
        forced=turn.is_forced(contract, roles.chooser),
        meant=other_than(usual, roles),
        unplayed=unplayed,
    )
    return Entering(view, turn, form, roles, action, entry_key or uuid4(), corrects)


def _only_unplayed(turn: Turn, contract: Contract, chooser: int | None) -> bool:
    """Whether these contracts may be taken unplayed in one row but not be played in one deal."""
    may_be_played = chooser is not None and contract in turn.contracts_of(chooser)
    return contract in turn.unplayed_by(chooser) and not may_be_played


def raw_of_post(data: Mapping[str, str]) -> dict[str, str]:
    """Everything posted, the last of each name; a field reads only its own names."""
    return {name: str(data[name]) for name in data}


def preview_or_page(
    request: HttpRequest, entering: Entering, page: str, context: dict[str, Any]
) -> HttpResponse:
    """The preview alone for htmx; without a script the whole page with what was tapped. Where
    another seat chose, dealt or led, all of the form."""
    entering.judge()
    redrawn = request.POST.get("action") == "redraw"
    if is_htmx(request) and not redrawn:
        told = {"told": sentences(entering.form.problems, entering.form)}
        return page_or_part(request, "entry/_preview.html", {**entering.preview(), **told})
    context = {**context, **entering.context(), "roles_open": redrawn}
    return page_or_part(request, page, context, part="match")
