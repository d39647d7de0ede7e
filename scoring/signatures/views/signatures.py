"""Agreeing with a kingdom or round: the card on the match page, and the page of all signatures.

It never stands between two deals: the card is one line until it is opened, and the next deal can
be entered at once.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

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
from scoring.access.links import seat_of
from scoring.access.permissions import Action
from scoring.common import words
from scoring.common.actor import Actor
from scoring.common.error_sentences import problem_sentences
from scoring.common.errors import RefusalCode, ServiceError, Stale
from scoring.common.numbers import whole
from scoring.entry.views.entry import read_id, write_of
from scoring.history.queries.history import signature_history
from scoring.ledger.queries import lease
from scoring.ledger.queries.match_view import MatchView
from scoring.ledger.queries.signatures import Unit, UnitState, gone, standing_state, units
from scoring.models import Match, Signature, Void
from scoring.rules.seats import Seat
from scoring.signatures.presenters import signatures as told
from scoring.signatures.services import signatures as service

PAGE = "signatures/signing.html"


@dataclass(frozen=True)
class Reader:
    """What this phone may sign: its own seat, or as the one that keeps score for any. `plays`: it
    is one of the table, and may say which seat is its own."""

    seat: Seat | None = None
    signs: bool = False
    keeps: bool = False
    plays: bool = False

    def act_of(self, seat: Seat) -> str:
        """What a tap for this seat is called; empty where it is not theirs to give."""
        if self.signs and seat == self.seat:
            return "sign"
        return "sign_for" if self.keeps else ""

    def way_back(self, row: Signature) -> str:
        if self.signs and row.seat == self.seat:
            return "withdraw"
        return "withdraw_for" if self.keeps and (row.by_scorer or row.seat == self.seat) else ""


@dataclass(frozen=True)
class SeatLine:
    """A seat under a kingdom: what it has signed, and what this phone can do about it."""

    seat: Seat
    name: str
    row: Signature | None
    is_own: bool
    act: str
    entry_key: UUID = field(default_factory=uuid4)


@dataclass(frozen=True)
class SignedDeal:
    """A deal of it: what it brought to whom, and whether it changed since somebody looked.
    `number` None: what is still on paper."""

    number: int | None
    contract: str
    points: tuple[int, ...]
    changed: bool


@dataclass(frozen=True)
class SignatureBox:
    """A kingdom or round with everything that is signed there."""

    unit: Unit
    title: SafeString
    question: SafeString
    state: SafeString
    names: list[str]
    lines: list[SignedDeal]
    seats: list[SeatLine]
    earlier: list[tuple[Signature, str, list[int]]]
    is_open: bool

    @property
    def asks(self) -> bool:
        """Whether this phone can sign something here."""
        return any(line.act and not line.row for line in self.seats)

    @property
    def shown(self) -> list[SeatLine]:
        """Who has signed and who can here, this phone's own seat before the others."""
        lines = [line for line in self.seats if line.row or line.act]
        return sorted(lines, key=lambda line: not line.is_own)

    @property
    def silent(self) -> list[str]:
        """Who is waited for and cannot sign here. Nobody, where that holds for all."""
        names = [line.name for line in self.seats if not (line.row or line.act)]
        waits = self.unit.state == UnitState.WAITING
        return names if waits and len(names) < len(self.seats) else []


@preserve_on_csrf_failure
def signing(request: HttpRequest, match_id: UUID) -> HttpResponse:
    match = match_for(request, match_id, Action.SEE_MATCH)
    act = ACTS.get(request.POST.get("action", ""))
    if request.method != "POST" or act is None:
        return _page(request, match)
    right, write = act
    require_permission(request, right, match)
    try:
        row = write(request, match)
    except ServiceError as refused:
        match.refresh_from_db()
        return _page(request, match, refused)
    if request.POST.get("from") == "match":
        query = {"contract": "", "agree": row.unit}
        return see_other(reverse("match", args=[match.id], query=query))
    return see_other(f"{reverse('signing', args=[match.id])}#u-{row.unit}")


# ── what is done ────────────────────────────────────────────────────────


def _sign(request: HttpRequest, match: Match) -> Signature:
    return service.sign(
        write_of(request, match),
        unit=_number(request, "unit"),
        seat=_number(request, "seat"),
        by_scorer=_for_others(request),
    )


def _withdraw(request: HttpRequest, match: Match) -> Signature:
    row_id = read_id(request.POST.get("signature", ""))
    if row_id is None:
        raise ServiceError(RefusalCode.NOT_STANDING, "signature")
    write = write_of(request, match)
    return service.withdraw(write, signature_id=row_id, by_scorer=_for_others(request))


def _number(request: HttpRequest, name: str) -> int:
    """One that there never is where none was sent."""
    number = whole(request.POST.get(name, ""))
    return number if isinstance(number, int) else -1


def _for_others(request: HttpRequest) -> bool:
    return request.POST["action"].endswith("_for")


