"""Standings of a club, a season or a game night; of players or of pairs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import Case, Count, Exists, F, Max, Min, OuterRef, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from scoring.models import (
    Club,
    Dispute,
    Evening,
    FrozenStanding,
    MatchResult,
    PlayerTotal,
    RatingState,
    Season,
)
from scoring.models.days import end_of, span
from scoring.rules.standings import Family, PlayerRecord, Standing, Standings, standings
from scoring.rules.statistics.rating import Skill
from scoring.standings.queries.ratings import dirty_families, estimate, estimate_before
from scoring.standings.queries.summing import PARTNER, sums_before

# What both kinds of rows are ranked by.
SUMS = ("matches", "total", "wins", "places", "seats")
WHOSE = {"whose": Coalesce("player__counts_for", "player"), "partner_whose": PARTNER}
VERDICTS = ("rank", "needs", "decided_by", "rating")
NAMES = ("player_id", "player__name", "partner_id", "partner__name")


type Ids = frozenset[UUID]


@dataclass(frozen=True, order=True)
class RankedPerson:
    """A player with a row of standings."""

    name: str
    id: UUID

    @property
    def people(self) -> tuple["RankedPerson", ...]:
        return (self,)

    @property
    def ids(self) -> Ids:
        return frozenset({self.id})


@dataclass(frozen=True, order=True)
class RankedPair:
    """Two partners, ordered by name."""

    first: RankedPerson
    second: RankedPerson

    @property
    def people(self) -> tuple[RankedPerson, ...]:
        return self.first, self.second

    @property
    def ids(self) -> Ids:
        return frozenset({self.first.id, self.second.id})

    @property
    def name(self) -> str:
        return f"{self.first.name} + {self.second.name}"


@dataclass(frozen=True)
class Scope:
    """Which matches count: those of a season, a game night, or (neither) all of the club.

    With `until` only those played up to this day of the club."""

    season: Season | None = None
    evening: Evening | None = None
    until: date | None = None

    @property
    def takes_a_day(self) -> bool:
        """Whether there are standings of an earlier day."""
        return self.evening is None and not self.is_frozen

    @property
    def is_frozen(self) -> bool:
        return self.season is not None and self.season.closed_at is not None

    def criteria(self, club: Club) -> tuple[str, ...]:
        """The criteria, first one first."""
        own = self.season.criteria if self.season else club.criteria
        return tuple(name for name in own if not (self.evening and name == "rating")) or ("total",)

    def minimum(self, club: Club) -> int:
        """The matches needed to be ranked."""
        if self.season:
            return self.season.minimum
        return 0 if self.evening else club.minimum


ALL_TIME = Scope()


@dataclass(frozen=True)
class FamilyTable:
    """A family of points that can be ranked.

    Whether it has pairs, its last match, whether its ratings are being recalculated, and for an
    earlier day whether that is nearer to the newest match than to the first."""

    family: Family
    has_pairs: bool
    last_at: datetime | None
    rates_anew: bool = False
    is_late: bool = False


@dataclass(frozen=True)
class StandingsPage:
    """One list of standings.

    `tables` are the families that there are, `family` the one shown (None: no match yet).
    `criteria` may be reordered by the reader; `reviewed` are the ids with a deal under review."""

    club: Club
    scope: Scope
    tables: tuple[FamilyTable, ...]
    family: Family | None
    of_pairs: bool
    table: Standings
    reviewed: frozenset[Ids] = frozenset()
    as_of: datetime | None = None

    @property
    def criteria(self) -> tuple[str, ...]:
        return self.table.criteria

    @property
    def minimum(self) -> int:
        return self.scope.minimum(self.club)

    @property
    def rows(self) -> tuple[Standing, ...]:
        """All rows, provisional ones last."""
        return self.table.ranked + self.table.provisional

    @property
    def shown(self) -> FamilyTable | None:
        """The table of the family shown."""
        return next((each for each in self.tables if each.family == self.family), None)

    @property
    def has_pairs(self) -> bool:
        return self.shown is not None and self.shown.has_pairs

    @property
    def rates_anew(self) -> bool:
        """Whether the ratings shown are being recalculated."""
        return "rating" in self.criteria and self.shown is not None and self.shown.rates_anew


def standings_page(
    club: Club,
    scope: Scope = ALL_TIME,
    family: Family | None = None,
    *,
    of_pairs: bool = False,
    by: str = "",
) -> StandingsPage:
    """Return the standings of a family, by default the one played last. Three queries.

    With `by` that criterion comes first."""
    criteria = _criteria(scope.criteria(club), of_pairs, by)
    tables = tables_of(club, scope, rated="rating" in criteria)
    chosen = next((each for each in tables if each.family == family), tables[0] if tables else None)
    if chosen is None:
        return StandingsPage(club, scope, (), None, of_pairs, Standings((), (), criteria))
    return StandingsPage(
        club=club,
        scope=scope,
        tables=tables,
        family=chosen.family,
        of_pairs=of_pairs,
        table=_table(club, scope, chosen, criteria, of_pairs=of_pairs),
        reviewed=frozenset()
        if scope.is_frozen
        else _reviewed(club, scope, chosen.family, of_pairs=of_pairs),
        as_of=chosen.last_at,
    )


def _table(
    club: Club, scope: Scope, chosen: FamilyTable, criteria: Sequence[str], *, of_pairs: bool
) -> Standings:
    family = chosen.family
    if scope.season and scope.is_frozen:
        return frozen_table(scope.season, family, of_pairs=of_pairs)
    asked = {"of_pairs": of_pairs, "rated": "rating" in criteria}
    if scope.until:
        records = _records_until(club, scope, chosen, end_of(club, scope.until), **asked)
    else:
        records = records_of(club, scope, family, **asked)
    return ranked(records, criteria, scope.minimum(club))


def all_pages(club: Club, scope: Scope) -> list[StandingsPage]:
    """Yield the standings of each family, of players and of pairs. A few queries for each."""
    return [
        standings_page(club, scope, table.family, of_pairs=of_pairs)
        for table in tables_of(club, scope)
        for of_pairs in ((False, True) if table.has_pairs else (False,))
    ]


def tables_of(club: Club, scope: Scope, *, rated: bool = False) -> tuple[FamilyTable, ...]:
    """Return every family played, latest first; in a closed season the one with most players first.

    One query, one more where they are `rated`."""
    rows: QuerySet[Any] = totals(club, scope)
    end = end_of(club, scope.until) if scope.until else None
    sums: dict[str, Any] = {"last": Max("last_at")}
    dirty = RatingState.objects.filter(
        club=club, system=OuterRef("system"), win=OuterRef("win"), dirty_from__isnull=False
    )
    if scope.is_frozen:
        rows, sums = FrozenStanding.objects.filter(season=scope.season), {"last": Count("id")}
    elif end:
        rows, dirty = _begun_by(rows, club, scope, end), dirty.filter(dirty_from__lt=end)
        sums = {"last": Max("last_by_then"), "first": Min("first_at"), "newest": Max("last_at")}
    if rated:
        sums["rates_anew"] = Exists(dirty)
    grouped = rows.values("system", "win").annotate(pairs=Count("partner"), **sums)
    return tuple(
        FamilyTable(
            family=(row["system"], row["win"]),
            has_pairs=bool(row["pairs"]),
            last_at=None if scope.is_frozen else row["last"],
            rates_anew=rated and row["rates_anew"],
            is_late=end is not None and row["newest"] - end < end - row["first"],
        )
        for row in grouped.order_by("-last", "system", "win")
    )


def _begun_by(
    rows: QuerySet[PlayerTotal], club: Club, scope: Scope, end: datetime
) -> QuerySet[PlayerTotal]:
    """Return the rows of players with a match before a moment."""
    same = {"system": OuterRef("system"), "win": OuterRef("win")}
    last = results_in(club, scope).filter(**same).order_by("-played_at").values("played_at")[:1]
    by_then = Case(When(last_at__lt=end, then=F("last_at")), default=Subquery(last))
    return rows.filter(first_at__lt=end).annotate(last_by_then=by_then)


def records_of(
    club: Club, scope: Scope, family: Family, *, of_pairs: bool = False, rated: bool = False
) -> list[PlayerRecord]:
    """Return the record of each player or pair as it is now. One query."""
    rows = totals(club, scope).filter(system=family[0], win=family[1], partner__isnull=not of_pairs)
    return [_record(row, family) for row in _read(rows, rated=rated)]


def _records_until(
    club: Club, scope: Scope, chosen: FamilyTable, end: datetime, *, of_pairs: bool, rated: bool
) -> list[PlayerRecord]:
    """Return the record of each before a moment, with the rating of then. One query."""
    own = {"system": chosen.family[0], "win": chosen.family[1]}
    rows = sums_before(
        end,
        totals(club, scope).filter(**own, partner__isnull=not of_pairs),
        results_in(club, replace(scope, until=None)).filter(**own),
        of_pairs=of_pairs,
        counted=scope.season.counted if scope.season else None,
        is_late=chosen.is_late,
        more=estimate_before(club, chosen.family, end) if rated else {},
    )
    return [_record(row, chosen.family) for row in rows]


def _read(rows: QuerySet[PlayerTotal], *more: str, rated: bool) -> Iterable[Mapping[str, Any]]:
    """Annotate the values of a record. A rating is of all matches, whatever else the row counts."""
    found: QuerySet[PlayerTotal, dict[str, Any]] = rows.values(
        *NAMES, *SUMS, "lately", *more, **(estimate() if rated else {})
    )
    return found


def first_tables(club: Club, limit: int) -> list[StandingsPage]:
    """Return the top rows of every family, of all matches. One query, two if the rating counts."""
    found: dict[Family, list[PlayerRecord]] = {}
    rows = totals(club, ALL_TIME).filter(partner=None).order_by("-last_at", "system", "win")
    criteria = _criteria(club.criteria, of_pairs=False)
    for row in _read(rows, "system", "win", rated="rating" in criteria):
        family = row["system"], row["win"]
        found.setdefault(family, []).append(_record(row, family))
    dirty = dirty_families(club) if "rating" in criteria else frozenset()
    return [
        StandingsPage(
            club,
            ALL_TIME,
            (FamilyTable(family, False, None, family in dirty),),
            family,
            False,
            first(table, limit),
        )
        for family, own in found.items()
        for table in [ranked(own, criteria, club.minimum)]
    ]


def first(table: Standings, limit: int) -> Standings:
    """Return the top rows; provisional ones where there are too few ranked."""
    left = max(0, limit - len(table.ranked))
    return replace(table, ranked=table.ranked[:limit], provisional=table.provisional[:left])


def totals(club: Club, scope: Scope) -> QuerySet[PlayerTotal]:
    """Return the total rows of the scope."""
    return PlayerTotal.objects.filter(club=club, season=scope.season, evening=scope.evening)


def ranked(records: Iterable[PlayerRecord], criteria: Sequence[str], minimum: int) -> Standings:
    """Rank records of one family; equal ones by name."""
    return standings(sorted(records, key=_by_name), criteria, minimum)


def _by_name(record: PlayerRecord) -> list[tuple[str, UUID]]:
    assert isinstance(record.player, RankedPerson | RankedPair)
    return [(person.name, person.id) for person in record.player.people]


def frozen_table(season: Season, family: Family, *, of_pairs: bool = False) -> Standings:
    """Return the rows as they were when the season was closed. One query.

    Those of players merged since are under the one who stays."""
    rows = FrozenStanding.objects.filter(
        season=season, system=family[0], win=family[1], partner__isnull=not of_pairs
    ).order_by("position")
    found = list(rows.values(*NAMES, *SUMS, *VERDICTS, **WHOSE))
    shared = Counter(row["rank"] for row in found)
    lines = [_frozen(row, family, shares=shared[row["rank"]] > 1) for row in found]
    apart = tuple(line for line in lines if line.rank is None)
    criteria = _criteria(season.criteria, of_pairs)
    return Standings(tuple(line for line in lines if line.rank), apart, criteria)


def _frozen(row: Mapping[str, Any], family: Family, *, shares: bool) -> Standing:
    people = {"player_id": row["whose"], "partner_id": row["partner_whose"]}
    record = replace(_record({**row, **people}, family), rating=row["rating"])
    by = row["decided_by"] or None
    return Standing(
        row["rank"], record, row["needs"], by, shares=shares and row["rank"] is not None
    )


def results_in(club: Club, scope: Scope) -> QuerySet[MatchResult]:
    """Return the results that count; of a season with a limit also those behind it."""
    return MatchResult.objects.filter(club=club, **_within(club, scope))


def _within(club: Club, scope: Scope, to: str = "") -> dict[str, Any]:
    """Return the conditions on a result to count; `to` is the prefix that leads to it."""
    asked: dict[str, Any] = {}
    if season := scope.season:
        first, until = span(club, season.starts_on, season.ends_on)
        asked |= {"played_at__gte": first, "played_at__lt": until}
        asked |= {"rules_key": season.rules_key} if season.rules_key else {}
    if scope.until:
        end = end_of(club, scope.until)
        asked["played_at__lt"] = min(end, asked.get("played_at__lt", end))
    if scope.evening:
        asked["evening"] = scope.evening
    return {f"{to}{name}": value for name, value in asked.items()}


def _reviewed(club: Club, scope: Scope, family: Family, *, of_pairs: bool) -> frozenset[Ids]:
    """Return the ids of players in a match with a deal under review. One query."""
    to = "match__results__"
    own = {f"{to}system": family[0], f"{to}win": family[1], **_within(club, scope, to)}
    if of_pairs:
        own[f"{to}partner__isnull"] = False
    partner = Coalesce(f"{to}partner__counts_for", f"{to}partner")
    rows = Dispute.objects.filter(club=club).under_review().filter(**own)
    both = rows.values_list(f"{to}player", partner)
    return frozenset(frozenset(ids if of_pairs else ids[:1]) for ids in both)


def _criteria(own: Sequence[str], of_pairs: bool, by: str = "") -> tuple[str, ...]:
    """Return the chosen criterion, then the club's. A pair has no rating."""
    wanted = dict.fromkeys((by, *own) if by else own)
    if of_pairs:
        wanted.pop("rating", None)
    return tuple(wanted) or ("total",)


def _record(row: Mapping[str, Any], family: Family) -> PlayerRecord:
    sums, mu = {name: row[name] for name in SUMS}, row.get("mu")
    rating = None if mu is None else Skill(mu, row["sigma"]).exact
    return PlayerRecord(_entrant(row), *family, **sums, rating=rating, lately=row.get("lately", ""))


def _entrant(row: Mapping[str, Any]) -> RankedPerson | RankedPair:
    person = RankedPerson(row["player__name"], row["player_id"])
    if row["partner_id"] is None:
        return person
    return RankedPair(*sorted((person, RankedPerson(row["partner__name"], row["partner_id"]))))
