"""Standings as pages, files and programs get them: of all that a club has played, of a season, or
of an evening; of people or of pairs.

Made of the derived `PlayerTotal` rows, never of deals; as of an earlier day of the results up to
then, as they are by now; a closed season of the rows that were frozen when it was closed. Points of
two families never stand in one list.
"""

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
from scoring.rules.rating import Skill
from scoring.rules.standings import Family, Record, Standing, Standings, standings
from scoring.standings.queries.ratings import dirty_families, estimate, estimate_before
from scoring.standings.queries.summing import PARTNER, sums_before

# What both kinds of rows are ranked by.
SUMS = ("matches", "total", "wins", "places", "seats")
WHOSE = {"whose": Coalesce("player__counts_for", "player"), "partner_whose": PARTNER}
VERDICTS = ("rank", "needs", "decided_by", "rating")
NAMES = ("player_id", "player__name", "partner_id", "partner__name")


type Ids = frozenset[UUID]


@dataclass(frozen=True, order=True)
class Person:
    """Whose row it is."""

    name: str
    id: UUID

    @property
    def people(self) -> tuple["Person", ...]:
        return (self,)

    @property
    def ids(self) -> Ids:
        return frozenset({self.id})


@dataclass(frozen=True, order=True)
class Pair:
    """Two who play together, in the order of their names."""

    first: Person
    second: Person

    @property
    def people(self) -> tuple[Person, ...]:
        return self.first, self.second

    @property
    def ids(self) -> Ids:
        return frozenset({self.first.id, self.second.id})

    @property
    def name(self) -> str:
        return f"{self.first.name} + {self.second.name}"


@dataclass(frozen=True)
class Scope:
    """Which matches count: those of a season, of an evening, or (neither) all of the club; with
    `until` only those that were played up to this day of the club."""

    season: Season | None = None
    evening: Evening | None = None
    until: date | None = None

    @property
    def takes_a_day(self) -> bool:
        """Whether the standings of an earlier day can be asked for."""
        return self.evening is None and not self.is_frozen

    @property
    def is_frozen(self) -> bool:
        return self.season is not None and self.season.closed_at is not None

    def criteria(self, club: Club) -> tuple[str, ...]:
        """By what it is ranked, the first criterion first. The rating is of many evenings, so it
        decides nothing in a single one."""
        own = self.season.criteria if self.season else club.criteria
        return tuple(name for name in own if not (self.evening and name == "rating")) or ("total",)

    def minimum(self, club: Club) -> int:
        """With fewer matches somebody is provisional. On an evening nobody is."""
        if self.season:
            return self.season.minimum
        return 0 if self.evening else club.minimum


ALL_TIME = Scope()


@dataclass(frozen=True)
class Table:
    """What can be ranked: one family, whether there are pairs in it, its last match, whether its
    ratings, if they were asked for, are just being worked out, and of an earlier day whether that
    is nearer to its newest match than to its first."""

    family: Family
    has_pairs: bool
    last_at: datetime | None
    rates_anew: bool = False
    is_late: bool = False


@dataclass(frozen=True)
class StandingsPage:
    """One list and all that has to be said of it. `tables` are the families that could be shown in
    its place, `family` the one that is (None: nothing was played). `criteria` are those of the
    table, which the reader may have turned; `reviewed` whose points are not certain yet, by their
    `ids`."""

    club: Club
    scope: Scope
    tables: tuple[Table, ...]
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
        """All of them, the provisional ones last."""
        return self.table.ranked + self.table.provisional

    @property
    def shown(self) -> Table | None:
        """The family that is."""
        return next((each for each in self.tables if each.family == self.family), None)

    @property
    def has_pairs(self) -> bool:
        return self.shown is not None and self.shown.has_pairs

    @property
    def rates_anew(self) -> bool:
        """The ratings here will be others in a moment."""
        return "rating" in self.criteria and self.shown is not None and self.shown.rates_anew


def standings_page(
    club: Club,
    scope: Scope = ALL_TIME,
    family: Family | None = None,
    *,
    of_pairs: bool = False,
    by: str = "",
) -> StandingsPage:
    """The standings of one family, by default the one that was played last; with `by` that
    criterion before the others. Three queries."""
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
    club: Club, scope: Scope, chosen: Table, criteria: Sequence[str], *, of_pairs: bool
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
    """Every list there is: each family, of people and of pairs. A query and a few for each."""
    return [
        standings_page(club, scope, table.family, of_pairs=of_pairs)
        for table in tables_of(club, scope)
        for of_pairs in ((False, True) if table.has_pairs else (False,))
    ]


