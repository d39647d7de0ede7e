"""Results of a closed match: derived rows, written in the transaction that closes it."""

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from uuid import UUID

from scoring.ledger.queries.results import contract_results_of, results_of_sittings
from scoring.ledger.queries.snapshots import MatchSnapshot, seating_rows, sittings, snapshot_of
from scoring.models import Club, ContractResult, Match, MatchResult
from scoring.standings.queries.derived import contract_facts, result_facts
from scoring.standings.services import ratings, totals

type Results = tuple[Sequence[MatchResult], Sequence[ContractResult]]


def refresh(table: MatchSnapshot, *, recounting: bool = True) -> None:
    """Write the results of a match where they differ, deals under review as they were.

    Without `recounting` the caller updates the totals of its players."""
    match, seats = table.match, sittings(seating_rows(table.match))
    sat = {sitting.player_id for own in seats for sitting in own}
    whose = _locked(match, sat)
    there = _there(match)
    results = results_of_sittings(table.public, seats, whose)
    _write(match, there, (results, contract_results_of(table.public, seats, whose)), recounting)


def drop(match: Match, *, recounting: bool = True) -> None:
    """Delete the results of a match, and take them out of the totals of its players."""
    _locked(match)
    _write(match, _there(match), ((), ()), recounting)


def move(*, seated: Collection[UUID], to: UUID) -> None:
    """Move the results of these players to another one, or back.

    Expects the lock on all of them; the caller recounts. Three queries, more for a match in which
    one of them gave the seat to another of them."""
    own = MatchResult.objects.filter(seated__in=seated)
    of_them = {"match__in": own.values("match"), "player__in": own.values("player")}
    others = MatchResult.objects.filter(**of_them).exclude(seated__in=seated)
    shared = list(Match.objects.filter(id__in=others.values("match")))
    ContractResult.objects.filter(**of_them).update(player=to)
    own.update(player=to)
    for match in shared:
        refresh(snapshot_of(match), recounting=False)


def _locked(match: Match, sat: Collection[UUID] = ()) -> dict[UUID, UUID]:
    """Lock these players and all with a result of the match; return whom each counts for.

    What they have is read under the lock, since somebody may just have been merged."""
    if match.club_id is None:
        return {}
    have = MatchResult.objects.filter(match=match).values_list("player_id", flat=True)
    return totals.locked({*sat, *have})


def _there(match: Match) -> Results:
    """Return the stored results and contract rows. Two queries."""
    of_match = {"match": match}
    return (
        list(MatchResult.objects.filter(**of_match)),
        list(ContractResult.objects.filter(**of_match)),
    )


def _write(match: Match, there: Results, wanted: Results, recounting: bool) -> None:
    if _facts(there) == _facts(wanted):
        return
    MatchResult.objects.filter(match=match).delete()
    ContractResult.objects.filter(match=match).delete()
    MatchResult.objects.bulk_create(wanted[0])
    ContractResult.objects.bulk_create(wanted[1])
    if match.club:
        _mark(match.club, [*there[0], *wanted[0]])
        if recounting:
            _count(match, match.club, there, wanted)


def _count(match: Match, club: Club, there: Results, wanted: Results) -> None:
    """Add the first results of a match to the totals; recount its family for any others."""
    if not there[0]:
        totals.carry_on(match=match)
        return
    people = _people(there) | _people(wanted)
    for family in {(row.system, row.win) for row in (*there[0], *wanted[0])}:
        totals.recount(club=club, people=people, family=family)


def _facts(rows: Results) -> object:
    return result_facts(rows[0]), contract_facts(rows[1])


def _people(rows: Results) -> frozenset[UUID]:
    return frozenset(row.player_id for row in rows[0])


def _mark(club: Club, rows: Iterable[MatchResult]) -> None:
    """Mark the ratings of each family from this match on."""
    families = attrgetter("system", "win")
    for (system, win), own in groupby(sorted(rows, key=families), families):
        ratings.mark(club=club, system=system, win=win, played_at=min(map(played_at, own)))


played_at = attrgetter("played_at")
