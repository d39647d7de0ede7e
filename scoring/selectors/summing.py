"""What people and pairs have in some results, added up by the database: for whoever asks for the
standings of an earlier day. The sums mean what those mean that the fold of `rules.totals` writes.

Takes results of one family, and gives rows as standings read them. With `counted` only so many
matches of each person, or pair, count: the first ones in order of play.
"""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet, Sum, Window
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, DenseRank

from scoring.models import MatchResult

# A result names its people as they sat; whom the partner counts for is looked up.
PARTNER = Coalesce("partner__counts_for", "partner")

# Two seats of one person in one match are one match, won where one of the two was.
_SUMS = {
    "matches": Count("match", distinct=True),
    "total": Sum("points"),
    "wins": Count("match", distinct=True, filter=Q(place=1)),
    "places": Sum("place"),
    "seats": Count("id"),
}

SUM = "sum_of_"

type Rows = Iterator[dict[str, Any]]


def sums_of_people(results: QuerySet[MatchResult], counted: int | None, **more: Combinable) -> Rows:
    """With `more` that is looked up for each person. One query."""
    rows = _added_up(results, counted, "player")
    for row in _named(rows.annotate(**more)):
        yield row | {"partner_id": None, "partner__name": None}


def sums_of_pairs(results: QuerySet[MatchResult], counted: int | None) -> Rows:
    """The points of both, and the place of their side. One query."""
    rows = results.exclude(partner=None).annotate(whose=PARTNER)
    halves: dict[tuple[UUID, UUID], dict[str, Any]] = {
        (row["player_id"], row["whose"]): row
        for row in _named(_added_up(rows, counted, "player", "whose"))
    }
    for (one, other), row in halves.items():
        if one < other:
            half = halves[other, one]
            both = {"partner_id": other, "partner__name": half["player__name"]}
            yield row | both | {"total": row["total"] + half["total"]}


def _added_up(results: QuerySet[MatchResult], counted: int | None, *owner: str) -> QuerySet[Any]:
    """By whose they are, with the person's name."""
    if counted is not None:
        order = ("played_at", "opened_at", "match")
        nth = Window(DenseRank(), partition_by=[F(name) for name in owner], order_by=order)
        first = results.annotate(nth=nth).filter(nth__lte=counted)
        results = results.filter(id__in=first.values("id"))
    named = {f"{SUM}{name}": each for name, each in _SUMS.items()}
    names = ("player_id", "player__name", *owner[1:])
    found: QuerySet[Any] = results.order_by().values(*names).annotate(**named)
    return found


def _named(rows: Iterable[dict[str, Any]]) -> Rows:
    """`total` and others are names of a result's own facts: sums go by others on the way."""
    for row in rows:
        yield {name.removeprefix(SUM): value for name, value in row.items()}