ACTS: dict[str, tuple[Action, Callable[[HttpRequest, Match], Signature]]] = {
    "sign": (Action.SIGN, _sign),
    "sign_for": (Action.ENTER, _sign),
    "withdraw": (Action.SIGN, _withdraw),
    "withdraw_for": (Action.ENTER, _withdraw),
}


# ── what is shown ───────────────────────────────────────────────────────


def card(request: HttpRequest, view: MatchView) -> dict[str, Any]:
    """The newest kingdom or round that waits, before all one that waits for this phone's seat; and
    what the signature just given was the last of.

    Nothing where nothing waits or nothing of it is this phone's to sign; until then no query."""
    now = timezone.now()
    known, agreed = units(view, now), request.GET.get("agree")
    waiting = [unit for unit in known if unit.state == UnitState.WAITING]
    news: dict[str, Any] = {}
    for unit in known:
        if str(unit.number) == agreed and unit.state == UnitState.SIGNED:
            news["just_signed"] = (told.title(view, unit), told.state(unit))
    if not (waiting and is_signed(view.match)):
        return news
    reader = _reader(view.match, actor_of(request))
    if not (reader.signs or reader.plays):
        return news
    own = [unit for unit in waiting if reader.signs and reader.seat in unit.open_seats]
    unit = max(own or waiting, key=lambda unit: unit.number)
    asked = agreed == str(unit.number)
    box = _box(view, unit, reader, is_open=asked or (bool(own) and not reader.keeps))
    return news | {"agree": box, "agree_more": len(waiting) - 1, "signer": reader}


def standing(view: MatchView, known: Sequence[Unit] | None = None) -> dict[str, Any]:
    """Whether what the match came to may still change."""
    now = timezone.now()
    found = standing_state(view, units(view, now) if known is None else known, now)
    return {"standing": found}


def is_signed(match: Match) -> bool:
    """One that was broken off or put aside is not signed, nor agreed to by silence."""
    return match.is_running or match.is_finished


def _reader(match: Match, asks: Actor) -> Reader:
    if not is_signed(match):
        return Reader()
    enters = permissions.may(Action.ENTER, match, asks)
    return Reader(
        seat=seat_of(match, asks),
        signs=permissions.may(Action.SIGN, match, asks),
        keeps=enters and lease.keeps(match, asks),
        plays=enters,
    )


def _page(request: HttpRequest, match: Match, refused: ServiceError | None = None) -> HttpResponse:
    view, now = view_of(request, match), timezone.now()
    known, reader = units(view, now), _reader(match, actor_of(request))
    changed = _changed(view, refused) if isinstance(refused, Stale) else ()
    context = {
        "match": match,
        "view": view,
        "standing": standing_state(view, known, now),
        "signed": is_signed(match),
        "boxes": [_box(view, unit, reader, changed=changed) for unit in known],
        "gone": [(row, _name(view, row)) for row in gone(view.table, known)],
        "taken": [
            (line, _name(view, line.row)) for line in signature_history(match) if not line.stands
        ],
        "signer": reader,
        "changed": sorted(changed),
        "problems": problem_sentences(refused.problems) if refused else [],
    }
    status = status_of(refused)
    return page_or_part(request, PAGE, context, part="match", status=status)


def _changed(view: MatchView, stale: Stale) -> set[int]:
    """The deals that were written anew, or taken back, since the form was drawn."""
    gone = Void.objects.filter(event__in=stale.events, deal__isnull=False)
    numbers = {deal.deal_number for deal in stale.deals if deal.replaces_id}
    return numbers | set(gone.values_list("deal__deal_number", flat=True))


def _box(
    view: MatchView,
    unit: Unit,
    reader: Reader,
    *,
    is_open: bool = False,
    changed: Collection[int] = (),
) -> SignatureBox:
    names = words.first_names(view.names_at(unit.kingdom.rows[-1].number))
    return SignatureBox(
        unit=unit,
        title=told.title(view, unit),
        question=told.question(view, unit),
        state=told.state(unit),
        names=names,
        lines=list(_lines(unit, changed)),
        seats=[_seat(unit, seat, name, reader) for seat, name in enumerate(names)],
        earlier=[(row, names[row.seat], _since_then(unit, row)) for row in unit.earlier],
        is_open=is_open,
    )


def _lines(unit: Unit, changed: Collection[int]) -> Iterator[SignedDeal]:
    for row in unit.kingdom.rows:
        if row.deal is None:
            yield SignedDeal(None, "", row.points, changed=False)
        else:
            number, contract = row.deal.deal_number, row.deal.entry.contract.key
            yield SignedDeal(number, contract, row.points, number in changed)


def _seat(unit: Unit, seat: Seat, name: str, reader: Reader) -> SeatLine:
    row, act = unit.signatures[seat], ""
    if unit.state == UnitState.WAITING:
        act = reader.way_back(row) if row else reader.act_of(seat)
    return SeatLine(seat, name, row, seat == reader.seat, act)


def _since_then(unit: Unit, row: Signature) -> list[int]:
    """The deals that were written after it was given."""
    return [deal.deal_number for deal in unit.deals if str(deal.id) not in row.deals]


def _name(view: MatchView, row: Signature) -> str:
    return view.seats[row.seat].name
