"""Check of a paper sheet that anybody types in.

What can be behind its lines, and where the mistake is. Nothing is stored.
"""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.access.http import actor_of, is_expired, page_or_part, preserve_on_csrf_failure
from scoring.common import limits, words
from scoring.finder import Change, Findings, Meaning, TotalsRun, find
from scoring.house_rules.presenters.presets import PRESET_WORDS, rules_cards_of_clubs
from scoring.house_rules.queries.house_rules import sets_seen_by
from scoring.models import HouseRules
from scoring.paper.forms.paper_sheet import (
    MORE_LINES,
    MOST_LINES,
    PaperLine,
    PaperSheet,
    SheetForm,
    mended,
    take_in,
)
from scoring.paper.presenters import findings
from scoring.paper.views.match_check import CheckedChange, told_groups
from scoring.rules import Ruleset, preset

PAGE = "paper/paper_check.html"
ACTIONS = ("rules", "more", "paste")


@dataclass(frozen=True)
class CheckedLine:
    """What is told of one line: its number and points, what may be behind it, why nothing can."""

    number: int
    points: tuple[int, ...]
    contract: str
    first: SafeString | None
    others: list[SafeString]
    more: bool
    why: list[SafeString]
    open: bool


@preserve_on_csrf_failure
def paper_check(request: HttpRequest) -> HttpResponse:
    raw: dict[str, str] = {name: text for name, text in request.POST.items() if type(text) is str}
    action = raw.get("action", "")
    told: dict[str, Any] = {}
    sets = sets_seen_by(actor_of(request))
    rules = _rules(raw.get("preset", ""), sets)
    if action == "paste" and not is_expired(request):
        raw, told = _pasted(raw, rules)
    if action == "more":
        raw["lines"] = str(min(PaperSheet(raw, rules).count + MORE_LINES, MOST_LINES))
    if "mend" in raw and not is_expired(request):
        raw = mended(raw, raw["mend"])
    form = _form(request, raw, sets)
    paper = PaperSheet(raw, _rules(form["preset"].value(), sets))
    if request.method == "POST" and (action not in ACTIONS or is_expired(request)):
        told = _checked(request, form, paper)
    status = 422 if told.get("refused") else 200
    context = {**_context(form, paper, sets), **told}
    return page_or_part(request, PAGE, context, part="check", status=status)


def _form(request: HttpRequest, raw: dict[str, str], sets: list[HouseRules]) -> SheetForm:
    """As typed; at first with the usual rules of the club that the reader came from."""
    if request.method == "POST":
        return SheetForm(raw, sets=sets)
    slug = request.GET.get("club", "")
    usual = next((str(each.id) for each in sets if each.club.slug == slug), "")
    return SheetForm(initial={"preset": usual} if usual else None, sets=sets)


def _rules(chosen: object, sets: list[HouseRules]) -> Ruleset:
    """The rules that were chosen; the first where it is none that we know."""
    own = next((each for each in sets if str(each.id) == chosen), None)
    if own:
        return own.ruleset
    return preset(str(chosen) if chosen in PRESET_WORDS else next(iter(PRESET_WORDS)))


def _called(chosen: object, sets: list[HouseRules]) -> str:
    """What those rules are called."""
    own = next((each.name for each in sets if str(each.id) == chosen), "")
    name = str(chosen) if chosen in PRESET_WORDS else next(iter(PRESET_WORDS))
    return own or str(PRESET_WORDS[name].label)


def _context(form: SheetForm, paper: PaperSheet, sets: list[HouseRules]) -> dict[str, Any]:
    chosen = form["preset"].value()
    return {
        "form": form,
        "paper": paper,
        "presets": rules_cards_of_clubs(sets, chosen),
        "rules": _called(chosen, sets),
        "shorts": words.first_names(form.called()),
        "most": MOST_LINES,
        "may_grow": paper.count < MOST_LINES,
        "table": paper.raw.get("table", ""),
    }


