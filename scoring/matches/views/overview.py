"""The match between two deals as the page shows it: finished values only."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext

from scoring.access import permissions
from scoring.access.permissions import Action
from scoring.common import words
from scoring.common.actor import Actor
from scoring.entry.presenters import explain
from scoring.history.presenters import match_adjustments
from scoring.history.queries.history import last_event
from scoring.judging.presenters.flags import marks
from scoring.ledger.queries.lease import keeper_seat
from scoring.ledger.queries.match_view import MatchView
from scoring.ledger.queries.results import points_of_sittings
from scoring.matches.presenters import share
from scoring.models import Deal, EventKind, MatchState, Redeal, Void
from scoring.rules import Contract
from scoring.rules.contracts import COMBINABLE
from scoring.rules.ranking import Side
from scoring.rules.ranking import sides as sides_of
from scoring.rules.schedule import Turn
from scoring.signatures.views import signatures

FRESH = timedelta(minutes=2)
"""How long after a save its page still says so; a reload an hour later does not."""


@dataclass(frozen=True)
class SeatBox:
    """One seat at the table. `total` is None before the first deal; `leads`: the best, alone."""

    seat: int
    name: str
    total: int | None
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
    """The four seats; nobody leads before the first deal, nor in a match that counts nowhere."""
    sheet, turn = view.sheet, view.turn
    running = view.match.is_running and not turn.over
    return [
        SeatBox(
            seat=each.seat,
            name=each.name,
            total=sheet.totals[each.seat] if sheet.begun else None,
            place=sheet.places[each.seat],
            leads=view.is_placed and each.seat in sheet.leaders,
            chooses=running and each.seat == chooser,
            deals=running and not turn.asks_dealer and each.seat == turn.dealer,
        )
        for each in view.seats
    ]


def shown(view: MatchView, chooser: int | None) -> dict[str, Any]:
    """What the page of a match shows to everybody, whoever looks."""
    turn, running = view.turn, view.match.is_running
    contracts = turn.contracts_of(chooser) if chooser is not None else ()
    first = contracts[0] if contracts else None
    names = [each.name for each in view.seats]
    return {
        "match": view.match,
        "view": view,
        "turn": turn,
        "sheet": view.sheet,
        "names": names,
        "shorts": words.first_names(names),
        "seats": seat_boxes(view, chooser),
        "clockwise": view.ruleset.direction == "clockwise",
        "chooser": chooser,
        "choosers_if": [turn.chooser_if(each.seat) for each in view.seats],
        "leader": turn.leader(first, chooser=chooser) if first and running else None,
        "contracts": contracts,
        "buttons": list(buttons(turn, contracts, chooser)),
        "sides": sides(view),
        "last": last_line(view),
        "again": dealt_again(view),
        "marks": list(marks(view).values()),
        "settled": " ".join(map(str, view.deals)),
        **put_aside(view),
        **(ranking(view) if turn.over or turn.is_extra or not running else {}),
        **(after_the_end(view) if view.match.is_finished else {}),
    }


def after_the_end(view: MatchView) -> dict[str, Any]:
    """Whether the match is final, and its rematch while that runs. One query more."""
    rematch = view.match.rematches.running().order_by("-opened_at").first()
    return {**signatures.standing(view), "rematch": rematch}


def may_flag(view: MatchView, asks: Actor) -> bool:
    """Whether somebody would rule on it: only a club has arbiters, and what is void stays (C64)."""
    match = view.match
    could_be = match.club_id is not None and match.state != MatchState.VOIDED
    return could_be and permissions.may(Action.FLAG, match, asks)


def keeper(view: MatchView) -> str:
    """Who keeps score, as the first word of a sentence; empty where nobody does yet."""
    device, user, seat = view.match.lease_device, view.match.lease_user, keeper_seat(view)
    if device is None:
        return ""
    if seat is not None:
        return words.first_names([each.name for each in view.seats])[seat]
    if user and view.match.club:
        return words.account(user, view.match.club)
    return gettext("Another phone (%s)") % device.hex[:4]


def buttons(turn: Turn, contracts: tuple[Contract, ...], chooser: int | None) -> Iterator[Button]:
    """What this chooser has played and may play, in the system's order, combined ones first.
    Free combinations are offered apart."""
    if chooser is None:
        return
    for one in _shown(turn, contracts):
        is_done = not turn.is_extra and not set(one.parts) & set(turn.left[chooser])
        yield Button(one.key, "open" if one in contracts else "done" if is_done else "later")


def _shown(turn: Turn, contracts: tuple[Contract, ...]) -> list[Contract]:
    """A button each: all the system's contracts, those of a complex deal as one."""
    names = turn.ruleset.contracts
    if turn.ruleset.combo != "complex":
        return [Contract((name,)) for name in names]
    combined = [one for one in contracts if one.is_combined]
    parts = [name for name in names if name in COMBINABLE]
    apart = [Contract((name,)) for name in names if name not in COMBINABLE]
    return [*(combined or [Contract.read(parts)]), *apart]


def several(turn: Turn, contracts: tuple[Contract, ...]) -> dict[str, list[str]]:
    """What may be played in one deal: the combinations, and the contracts they are made of.
    Nothing where they are not the table's to make."""
    free = turn.ruleset.combo == "free"
    together = [one.key for one in contracts if one.is_combined and free]
    return {
        "together": together,
        "combinable": [one.key for one in contracts if one.key in COMBINABLE and together],
    }


