"""What was repaired in a match, as a list that people can read."""

from dataclasses import dataclass, replace
from uuid import UUID

from scoring.corrections.queries.seating import holds
from scoring.history.queries.history import reasons
from scoring.ledger.queries.event_rows import rows_of
from scoring.models import Deal, EventKind, Match, MatchEvent, Seating, Void


@dataclass(frozen=True)
class Repaired:
    """One repair, or one that was taken back (`reverts`): which deals it wrote anew, why, and
    whether all of it still stands, so that it can be reverted."""

    event: MatchEvent
    kind: str
    reverts: bool
    deals: tuple[int, ...]
    from_deal: int | None
    reason: str
    erased: bool
    stands: bool


def repairs(match: Match, seatings: list[Seating]) -> list[Repaired]:
    """Every repair, oldest first. Expects the seatings in order; six queries at most."""
    rows = match.events.filter(kind=EventKind.MATCH_REPAIRED).select_related("user")
    events = list(rows.order_by("seq"))
    if not events:
        return []
    words = reasons(events)
    deals = list(Deal.objects.filter(event__in=events).select_related("standing"))
    voided = _voided(match)
    moving = [event for event in events if "moves" in event.content["facts"]]
    settled = {event.id for event in moving[:-1]}
    if moving and _is_filled(moving[-1]):
        settled.add(moving[-1].id)
    kinds = {event.id: event.content["facts"].get("repair", "") for event in events}
    found = [_repaired(event, words, deals, seatings, voided, kinds) for event in events]
    return [replace(one, stands=False) if one.event.id in settled else one for one in found]


def _is_filled(event: MatchEvent) -> bool:
    """Whether a deal was entered since at the number that this move of numbers made free."""
    at, by = (event.content["facts"]["moves"][name] for name in ("at", "by"))
    standing = Deal.objects.filter(match=event.match_id, deal_number=at, standing__isnull=False)
    return by > 0 and standing.exclude(event=event).exists()


def _repaired(
    event: MatchEvent,
    words: dict[UUID, str | None],
    deals: list[Deal],
    seatings: list[Seating],
    voided: set[UUID],
    kinds: dict[UUID, str],
) -> Repaired:
    own = [deal for deal in deals if deal.event_id == event.id]
    seats = [row for row in seatings if row.event_id == event.id]
    stand = all(hasattr(deal, "standing") for deal in own)
    beside = all(row_id not in voided for _, row_id, _ in rows_of(event))
    reverts = event.content["facts"].get("reverts")
    return Repaired(
        event=event,
        kind=kinds[event.id] or (kinds.get(UUID(reverts), "") if reverts else ""),
        reverts=reverts is not None,
        deals=tuple(sorted(deal.deal_number for deal in own)),
        from_deal=min((row.from_deal for row in seats), default=None),
        reason=words.get(event.id) or "",
        erased=words.get(event.id, "") is None,
        stands=stand and beside and (not seats or holds(seats, seatings)),
    )


def _voided(match: Match) -> set[UUID]:
    """The rows beside the deals that were taken back."""
    names = ("adjustment_id", "subtotal_id", "redeal_id")
    found = Void.objects.filter(match=match, deal=None).values_list(*names)
    return {row_id for ids in found for row_id in ids if row_id is not None}
