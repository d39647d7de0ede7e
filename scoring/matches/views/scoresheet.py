"""The scoresheet of a match: every deal, the kingdoms, the totals."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.safestring import SafeString

from scoring.access import permissions
from scoring.access.http import actor_of, match_for, page_or_part, view_of
from scoring.access.permissions import Action
from scoring.common import words
from scoring.common.shared_cache import cache_tag
from scoring.corrections.queries.seating import sat_changes
from scoring.entry.presenters import explain
from scoring.history.presenters import match_adjustments
from scoring.history.queries.history import voided_numbers
from scoring.house_rules.presenters.presets import rules_label
from scoring.judging.presenters.flags import FlagMark, marks
from scoring.judging.views.rulings import ruling_boxes
from scoring.ledger.queries.match_view import MatchView
from scoring.ledger.queries.signatures import Unit, UnitState, units
from scoring.matches.views import match_previews, overview
from scoring.models import Deal, MatchState
from scoring.records.queries.records import mismatched_numbers
from scoring.rules.cards import QUEENS
from scoring.rules.deal.doubling import doubled_cards
from scoring.rules.deal.points import team_sums
from scoring.rules.scoresheet import ScoreRow, SheetAdjustment, SheetPaper
from scoring.signatures.presenters.signatures import owner, state
from scoring.signatures.views import signatures


@dataclass(frozen=True)
class ScoreCell:
    """What a deal brought to a seat, its total after it, and whether it had doubled a card."""

    points: int
    total: int
    doubled: bool


@dataclass(frozen=True)
class SheetRow:
    """A line of the sheet; `deal` None for an adjustment, which is then `kind`. `again` says why
    the cards of the deal had been dealt before; `doubled` are the queens that lay on a pillow,
    `teams` what the two sides got together."""

    deal: Deal | None
    chooser: str
    contract: str
    adjustment: SheetAdjustment | None
    kind: words.Words
    again: SafeString
    doubled: tuple[str, ...]
    teams: tuple[int, int] | None
    cells: tuple[ScoreCell, ...]
    paper: SheetPaper | None
    sits: tuple[tuple[str, str], ...]
    corrected: bool
    disputed: bool
    mark: FlagMark | None
    extra: bool
    counts: bool
    replayed: bool
    ruled: bool


@dataclass(frozen=True)
class SheetBlock:
    """The rows of a kingdom or a round, with what they add up to; no subtotal for the rest. `state`
    is how far it is signed, `seal` the same in words."""

    chooser: str
    number: int
    rows: tuple[SheetRow, ...]
    subtotal: tuple[int, ...] | None
    zero: bool | None
    state: str = ""
    seal: str = ""


def sheet(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match = match_for(request, match_id, Action.SEE_MATCH)
    view = view_of(request, match)
    address = request.build_absolute_uri(request.path)
    context = shown(view) | {
        "as_text": overview.as_text(view, address),
        "tag": cache_tag(match),
        "preview": match_previews.of_match(request, view),
        "label": match.rules_name or rules_label(match.preset, match.system),
        "may_change_day": permissions.may(Action.CORRECT, match, actor_of(request)),
        "may_flag": overview.may_flag(view, actor_of(request)),
    }
    return page_or_part(request, "matches/match_sheet.html", context)


def shown(view: MatchView) -> dict[str, Any]:
    """The sheet as everybody sees it, whoever looks."""
    match, known = view.match, units(view, timezone.now())
    return {
        "match": match,
        "view": view,
        "turn": view.turn,
        "sheet": view.sheet,
        "names": [each.name for each in view.seats],
        "seats": view.seats,
        "blocks": list(_blocks(view, known, _disputed(view))),
        "marks": list(marks(view).values()),
        "marked": _is_marked(view),
        "by_kingdom": view.ruleset.chooser_order == "kingdom",
        "redealt": [
            (
                row.id,
                row.deal_number,
                match_adjustments.dealt_again(row, view.names_at(row.deal_number)),
            )
            for row in view.table.redeals
        ],
        **signatures.standing(view, known),
        "people": overview.people(view),
        "rulings": ruling_boxes(view),
        "extra": explain.extra_deal(view.sheet, view.ruleset),
        "differing": [paper for paper in view.sheet.papers if any(paper.difference or ())],
        "voided": sorted(voided_numbers(match) - set(view.deals)),
    }


def _disputed(view: MatchView) -> set[int]:
    """The deals whose cards say otherwise, as far as that is shown."""
    return {number for number in mismatched_numbers(view.match) if not view.hides(number)}


def _is_marked(view: MatchView) -> bool:
    """Whether it is shown who won: not before the end, and never in a match that is void."""
    if view.match.state == MatchState.VOIDED or not view.sheet.begun:
        return False
    return view.sheet.complete or not view.match.is_running


def _blocks(
    view: MatchView, known: Iterable[Unit], disputed: Collection[int]
) -> Iterator[SheetBlock]:
    """Kingdoms or rounds in order, each with the penalties given in it; outside of them penalties
    from before the first deal, and an extra deal with what was given after it."""
    rows, shown = [row for row in view.sheet.rows if not row.paper], {0}
    yield from _outside(view, [row for row in rows if row.number == 0], disputed)
    for unit in known:
        shown.update(unit.numbers)
        yield _block(view, unit, disputed)
    rest = [row for row in rows if row.number not in shown]
    yield from _outside(view, [*rest, *view.sheet.uncounted], disputed)


def _outside(
    view: MatchView, rows: Sequence[ScoreRow], disputed: Collection[int]
) -> Iterator[SheetBlock]:
    if rows:
        yield SheetBlock("", 0, tuple(_row(view, row, disputed) for row in rows), None, None)


def _block(view: MatchView, unit: Unit, disputed: Collection[int]) -> SheetBlock:
    kingdom = unit.kingdom
    name = owner(view, kingdom)
    given = [row for row in view.sheet.rows if row.adjustment and row.number in unit.numbers]
    inside = sorted([*kingdom.rows, *given], key=attrgetter("number"))  # deals first: stable
    rows = tuple(_row(view, row, disputed) for row in inside)
    is_sealed = unit.state != UnitState.OPEN and signatures.is_signed(view.match)
    seal = state(unit) if is_sealed else ""
    return SheetBlock(name, unit.number, rows, kingdom.subtotal, kingdom.zero, unit.state, seal)


def _row(view: MatchView, row: ScoreRow, disputed: Collection[int]) -> SheetRow:
    deal = view.deals[row.played.deal_number] if row.played else None
    doubled = doubled_cards(row.deal.entry.tally, view.ruleset) if row.deal else {}
    cells = zip(row.points, row.totals, range(4), strict=True)
    return SheetRow(
        deal=deal,
        chooser=view.names_at(deal.deal_number)[deal.chooser] if deal else "",
        contract=deal.contract if deal else "",
        adjustment=row.adjustment,
        kind=match_adjustments.ADJUSTMENTS.get(row.adjustment.reason, "") if row.adjustment else "",
        again=_again(view, deal.deal_number) if deal else SafeString(""),
        doubled=tuple(card for card in doubled if card in QUEENS),
        teams=team_sums(row.points) if view.ruleset.has_teams else None,
        cells=tuple(
            ScoreCell(points, total, seat in doubled.values()) for points, total, seat in cells
        ),
        paper=row.paper,
        sits=tuple(sat_changes(view).get(deal.deal_number, ())) if deal else (),
        corrected=deal is not None and deal.replaces_id is not None,
        disputed=deal is not None and deal.deal_number in disputed,
        mark=marks(view).get(deal.deal_number) if deal else None,
        extra=row.played is not None and row.played.is_extra,
        counts=row not in view.sheet.uncounted,
        ruled=deal is not None and _is_ruled(view, deal.deal_number),
        replayed=row.played is not None and row.played.replayed,
    )


def _again(view: MatchView, number: int) -> SafeString:
    here = (row for row in view.table.redeals if row.deal_number == number)
    return words.listed(match_adjustments.dealt_again(row, view.names_at(number)) for row in here)


def _is_ruled(view: MatchView, number: int) -> bool:
    dispute = view.disputes.get(number)
    return dispute is not None and dispute.ruling_id is not None
