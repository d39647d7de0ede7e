"""The matches behind a statistic of a player."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter, itemgetter
from typing import NamedTuple
from uuid import UUID

from django.db.models import F, Prefetch, Q, QuerySet, Sum
from django.db.models.expressions import CombinedExpression

from scoring.common.paging import PAGE, Page, nearest
from scoring.models import Club, ContractResult, Dispute, Match, MatchResult, Player
from scoring.rules.standings import Family, rounded
from scoring.rules.statistics.sums import met_in
from scoring.standings.queries.played import FinishedMatch
from scoring.standings.queries.standings import ALL_TIME, Scope, results_in
from scoring.standings.queries.summing import PARTNER
from scoring.standings.queries.totals import in_order

type Expression = F | CombinedExpression

COUNTED: Mapping[str, tuple[Expression, Expression | None]] = {
    "": (F("deals"), F("points")),
    "chosen": (F("chosen"), F("chosen_points")),
    "others": (F("deals") - F("chosen"), F("points") - F("chosen_points")),
    "doubles": (F("doubles"), F("double_points")),
    "kabbouts": (F("kabbouts"), None),
    "first": (F("first"), None),
    "second": (F("second"), None),
    "third": (F("third"), None),
    "fourth": (F("fourth"), None),
}
"""What is counted in the deals of a match, and the points of just that where they are kept."""
STREAKS = ("now", "longest")
THAN = ("ahead", "behind", "level")


@dataclass(frozen=True)
class MatchFilter:
    """Which matches of a player to list.

    `streak`: matches won in a row; `contract` and `what`: matches with such deals; `other` and
    `than`: matches against that player, finished ahead, behind or level; `beside`: matches with
    that player; `partner`: matches as a pair that sat opposite each other to the end."""

    family: Family | None = None
    scope: Scope = ALL_TIME
    streak: str = ""
    contract: str = ""
    what: str = ""
    other: UUID | None = None
    than: str = ""
    beside: UUID | None = None
    place: int | None = None
    partner: UUID | None = None

    @property
    def of_deals(self) -> bool:
        """Whether deals are counted, not matches."""
        return bool(self.contract or self.what)

    @property
    def is_all(self) -> bool:
        """Whether the filter leaves all that a standings row counts."""
        bare = MatchFilter(self.family, self.scope, partner=self.partner)
        return self == bare


class OwnResult(NamedTuple):
    """The result of the player (or pair) in one match.

    `places` is the sum over all `seats`. Where deals are counted, their number and points (None
    where those are not stored). `counts` is false behind the last match that a season counts."""

    match: UUID
    points: int | None
    place: int
    places: int
    seats: int
    counts: bool
    number: int = 0
    than: str = ""


class MatchListLine(NamedTuple):
    """One match of the list."""

    played: FinishedMatch
    own: OwnResult
    is_reviewed: bool


@dataclass(frozen=True)
class MatchList:
    """One page of matches, and the results `counted` on all pages."""

    page: Page[MatchListLine]
    counted: tuple[OwnResult, ...]

    @property
    def matches(self) -> int:
        return len(self.counted)

    @property
    def number(self) -> int:
        return sum(one.number for one in self.counted)

    @property
    def points(self) -> int | None:
        """Points of all matches; None where those of the counted deals are not stored."""
        known = [one.points for one in self.counted if one.points is not None]
        return sum(known) if len(known) == len(self.counted) else None

    @property
    def wins(self) -> int:
        return sum(one.place == 1 for one in self.counted)

    @property
    def place_tenths(self) -> int:
        """The average place, in tenths; needs a match."""
        places, seats = (sum(map(attrgetter(name), self.counted)) for name in ("places", "seats"))
        return rounded(10 * places, seats)

    def than(self, how: str) -> int:
        return sum(one.than == how for one in self.counted)


def match_list(club: Club, player: Player, asked: MatchFilter, number: int) -> MatchList:
    """Return a page, latest match first. Five queries, one more for deals and for an opponent."""
    found = _wanted(club, player, asked)
    number = nearest(number, len(found))
    listed = found[::-1][(number - 1) * PAGE : number * PAGE]
    page = Page(tuple(_lines(club, listed)), len(found), number)
    return MatchList(page, tuple(one for one in found if one.counts))


def _wanted(club: Club, player: Player, asked: MatchFilter) -> list[OwnResult]:
    """Return the matching results in order of play."""
    found = list(_own(club, player, asked))
    if asked.streak:
        found = _in_a_row(found, asked.streak)
    if asked.of_deals:
        found = list(_of_deals(player, asked, found))
    if asked.other or asked.beside:
        found = list(_met(club, player, asked, found))
    return [one for one in found if asked.place in (None, one.place)]


def _own(club: Club, player: Player, asked: MatchFilter) -> Iterator[OwnResult]:
    """Return all results of the scope in order of play, one per match. One query."""
    rows = _rows(club, player, asked).order_by("played_at", "opened_at", "match_id", "seat")
    values = rows.values_list("match_id", "points", "place", "player_id")
    by_match = [(match, list(group)) for match, group in groupby(values, itemgetter(0))]
    limit = asked.scope.season.counted if asked.scope.season else None
    within = {match for match, _ in islice(by_match, limit)}
    for match, group in by_match:
        places = [place for _, _, place, whose in group if whose == player.id]
        points = sum(row[1] for row in group)
        yield OwnResult(match, points, min(places), sum(places), len(places), match in within)


def _rows(club: Club, player: Player, asked: MatchFilter) -> QuerySet[MatchResult]:
    rows = _of_family(club, asked)
    if not asked.partner:
        return rows.filter(player=player)
    both = Q(player=player, whose=asked.partner) | Q(player=asked.partner, whose=player.id)
    return rows.annotate(whose=PARTNER).filter(both)


def _of_family(club: Club, asked: MatchFilter) -> QuerySet[MatchResult]:
    rows = results_in(club, asked.scope)
    if asked.family is None:
        return rows
    return rows.filter(system=asked.family[0], win=asked.family[1])


def _in_a_row(found: Sequence[OwnResult], which: str) -> list[OwnResult]:
    """Return the current streak of wins, or the longest (of equal ones the first)."""
    counted = [one for one in found if one.counts]
    rows = [list(row) for won, row in groupby(counted, lambda one: one.place == 1) if won]
    if which == "longest":
        return max(rows, key=len, default=[])
    return rows[-1] if rows and counted[-1].place == 1 else []


def _of_deals(
    player: Player, asked: MatchFilter, found: Iterable[OwnResult]
) -> Iterator[OwnResult]:
    """Return the results with counted deals. One query."""
    count, points = COUNTED[asked.what]
    rows = ContractResult.objects.filter(player=player)
    if asked.contract:
        rows = rows.filter(contract=asked.contract)
    sums = {"n": Sum(count), "sum": Sum(points or count)}
    by_match = {row[0]: row[1:] for row in rows.order_by().values_list("match").annotate(**sums)}
    for one in found:
        n, total = by_match.get(one.match, (0, 0))
        if n or (points and total):
            yield one._replace(number=n, points=total if points else None)


def _met(
    club: Club, player: Player, asked: MatchFilter, found: Iterable[OwnResult]
) -> Iterator[OwnResult]:
    """Return the matches in which the two met, with the place of the seat in which they did. One
    query."""
    both = _of_family(club, asked).filter(player__in=(player.id, asked.other or asked.beside))
    met = {
        one.match: (one.place, _than(one.place, other.place))
        for rows in in_order(both)
        for one, other, together in met_in(rows)
        if one.player == player.id and together == bool(asked.beside)
    }
    for own in found:
        if own.match in met:
            place, than = met[own.match]
            if asked.than in ("", than):
                yield own._replace(place=place, than=than)


def _than(own: int, other: int) -> str:
    return "ahead" if own < other else "behind" if own > other else "level"


def _lines(club: Club, listed: Collection[OwnResult]) -> Iterator[MatchListLine]:
    """Return the lines of a page. Three queries."""
    ids = [own.match for own in listed]
    reviewed = reviewed_among(club, ids)
    results = MatchResult.objects.select_related("player").order_by("seat", "id")
    matches = Match.objects.filter(id__in=ids).prefetch_related(Prefetch("results", results))
    by_id = {match.id: match for match in matches}
    for own in listed:
        match = by_id[own.match]
        yield MatchListLine(
            FinishedMatch(match, tuple(match.results.all())), own, own.match in reviewed
        )


def reviewed_among(club: Club, matches: Iterable[UUID]) -> set[UUID]:
    """Return the ids of the matches with a deal under review. One query."""
    rows = Dispute.objects.filter(club=club, match__in=list(matches)).under_review()
    return set(rows.values_list("match_id", flat=True))
