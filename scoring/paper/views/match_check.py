"""Check of a match's deals against the totals on paper."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from scoring.access import permissions
from scoring.access.http import (
    actor_of,
    is_expired,
    match_for,
    page_or_part,
    preserve_on_csrf_failure,
    view_of,
)
from scoring.access.permissions import Action
from scoring.common import limits, numbers, words
from scoring.common.numbers import Cells
from scoring.entry.forms.entry import raw_of
from scoring.finder import (
    Change,
    Entered,
    Findings,
    Fixed,
    Line,
    TotalsRun,
    WrittenSheet,
    WrittenTotal,
    find,
)
from scoring.finder.sheet import TotalKind
from scoring.history.presenters.match_adjustments import ADJUSTMENTS, for_whom
from scoring.ledger.queries.match_view import MatchView
from scoring.paper.presenters import findings
from scoring.rules import Entry
from scoring.rules.scoresheet import ScoreRow

PAGE = "paper/match_check.html"


@dataclass(frozen=True)
class Asked:
    """One total that the paper may have: its words, the rows it adds up, the four numbers."""

    kind: TotalKind
    label: str
    rows: tuple[int, ...]
    sums: tuple[int, ...]
    cells: Cells

    @property
    def total(self) -> WrittenTotal:
        one, two, three, four = numbers.values(self.cells)
        return WrittenTotal(self.kind, self.rows, (one, two, three, four))

    @property
    def wrong(self) -> bool:
        """Something that is no number was typed."""
        return any(cell.wrong for cell in self.cells)


@dataclass(frozen=True)
class CheckedChange:
    """One change as the page says it, with the addresses that make it a correction; on a sheet
    that is only typed, what it would have otherwise. `others` explain the same, and no total tells
    them apart."""

    where: str
    text: SafeString
    scores: list[tuple[str, int, int]]
    link: str
    instead: list[tuple[SafeString, str]]
    mend: str = ""
    others: Sequence["CheckedChange"] = ()


@preserve_on_csrf_failure
def match_check(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match = match_for(request, match_id, Action.SEE_MATCH)
    view = view_of(request, match)
    asked = _asked(view, request.POST)
    context = _context(view, asked)
    if request.method != "POST":
        return page_or_part(request, PAGE, context)
    typed = [each for each in asked if not numbers.is_blank(each.cells)]
    refused = _refusal(request, typed)
    if refused:
        context["refused"] = refused
        return page_or_part(request, PAGE, context, part="check", status=422)
    context["typed"] = True
    context |= _findings(request, view, typed)
    return page_or_part(request, PAGE, context, part="check")


def _refusal(request: HttpRequest, typed: list[Asked]) -> str:
    """The code of what keeps these numbers from being looked at."""
    if is_expired(request):
        return "form_expired"
    if any(each.wrong for each in typed):
        return "not_a_number"
    if not typed:
        return "missing"
    return "" if limits.may_check(request) else "too_often"


def _context(view: MatchView, asked: list[Asked]) -> dict[str, Any]:
    names = [seat.name for seat in view.seats]
    return {
        "match": view.match,
        "view": view,
        "names": names,
        "shorts": words.first_names(names),
        "of_match": [each for each in asked if each.kind == "match"],
        "of_kingdoms": [each for each in asked if each.kind == "kingdom"],
        "running": [each for each in asked if each.kind == "running"],
        "kingdoms_open": _is_used(asked, "kingdom"),
        "running_open": _is_used(asked, "running"),
    }


def _is_used(asked: list[Asked], kind: str) -> bool:
    return any(each.kind == kind and not numbers.is_blank(each.cells) for each in asked)


# -- which totals there may be


def _asked(view: MatchView, raw: Any) -> list[Asked]:
    rows = view.sheet.rows
    if not rows:
        return []
    found = [_one("match", "match", _("Total of the match"), range(len(rows)), view, raw)]
    places = {id(row): place for place, row in enumerate(rows)}
    for number, kingdom in enumerate(view.sheet.kingdoms, start=1):
        own = [places[id(row)] for row in kingdom.rows]
        label = _("Round {number}").format(number=number)
        if kingdom.chooser is not None:
            label = _("Kingdom of {name}").format(name=view.seats[kingdom.chooser].name)
        found.append(_one(f"kingdom.{number}", "kingdom", label, own, view, raw))
    for place, row in enumerate(rows):
        if row.deal:
            name = f"running.{row.number}"
            found.append(_one(name, "running", _row_label(row), range(place + 1), view, raw))
    return found


def _one(name: str, kind: TotalKind, label: str, rows: Any, view: MatchView, raw: Any) -> Asked:
    chosen = tuple(rows)
    points = [view.sheet.rows[row].points for row in chosen]
    sums = tuple(sum(each[seat] for each in points) for seat in range(4))
    cells = numbers.cells(name, raw, [numbers.sign_of(each) for each in sums])
    return Asked(kind, label, chosen, sums, cells)


def _row_label(row: ScoreRow) -> str:
    assert row.deal
    text = _("Deal {number}: {contract}")
    contract = words.contract(row.deal.entry.contract.key)
    return text.format(number=row.deal.deal_number, contract=contract)


# -- what was found


def _findings(request: HttpRequest, view: MatchView, typed: list[Asked]) -> dict[str, Any]:
    sheet = WrittenSheet([_line(row) for row in view.sheet.rows], [each.total for each in typed])
    with limits.charged(request):
        found = find(sheet, view.ruleset)
    return {
        "found": found,
        "off": _off(found, typed, view),
        "runs": _runs(found, typed, view),
        "groups": list(told_groups(found, partial(_told, request, view, typed))),
        "left_out": max(0, len(found.explanations) - findings.FIRST_MANY),
    }


def _line(row: ScoreRow) -> Line:
    if row.deal:
        return Entered(row.deal.entry, row.points)
    return Fixed(row.points, beside=row.adjustment is not None)


def _off(found: Findings, typed: list[Asked], view: MatchView) -> list[tuple[str, str, int, int]]:
    """Which totals are not the sums of the deals: of what, whose, as written, as reckoned."""
    alone = {
        (run.totals[0], seat)
        for run in found.runs
        if len(run.totals) == 1
        for seat, _by in run.off_by
    }
    return [
        (typed[each.total].label, view.seats[each.seat].name, each.written, each.summed)
        for each in found.disagreements
        if (each.total, each.seat) in alone
    ]


def _runs(found: Findings, typed: list[Asked], view: MatchView) -> list[SafeString]:
    """Where the totals go wrong and stay so."""
    names = words.first_names([seat.name for seat in view.seats])
    return [
        findings.run(run, names, _of_run(run, typed, view))
        for run in found.runs
        if len(run.totals) > 1
    ]


def _of_run(run: TotalsRun, typed: list[Asked], view: MatchView) -> str:
    first, last = (view.sheet.rows[typed[run.totals[end]].rows[-1]].number for end in (0, -1))
    if run.to_the_end:
        return _("From deal {number} on").format(number=first)
    return _("From deal {number} to deal {last}").format(number=first, last=last)


def told_groups(
    found: Findings, tell: Callable[[Change], CheckedChange]
) -> Iterator[list[CheckedChange]]:
    """The first explanations as told; those that are equally likely together."""
    first = found.explanations[: findings.FIRST_MANY]
    for _cost, group in groupby(first, key=lambda changes: changes[0].cost):
        told = [[tell(change) for change in changes] for changes in group]
        yield [replace(each, others=others) for each, *others in told]


def _told(
    request: HttpRequest, view: MatchView, typed: list[Asked], change: Change
) -> CheckedChange:
    if change.row is None:
        names = words.first_names([seat.name for seat in view.seats])
        where = typed[change.total or 0].label
        said = findings.said(change, names, *_of_slip(view, typed, change))
        return CheckedChange(where, said, [], "", [])
    row = view.sheet.rows[change.row]
    if row.adjustment:
        label = capfirst(str(ADJUSTMENTS.get(row.adjustment.reason, row.adjustment.reason)))
        names = view.names_at(max(row.number, 1))
        text = format_html(_("{what} is not on the paper"), what=for_whom(row.points, names))
        return CheckedChange(label, text, [], "", [])
    assert row.deal
    assert change.corrected
    number = row.deal.deal_number
    names = words.first_names(view.names_at(number))
    deal = view.deals[number]
    may = view.match.is_running and permissions.may(
        Action.CORRECT, view.match, actor_of(request), deal=deal, now=timezone.now()
    )
    others = findings.other_cards(change) if may else []
    return CheckedChange(
        _row_label(row),
        findings.said(change, names),
        findings.scores(change, names),
        _mending(view, number, change) if may else "",
        [(card, _correction(view, number, entry)) for card, entry in others],
    )


def _of_slip(view: MatchView, typed: list[Asked], change: Change) -> tuple[str, str]:
    """What the line that is not counted rightly is called, and where it is counted instead."""
    slip = change.slip
    if slip is None or slip.line is None:
        return "", ""
    other = "" if slip.other is None else typed[slip.other].label
    return _row_label(view.sheet.rows[slip.line]), other


def _mending(view: MatchView, number: int, change: Change) -> str:
    """Where the change can be made: facts by a correction, contract and chooser by a repair. The
    form works out whether a contract was forced: where it would say otherwise, another deal has
    the wrong contract or chooser, and only a repair helps."""
    assert change.step
    now = change.corrected
    assert now
    if change.step.kind in ("contract", "chooser"):
        return reverse("repair", args=[view.match.id], query={"what": change.step.kind})
    if view.table.turn_of(number).is_forced(now.contract, now.chooser) != now.forced:
        return reverse("repair", args=[view.match.id])
    return _correction(view, number, now)


def _correction(view: MatchView, number: int, entry: Entry) -> str:
    """The form that corrects the deal, filled in."""
    query = {"correct": "1", "contract": entry.contract.key, **raw_of(entry)}
    return reverse("deal", args=[view.match.id, number], query=query)