def unplayed(turn: Turn, contracts: tuple[Contract, ...], chooser: int | None) -> list[str]:
    """What this chooser may only take unplayed: several contracts in one row."""
    return [one.key for one in turn.unplayed_by(chooser) if one not in contracts]


def deal_line(view: MatchView, number: int) -> DealLine | None:
    """The deal that stands at this number, if one does."""
    deal = view.deals.get(number)
    row = view.sheet.row_of(number)
    if deal is None or row is None:
        return None
    names = words.first_names(view.names_at(number))
    return DealLine(deal, deal.contract, tuple(zip(names, row.points, strict=True)))


def dealt_again(view: MatchView) -> list[tuple[Redeal, str]]:
    """The redeals of the deal that is to be played, newest last, each in one line."""
    number = view.turn.deal_number
    names = view.names_at(number)
    here = (row for row in view.table.redeals if row.deal_number == number)
    return [(row, match_adjustments.dealt_again(row, names)) for row in here]


CLOSED_BY: dict[str, EventKind] = {
    MatchState.UNFINISHED: EventKind.MATCH_BROKEN_OFF,
    MatchState.VOIDED: EventKind.MATCH_VOIDED,
}


def put_aside(view: MatchView) -> dict[str, Any]:
    """Who broke it off or voided it, and why. Two queries where that is so."""
    match = view.match
    kind = CLOSED_BY.get(match.state)
    if kind is None:
        return {}
    event, reason = last_event(match, kind)
    return {"closed_by": event, "closed_because": reason}


def sides(view: MatchView) -> list[explain.ExplainedSide]:
    """The teams with their totals; none where each plays alone."""
    if not view.ruleset.has_teams or not view.sheet.begun:
        return []
    return explain.sides(explain.purses([s.name for s in view.seats], view.sheet.totals, None))


def last_line(view: MatchView) -> DealLine | None:
    return deal_line(view, view.last_deal.deal_number) if view.last_deal else None


@dataclass(frozen=True)
class Ranked:
    """One line of the end: place, name and total of a seat, or of two partners together.
    `positive`: a winner beside the best under `positive_wins` (C-L17). `members` are all who have
    a part in the total, where there is more than one."""

    place: int
    name: str
    total: int
    positive: bool
    members: tuple[tuple[str, int], ...]


def ranking(view: MatchView) -> dict[str, Any]:
    """Everybody by place, partners together; the champions' names; in words what broke a tie."""
    sheet, rules = view.sheet, view.ruleset
    ranked = [_ranked(view, side) for side in sides_of(rules)]
    broken, running = sheet.tie_break, view.match.is_running
    positives = [seat for seat in sheet.positives if seat not in sheet.winners]
    return {
        "ranked": sorted(ranked, key=lambda line: line.place),
        "champions": [view.holders[seat] for seat in sheet.winners],
        "champion_names": [
            [view.holders[seat] for seat in side]
            for side in sides_of(rules)
            if side[0] in sheet.winners
        ],
        "champion_sides": explain.together(rules, sheet.winners, view.holders),
        "positives": explain.together(rules, positives, view.holders),
        "also_won": explain.also_won(rules),
        "shared": len(sheet.winners) > len(sides_of(rules)[0]),
        "tie": explain.tie(broken, sheet.winners, view.called, not running, rules)
        if broken
        else "",
        "extra": explain.extra_deal(sheet, rules),
    }


def _ranked(view: MatchView, side: Side) -> Ranked:
    sheet, members = view.sheet, [one for seat in side for one in view.shares[seat]]
    return Ranked(
        place=sheet.places[side[0]],
        name=" + ".join(view.called[seat] for seat in side),
        total=sum(sheet.totals[seat] for seat in side),
        positive=side[0] in sheet.positives and side[0] not in sheet.winners,
        members=tuple((one.name, one.points) for one in members) if len(members) > 1 else (),
    )


def people(view: MatchView) -> list[tuple[str, int]]:
    """What each person has, where somebody changed seats: points follow the person (C75)."""
    if all(len(own) == 1 for own in view.sittings):
        return []
    found = points_of_sittings(view.sheet, view.sittings)
    return [(view.people[one].name, points) for one, points in found.items()]


def as_text(view: MatchView, address: str) -> str:
    """The result to be sent on, as everybody may see it, with the address of the sheet where
    everybody may open it."""
    club, view = view.match.club, view.public
    return share.result(view, people(view), address if club and club.is_public else "")


def just_saved(view: MatchView, number: str, now: datetime) -> Deal | None:
    """The deal that this page was redirected to after its save, while that is news."""
    deal = view.deals.get(int(number)) if number.isdecimal() and len(number) < 4 else None
    return deal if deal and now - deal.event.entered_at < FRESH else None


def just_undone(view: MatchView, number: str, now: datetime) -> Deal | None:
    """The deal that this page was redirected to after it was taken back, while that is news: the
    last that happened. One query, and only where the address says so."""
    if not number.isdecimal() or len(number) > 3 or view.hides(int(number)):
        return None
    news = Void.objects.filter(
        match=view.match,
        deal__deal_number=int(number),
        event__seq=view.match.version,
        event__entered_at__gt=now - FRESH,
    )
    void = news.select_related("deal").first()
    return void.deal if void else None