def tables_of(club: Club, scope: Scope, *, rated: bool = False) -> tuple[Table, ...]:
    """Every family that has been played, the last played first; of a season that is closed the one
    with most people. One query. Whether ratings are being worked out is asked where they are
    `rated`."""
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
        Table(
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
    """The rows of whoever had played by then, each with a last match before it."""
    same = {"system": OuterRef("system"), "win": OuterRef("win")}
    last = results_in(club, scope).filter(**same).order_by("-played_at").values("played_at")[:1]
    by_then = Case(When(last_at__lt=end, then=F("last_at")), default=Subquery(last))
    return rows.filter(first_at__lt=end).annotate(last_by_then=by_then)


def records_of(
    club: Club, scope: Scope, family: Family, *, of_pairs: bool = False, rated: bool = False
) -> list[Record]:
    """What each person, or pair, has there as it is now. One query."""
    rows = totals(club, scope).filter(system=family[0], win=family[1], partner__isnull=not of_pairs)
    return [_record(row, family) for row in _read(rows, rated=rated)]


def _records_until(
    club: Club, scope: Scope, chosen: Table, end: datetime, *, of_pairs: bool, rated: bool
) -> list[Record]:
    """What each had before that moment, with what the rating was then. One query."""
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
    """What a record is made of. A rating is of all matches, whatever else the row counts."""
    found: QuerySet[PlayerTotal, dict[str, Any]] = rows.values(
        *NAMES, *SUMS, "lately", *more, **(estimate() if rated else {})
    )
    return found


def first_tables(club: Club, limit: int) -> list[StandingsPage]:
    """The best people of every family, of all that was played. One query, and one more where the
    rating counts."""
    found: dict[Family, list[Record]] = {}
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
            (Table(family, False, None, family in dirty),),
            family,
            False,
            first(table, limit),
        )
        for family, own in found.items()
        for table in [ranked(own, criteria, club.minimum)]
    ]


def first(table: Standings, limit: int) -> Standings:
    """So many rows of it; provisional ones where there are too few others."""
    left = max(0, limit - len(table.ranked))
    return replace(table, ranked=table.ranked[:limit], provisional=table.provisional[:left])


def totals(club: Club, scope: Scope) -> QuerySet[PlayerTotal]:
    """The derived rows that are of all time, of this season, or of this evening."""
    return PlayerTotal.objects.filter(club=club, season=scope.season, evening=scope.evening)


def ranked(records: Iterable[Record], criteria: Sequence[str], minimum: int) -> Standings:
    """Of one family; who is equal stands by name."""
    return standings(sorted(records, key=_by_name), criteria, minimum)


def _by_name(record: Record) -> list[tuple[str, UUID]]:
    assert isinstance(record.player, Person | Pair)
    return [(person.name, person.id) for person in record.player.people]


def frozen_table(season: Season, family: Family, *, of_pairs: bool = False) -> Standings:
    """The rows as they were when the season was closed, of somebody who was merged since under
    the person that stays. One query."""
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
    """The results that count there; of a season with a limit also those behind it."""
    return MatchResult.objects.filter(club=club, **_within(club, scope))


def _within(club: Club, scope: Scope, to: str = "") -> dict[str, Any]:
    """What a result must have to count there; `to` leads to it."""
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
    """Whose points are not certain yet: they sat in a match in which something is under review.
    One query, from the few matches to their results."""
    to = "match__results__"
    own = {f"{to}system": family[0], f"{to}win": family[1], **_within(club, scope, to)}
    if of_pairs:
        own[f"{to}partner__isnull"] = False
    partner = Coalesce(f"{to}partner__counts_for", f"{to}partner")
    rows = Dispute.objects.filter(club=club).under_review().filter(**own)
    both = rows.values_list(f"{to}player", partner)
    return frozenset(frozenset(ids if of_pairs else ids[:1]) for ids in both)


def _criteria(own: Sequence[str], of_pairs: bool, by: str = "") -> tuple[str, ...]:
    """The chosen one first, the club's own behind it. A pair has no rating."""
    wanted = dict.fromkeys((by, *own) if by else own)
    if of_pairs:
        wanted.pop("rating", None)
    return tuple(wanted) or ("total",)


def _record(row: Mapping[str, Any], family: Family) -> Record:
    sums, mu = {name: row[name] for name in SUMS}, row.get("mu")
    rating = None if mu is None else Skill(mu, row["sigma"]).exact
    return Record(_entrant(row), *family, **sums, rating=rating, lately=row.get("lately", ""))


def _entrant(row: Mapping[str, Any]) -> Person | Pair:
    person = Person(row["player__name"], row["player_id"])
    if row["partner_id"] is None:
        return person
    return Pair(*sorted((person, Person(row["partner__name"], row["partner_id"]))))
