"""The matches behind a figure: those of one person, as a standings row, a contract or a meeting
counts them."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, islice
from math import ceil
from operator import itemgetter
from typing import NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from scoring.models import Club, ContractResult, Dispute, Match, MatchResult, Player
from scoring.rules.standings import Family
from scoring.selectors.archive import PAGE, Page
from scoring.selectors.clubs import Played
from scoring.selectors.standings import ALL_TIME, PARTNER, Scope, results_in


@dataclass(frozen=True)
class Asked:
    """Which of a person's matches: of one family, season or evening, in which a contract was
    played, `other` sat too, or the `partner` sat opposite to the end."""

    family: Family | None = None
    scope: Scope = ALL_TIME
    contract: str = ""
    other: UUID | None = None
    partner: UUID | None = None


class Own(NamedTuple):
    """What the person (or pair) has of one match. With a contract the points are of its deals.
    `counts` is false behind the last match of a season that counts."""

    match: UUID
    points: int
    deals: int
    place: int
    counts: bool


class Line(NamedTuple):
    """One match of the list."""

    played: Played
    own: Own
    is_reviewed: bool


@dataclass(frozen=True)
class MatchList:
    """One page, and the sums of all pages: what the figure says that the list is behind."""

    page: Page[Line]
    matches: int
    points: int
    deals: int
    wins: int


def match_list(club: Club, player: Player, asked: Asked, number: int) -> MatchList:
    """The last played first. Five queries, one more for a contract."""
    found = list(_own(club, player, asked))
    counting = [one for one in found if one.counts]
    number = max(1, min(number, ceil(len(found) / PAGE)))
    listed = found[::-1][(number - 1) * PAGE : number * PAGE]
    return MatchList(
        page=Page(tuple(_lines(club, listed)), len(found), number),
        matches=len(counting),
        points=sum(one.points for one in counting),
        deals=sum(one.deals for one in counting),
        wins=sum(one.place == 1 for one in counting),
    )


def _own(club: Club, player: Player, asked: Asked) -> Iterator[Own]:
    """In order of play; two seats in one match are one, with the better place."""
    rows = _rows(club, player, asked).order_by("played_at", "opened_at", "match_id", "seat")
    told = rows.values_list("match_id", "points", "deals", "place", "player_id")
    by_match = [(match, list(group)) for match, group in groupby(told, itemgetter(0))]
    contract = _contract(player, asked.contract) if asked.contract else None
    limit = asked.scope.season.counted if asked.scope.season else None
    within = {match for match, _ in islice(by_match, limit)}
    for match, group in by_match:
        points, deals = sum(row[1] for row in group), max(row[2] for row in group)
        if contract is not None:
            points, deals = contract[match]
        place = min(row[3] for row in group if row[4] == player.id)
        yield Own(match, points, deals, place, counts=match in within)


def _rows(club: Club, player: Player, asked: Asked) -> QuerySet[MatchResult]:
    rows = results_in(club, asked.scope)
    if asked.family:
        rows = rows.filter(system=asked.family[0], win=asked.family[1])
    if asked.partner:
        both = Q(player=player, whose=asked.partner) | Q(player=asked.partner, whose=player.id)
        return rows.annotate(whose=PARTNER).filter(both)
    if asked.other:
        theirs = MatchResult.objects.filter(match=OuterRef("match"), player=asked.other)
        rows = rows.filter(Exists(theirs))
    if asked.contract:
        dealt = ContractResult.objects.filter(
            match=OuterRef("match"), player=player, contract=asked.contract
        )
        rows = rows.filter(Exists(dealt))
    return rows.filter(player=player)


def _contract(player: Player, contract: str) -> Mapping[UUID, tuple[int, int]]:
    """By match the points and the number of its deals of this contract. One query."""
    rows = ContractResult.objects.filter(player=player, contract=contract)
    return {row.match_id: (row.points, row.deals) for row in rows}


def _lines(club: Club, listed: Collection[Own]) -> Iterator[Line]:
    """Three queries."""
    ids = [own.match for own in listed]
    doubted = _reviewed(club, ids)
    results = MatchResult.objects.select_related("player").order_by("seat", "id")
    matches = Match.objects.filter(id__in=ids).prefetch_related(Prefetch("results", results))
    by_id = {match.id: match for match in matches}
    for own in listed:
        match = by_id[own.match]
        yield Line(Played(match, tuple(match.results.all())), own, own.match in doubted)


def _reviewed(club: Club, matches: Iterable[UUID]) -> set[UUID]:
    rows = Dispute.objects.filter(club=club, match__in=list(matches)).under_review()
    return set(rows.values_list("match_id", flat=True))
