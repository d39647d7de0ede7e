"""All records of a club with what the audit says of each, a page at a time."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from scoring.common.paging import PAGE, Page, nearest
from scoring.ledger.queries.deal_numbers import seats_now
from scoring.ledger.queries.match_view import told_apart
from scoring.ledger.queries.snapshots import sat_at, sittings
from scoring.models import Club, Job, Match, Seating, Verdict

VERDICTS: Mapping[str, Q] = {
    "differs": Q(agrees=False),
    "open": Q(agrees=True, complete=False),
    "agrees": Q(agrees=True, complete=True),
    "no_entry": Q(agrees__isnull=True),
}
"""Every record is in one of them."""


@dataclass(frozen=True)
class Wanted:
    """What is looked for; empty: anything."""

    verdict: str = ""
    code: str = ""
    contract: str = ""
    player: UUID | None = None

    @property
    def anything(self) -> bool:
        return self == Wanted()


@dataclass(frozen=True)
class Line:
    """One record with the people who sat at its deal, in seat order."""

    verdict: Verdict
    names: tuple[str, ...]

    @property
    def codes(self) -> list[str]:
        return self.verdict.codes.split()


def records_of(club: Club, wanted: Wanted) -> QuerySet[Verdict]:
    """Those looked for, the last played first."""
    rows = Verdict.objects.filter(VERDICTS.get(wanted.verdict, Q()), club=club)
    if wanted.code:
        rows = rows.with_code(wanted.code)
    if wanted.contract:
        rows = rows.filter(contract=wanted.contract)
    if wanted.player:
        rows = rows.filter(Exists(_sat(wanted.player)))
    return rows.order_by("-played_at", "match", "deal_number")


def archive_page(club: Club, wanted: Wanted, number: int) -> Page[Line]:
    """The page of this number, or the last. Three queries."""
    rows = records_of(club, wanted)
    count = rows.count()
    number = nearest(number, count)
    first = (number - 1) * PAGE
    return Page(lines_of(rows[first : first + PAGE]), count, number)


def lines_of(rows: QuerySet[Verdict]) -> tuple[Line, ...]:
    """These with the people. Two queries."""
    seats = Seating.objects.select_related("player", "event").order_by("event__seq", "seat")
    found = rows.select_related("match").prefetch_related(Prefetch("match__seatings", seats))
    return tuple(map(_line, found))


def contracts_of(club: Club) -> list[str]:
    """The contracts of which there are records. One query."""
    rows = Verdict.objects.filter(club=club).exclude(contract="")
    return sorted(rows.order_by().values_list("contract", flat=True).distinct())


def matches_told(job: Job) -> Mapping[str, Match]:
    """The matches that an audit of everything names, by id. One query, none without any."""
    told = {each["match"] for each in job.found.get("told", ())}
    told.update(job.found.get("unreadable", ()))
    return {str(match.id): match for match in Match.objects.filter(id__in=told)} if told else {}


def _line(row: Verdict) -> Line:
    rows = seats_now(row.match, row.match.seatings.all())
    people = {seating.player_id: seating.player.name for seating in rows}
    sat = sat_at(sittings(rows), row.deal_number)
    return Line(row, tuple(told_apart([people[player] for player in sat])))


def _sat(player: UUID) -> QuerySet[Seating]:
    """Rows that seat this person at the deal of a verdict, and that no later row undoes."""
    until = Seating.objects.filter(
        match=OuterRef("match"),
        seat=OuterRef("seat"),
        event__seq__gt=OuterRef("event__seq"),
        from_deal__lte=OuterRef(OuterRef("deal_number")),
    )
    return Seating.objects.filter(
        ~Exists(until),
        match=OuterRef("match"),
        player=player,
        from_deal__lte=OuterRef("deal_number"),
    )
