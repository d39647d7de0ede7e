"""Matches that a phone opened or joined."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from django.db.models import OuterRef, Prefetch, Q, Subquery

from scoring.access import links
from scoring.common.actor import Actor
from scoring.ledger.queries.snapshots import ruleset_of, sittings, snapshot_of
from scoring.models import JoinedPhone, Match, Seating
from scoring.models.matches import MatchQuerySet
from scoring.rules import Ruleset
from scoring.rules.schedule import turn

# An older one is still listed, but nobody is led to it unasked.
FRESH = timedelta(hours=24)
LISTED = 5


@dataclass(frozen=True)
class Running:
    """A match without results in a list: who sits there and how far it is."""

    match: Match
    names: tuple[str, ...]
    deals: int
    deals_total: int

    def is_fresh(self, now: datetime) -> bool:
        """Return whether the phone was recently active in it."""
        return self.match.is_running and now - self.match.opened_at < FRESH


def matches_on(actor: Actor) -> list[Running]:
    """Return the matches without results that this phone opened and the actor may see.

    Running ones first, each newest first; a club's only while a member is signed in. Three queries
    at most."""
    if actor.device is None:
        return []
    clubs = list(actor.user.club_roles) if actor.user else []
    seen = Q(club=None) | Q(club__in=clubs)
    return _listed(Match.objects.on_lists().filter(seen, holder_device=actor.device))


def matches_joined(actor: Actor, now: datetime) -> list[Running]:
    """Return the matches that this phone joined by a live link, the newest first.

    Also when they have ended. Three queries at most, one where there is none."""
    if actor.device is None:
        return []
    kinds = links.joined(actor, now)
    came = JoinedPhone.objects.filter(match=OuterRef("pk"), device=actor.device)
    latest = Subquery(came.order_by("-joined_at").values("joined_at")[:1])
    return _listed(Match.objects.filter(pk__in=kinds).order_by(latest.desc())) if kinds else []


def _listed(matches: MatchQuerySet) -> list[Running]:
    seats = Seating.objects.select_related("player", "event").order_by("event__seq", "seat")
    latest = matches.with_deal_counts().prefetch_related(Prefetch("seatings", seats))[:LISTED]
    return [running_match(match) for match in latest]


def running_match(match: Match) -> Running:
    """Return the line of a match in a list.

    Expects the deal counts, and the seatings with their players in order of events. Two queries
    where sums from paper count among the deals."""
    deals = len(snapshot_of(match).played) if match.has_paper else match.deal_count
    rows = list(match.seatings.all())
    people = {row.player_id: row.player.name for row in rows}
    names = tuple(people[seat[-1].player_id] for seat in sittings(rows))
    return Running(match, names, deals, most_deals(ruleset_of(match)))


@lru_cache(maxsize=64)
def most_deals(ruleset: Ruleset) -> int:
    """Return how many deals a match of these rules has at most."""
    return turn(ruleset, 0, 0, ()).deals_total
