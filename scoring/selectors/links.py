"""Who came to a match by a link: what the phone may for it, until when, and whose seat is whose.

A link ends some hours after the last deal that was recorded, or after it was made where that was
later: one made for a match that is taken up again a week later works. A later correction or ruling
revives none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.utils import timezone

from scoring.models import EventKind, JoinedPhone, LinkKind, Match, MatchEvent, SeatPhone
from scoring.selectors.tables import seating_rows, sittings
from scoring.selectors.who import Who

# Of a match without a club, which has no settings.
LINKS_HOURS = 6


@dataclass(frozen=True)
class Standing:
    """What a phone is to a match without regard to its account: its seat, and until when each kind
    of link by which it came gives it rights."""

    until: Mapping[LinkKind, datetime]
    seat: int | None = None


def standing_of(match: Match, who: Who) -> Standing:
    """One query, the first time this match is asked about this phone."""
    if who.device is None:
        return Standing({})
    known: dict[UUID, Standing] = match.__dict__.setdefault("_standings", {})
    if who.device not in known:
        known[who.device] = _read(match, who.device)
    return known[who.device]


def kinds_of(match: Match, who: Who, now: datetime | None = None) -> frozenset[LinkKind]:
    """The kinds of the living links by which this phone is here."""
    until = standing_of(match, who).until
    now = now or timezone.now()
    return frozenset(kind for kind in until if now < until[kind])


def seat_of(match: Match, who: Who) -> int | None:
    """Which seat is theirs: that of the phone, else the one in which the account sits now. Two
    queries more for an account that plays here."""
    seat = standing_of(match, who).seat
    if seat is not None or who.user is None or who.user.id not in match.accounts:
        return seat
    rows = seating_rows(match)
    people = {row.player_id: row.player.user_id for row in rows}
    now = [people[sat[-1].player_id] for sat in sittings(rows)]
    return now.index(who.user.id) if who.user.id in now else None


def end_of(made_at: datetime, last_deal: datetime | None, hours: int | None) -> datetime:
    """When a link ends by itself."""
    lasting = timedelta(hours=LINKS_HOURS if hours is None else hours)
    return max(made_at, last_deal or made_at) + lasting


def _read(match: Match, device: UUID) -> Standing:
    """The links that were not revoked and the seat, in one query: either may be missing."""
    here = Match.objects.filter(pk=match.pk).annotate(
        **{kind: _made(kind, device) for kind in LinkKind.values},
        phone_seat=Subquery(
            SeatPhone.objects.filter(match=OuterRef("pk"), device=device).values("seat")
        ),
        last_deal=Subquery(_last_deal().values("entered_at")[:1]),
        hours=F("club__links_hours"),
    )
    row = here.values(*LinkKind.values, "phone_seat", "last_deal", "hours").get()
    until = {
        kind: end_of(row[kind], row["last_deal"], row["hours"])
        for kind in LinkKind
        if row[kind.value] is not None
    }
    return Standing(until, row["phone_seat"])


def _made(kind: str, device: UUID) -> Subquery:
    """When the open link of this kind was made, if the phone came by it: there is one at most."""
    came = JoinedPhone.objects.filter(match=OuterRef("pk"), device=device)
    return Subquery(came.filter(link__kind=kind, link__revoked_at=None).values("link__made_at"))


def _last_deal() -> QuerySet[MatchEvent]:
    recorded = MatchEvent.objects.filter(match=OuterRef("pk"), kind=EventKind.DEAL_RECORDED)
    return recorded.order_by("-seq")
