"""Rights of phones that joined a match by a link, when they end, and seats of phones.

A link ends some hours after the last deal that was recorded, or after it was made where that was
later: one made for a match that is taken up again a week later works. A later correction or ruling
revives none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.utils import timezone

from scoring.common.actor import Actor
from scoring.ledger.queries.snapshots import seating_rows, sittings
from scoring.models import EventKind, JoinedPhone, LinkKind, Match, MatchEvent, SeatPhone, TableLink

# Of a match without a club, which has no settings.
LINKS_HOURS = 6


@dataclass(frozen=True)
class PhoneStanding:
    """What a phone is to a match apart from its account.

    Its seat, and until when each kind of link by which it came gives it rights."""

    until: Mapping[LinkKind, datetime]
    seat: int | None = None


def standing_of(match: Match, actor: Actor) -> PhoneStanding:
    """Return the phone's standing. One query, the first time for this match and phone."""
    if actor.device is None or not match.has_phones:
        return PhoneStanding({})
    known: dict[UUID, PhoneStanding] = match.__dict__.setdefault("_standings", {})
    if actor.device not in known:
        known[actor.device] = _read(match, actor.device)
    return known[actor.device]


def kinds_of(match: Match, actor: Actor, now: datetime | None = None) -> frozenset[LinkKind]:
    """Return the kinds of the live links by which this phone joined."""
    until = standing_of(match, actor).until
    now = now or timezone.now()
    return frozenset(kind for kind in until if now < until[kind])


def seat_of(match: Match, actor: Actor) -> int | None:
    """Return the seat of the phone, else the one in which the account sits now.

    Two more queries for an account that plays here."""
    seat = standing_of(match, actor).seat
    if seat is not None or actor.user is None or actor.user.id not in match.accounts:
        return seat
    now = [sat[-1].player_id for sat in sittings(seating_rows(match, events=False))]
    theirs = (seat for seat, one in enumerate(now) if actor.user.id in match.accounts_of[one])
    return next(theirs, None)


@dataclass(frozen=True)
class OpenLink:
    """A link that was not revoked, when it ends, and the phones that came by it."""

    link: TableLink
    ends_at: datetime
    phones: tuple[JoinedPhone, ...]


def link_of(match: Match, kind: LinkKind) -> OpenLink | None:
    """Return the open link of a match. Three queries where there is one."""
    link = match.links.filter(kind=kind, revoked_at=None).first()
    if link is None:
        return None
    return OpenLink(link, ends_at(link), tuple(link.phones.order_by("joined_at")))


def seat_phones(match: Match) -> list[SeatPhone]:
    """Return the seats that have a phone, in seat order."""
    return list(match.seat_phones.order_by("seat"))


def ever_joined(match: Match, actor: Actor) -> bool:
    """Return whether this phone ever joined by a link, even one that has ended."""
    return actor.device is not None and match.phones.filter(device=actor.device).exists()


def joined(actor: Actor, now: datetime) -> dict[UUID, frozenset[LinkKind]]:
    """Return the matches that this phone joined by a live link, with the kinds of the links."""
    if actor.device is None:
        return {}
    came = JoinedPhone.objects.filter(device=actor.device, link__revoked_at=None).values("match")
    rows = _standings(actor.device).filter(pk__in=came).values("pk", *_READ)
    until = {row["pk"]: _standing(row).until for row in rows}
    living = {
        pk: frozenset(kind for kind in each if now < each[kind]) for pk, each in until.items()
    }
    return {pk: kinds for pk, kinds in living.items() if kinds}


def ends_at(link: TableLink) -> datetime:
    """Return when a link ends, as it is now. One query."""
    match = Match.objects.filter(pk=link.match_id)
    known = match.annotate(last_deal=_last_deal())
    return _end(link.made_at, *known.values_list("last_deal", "club__links_hours").get())


def _end(made_at: datetime, last_deal: datetime | None, hours: int | None) -> datetime:
    lasting = timedelta(hours=LINKS_HOURS if hours is None else hours)
    return max(made_at, last_deal or made_at) + lasting


def _last_deal() -> Subquery:
    """Return when the last deal of a match was recorded."""
    recorded = MatchEvent.objects.filter(match=OuterRef("pk"), kind=EventKind.DEAL_RECORDED)
    return Subquery(recorded.order_by("-seq").values("entered_at")[:1])


def _standings(device: UUID) -> QuerySet[Match]:
    """Return matches with the links and the seat of one phone, any of which may be missing."""
    seat = SeatPhone.objects.filter(match=OuterRef("pk"), device=device).values("seat")
    return Match.objects.annotate(
        **{kind: _made(kind, device) for kind in LinkKind.values},
        phone_seat=Subquery(seat),
        last_deal=_last_deal(),
        hours=F("club__links_hours"),
    )


def _made(kind: str, device: UUID) -> Subquery:
    """Return when the open link of this kind was made, if the phone came by it.

    There is one at most."""
    came = JoinedPhone.objects.filter(match=OuterRef("pk"), device=device)
    return Subquery(came.filter(link__kind=kind, link__revoked_at=None).values("link__made_at"))


def _read(match: Match, device: UUID) -> PhoneStanding:
    return _standing(_standings(device).filter(pk=match.pk).values(*_READ).get())


def _standing(row: Mapping[str, Any]) -> PhoneStanding:
    until = {
        kind: _end(row[kind], row["last_deal"], row["hours"]) for kind in LinkKind if row[kind]
    }
    return PhoneStanding(until, row["phone_seat"])


_READ = (*LinkKind.values, "phone_seat", "last_deal", "hours")
