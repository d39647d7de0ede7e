"""Statistics of a club: contracts, months and records."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db.models import Sum

from scoring.models import Club, ClubFigures, ContractTotal
from scoring.models.days import day_of
from scoring.rules.standings import Family, rounded
from scoring.rules.statistics.form import ENOUGH, ENOUGH_DEALS, ContractSums
from scoring.standings.queries.standings import ALL_TIME, FamilyTable, tables_of, totals
from scoring.standings.queries.statistics import club_contracts

MONTHS = 12


@dataclass(frozen=True)
class Month:
    """The evenings and matches of one month."""

    first: date
    evenings: int
    matches: int


@dataclass(frozen=True)
class RecordHolder:
    """A player who holds a record, and the match if it is of one."""

    player: UUID
    name: str
    match: UUID | None = None


@dataclass(frozen=True)
class ClubRecord:
    """The best value of a kind (`what`), and all who share it."""

    what: str
    value: int
    holders: tuple[RecordHolder, ...]


@dataclass(frozen=True)
class ClubInFigures:
    """The statistics of a club.

    `kept` is what the background job has stored (None: nothing yet); `family` None: no match yet.
    """

    tables: tuple[FamilyTable, ...]
    family: Family | None
    contracts: Mapping[str, ContractSums]
    records: tuple[ClubRecord, ...]
    kept: ClubFigures | None

    @property
    def months(self) -> list[Month]:
        """The twelve months up to the last match, without empty ones before the first match."""
        return last_months(self.kept.figures["months"]) if self.kept else []


def club_in_figures(club: Club, family: Family | None) -> ClubInFigures:
    """Return the statistics of a family, by default the one played last. Five queries."""
    tables = tables_of(club, ALL_TIME)
    known = [each.family for each in tables]
    chosen = family if family in known else next(iter(known), None)
    return ClubInFigures(
        tables=tables,
        family=chosen,
        contracts=club_contracts(club, chosen) if chosen else {},
        records=tuple(_records(club, chosen)) if chosen else (),
        kept=ClubFigures.objects.filter(club=club).first(),
    )


@dataclass(frozen=True)
class ContractAverage:
    """Deals and points of a player in one contract."""

    player: UUID
    name: str
    deals: int
    points: int

    @property
    def exact(self) -> Fraction:
        """Points of a deal."""
        return Fraction(self.points, self.deals)

    @property
    def average(self) -> int:
        """Points of a deal, rounded."""
        return rounded(self.points, self.deals)


def people_of(club: Club, family: Family, contract: str) -> list[ContractAverage]:
    """Return the players of a contract, best average first, those with too few deals last. One
    query."""
    rows = ContractTotal.objects.filter(club=club, contract=contract, deals__gt=0)
    rows = rows.filter(system=family[0], win=family[1]).order_by("player__name", "player_id")
    found = rows.values_list("player_id", "player__name", "deals", "points")
    low = 1 if family[1] == "low" else -1
    people = [ContractAverage(*row) for row in found]
    return sorted(people, key=lambda one: (one.deals < ENOUGH_DEALS, low * one.exact))


def worked_out(club: Club) -> dict[str, Any]:
    """Calculate what is stored of a club: evenings and matches by month, and the busiest day.

    One query over all finished matches: for the background."""
    played = club.matches.finished().values_list("played_at", flat=True)
    days = Counter(day_of(club, at) for at in played.iterator())
    months: dict[str, list[int]] = {}
    for day, matches in sorted(days.items()):
        month = months.setdefault(f"{day:%Y-%m}", [0, 0])
        month[0] += 1
        month[1] += matches
    most = max(days, key=lambda day: (days[day], day), default=None)
    busiest = {"day": most.isoformat(), "matches": days[most]} if most else None
    return {"months": months, "evenings": len(days), "matches": days.total(), "busiest": busiest}


def last_months(kept: Mapping[str, Sequence[int]], most: int = MONTHS) -> list[Month]:
    """Return months up to the last match, newest first; empty ones after the first match
    included."""
    if not kept:
        return []
    first, month = min(kept), date.fromisoformat(f"{max(kept)}-01")
    found: list[Month] = []
    while len(found) < most and f"{month:%Y-%m}" >= first:
        evenings, matches = kept.get(f"{month:%Y-%m}", (0, 0))
        found.append(Month(month, evenings, matches))
        month = date(month.year - (month.month == 1), (month.month - 2) % 12 + 1, 1)
    return found


# ── records ─────────────────────────────────────────────────────────────


def _records(club: Club, family: Family) -> Iterator[ClubRecord]:
    """Return the records of a family. Two queries."""
    named = {"system": family[0], "win": family[1]}
    rows = list(totals(club, ALL_TIME).filter(partner=None, **named).select_related("player"))
    best, worst = (max, min) if family[1] == "high" else (min, max)
    yield from _record("best", rows, attrgetter("best"), best, attrgetter("best_match_id"))
    yield from _record("worst", rows, attrgetter("worst"), worst, attrgetter("worst_match_id"))
    known = [row for row in rows if row.matches >= ENOUGH]
    yield from _record("average", known, lambda row: Fraction(row.total, row.matches), best)
    yield from _record("wins", rows, attrgetter("wins"), max)
    yield from _record("longest_row", rows, attrgetter("longest_row"), max)
    yield from _record("matches", rows, attrgetter("matches"), max)
    sums = {f"{name}_sum": Sum(name) for name in ("kabbouts", "double_points")}
    counted = ContractTotal.objects.filter(club=club, **named).values("player_id", "player__name")
    made = list(counted.annotate(**sums).order_by("player__name"))
    for name in ("kabbouts", "double_points"):
        yield from _count(name, made, best if name == "double_points" else max)


type Value = int | Fraction
type Pick = Callable[[Iterable[Any]], Any]


def _record(
    what: str,
    rows: Sequence[Any],
    value: Callable[[Any], Value],
    pick: Pick,
    match: Callable[[Any], UUID] | None = None,
) -> Iterator[ClubRecord]:
    """Return the record, or None if nobody has any. Values are compared exactly and shown
    rounded."""
    if not rows or not (top := pick(value(row) for row in rows)):
        return
    holders = (
        RecordHolder(row.player_id, row.player.name, match(row) if match else None)
        for row in sorted(rows, key=attrgetter("player.name"))
        if value(row) == top
    )
    yield ClubRecord(what, rounded(top.numerator, top.denominator), tuple(holders))


def _count(name: str, made: Sequence[Mapping[str, Any]], pick: Pick) -> Iterator[ClubRecord]:
    top = pick([row[f"{name}_sum"] for row in made] or [0])
    holders = (
        RecordHolder(row["player_id"], row["player__name"])
        for row in made
        if row[f"{name}_sum"] == top
    )
    if top:
        yield ClubRecord(name, top, tuple(holders))
