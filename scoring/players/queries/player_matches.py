"""The matches behind a figure: those of one person, as a standings row, a contract, a count of
deals or a meeting counts them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from math import ceil
from operator import attrgetter, itemgetter
from typing import NamedTuple
from uuid import UUID

from django.db.models import F, Prefetch, Q, QuerySet, Sum
from django.db.models.expressions import CombinedExpression

from scoring.common.paging import PAGE, Page
from scoring.models import Club, ContractResult, Dispute, Match, MatchResult, Player
from scoring.rules.standings import Family, rounded
from scoring.rules.sums import met_in
from scoring.standings.queries.played import Played
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
class Asked:
    """Which of a person's matches: of one family, season or evening; won one after the other
    (`streak`); in which deals of a `contract`, or `what` of them, were played; against the `other`
    (`than` them: ahead, behind or level), together with who is `beside`; with that `place`. With a
    `partner` those of the pair, who sat opposite each other to the end."""

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
        """Whether deals are counted and not matches."""
        return bool(self.contract or self.what)

    @property
    def is_all(self) -> bool:
        """Whether it is all that a row of standings counts."""
        bare = Asked(self.family, self.scope, partner=self.partner)
        return self == bare


class Own(NamedTuple):
    """What the person (or pair) has of one match: the points, the best place, the sum of the
    `places` of all `seats`. Where deals are counted, how many and the points of just those (None
    where they are not kept). `than` whom it was played against the place is. `counts` is false
    behind the last match of a season that counts."""

    match: UUID
    points: int | None
    place: int
    places: int
    seats: int
    counts: bool
    number: int = 0
    than: str = ""


class Line(NamedTuple):
    """One match of the list."""

    played: Played
    own: Own
    is_reviewed: bool


@dataclass(frozen=True)
class MatchList:
    """One page, and what is `counted` on all pages: what the figure behind which it is says."""

    page: Page[Line]
    counted: tuple[Own, ...]

    @property
    def matches(self) -> int:
        return len(self.counted)

    @property
    def number(self) -> int:
        return sum(one.number for one in self.counted)

    @property
    def points(self) -> int | None:
        """None where those of just these deals are not kept."""
        known = [one.points for one in self.counted if one.points is not None]
        return sum(known) if len(known) == len(self.counted) else None

    @property
    def wins(self) -> int:
        return sum(one.place == 1 for one in self.counted)

    @property
    def place_tenths(self) -> int:
        """The place on average, in tenths; of at least one match."""
        places, seats = (sum(map(attrgetter(name), self.counted)) for name in ("places", "seats"))
        return rounded(10 * places, seats)

    def than(self, how: str) -> int:
        return sum(one.than == how for one in self.counted)


def match_list(club: Club, player: Player, asked: Asked, number: int) -> MatchList:
    """The last played first. Five queries, one more for deals and one for somebody else."""
    found = _wanted(club, player, asked)
    number = max(1, min(number, ceil(len(found) / PAGE)))
    listed = found[::-1][(number - 1) * PAGE : number * PAGE]
    page = Page(tuple(_lines(club, listed)), len(found), number)
    return MatchList(page, tuple(one for one in found if one.counts))


def _wanted(club: Club, player: Player, asked: Asked) -> list[Own]:
    """In order of play."""
    found = list(_own(club, player, asked))
    if asked.streak:
        found = _in_a_row(found, asked.streak)
    if asked.of_deals:
        found = list(_of_deals(player, asked, found))
    if asked.other or asked.beside:
        found = list(_met(club, player, asked, found))
    return [one for one in found if asked.place in (None, one.place)]


def _own(club: Club, player: Player, asked: Asked) -> Iterator[Own]:
    """All of the scope in order of play; two seats in one match are one. One query."""
    rows = _rows(club, player, asked).order_by("played_at", "opened_at", "match_id", "seat")
    told = rows.values_list("match_id", "points", "place", "player_id")
    by_match = [(match, list(group)) for match, group in groupby(told, itemgetter(0))]
    limit = asked.scope.season.counted if asked.scope.season else None
    within = {match for match, _ in islice(by_match, limit)}
    for match, group in by_match:
        places = [place for _, _, place, whose in group if whose == player.id]
        points = sum(row[1] for row in group)
        yield Own(match, points, min(places), sum(places), len(places), match in within)


def _rows(club: Club, player: Player, asked: Asked) -> QuerySet[MatchResult]:
    rows = _of_family(club, asked)
    if not asked.partner:
        return rows.filter(player=player)
    both = Q(player=player, whose=asked.partner) | Q(player=asked.partner, whose=player.id)
    return rows.annotate(whose=PARTNER).filter(both)


def _of_family(club: Club, asked: Asked) -> QuerySet[MatchResult]:
    rows = results_in(club, asked.scope)
    if asked.family is None:
        return rows
    return rows.filter(system=asked.family[0], win=asked.family[1])


def _in_a_row(found: Sequence[Own], which: str) -> list[Own]:
    """Those won one after the other: up to the last match, or the most that ever were (of equals
    the first)."""
    counted = [one for one in found if one.counts]
    rows = [list(row) for won, row in groupby(counted, lambda one: one.place == 1) if won]
    if which == "longest":
        return max(rows, key=len, default=[])
    return rows[-1] if rows and counted[-1].place == 1 else []


def _of_deals(player: Player, asked: Asked, found: Iterable[Own]) -> Iterator[Own]:
    """Those in which any were counted. One query."""
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


def _met(club: Club, player: Player, asked: Asked, found: Iterable[Own]) -> Iterator[Own]:
    """Those in which the two met, with the place of the seat in which they did. One query."""
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


def _lines(club: Club, listed: Collection[Own]) -> Iterator[Line]:
    """Three queries."""
    ids = [own.match for own in listed]
    doubted = reviewed_among(club, ids)
    results = MatchResult.objects.select_related("player").order_by("seat", "id")
    matches = Match.objects.filter(id__in=ids).prefetch_related(Prefetch("results", results))
    by_id = {match.id: match for match in matches}
    for own in listed:
        match = by_id[own.match]
        yield Line(Played(match, tuple(match.results.all())), own, own.match in doubted)


def reviewed_among(club: Club, matches: Iterable[UUID]) -> set[UUID]:
    """Those of these in which something is under review. One query."""
    rows = Dispute.objects.filter(club=club, match__in=list(matches)).under_review()
    return set(rows.values_list("match_id", flat=True))
