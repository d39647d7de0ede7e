"""What was done to a deal, as a list that people can read."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from scoring.models import Deal, Match, MatchEvent, User, Void, Words


@dataclass(frozen=True)
class HistoryLine:
    """One event of a deal number: who, when, from which phone, what, why.

    `deal` is the deal that was written or taken back. `reason` is empty where none was given;
    `erased` where it was given and taken out since.
    """

    event: MatchEvent
    deal: Deal
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
    """Everything that was written for this number, oldest first. Three queries."""
    rows = Deal.objects.filter(match=match, deal_number=deal_number)
    deals = list(rows.select_related("event__user", "standing"))
    voids = Void.objects.filter(match=match, deal__deal_number=deal_number)
    written = [(deal.event, deal) for deal in deals]
    taken = [
        (void.event, void.deal)
        for void in voids.select_related("event__user", "deal")
        if void.deal is not None
    ]
    lines = sorted([*written, *taken], key=lambda pair: pair[0].seq)
    words = reasons(event for event, _ in lines)
    standing = {deal.id for deal in deals if hasattr(deal, "standing")}
    return [
        HistoryLine(
            event=event,
            deal=deal,
            reason=words.get(event.id) or "",
            erased=words.get(event.id, "") is None,
            stands=deal.id in standing and event.kind != "deal_voided",
        )
        for event, deal in lines
    ]


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
