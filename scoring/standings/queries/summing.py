"""Totals of players and pairs up to a day, added up by the database.

From the first match on, or backwards from the stored totals, whichever is nearer. They equal what
`totals` calculates match by match."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import (
    CharField,
    Count,
    F,
    FloatField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    UUIDField,
    Value,
    Window,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, DenseRank

from scoring.models import MatchResult, Player, PlayerTotal

# A result names its people as they sat; whom the partner counts for is looked up.
PARTNER = Coalesce("partner__counts_for", "partner")
WHOSE = ("player_id", "player__name", "partner_id", "partner__name")

# Two seats of one person in one match are one match, won where one of the two was.
SUMS = {
    "matches": Count("match", distinct=True),
    "total": Sum("points"),
    "wins": Count("match", distinct=True, filter=Q(place=1)),
    "places": Sum("place"),
    "seats": Count("id"),
}
# `total` is a name of a result's own facts too.
SUM_OF = {f"sum_of_{name}": each for name, each in SUMS.items()}

type Row = dict[str, Any]
type Results = QuerySet[MatchResult]


def sums_before(
    end: datetime,
    kept: QuerySet[PlayerTotal],
    results: Results,
    *,
    of_pairs: bool,
    counted: int | None,
    is_late: bool,
    more: Mapping[str, Combinable],
) -> Collection[Row]:
    """Return the totals before a moment, of players or of pairs. One query.

    Added up from the first match on, or subtracted from those `kept` where the moment `is_late`.
    With `counted` only so many matches of each count, in order of play."""
    if is_late and counted is None:
        later = results.filter(played_at__gte=end)
        return _left(kept.filter(first_at__lt=end), later, of_pairs, more)
    return _until(results.filter(played_at__lt=end), of_pairs, counted, more)


def _until(
    results: Results, of_pairs: bool, counted: int | None, more: Mapping[str, Combinable]
) -> Collection[Row]:
    # Looked up for each sum: a join would be made before there are any.
    name = Subquery(Player.objects.filter(id=OuterRef("player_id")).values("name"))
    found = list(_by_owner(results, of_pairs, counted).annotate(name=name, **more))
    names = {row["player_id"]: row["name"] for row in found}
    rows = [
        {
            "player_id": row["player_id"],
            "player__name": row["name"],
            "partner_id": row["other"],
            "partner__name": names.get(row["other"]),
            **{name: row[f"sum_of_{name}"] for name in SUMS},
            **{name: row[name] for name in more},
        }
        for row in found
    ]
    return _joined((row for row in rows if not _is_second(row)), filter(_is_second, rows), 1)


def _left(
    kept: QuerySet[PlayerTotal], later: Results, of_pairs: bool, more: Mapping[str, Combinable]
) -> Collection[Row]:
    """Subtract these results from the stored totals."""
    rows = kept.annotate(times=Value(1), **more).values("times", *WHOSE, *SUMS, *more)
    nothing = {name: Value(None, FloatField()) for name in more}
    nameless = dict.fromkeys(("first_name", "other_name"), Value(None, CharField()))
    gone = _by_owner(later, of_pairs).annotate(times=Value(-1), **nameless, **nothing)
    whose = ("player_id", "first_name", "other", "other_name")
    found = list(rows.union(gone.values("times", *whose, *SUM_OF, *more), all=True))
    return _joined(
        (row for row in found if row["times"] > 0), (row for row in found if row["times"] < 0), -1
    )


def _by_owner(results: Results, of_pairs: bool, counted: int | None = None) -> QuerySet[Any]:
    """Add up the results of each player; for pairs from the side of either partner."""
    if of_pairs:
        results = results.exclude(partner=None)
    results = results.annotate(other=PARTNER if of_pairs else Value(None, UUIDField()))
    if counted is not None:
        order = ("played_at", "opened_at", "match")
        nth = Window(DenseRank(), partition_by=[F("player"), F("other")], order_by=order)
        first = results.annotate(nth=nth).filter(nth__lte=counted)
        results = results.filter(id__in=first.values("id"))
    found: QuerySet[Any] = results.order_by().values("player_id", "other").annotate(**SUM_OF)
    return found


def _joined(rows: Iterable[Row], others: Iterable[Row], times: int) -> Collection[Row]:
    """Add or subtract the rows of the same player or pair."""
    found = {_owner(row): row for row in rows}
    for other in others:
        if row := found.get(_owner(other)):
            # Both have the same matches and places together, and each the own points.
            for name in ("total",) if _is_second(other) else SUMS:
                row[name] += times * other[name]
    return found.values()


def _owner(row: Row) -> frozenset[UUID | None]:
    return frozenset({row["player_id"], row["partner_id"]})


def _is_second(row: Row) -> bool:
    return row["partner_id"] is not None and row["partner_id"] < row["player_id"]
