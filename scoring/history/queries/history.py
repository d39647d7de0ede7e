"""What was done to a deal, as a list that people can read."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from uuid import UUID

from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from scoring.models import (
    Adjustment,
    CardRecord,
    Deal,
    Dispute,
    EventKind,
    Match,
    MatchEvent,
    Photo,
    Redeal,
    SeatPhone,
    Signature,
    Subtotal,
    User,
    Void,
    Words,
)

JUDGING = (
    EventKind.DEAL_FLAGGED,
    EventKind.FLAG_VOIDED,
    EventKind.DISPUTE_CLAIMED,
    EventKind.DISPUTE_RELEASED,
    EventKind.DISPUTE_CLOSED,
    EventKind.DISPUTE_REOPENED,
    EventKind.RULING_PUBLISHED,
)
"""What says in its facts which `deal_number` it is about."""
BETWEEN_US = frozenset(JUDGING) - {EventKind.RULING_PUBLISHED}
"""What is told at the table, and to the club."""


@dataclass(frozen=True)
class HistoryLine:
    """One event of a deal number: who, when, from which phone, what, why.

    `deal` or `redeal` is the row that was written or taken back, `before` what was there until
    then, even if it did not count any more. `reason` is empty where none was given; `erased` where
    it was given and taken out since. `phone_seat`: whose seat the phone is, `signer` who signed,
    perhaps on the phone that keeps score (`by_scorer`).
    """

    event: MatchEvent
    deal: Deal | None
    redeal: Redeal | None
    reason: str
    erased: bool
    stands: bool
    before: Deal | None = None
    phone_seat: int | None = None
    signer: int | None = None
    by_scorer: bool = False

    @property
    def kind(self) -> str:
        return self.event.kind

    @property
    def user(self) -> User | None:
        return self.event.user

    @property
    def device(self) -> UUID | None:
        return self.event.device

    @property
    def entered_at(self) -> datetime:
        return self.event.entered_at

    @property
    def is_version(self) -> bool:
        """Whether this wrote the deal: a state that can be restored."""
        return self.deal is not None and self.deal.event_id == self.event.id


@dataclass(frozen=True)
class _Told:
    """An event with the row of this number that it wrote, took back or speaks of."""

    event: MatchEvent
    row: Deal | Redeal | None
    phone_seat: int | None
    signer: int | None = None
    by_scorer: bool = False


def deal_history(match: Match, deal_number: int) -> list[HistoryLine]:
    """Everything that was written for this number, oldest first. Four queries."""
    own = match.numbered(deal_number) & Q(match=match)
    written = [*_written(Deal.objects.filter(own)), *_written(Redeal.objects.filter(own))]
    rows = {told.row.id: told.row for told in written if told.row}
    others = _others(match, deal_number, rows)
    told = {(one.event.id, one.signer): one for one in [*others, *written]}
    lines = sorted(told.values(), key=lambda one: one.event.seq)
    gone = {one.row.id for one in others if one.row} | {row.replaces_id for row in _deals(rows)}
    words = reasons(one.event for one in lines)
    found: list[HistoryLine] = []
    for one in lines:
        deal = one.row if isinstance(one.row, Deal) else None
        wrote = one.row is not None and one.row.event_id == one.event.id
        line = HistoryLine(
            event=one.event,
            deal=deal,
            redeal=one.row if isinstance(one.row, Redeal) else None,
            reason=words.get(one.event.id) or "",
            erased=words.get(one.event.id, "") is None,
            stands=wrote and one.row is not None and one.row.id not in gone,
            before=next((line.deal for line in reversed(found) if line.is_version), None),
            phone_seat=one.phone_seat,
            signer=one.signer,
            by_scorer=one.by_scorer,
        )
        found.append(line)
    return found


@dataclass(frozen=True)
class DayLine:
    """One change of the day on which a match was played."""

    event: MatchEvent
    before: datetime
    after: datetime
    reason: str


def day_history(match: Match) -> list[DayLine]:
    """The changes of the day, oldest first. Two queries."""
    kinds = (EventKind.MATCH_OPENED, EventKind.DAY_CHANGED)
    events = match.events.filter(kind__in=kinds).select_related("user").order_by("seq")
    days = [(one, datetime.fromisoformat(one.content["facts"]["played_at"])) for one in events]
    why = reasons(event for event, at in days)
    return [
        DayLine(event, before, after, why.get(event.id) or "")
        for (_, before), (event, after) in pairwise(days)
    ]


def from_outside(lines: Iterable[HistoryLine], review: Dispute | None) -> list[HistoryLine]:
    """What everybody may read of it: not who doubted the deal and why, and while it is under
    `review` only what was there when it was doubted."""
    shown = [line for line in lines if line.kind not in BETWEEN_US]
    if review is None:
        return shown
    return [
        replace(line, stands=line.is_version and line.deal == review.frozen)
        for line in shown
        if line.event.seq < review.opened_seq
    ]


def _written[Row: (Deal, Redeal)](rows: QuerySet[Row]) -> list[_Told]:
    seat = _phone_seat("event__device")
    found = rows.select_related("event__user").annotate(phone_seat=seat)
    return [_Told(row.event, row, row.phone_seat) for row in found]


def _others(match: Match, deal_number: int, rows: Mapping[UUID, Deal | Redeal]) -> list[_Told]:
    """What took a row back, and what was said of the deal afterwards."""
    told = MatchEvent.objects.filter(match=match).annotate(
        taken=Coalesce("voids__deal", "voids__redeal"),
        signed=Coalesce("signatures__deals", "voids__signature__deals"),
        signer=Coalesce("signatures__seat", "voids__signature__seat"),
        by_scorer=F("signatures__by_scorer"),
        phone_seat=_phone_seat("device"),
    )
    about = Q(kind__in=JUDGING) & match.numbered(deal_number, "content__facts__deal_number", "seq")
    found = told.filter(about | Q(taken__in=rows) | Q(signed__isnull=False))
    ids = {str(row_id) for row_id in rows}
    return [
        _Told(event, rows.get(event.taken), event.phone_seat, event.signer, bool(event.by_scorer))
        for event in found.select_related("user").order_by("seq")
        if event.signed is None or not ids.isdisjoint(event.signed)
    ]


def _phone_seat(device: str) -> Subquery:
    own = SeatPhone.objects.filter(match=OuterRef("match"), device=OuterRef(device))
    return Subquery(own.values("seat"))


def _deals(rows: Mapping[UUID, Deal | Redeal]) -> list[Deal]:
    return [row for row in rows.values() if isinstance(row, Deal)]


@dataclass(frozen=True)
class BesideLine[Row: (Redeal, Adjustment, Subtotal, CardRecord, Photo, Signature)]:
    """What stands beside the deals: who wrote it, when, why, and what took it back, if anything."""

    row: Row
    reason: str
    erased: bool
    taken_by: MatchEvent | None
    taken_reason: str

    @property
    def stands(self) -> bool:
        return self.taken_by is None


def redeal_history(match: Match) -> list[BesideLine[Redeal]]:
    """Every redeal of the match, those taken back too, oldest first. Two queries."""
    return _beside(Redeal.objects.filter(match=match))


def adjustment_history(match: Match) -> list[BesideLine[Adjustment]]:
    """Every penalty and correction, those taken back too, oldest first. Two queries."""
    return _beside(Adjustment.objects.filter(match=match))


def subtotal_history(match: Match) -> list[BesideLine[Subtotal]]:
    """All sums from paper, those taken back too, oldest first. Two queries."""
    return _beside(Subtotal.objects.filter(match=match))


def record_history(match: Match, deal_number: int) -> list[BesideLine[CardRecord]]:
    """Every record of a deal number, those taken back too, oldest first. Two queries."""
    return _beside(CardRecord.objects.filter(match.numbered(deal_number), match=match))


def photo_history(match: Match, deal_number: int) -> list[BesideLine[Photo]]:
    """Every photo of a deal, those taken back too, oldest first. Two queries."""
    return _beside(Photo.objects.filter(match.numbered(deal_number), match=match))


def signature_history(match: Match) -> list[BesideLine[Signature]]:
    """Every signature, those taken back too, oldest first. Two queries."""
    return _beside(Signature.objects.filter(match=match))


def _beside[Row: (Redeal, Adjustment, Subtotal, CardRecord, Photo, Signature)](
    rows: QuerySet[Row],
) -> list[BesideLine[Row]]:
    with_events = rows.select_related("event__user", "void__event__user")
    found: list[Row] = list(with_events.order_by("event__seq"))
    voids: dict[UUID, MatchEvent] = {row.id: row.void.event for row in found if _is_void(row)}
    words = reasons([*(row.event for row in found), *voids.values()])
    return [
        BesideLine(
            row=row,
            reason=words.get(row.event.id) or "",
            erased=words.get(row.event.id, "") is None,
            taken_by=voids.get(row.id),
            taken_reason=(row.id in voids and words.get(voids[row.id].id)) or "",
        )
        for row in found
    ]


def _is_void(row: Redeal | Adjustment | Subtotal | CardRecord | Photo | Signature) -> bool:
    return hasattr(row, "void")


def last_event(match: Match, kind: EventKind) -> tuple[MatchEvent | None, str]:
    """The newest event of a kind, and its reason. Two queries."""
    event = match.events.filter(kind=kind).select_related("user").order_by("-seq").first()
    return event, (reasons([event]).get(event.id) or "") if event else ""


def voided_numbers(match: Match) -> set[int]:
    """The numbers at which a deal was ever taken back. One query."""
    voids = Void.objects.filter(match=match, deal__isnull=False)
    return set(voids.values_list("deal__deal_number", flat=True))


def reasons(events: Iterable[MatchEvent]) -> dict[UUID, str | None]:
    """The reason of each event that was given one; None where it was erased. One query."""
    given = {
        event.id: UUID(event.content["words"]["reason"]["id"])
        for event in events
        if event.content["words"].get("reason")
    }
    kept = Words.objects.in_bulk(given.values()) if given else {}
    return {
        event_id: kept[words_id].text if words_id in kept else None
        for event_id, words_id in given.items()
    }
