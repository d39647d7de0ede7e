"""Derived rows worked out again from the ledger, as if they had never been there."""

from collections.abc import Generator, Iterable, Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from scoring.common import jobs
from scoring.common.actor import Actor
from scoring.common.steps import Step
from scoring.integrity.queries.integrity import UNREADABLE
from scoring.integrity.queries.ledger_rows import evidence
from scoring.ledger.services import chain, current_deals, dispute_states, verdicts
from scoring.models import (
    Club,
    ContractResult,
    ContractTotal,
    Job,
    JobKind,
    Match,
    MatchResult,
    Meeting,
    PlayerTotal,
    RatingState,
)
from scoring.standings.queries.totals import ratings_of
from scoring.standings.services import club_statistics, ratings, results, totals

TOLD = 100
"""As many matches that differ are told one by one; all are counted."""
NOTHING: dict[str, Any] = {
    "looked_at": 0,
    "matches": 0,
    "told": [],
    "unreadable": [],
    "of_club": [],
}
"""Of matches: how many were looked at, how many differed, which tables of which, and those that
cannot be worked out. Of the club: which tables differed."""
PEOPLE, RATINGS, RATED = "people", "ratings", "rated"
"""Where the work stands, once it is through with the matches."""

type Steps = Generator[Step, None, Step]
"""Gives the step to go on from."""


@transaction.atomic
def rebuild(*, match_id: UUID, recounting: bool = True) -> list[str]:
    """Drops and rewrites the derived rows of a match; the names of the tables that differed.
    Without `recounting` the caller sees to the sums of its people."""
    chain.locked(match_id)
    found = next(evidence(Match.objects.filter(id=match_id)))
    table = found.table()
    differed = found.wanted().differences(found.derived)
    if differed:
        current_deals.drop(table.match)
        verdicts.drop(table.match)
        current_deals.refresh(table, [])
        dispute_states.rewrite(table)
        if table.match.is_finished:
            results.refresh(table, recounting=recounting)
        else:
            results.drop(table.match, recounting=recounting)
    return differed


def rebuild_everything(job: Job) -> Iterator[Step]:
    """The same of everything that a club has: its matches, the sums of its people, its ratings.
    Without a club: the matches of nobody's club."""
    yield from steps(job.club, Step(job.done, 0, job.cursor, NOTHING | job.found))


def steps(club: Club | None, step: Step | None = None) -> Iterator[Step]:
    """From this step on, by default from the first: match by match in the order of their ids, then
    people, then ratings. Each step is a transaction of its own and none holds a lock while it
    yields; what is asked for meanwhile may be of sums that are not up to date yet."""
    step = step or Step(0, 0, "", NOTHING)
    matches = Match.objects.filter(club=club)
    people = club.players.count() if club else 0
    step = step._replace(total=matches.count() + people)
    yield step
    if step.cursor not in (PEOPLE, RATINGS, RATED):
        step = yield from _matches(matches, step)
    if club and step.cursor == PEOPLE:
        step = yield from _people(club, step)
    if club:
        step = yield from _ratings(club, step)
    yield step._replace(done=step.total)


def begin_missing(*, now: datetime) -> list[Job]:
    """Begins the work for every club whose derived rows are not there, all or some of them, as
    after an upgrade that asks for other ones."""
    without: set[UUID | None] = set()
    for rows in _without_what_follows():
        without |= {*rows.order_by().values_list("club", flat=True).distinct()}
    clubs: list[Club | None] = list(Club.objects.filter(id__in=[*filter(None, without)]))
    clubs += [None] if None in without else []
    actor = Actor()
    return [jobs.start(club=club, kind=JobKind.REBUILD, actor=actor, now=now) for club in clubs]


