"""The match between two deals as the page shows it: finished values only."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from scoring.forms import explain, words
from scoring.models import Deal
from scoring.rules import Contract
from scoring.rules.schedule import Turn
from scoring.selectors.matches import MatchView

FRESH = timedelta(minutes=2)
"""How long after a save its page still says so; a reload an hour later does not."""


@dataclass(frozen=True)
class SeatBox:
    """One seat at the table. `leads`: its total is the best so far."""

    seat: int
    name: str
    total: int
    place: int
    leads: bool
    chooses: bool
    deals: bool


@dataclass(frozen=True)
class Button:
    """A contract of this chooser: `open` to be tapped, `done` already, or not its turn yet."""

    key: str
    state: str


@dataclass(frozen=True)
class DealLine:
    """A standing deal in one line: what was played, and what it brought to whom."""

    deal: Deal
    contract: str
    scores: tuple[tuple[str, int], ...]


def seat_boxes(view: MatchView, chooser: int | None) -> list[SeatBox]:
    """The four seats; nobody leads before the first deal."""
    sheet, turn = view.sheet, view.turn
    running = view.match.is_running and not turn.over
    return [
        SeatBox(
            seat=each.seat,
            name=each.name,
            total=sheet.totals[each.seat],
            place=sheet.places[each.seat],
            leads=bool(sheet.rows) and each.seat in sheet.winners,
            chooses=running and each.seat == chooser,
            deals=running and each.seat == turn.dealer,
        )
        for each in view.seats
    ]


def buttons(view: MatchView, turn: Turn, contracts: tuple[Contract, ...]) -> Iterator[Button]:
    """What this chooser has played and may play, in the system's order, combined ones first.
    Free combinations are offered apart."""
    done = (
        {part for contract in turn.done for part in contract.parts} if not turn.is_extra else set()
    )
    combined = [contract for contract in contracts if contract.is_combined]
    if view.ruleset.combo == "complex":
        yield from (Button(one.key, "done") for one in turn.done if one.is_combined)
        yield from (Button(one.key, "open") for one in combined)
    covered = {part for one in (*combined, *turn.done) if one.is_combined for part in one.parts}
    free = view.ruleset.combo == "free"
    for name in view.ruleset.contracts:
        if name in covered and not free:
            continue
        is_open = Contract((name,)) in contracts
        yield Button(name, "open" if is_open else "done" if name in done else "later")


def deal_line(view: MatchView, number: int) -> DealLine | None:
    """The deal that stands at this number, if one does."""
    deal = view.deals.get(number)
    rows = (row for row in view.sheet.rows if row.deal and row.deal.deal_number == number)
    row = next(rows, None)
    if deal is None or row is None:
        return None
    names = words.first_names(view.names_at(number))
    return DealLine(deal, deal.contract, tuple(zip(names, row.points, strict=True)))


def last_line(view: MatchView) -> DealLine | None:
    return deal_line(view, view.last_deal.deal_number) if view.last_deal else None


@dataclass(frozen=True)
class Ranked:
    """One line of the end: place, name, total; `positive`: a winner too where the highest total
    wins (C-L17)."""

    place: int
    name: str
    total: int
    positive: bool


def ranking(view: MatchView) -> dict[str, Any]:
    """Everybody by place, the champions' names, and in words what broke a tie."""
    sheet, names = view.sheet, [each.name for each in view.seats]
    ranked = [
        Ranked(sheet.places[seat], names[seat], sheet.totals[seat], seat in sheet.positives)
        for seat in sorted(range(4), key=lambda seat: sheet.places[seat])
    ]
    broken = sheet.tie_break
    return {
        "ranked": ranked,
        "champions": [names[seat] for seat in sheet.winners],
        "tie": explain.tie(broken, sheet.winners, names) if broken else "",
    }


def just_saved(view: MatchView, number: str, now: datetime) -> Deal | None:
    """The deal that this page was redirected to after its save, while that is news."""
    deal = view.deals.get(int(number)) if number.isdecimal() and len(number) < 4 else None
    return deal if deal and now - deal.event.entered_at < FRESH else None
