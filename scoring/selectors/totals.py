"""The sums that ought to be there for people of a club, and those that are there.

`MatchResult.partner` is the person of the ledger; whom that one counts for is looked up here.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Model, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from scoring.models import (
    Club,
    ContractResult,
    ContractTotal,
    MatchResult,
    Meeting,
    PlayerTotal,
    Rating,
    RatingState,
    Season,
)
from scoring.models.days import span
from scoring.rules.contract_counts import Counts
from scoring.rules.seats import partner_of
from scoring.rules.standings import Win
from scoring.rules.totals import Met, Sat, Total, total_of

type Facts = tuple[Any, ...]
type Sums = Mapping[Facts, Facts]
"""By the key of a row what it says."""
type People = Collection[UUID] | None
"""None: all of the club."""


@dataclass(frozen=True)
class Table:
    """One kind of sums: what names a row, what it says, and whose rows there are."""

    name: str
    model: type[Model]
    key: tuple[str, ...]
    facts: tuple[str, ...]
    sides: tuple[str, ...]

    def rows(self, club: Club, people: People) -> QuerySet[Any]:
        """The rows of these people, from either side."""
        rows = self.model._default_manager.filter(club=club)
        if people is None:
            return rows
        whose = Q(*((f"{side}__in", list(people)) for side in self.sides), _connector=Q.OR)
        return rows.filter(whose)


TOTALS = Table(
    "player_totals",
    PlayerTotal,
    ("player_id", "partner_id", "season_id", "evening_id", "system", "win"),
    tuple(Total.__dataclass_fields__),
    ("player", "partner"),
)
CONTRACTS = Table(
    "contract_totals",
    ContractTotal,
    ("player_id", "system", "win", "contract"),
    Counts._fields,
    ("player",),
)
MEETINGS = Table(
    "meetings",
    Meeting,
    ("player_id", "other_id", "system", "win"),
    tuple(Met.__dataclass_fields__),
    ("player", "other"),
)
TABLES = (TOTALS, CONTRACTS, MEETINGS)


class Row(NamedTuple):
    """What the sums need of a result."""

    match: UUID
    player: UUID
    partner: UUID | None
    evening: UUID | None
    system: str
    win: Win
    rules_key: str
    in_teams: bool
    seat: int
    deals: int
    points: int
    place: int
    played_at: datetime


class Owner(NamedTuple):
    """Whose matches are added up: a person's, or a pair's."""

    player: UUID
    partner: UUID | None
    system: str
    win: Win


@dataclass(frozen=True)
class Span:
    """Which matches a season takes."""

    id: UUID
    since: datetime
    until: datetime
    rules_key: str
    counted: int | None

    def takes(self, row: Row) -> bool:
        return self.since <= row.played_at < self.until and self.rules_key in ("", row.rules_key)


def wanted(club: Club, people: People) -> dict[str, Sums]:
    """What ought to be there for these people: three queries."""
    matches, spans = list(_matches(club, people)), spans_of(club)
    return {
        TOTALS.name: _totals(matches, spans, people),
        CONTRACTS.name: _contracts(club, people),
        MEETINGS.name: _meetings(matches, people),
    }


def differences(club: Club) -> list[str]:
    """The names of the tables that do not say what the results of a club come to. Six queries."""
    right = wanted(club, None)
    return [table.name for table in TABLES if _differs(table, club, right[table.name])]


def _differs(table: Table, club: Club, right: Sums) -> bool:
    """One query."""
    width = len(table.key)
    rows = list(table.rows(club, None).values_list(*table.key, *table.facts))
    return len(rows) != len(right) or {row[:width]: row[width:] for row in rows} != right


def season_sums(club: Club, season: Season) -> Sums:
    """The totals of one season, of everybody. One query."""
    (one,) = _spans(club, [season])
    rows = MatchResult.objects.filter(club=club, played_at__gte=one.since, played_at__lt=one.until)
    found = _scoped(_by_owner(_in_order(rows), None), [one])
    return {key: facts for key, facts in found if key[2] == season.id}


def spans_of(club: Club) -> list[Span]:
    """One query."""
    return _spans(club, club.seasons.all())


def _spans(club: Club, seasons: Iterable[Season]) -> list[Span]:
    return [
        Span(one.id, *span(club, one.starts_on, one.ends_on), one.rules_key, one.counted)
        for one in seasons
    ]


def _matches(club: Club, people: People) -> Iterator[list[Row]]:
    """All results of all matches in which any of these people has one, match by match."""
    if people is None:
        return _in_order(MatchResult.objects.filter(club=club))
    own = MatchResult.objects.filter(player__in=list(people), club__isnull=False)
    return _in_order(MatchResult.objects.filter(match__in=own.values("match")))


def _in_order(results: QuerySet[MatchResult]) -> Iterator[list[Row]]:
    """Match by match in order of play."""
    rows = results.order_by("played_at", "opened_at", "match_id", "seat", "seated_id").values_list(
        "match_id",
        "player_id",
        Coalesce("partner__counts_for", "partner"),
        "evening_id",
        "system",
        "win",
        "rules_key",
        "in_teams",
        "seat",
        "deals",
        "points",
        "place",
        "played_at",
    )
    for _, group in groupby(map(Row._make, rows), attrgetter("match")):
        yield list(group)


# ── totals ──────────────────────────────────────────────────────────────


def _totals(matches: Iterable[list[Row]], spans: Sequence[Span], people: People) -> Sums:
    return dict(_scoped(_by_owner(matches, people), spans))


type Played = tuple[Sat, Row]


def _by_owner(matches: Iterable[list[Row]], people: People) -> dict[Owner, list[Played]]:
    found: dict[Owner, list[Played]] = {}
    for rows in matches:
        for owner, sat, row in (*_of_people(rows), *_of_pairs(rows)):
            if people is None or owner.player in people or owner.partner in people:
                found.setdefault(owner, []).append((sat, row))
    return found


def _of_people(rows: Sequence[Row]) -> Iterator[tuple[Owner, Sat, Row]]:
    """One for each person of a match, whatever seats it had."""
    sat: dict[UUID, Sat] = {}
    for row in rows:
        before = sat.get(row.player)
        sat[row.player] = before.and_seat(row.points, row.place) if before else _sat(row)
    first = {row.player: row for row in reversed(rows)}
    for player, own in sat.items():
        row = first[player]
        yield Owner(player, None, row.system, row.win), own, row


def _of_pairs(rows: Sequence[Row]) -> Iterator[tuple[Owner, Sat, Row]]:
    """What the two have together: the points of both, and the place of their side."""
    for row in rows:
        if row.partner is None or row.player > row.partner:
            continue
        for other in rows:
            if (other.seat, other.player) == (partner_of(row.seat), row.partner):
                sat = _sat(row)._replace(points=row.points + other.points)
                yield Owner(row.player, row.partner, row.system, row.win), sat, row


def _sat(row: Row) -> Sat:
    return Sat(row.match, row.played_at, row.points, row.place, row.place)


def _scoped(
    by_owner: Mapping[Owner, Sequence[Played]], spans: Sequence[Span]
) -> Iterator[tuple[Facts, Facts]]:
    """Of all time, of each season and of each evening."""
    for owner, played in by_owner.items():
        scopes: dict[tuple[UUID | None, UUID | None], list[Sat]] = {}
        scopes[None, None] = [sat for sat, _ in played]
        for season in spans:
            counting = [sat for sat, row in played if season.takes(row)]
            scopes[season.id, None] = counting[: season.counted]
        for sat, row in played:
            if row.evening:
                scopes.setdefault((None, row.evening), []).append(sat)
        for scope, own in scopes.items():
            if own:
                key = (owner.player, owner.partner, *scope, owner.system, owner.win)
                yield key, _facts(total_of(own, owner.win))


def _facts(total: Total | Met) -> Facts:
    return tuple(getattr(total, name) for name in total.__dataclass_fields__)


# ── contracts ───────────────────────────────────────────────────────────


def _contracts(club: Club, people: People) -> Sums:
    """One query, added up by the database."""
    rows = ContractResult.objects.filter(club=club)
    if people is not None:
        rows = rows.filter(player__in=list(people))
    sums = {f"{name}_sum": Sum(name) for name in CONTRACTS.facts}
    found = rows.order_by().values_list(*CONTRACTS.key).annotate(**sums)
    width = len(CONTRACTS.key)
    return {row[:width]: row[width:] for row in map(tuple, found)}


# ── meetings ────────────────────────────────────────────────────────────


def _meetings(matches: Iterable[list[Row]], people: People) -> Sums:
    """Those who only followed each other in one seat have not met."""
    found: dict[Facts, Met] = {}
    for rows in matches:
        main = _main(rows)
        for one in main:
            for other in main:
                if one.seat == other.seat or not _asked(people, one, other):
                    continue
                key = one.player, other.player, one.system, one.win
                met = found.get(key, _UNMET)
                if one.in_teams and other.seat == partner_of(one.seat):
                    found[key] = met.side_by_side(one.place)
                else:
                    found[key] = met.against(one.place, other.place)
    return {key: _facts(met) for key, met in found.items()}


_UNMET = Met()


def _main(rows: Sequence[Row]) -> list[Row]:
    """Each person of a match in the seat where they sat most deals."""
    found: dict[UUID, Row] = {}
    for row in rows:
        before = found.get(row.player)
        if before is None or row.deals > before.deals:
            found[row.player] = row
    return list(found.values())


def _asked(people: People, one: Row, other: Row) -> bool:
    return people is None or one.player in people or other.player in people


# ── ratings ─────────────────────────────────────────────────────────────


def ratings_of(club: Club) -> frozenset[Facts] | None:
    """What ratings are now, to be compared; None while they are known to lag behind."""
    if RatingState.objects.filter(club=club, dirty_from__isnull=False).exists():
        return None
    facts = ("player_id", "system", "win", "mu", "sigma", "matches", "last_at")
    return frozenset(Rating.objects.filter(club=club).values_list(*facts))
