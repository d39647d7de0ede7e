"""Totals calculated from results, compared with those stored."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db.models import Model, Q, QuerySet, Sum, UUIDField
from django.db.models.functions import Coalesce

from scoring.models import (
    Club,
    ContractResult,
    ContractTotal,
    Match,
    MatchResult,
    Meeting,
    PlayerTotal,
    Rating,
    RatingState,
    Season,
)
from scoring.models.days import span
from scoring.rules.statistics.contract_counts import ContractTally
from scoring.rules.statistics.sums import Key, People, SeasonSpan, SeatResult, meetings, totals
from scoring.rules.statistics.totals import Met, RunningTotal

type Family = tuple[str, str] | None
"""A system, and whether high or low totals win; None: all of them."""
type Facts = tuple[Any, ...]
type Sums = Mapping[Key, Facts]
"""By the key of a row what it says."""


@dataclass(frozen=True)
class TotalsTable:
    """One table of totals: its key, its values and its owners."""

    name: str
    model: type[Model]
    key: tuple[str, ...]
    facts: tuple[str, ...]
    sides: tuple[str, ...]

    def rows(self, club: Club, people: People, family: Family = None) -> QuerySet[Any]:
        """Return the rows of these players, from either side of a pair; of one family or of all."""
        rows = self.model._default_manager.filter(club=club, **_of(family))
        if people is None:
            return rows
        whose = Q(*((f"{side}__in", list(people)) for side in self.sides), _connector=Q.OR)
        return rows.filter(whose)

    def kept(self, rows: QuerySet[Any]) -> "list[Kept]":
        """Return the stored values. One query."""
        width = 1 + len(self.key)
        found = rows.values_list("id", *self.key, *self.facts)
        return [(row[0], row[1:width], row[width:]) for row in found]


type Kept = tuple[UUID, Key, Facts]
"""A row that is there: its id, its key, and what it says."""

TOTALS = TotalsTable(
    "player_totals",
    PlayerTotal,
    ("player_id", "partner_id", "season_id", "evening_id", "system", "win"),
    RunningTotal._fields,
    ("player", "partner"),
)
CONTRACTS = TotalsTable(
    "contract_totals",
    ContractTotal,
    ("player_id", "system", "win", "contract"),
    ContractTally._fields,
    ("player",),
)
MEETINGS = TotalsTable(
    "meetings",
    Meeting,
    ("player_id", "other_id", "system", "win"),
    Met._fields,
    ("player", "other"),
)
TABLES = (TOTALS, CONTRACTS, MEETINGS)


def _of(family: Family) -> dict[str, str]:
    return {"system": family[0], "win": family[1]} if family else {}


# ── worked out from everything ──────────────────────────────────────────


def wanted(club: Club, people: People, family: Family = None) -> dict[str, Sums]:
    """Calculate the totals of these players, in one family or all. Three queries."""
    matches, spans = list(_matches(club, people, family)), spans_of(club)
    contracts = ContractResult.objects.filter(club=club, **_of(family))
    if people is not None:
        contracts = contracts.filter(player__in=list(people))
    return {
        TOTALS.name: totals(matches, spans, people),
        CONTRACTS.name: _contracts(contracts),
        MEETINGS.name: meetings(matches, people),
    }


def differences(club: Club) -> list[str]:
    """Return the names of the tables that differ from the results of a club. Six queries."""
    right = wanted(club, None)
    return [table.name for table in TABLES if _differs(table, club, right[table.name])]


def _differs(table: TotalsTable, club: Club, right: Sums) -> bool:
    """One query."""
    rows = table.kept(table.rows(club, None))
    return len(rows) != len(right) or {key: facts for _, key, facts in rows} != right


def season_sums(club: Club, season: Season) -> Sums:
    """Calculate the totals of one season. One query."""
    one = _span_of(club, season)
    rows = MatchResult.objects.filter(club=club, played_at__gte=one.since, played_at__lt=one.until)
    found = totals(in_order(rows), [one])
    return {key: facts for key, facts in found.items() if key[2] == season.id}


def spans_of(club: Club) -> list[SeasonSpan]:
    """Return the time span of each season. One query, which reads the club's clock afresh."""
    seasons = Season.objects.filter(club=club).select_related("club")
    return [_span_of(one.club, one) for one in seasons]