def _without_what_follows() -> Iterator[QuerySet[Any]]:
    """Rows that others follow from, which are not there: results of a match, and the sums and
    ratings that everybody has with a result."""
    person = _same("club", "player", "system", "win")
    results = MatchResult.objects.filter(club__isnull=False)
    sums = PlayerTotal.objects.filter(**person, partner=None)
    of_all_time, on_evening = sums.filter(season=None, evening=None), _same("evening")
    contracts = ContractTotal.objects.filter(**person, **_same("contract"))
    state = RatingState.objects.filter(**_same("club", "system", "win"))
    yield Match.objects.finished().filter(~Exists(MatchResult.objects.filter(match=OuterRef("id"))))
    yield results.filter(~Exists(of_all_time))
    yield results.filter(~Exists(sums.filter(**on_evening)), evening__isnull=False)
    yield results.filter(~Exists(Meeting.objects.filter(**person)))
    yield ContractResult.objects.filter(~Exists(contracts), club__isnull=False)
    yield results.filter(~Exists(state))


def _same(*names: str) -> dict[str, OuterRef]:
    return {name: OuterRef(name) for name in names}


def left_of(club: Club) -> dict[str, int]:
    """What is still to be worked out: finished matches without results, people without sums,
    families whose ratings are not up to date; none of it where all is done. Three queries."""
    results = MatchResult.objects.filter(club=club)
    of_match = Exists(results.filter(match=OuterRef("id")))
    sums = PlayerTotal.objects.filter(club=club, season=None, evening=None)
    of_person = Exists(sums.filter(player=OuterRef("player")))
    rated = RatingState.objects.filter(club=club, dirty_from=None)
    of_family = Exists(rated.filter(system=OuterRef("system"), win=OuterRef("win")))
    families = results.filter(~of_family).order_by().values("system", "win").distinct()
    found = {
        "matches": Match.objects.finished().filter(~of_match, club=club).count(),
        "people": results.filter(~of_person).values("player").distinct().count(),
        "ratings": families.count(),
    }
    return {name: number for name, number in found.items() if number}


def _matches(matches: QuerySet[Match], step: Step) -> Steps:
    for match_id in _behind(matches, step.cursor):
        done, cursor = step.done + 1, str(match_id)
        found = _looked_at(step.found, cursor)
        step = Step(done, max(done, step.total), cursor, found)
        yield step
    return step._replace(cursor=PEOPLE)


def _looked_at(found: dict[str, Any], match_id: str) -> dict[str, Any]:
    """What was found, with this match rebuilt."""
    found = found | {"looked_at": found["looked_at"] + 1}
    try:
        differed = rebuild(match_id=UUID(match_id), recounting=False)
    except UNREADABLE:
        return found | {"unreadable": [*found["unreadable"], match_id][:TOLD]}
    if not differed:
        return found
    told = [*found["told"], [match_id, *differed]][:TOLD]
    return found | {"matches": found["matches"] + 1, "told": told}


def _behind(matches: QuerySet[Match], cursor: str) -> list[UUID]:
    """One query."""
    left = matches.filter(id__gt=UUID(cursor)) if cursor else matches
    return list(left.order_by("id").values_list("id", flat=True))


def _people(club: Club, step: Step) -> Steps:
    """All of them again where it was broken off among them: nothing is written twice."""
    done = step.found["looked_at"]
    for people, differed in totals.recount_all(club):
        done += len(people)
        step = Step(done, max(done, step.total), PEOPLE, _with(step.found, differed))
        yield step
    return step._replace(cursor=RATINGS)


def _ratings(club: Club, step: Step) -> Steps:
    """Gone on with where it was broken off among them; then the figures. Only what was not marked
    can differ."""
    begun, before = step.cursor == RATED, None
    if not begun:
        before = ratings_of(club)
        ratings.forget(club=club)
        step = step._replace(cursor=RATED)
    for _rated in ratings.work_out(club=club):
        yield step
    if before is not None and before != ratings_of(club):
        step = step._replace(found=_with(step.found, ["ratings"]))
    club_statistics.refresh(club=club, now=timezone.now())
    return step


def _with(found: dict[str, Any], differed: Iterable[str]) -> dict[str, Any]:
    return found | {"of_club": sorted({*found["of_club"], *differed})}