def _pasted(raw: dict[str, str], rules: Ruleset) -> tuple[dict[str, str], dict[str, Any]]:
    taken, found, fits = take_in(raw, raw.get("table", ""), rules)
    if not fits:
        return taken, {"refused": "too_long"}
    if found.unread:
        return taken, {"refused": "unread", "unread": found.unread[:10]}
    if not found.lines:
        return taken, {"refused": "no_lines"}
    return taken, {}


def _checked(request: HttpRequest, form: SheetForm, paper: PaperSheet) -> dict[str, Any]:
    refused = _refusal(request, form, paper)
    if refused:
        return {"refused": refused}
    names = words.first_names(form.called())
    with limits.charged(request):
        found = find(paper.sheet, paper.ruleset, paper.facts)
    return {
        "checked": True,
        "found": found,
        "lines": [_line(meaning, paper, names) for meaning in found.meanings],
        "off": _off(found, paper, names),
        "runs": _runs(found, paper, names),
        "groups": list(told_groups(found, lambda change: _told(change, paper, names))),
        "left_out": max(0, len(found.explanations) - findings.FIRST_MANY),
    }


def _refusal(request: HttpRequest, form: SheetForm, paper: PaperSheet) -> str:
    if is_expired(request):
        return "form_expired"
    if not form.is_valid():
        return "form"
    if paper.is_wrong:
        return "not_a_number"
    if not paper.filled:
        return "missing"
    return "" if limits.may_check(request) else "too_often"


# -- in words


def _line(meaning: Meaning, paper: PaperSheet, names: list[str]) -> CheckedLine:
    line, written = paper.filled[meaning.row], paper.sheet.lines[meaning.row]
    told = [_meant(entry, paper, line, names) for entry in meaning.facts]
    return CheckedLine(
        line.number,
        written.points,
        words.contract(line.contract) if line.contract else "",
        told[0] if told else None,
        told[1:],
        meaning.more,
        [findings.why(why, names) for why in meaning.why],
        meaning.open,
    )


def _meant(entry: Any, paper: PaperSheet, line: PaperLine, names: list[str]) -> SafeString:
    return findings.meant(
        entry,
        names,
        paper.ruleset,
        contract=not line.contract,
        chooser=paper.asks_chooser and not line.chooser,
    )


def _off(found: Findings, paper: PaperSheet, names: list[str]) -> list[tuple[str, str, int, int]]:
    alone = {
        (run.totals[0], seat)
        for run in found.runs
        if len(run.totals) == 1
        for seat, _by in run.off_by
    }
    return [
        (paper.total_label(each.total), names[each.seat], each.written, each.summed)
        for each in found.disagreements
        if (each.total, each.seat) in alone
    ]


def _runs(found: Findings, paper: PaperSheet, names: list[str]) -> list[SafeString]:
    """Where the totals go wrong and stay so."""
    return [
        findings.run(run, names, _of_run(run, paper)) for run in found.runs if len(run.totals) > 1
    ]


def _of_run(run: TotalsRun, paper: PaperSheet) -> str:
    first, last = (
        paper.filled[paper.sheet.totals[run.totals[end]].rows[-1]].number for end in (0, -1)
    )
    if run.to_the_end:
        return _("From line {number} on").format(number=first)
    return _("From line {number} to line {last}").format(number=first, last=last)


def _told(change: Change, paper: PaperSheet, names: list[str]) -> CheckedChange:
    if change.row is None:
        where = paper.total_label(change.total or 0)
    else:
        where = _line_label(paper, change.row)
    said = findings.said(change, names, *_of_slip(change, paper))
    scores = findings.scores(change, names)
    return CheckedChange(where, said, scores, "", [], mend=paper.mending(change))


def _of_slip(change: Change, paper: PaperSheet) -> tuple[str, str, str]:
    """What the line that is not counted rightly is called, where it is counted instead, and the
    contract that was noted."""
    slip, row = change.slip, change.row
    contract = "" if row is None else paper.filled[row].contract
    noted = words.contract(contract) if contract else ""
    if slip is None or slip.line is None:
        return "", "", noted
    other = "" if slip.other is None else paper.total_label(slip.other)
    return _line_label(paper, slip.line), other, noted


def _line_label(paper: PaperSheet, row: int) -> str:
    return _("Line {number}").format(number=paper.filled[row].number)
