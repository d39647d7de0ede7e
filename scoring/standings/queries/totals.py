"""The sums that ought to be there for people of a club, and those that are there.

`MatchResult.partner` is the person of the ledger; whom that one counts for is looked up here.
"""

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
from scoring.rules.contract_counts import Counts
from scoring.rules.sums import Key, People, Result, Span, meetings, totals
from scoring.rules.totals import Met, Total

type Family = tuple[str, str] | None
"""A system, and whether high or low totals win; None: all of them."""
type Facts = tuple[Any, ...]
type Sums = Mapping[Key, Facts]
"""By the key of a row what it says."""


@dataclass(frozen=True)
class Table:
    """One kind of sums: what names a row, what it says, and whose rows there are."""

    name: str
    model: type[Model]
    key: tuple[str, ...]
    facts: tuple[str, ...]
    sides: tuple[str, ...]

    def rows(self, club: Club, people: People, family: Family = None) -> QuerySet[Any]:
        """The rows of these people, from either side; of one family, or of all."""
        rows = self.model._default_manager.filter(club=club, **_of(family))
        if people is None:
            return rows
        whose = Q(*((f"{side}__in", list(people)) for side in self.sides), _connector=Q.OR)
        return rows.filter(whose)

    def kept(self, rows: QuerySet[Any]) -> "list[Kept]":
        """One query."""
        width = 1 + len(self.key)
        found = rows.values_list("id", *self.key, *self.facts)
        return [(row[0], row[1:width], row[width:]) for row in found]


type Kept = tuple[UUID, Key, Facts]
"""A row that is there: its id, its key, and what it says."""

TOTALS = Table(
    "player_totals",
    PlayerTotal,
    ("player_id", "partner_id", "season_id", "evening_id", "system", "win"),
    Total._fields,
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
    Met._fields,
    ("player", "other"),
)
TABLES = (TOTALS, CONTRACTS, MEETINGS)


def _of(family: Family) -> dict[str, str]:
    return {"system": family[0], "win": family[1]} if family else {}


# ── worked out from everything ──────────────────────────────────────────


def wanted(club: Club, people: People, family: Family = None) -> dict[str, Sums]:
    """What ought to be there for these people, in one family or in all: three queries."""
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
    """The names of the tables that do not say what the results of a club come to. Six queries."""
    right = wanted(club, None)
    return [table.name for table in TABLES if _differs(table, club, right[table.name])]


def _differs(table: Table, club: Club, right: Sums) -> bool:
    """One query."""
    rows = table.kept(table.rows(club, None))
    return len(rows) != len(right) or {key: facts for _, key, facts in rows} != right


def season_sums(club: Club, season: Season) -> Sums:
    """The totals of one season, of everybody. One query."""
    one = _span_of(club, season)
    rows = MatchResult.objects.filter(club=club, played_at__gte=one.since, played_at__lt=one.until)
    found = totals(in_order(rows), [one])
    return {key: facts for key, facts in found.items() if key[2] == season.id}


def spans_of(club: Club) -> list[Span]:
    """One query, which asks for the clock of the club too: it may have been set meanwhile."""
    seasons = Season.objects.filter(club=club).select_related("club")
    return [_span_of(one.club, one) for one in seasons]


def _span_of(club: Club, season: Season) -> Span:
    since, until = span(club, season.starts_on, season.ends_on)
    return Span(season.id, since, until, season.rules_key, season.counted)


def _matches(club: Club, people: People, family: Family) -> Iterator[list[Result]]:
    """All results of all matches in which any of these people has one, match by match."""
    if people is None:
        return in_order(MatchResult.objects.filter(club=club, **_of(family)))
    own = MatchResult.objects.filter(player__in=list(people), club__isnull=False, **_of(family))
    return in_order(MatchResult.objects.filter(match__in=own.values("match")))


def in_order(results: QuerySet[MatchResult]) -> Iterator[list[Result]]:
    """Match by match in order of play. One query."""
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
    for _, group in groupby(map(Result._make, rows), attrgetter("match")):
        yield list(group)


def _contracts(results: QuerySet[ContractResult]) -> Sums:
    """One query, added up by the database."""
    sums = {f"{name}_sum": Sum(name) for name in CONTRACTS.facts}
    found = results.order_by().values_list(*CONTRACTS.key).annotate(**sums)
    width = len(CONTRACTS.key)
    return {row[:width]: row[width:] for row in map(tuple, found)}


# ── carried on by one match ─────────────────────────────────────────────


def results_of_match(match: Match) -> list[Result]:
    """One query."""
    return next(in_order(MatchResult.objects.filter(match=match)), [])


def is_last(match: Match, rows: Sequence[Result]) -> bool:
    """Whether none of its people has anything in its family behind it, in order of play. One
    query, which reads nothing of what was played before."""
    at, opened = match.played_at, match.opened_at
    behind = Q(played_at__gt=at) | Q(opened_at__gt=opened) | Q(opened_at=opened, match__gt=match.id)
    own = {"player__in": {row.player for row in rows}, **_of((rows[0].system, rows[0].win))}
    return not MatchResult.objects.filter(behind, **own, played_at__gte=at).exists()


def touched_by(club: Club, rows: Sequence[Result], spans: Iterable[Span]) -> dict[str, list[Kept]]:
    """The rows of sums that a match adds to, by table, as they are: as many as its people, their
    pairs and the seasons of its day ask for. Three queries, each by the index of persons: that of
    the club would read everybody's."""
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
    match: Match, rows: Sequence[Result], spans: Sequence[Span], there: Mapping[str, Iterable[Kept]]
) -> dict[str, Sums]:
    """What those rows come to with the match behind all that is in them. One query."""
    before = {name: {key: facts for _, key, facts in kept} for name, kept in there.items()}
    of_totals = {key: Total._make(facts) for key, facts in before[TOTALS.name].items()}
    of_meetings = {key: Met._make(facts) for key, facts in before[MEETINGS.name].items()}
    contracts = dict(before[CONTRACTS.name])
    for key, facts in _contracts(ContractResult.objects.filter(match=match)).items():
        contracts[key] = Counts._make(contracts.get(key, Counts())).added(Counts._make(facts))
    return {
        TOTALS.name: totals([rows], spans, before=of_totals),
        CONTRACTS.name: contracts,
        MEETINGS.name: meetings([rows], before=of_meetings),
    }


# ── ratings ─────────────────────────────────────────────────────────────


def ratings_of(club: Club) -> frozenset[Facts] | None:
    """What ratings are now, to be compared; None while they are known to lag behind."""
    if RatingState.objects.filter(club=club, dirty_from__isnull=False).exists():
        return None
    facts = ("player_id", "system", "win", "mu", "sigma", "matches", "last_at")
    return frozenset(Rating.objects.filter(club=club).values_list(*facts))
