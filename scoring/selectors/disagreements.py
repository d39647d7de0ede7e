"""The deals of a club whose record and entry cannot both be right, for whoever judges them."""

from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from scoring.models import Club, Seating, Verdict
from scoring.selectors.matches import told_apart
from scoring.selectors.tables import sittings

LISTED = 50


@dataclass(frozen=True)
class Disagreement:
    """One deal with the people who sat at it, in seat order."""

    verdict: Verdict
    names: tuple[str, ...]

    @property
    def codes(self) -> list[str]:
        return self.verdict.codes.split()


def disagreements(club: Club) -> QuerySet[Verdict]:
    """Of matches that are kept, the last played first."""
    rows = Verdict.objects.filter(club=club).disagreeing().exclude(match__state="voided")
    return rows.order_by("-match__played_at", "match", "deal_number")


def listed_disagreements(club: Club) -> tuple[int, list[Disagreement]]:
    """How many there are, and the first of them. Three queries."""
    found = disagreements(club)
    seats = Seating.objects.select_related("player", "event").order_by("event__seq", "seat")
    rows = found.select_related("match", "record__event__user").prefetch_related(
        Prefetch("match__seatings", seats)
    )[:LISTED]
    return found.count(), [_disagreement(row) for row in rows]


def _disagreement(row: Verdict) -> Disagreement:
    rows = list(row.match.seatings.all())
    people = {seating.player_id: seating.player.name for seating in rows}
    sat = [
        [one for one in seat if one.from_deal <= row.deal_number] or list(seat)
        for seat in sittings(rows)
    ]
    return Disagreement(row, tuple(told_apart([people[seat[-1].player_id] for seat in sat])))
