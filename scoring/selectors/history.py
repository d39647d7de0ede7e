"""What was done to a deal, as a list that people can read."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from scoring.models import (
    Adjustment,
    CardRecord,
    Deal,
    EventKind,
    Match,
    MatchEvent,
    Photo,
    Redeal,
    Subtotal,
    User,
    Void,
    Words,
)


@dataclass(frozen=True)
class HistoryLine:
    """One event of a deal number: who, when, from which phone, what, why.

    `deal` or `redeal` is the row that was written or taken back. `reason` is empty where none was
    given; `erased` where it was given and taken out since.
    """

    event: MatchEvent
    deal: Deal | None
    redeal: Redeal | None
    reason: str
    erased: bool
    stands: bool

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


def deal_history(match: Match, deal_number: int) -> list[HistoryLine]:
    """Everything that was written for this number, oldest first. Four queries."""
    deals = Deal.objects.filter(match=match, deal_number=deal_number)
    redeals = Redeal.objects.filter(match=match, deal_number=deal_number)
    about = Q(deal__deal_number=deal_number) | Q(redeal__deal_number=deal_number)
    voids = Void.objects.filter(about, match=match).select_related("event__user", "deal", "redeal")
    written = [*deals.select_related("event__user"), *redeals.select_related("event__user")]
    taken = [(void.event, void.deal or void.redeal) for void in voids]
    gone = {row.id for _, row in taken if row} | {row.replaces_id for row in _deals(written)}
    lines = sorted([*((row.event, row) for row in written), *taken], key=lambda line: line[0].seq)
    words = reasons(event for event, _ in lines)
    return [
        HistoryLine(
            event=event,
            deal=row if isinstance(row, Deal) else None,
            redeal=row if isinstance(row, Redeal) else None,
            reason=words.get(event.id) or "",
            erased=words.get(event.id, "") is None,
            stands=row is not None and row.id not in gone and row.event_id == event.id,
        )
        for event, row in lines
    ]


def _deals(rows: Iterable[Deal | Redeal]) -> list[Deal]:
    return [row for row in rows if isinstance(row, Deal)]


@dataclass(frozen=True)
class BesideLine[Row: (Redeal, Adjustment, Subtotal, CardRecord, Photo)]:
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
    return _beside(CardRecord.objects.filter(match=match, deal_number=deal_number))


def photo_history(match: Match, deal_number: int) -> list[BesideLine[Photo]]:
    """Every photo of a deal, those taken back too, oldest first. Two queries."""
    return _beside(Photo.objects.filter(match=match, deal_number=deal_number))


def _beside[Row: (Redeal, Adjustment, Subtotal, CardRecord, Photo)](
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


def _is_void(row: Redeal | Adjustment | Subtotal | CardRecord | Photo) -> bool:
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
