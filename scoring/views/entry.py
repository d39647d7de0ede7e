"""Entering a deal: what the match page and the deal page share.

Both draw the same form, answer the same preview and say the same refusals.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils import timezone

from scoring.forms import explain, words
from scoring.forms.drawing import draw
from scoring.forms.entry import EntryForm
from scoring.forms.fields import Raw, whole
from scoring.forms.sentences import sentences
from scoring.models import Deal, Match
from scoring.rules import Contract, Entry, Problem, RulesRefused, points
from scoring.rules.schedule import Turn
from scoring.selectors.matches import MatchView
from scoring.selectors.tables import sheet_deal
from scoring.services.refusals import LedgerRefused
from scoring.services.who import Who
from scoring.views.http import is_expired, page_or_part, who

MOST_PARTS = 10
"""More than any contract has; the rest of a longer query is not read."""


class Writing(TypedDict):
    """What every write of a match is told: which match, the key made when the form was drawn, the
    version that its writer saw, who and when."""

    match_id: UUID
    entry_key: UUID
    version: int
    who: Who
    now: datetime


def read_writing(request: HttpRequest, match: Match) -> Writing:
    """Refused where the form lacks its key or version."""
    version = whole(request.POST.get("version", ""))
    if not isinstance(version, int):
        raise LedgerRefused("form_expired", "version")
    return Writing(
        match_id=match.id,
        entry_key=read_key(request),
        version=version,
        who=who(request),
        now=timezone.now(),
    )


def read_key(request: HttpRequest) -> UUID:
    """The key of a form. Refused without one: the form is none of ours, or its token expired."""
    entry_key = read_id(request.POST.get("entry_key", ""))
    if entry_key is None or is_expired(request):
        raise LedgerRefused("form_expired", "entry_key")
    return entry_key


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
        raise LedgerRefused("not_standing", "deal")
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

    `corrects` is the standing deal that it takes the place of.
    """

    view: MatchView
    turn: Turn
    form: EntryForm
    action: str
    entry_key: UUID
    corrects: Deal | None = None
    entry: Entry | None = None

    def read(self) -> Entry | None:
        self.entry = self.form.read()
        return self.entry

    def refuse(self, problems: Sequence[Problem]) -> None:
        """Takes over what a service said."""
        self.form.problems = list(problems)
        self.entry = None

    def preview(self) -> dict[str, Any]:
        """What `entry/_preview.html` needs: the worth of a whole entry, or what is wrong with one
        beside what is merely open."""
        form, sheet, ruleset = self.form, self.view.sheet, self.view.ruleset
        worth = points(self.entry, ruleset) if self.entry else None
        old = points(sheet_deal(self.corrects).entry, ruleset) if self.corrects else None
        return {
            "purses": explain.purses(form.names, sheet.totals, worth, old),
            "effects": explain.effects(worth, form.names, ruleset) if worth else [],
            "reasons": explain.reasons(worth, form.names) if worth else [],
            "drawn": draw(form),
            "names": form.names,
            "shorts": words.first_names(form.names),
        }

    def context(self) -> dict[str, Any]:
        """What `entry/_form.html` needs."""
        chooser = self.form.chooser
        shared = self.preview()
        return {
            **shared,
            "entering": self,
            "contract": self.form.contract.key,
            "chooser_name": shared["shorts"][chooser] if chooser is not None else "",
            "clockwise": self.view.ruleset.direction == "clockwise",
        }


def new_entering(
    view: MatchView,
    turn: Turn,
    contract: Contract,
    *,
    action: str,
    raw: Raw | None = None,
    chooser: int | None = None,
    entry_key: UUID | None = None,
    corrects: Deal | None = None,
) -> Entering:
    """The form of this contract at this place of the match."""
    chooser = turn.chooser if chooser is None else chooser
    names = view.names_at(turn.deal_number)
    form = EntryForm(
        ruleset=view.ruleset,
        contract=contract,
        names=names,
        raw=raw or {},
        chooser=chooser,
        forced=turn.is_forced(contract, chooser),
    )
    return Entering(view, turn, form, action, entry_key or uuid4(), corrects)


def raw_of_post(data: Mapping[str, str]) -> dict[str, str]:
    """Everything posted, the last of each name; a field reads only its own names."""
    return {name: str(data[name]) for name in data}


def preview_or_page(
    request: HttpRequest, entering: Entering, page: str, context: dict[str, Any]
) -> HttpResponse:
    """The preview alone for htmx; without a script the whole page with what was tapped."""
    entering.read()
    form = entering.form
    form.problems = [problem for problem in form.problems if problem.code != "missing"]
    if request.htmx:  # type: ignore[attr-defined]
        told = {"told": sentences(form.problems, form)}
        return page_or_part(request, "scoring/entry/_preview.html", {**entering.preview(), **told})
    return page_or_part(request, page, {**context, **entering.context()})
