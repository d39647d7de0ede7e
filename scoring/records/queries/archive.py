"""Card records of a club with their verdicts, filtered and paged."""

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
"""The filter of each choice; every record matches exactly one."""


@dataclass(frozen=True)
class RecordFilter:
    """Filter of the records of a club; an empty field matches everything."""

    verdict: str = ""
    code: str = ""
    contract: str = ""
    player: UUID | None = None

    @property
    def is_empty(self) -> bool:
        return self == RecordFilter()


@dataclass(frozen=True)
class RecordLine:
    """The verdict on one record, with the names of the players in seat order."""

    verdict: Verdict
    names: tuple[str, ...]

    @property
    def codes(self) -> list[str]:
        return self.verdict.codes.split()


def records_of(club: Club, record_filter: RecordFilter) -> QuerySet[Verdict]:
    """Return the verdicts that match the filter, the last played first."""
    rows = Verdict.objects.filter(VERDICTS.get(record_filter.verdict, Q()), club=club)
    if record_filter.code:
        rows = rows.with_code(record_filter.code)
    if record_filter.contract:
        rows = rows.filter(contract=record_filter.contract)
    if record_filter.player:
        rows = rows.filter(Exists(_seatings_of(record_filter.player)))
    return rows.order_by("-played_at", "match", "deal_number")


def archive_page(club: Club, record_filter: RecordFilter, number: int) -> Page[RecordLine]:
    """Return the page of this number, or the last page. Three queries."""
    rows = records_of(club, record_filter)
    count = rows.count()
    number = nearest(number, count)
    first = (number - 1) * PAGE
    return Page(lines_of(rows[first : first + PAGE]), count, number)


def lines_of(rows: QuerySet[Verdict]) -> tuple[RecordLine, ...]:
    """Add the names of the players to verdicts. Two queries."""
    seats = Seating.objects.select_related("player", "event").order_by("event__seq", "seat")
    found = rows.select_related("match").prefetch_related(Prefetch("match__seatings", seats))
    return tuple(map(_line, found))


def contracts_of(club: Club) -> list[str]:
    """Return the contracts that have records, sorted. One query."""
    rows = Verdict.objects.filter(club=club).exclude(contract="")
    return sorted(rows.order_by().values_list("contract", flat=True).distinct())


def matches_named(job: Job) -> Mapping[str, Match]:
    """Return the matches that an audit job names, by id. At most one query."""
    told = {each["match"] for each in job.found.get("told", ())}
    told.update(job.found.get("unreadable", ()))
    return {str(match.id): match for match in Match.objects.filter(id__in=told)} if told else {}


def _line(row: Verdict) -> RecordLine:
    rows = seats_now(row.match, row.match.seatings.all())
    people = {seating.player_id: seating.player.name for seating in rows}
    sat = sat_at(sittings(rows), row.deal_number)
    return RecordLine(row, tuple(told_apart([people[player] for player in sat])))


def _seatings_of(player: UUID) -> QuerySet[Seating]:
    """Return the seatings of a player that hold for the deal of the outer verdict."""
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