def _span_of(club: Club, season: Season) -> SeasonSpan:
    since, until = span(club, season.starts_on, season.ends_on)
    return SeasonSpan(season.id, since, until, season.rules_key, season.counted)


def _matches(club: Club, people: People, family: Family) -> Iterator[list[SeatResult]]:
    """Yield all results of all matches of any of these players, match by match."""
    if people is None:
        return in_order(MatchResult.objects.filter(club=club, **_of(family)))
    own = MatchResult.objects.filter(player__in=list(people), club__isnull=False, **_of(family))
    return in_order(MatchResult.objects.filter(match__in=own.values("match")))


def in_order(results: QuerySet[MatchResult]) -> Iterator[list[SeatResult]]:
    """Yield results match by match in order of play. One query."""
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
    for _, group in groupby(map(SeatResult._make, rows), attrgetter("match")):
        yield list(group)


def _contracts(results: QuerySet[ContractResult]) -> Sums:
    """Add up the contract totals in the database. One query."""
    sums = {f"{name}_sum": Sum(name) for name in CONTRACTS.facts}
    found = results.order_by().values_list(*CONTRACTS.key).annotate(**sums)
    width = len(CONTRACTS.key)
    return {row[:width]: row[width:] for row in map(tuple, found)}


# ── carried on by one match ─────────────────────────────────────────────


def results_of_match(match: Match) -> list[SeatResult]:
    """One query."""
    return next(in_order(MatchResult.objects.filter(match=match)), [])


def is_last(match: Match, rows: Sequence[SeatResult]) -> bool:
    """Whether no player of the match has a later one in its family. One query."""
    at, opened = match.played_at, match.opened_at
    behind = Q(played_at__gt=at) | Q(opened_at__gt=opened) | Q(opened_at=opened, match__gt=match.id)
    own = {"player__in": {row.player for row in rows}, **_of((rows[0].system, rows[0].win))}
    return not MatchResult.objects.filter(behind, **own, played_at__gte=at).exists()


def touched_by(
    club: Club, rows: Sequence[SeatResult], spans: Iterable[SeasonSpan]
) -> dict[str, list[Kept]]:
    """Return the stored totals that a match adds to, by table. Three queries, by the index of
    players."""
    people, one = {row.player for row in rows}, rows[0]
    own = {"player__in": people, **_of((one.system, one.win))}
    scopes = [*(season.id for season in spans if season.takes(one)), one.evening]
    of_totals = PlayerTotal.objects.annotate(
        scope=Coalesce("season", "evening", output_field=UUIDField())
    ).filter(Q(partner=None) | Q(partner__in=people), Q(scope=None) | Q(scope__in=scopes), **own)
    met = Meeting.objects.filter(club=club, other__in=people, **own)
    return {
        TOTALS.name: TOTALS.kept(of_totals),
        CONTRACTS.name: CONTRACTS.kept(ContractTotal.objects.filter(**own)),
        MEETINGS.name: MEETINGS.kept(met),
    }


def carried_on(
    match: Match,
    rows: Sequence[SeatResult],
    spans: Sequence[SeasonSpan],
    there: Mapping[str, Iterable[Kept]],
) -> dict[str, Sums]:
    """Add the match to these totals, all of which end before it. One query."""
    before = {name: {key: facts for _, key, facts in kept} for name, kept in there.items()}
    of_totals = {key: RunningTotal._make(facts) for key, facts in before[TOTALS.name].items()}
    of_meetings = {key: Met._make(facts) for key, facts in before[MEETINGS.name].items()}
    contracts = dict(before[CONTRACTS.name])
    for key, facts in _contracts(ContractResult.objects.filter(match=match)).items():
        contracts[key] = ContractTally._make(contracts.get(key, ContractTally())).added(
            ContractTally._make(facts)
        )
    return {
        TOTALS.name: totals([rows], spans, before=of_totals),
        CONTRACTS.name: contracts,
        MEETINGS.name: meetings([rows], before=of_meetings),
    }


# ── ratings ─────────────────────────────────────────────────────────────


def ratings_of(club: Club) -> frozenset[Facts] | None:
    """Return the current ratings to compare with; None while they lag behind."""
    if RatingState.objects.filter(club=club, dirty_from__isnull=False).exists():
        return None
    facts = ("player_id", "system", "win", "mu", "sigma", "matches", "last_at")
    return frozenset(Rating.objects.filter(club=club).values_list(*facts))
