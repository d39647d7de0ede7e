"""Ratings: derived rows, recalculated in the background from the first changed match on."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import groupby
from math import isclose
from uuid import UUID

from django.db import transaction
from django.db.models import Case, DateTimeField, F, Min, QuerySet, Value, When
from django.utils import timezone

from scoring.common import jobs
from scoring.common.actor import Actor
from scoring.common.steps import Step
from scoring.ledger.queries.deal_numbers import seats_now
from scoring.ledger.queries.snapshots import sittings
from scoring.models import (
    Club,
    Job,
    JobKind,
    JobState,
    MatchResult,
    Rating,
    RatingState,
    RatingStep,
    Seating,
)
from scoring.rules.statistics.rating import RatedSeat, Skill, rate, rated_sides
from scoring.standings.queries.ratings import newest_steps
from scoring.standings.services import club_statistics

AT_ONCE = 600
"""So many results are worked out in one transaction."""
IN_ORDER = ("played_at", "opened_at", "match_id")

type Results = list[MatchResult]
type Since = Mapping[tuple[UUID, int, UUID], int]


# ---- marked


def mark(*, club: Club, system: str, win: str, played_at: datetime) -> None:
    """Mark the ratings of a family from a moment on, and start their calculation on commit.

    One query, three for a new family."""
    states = RatingState.objects.filter(club=club, system=system, win=win)
    earlier = When(dirty_from__lt=played_at, then=F("dirty_from"))
    first = Case(earlier, default=Value(played_at), output_field=DateTimeField())
    if not states.update(dirty_from=first, marked=F("marked") + 1):
        state = RatingState(club=club, system=system, win=win)
        RatingState.objects.bulk_create([state], ignore_conflicts=True)
        states.update(dirty_from=first, marked=F("marked") + 1)
    # What was saved is saved, whatever becomes of the work.
    transaction.on_commit(partial(begin, club=club), robust=True)


def begin(*, club: Club) -> None:
    """Start the job unless it runs. Its lock tells a running job from one about to end
    (`_ended`)."""
    now = timezone.now()
    with transaction.atomic():
        active = Job.objects.active().filter(club=club, kind=JobKind.RATINGS)
        job = active.select_for_update().first()
        if job is None:
            jobs.start(club=club, kind=JobKind.RATINGS, actor=Actor(), now=now)
        elif job.is_silent(now):
            jobs.resume(job=job, now=now)


def begin_all() -> None:
    """Start the jobs of marked ratings when a worker starts: an earlier process may have died."""
    marked = RatingState.objects.filter(dirty_from__isnull=False).values("club")
    for club in Club.objects.filter(id__in=marked):
        begin(club=club)


# ---- worked out


def rating_work(job: Job) -> Iterator[Step]:
    """Recalculate everything marked in a club, and what is marked meanwhile."""
    club = job.club
    assert club is not None
    step = Step(job.done, job.done + _left(club), "", {})
    yield step
    while not _ended(job, step):
        for rated in work_out(club=club):
            done = step.done + rated
            step = Step(done, max(done, step.total), "", {})
            yield step


def work_out(*, club: Club) -> Iterator[int]:
    """Recalculate without a job; yield how many matches were done each time.

    Holds no lock while it yields. The club's statistics come last, also after an interrupted run.
    """
    states = list(RatingState.objects.filter(club=club, dirty_from__isnull=False))
    for state in states:
        while (rated := _go_on(state.id)) is not None:
            yield rated
    if states or club_statistics.are_behind(club=club):
        club_statistics.refresh(club=club, now=timezone.now())


@transaction.atomic
def forget(*, club: Club) -> None:
    """Delete all ratings of a club and mark every family from its first match. Starts nothing."""
    known = {(row.system, row.win): row for row in locked(club)}
    for model in (RatingStep, Rating):
        model._default_manager.filter(club=club).delete()
    played = MatchResult.objects.filter(club=club).order_by().values_list("system", "win")
    firsts = {(system, win): at for system, win, at in played.annotate(at=Min("played_at"))}
    for family in known.keys() | firsts.keys():
        state = known.get(family) or RatingState(club=club, system=family[0], win=family[1])
        state.dirty_from = firsts.get(family)
        state.marked += 1
        state.save()


def locked(club: Club) -> list[RatingState]:
    """Lock the state of each family, in one order for all. One query."""
    return list(RatingState.objects.select_for_update().filter(club=club).order_by("id"))


def rebuild(*, club: Club) -> None:
    """Recalculate all ratings of a club from nothing."""
    forget(club=club)
    for _rated in work_out(club=club):
        pass


def _left(club: Club) -> int:
    """Count the matches behind the marks. One query a family."""
    states = RatingState.objects.filter(club=club, dirty_from__isnull=False)
    return sum(_results_from(state).values("match").distinct().count() for state in states)


@transaction.atomic
def _ended(job: Job, step: Step) -> bool:
    """Whether nothing is left; if so, end the job.

    One transaction: a mark is either seen here, or finds no job and starts one."""
    own = Job.objects.filter(pk=job.pk, run=job.run, state=JobState.RUNNING)
    list(own.select_for_update())
    club = job.club
    if RatingState.objects.filter(club=club, dirty_from__isnull=False).exists():
        return False
    now, done = timezone.now(), step.done
    own.update(state=JobState.DONE, done=done, total=done, cursor="", updated_at=now)
    return True


@transaction.atomic
def _go_on(state_id: UUID) -> int | None:
    """Rate some more matches of a family; return how many, None if nothing is marked.

    About a dozen queries, whatever was played before."""
    state = RatingState.objects.select_for_update().get(id=state_id)
    if state.dirty_from is None:
        return None
    part = _part(state)
    touched = _drop(state, part)
    _write(state, _steps(state, part))
    _bring_up(state, touched | {row.player_id for row in part.results})
    state.dirty_from = part.until
    state.rebuilt_at = timezone.now()
    state.save(update_fields=["dirty_from", "rebuilt_at"])
    return len(part.matches)


@dataclass(frozen=True)
class _Part:
    """Whole matches in order of play, and the moment from which the next ones were played (None:
    last)."""

    results: Results
    until: datetime | None

    @property
    def matches(self) -> list[Results]:
        return [list(rows) for _, rows in groupby(self.results, key=lambda row: row.match_id)]


def _part(state: RatingState) -> _Part:
    """Return the next matches; those of one moment stay together. One or two queries."""
    rows = list(_results_from(state)[: AT_ONCE + 1])
    if len(rows) <= AT_ONCE:
        return _Part(rows, None)
    last = rows[-1].played_at
    kept = [row for row in rows if row.played_at < last]
    if kept:
        return _Part(kept, last)
    same = list(_results_from(state).filter(played_at=last))
    behind = _results_from(state).filter(played_at__gt=last).first()
    return _Part(same, behind.played_at if behind else None)


def _results_from(state: RatingState) -> QuerySet[MatchResult]:
    rows = MatchResult.objects.filter(club=state.club_id, system=state.system, win=state.win)
    return rows.filter(played_at__gte=state.dirty_from).order_by(*IN_ORDER, "seat", "seated_id")


def _steps_of(state: RatingState) -> QuerySet[RatingStep]:
    return RatingStep.objects.filter(club=state.club_id, system=state.system, win=state.win)


def _drop(state: RatingState, part: _Part) -> set[UUID]:
    """Delete the steps of these matches and those between them; return whose they were. Three
    queries."""
    there = _steps_of(state).filter(played_at__gte=state.dirty_from)
    if part.until:
        there = there.filter(played_at__lt=part.until)
    moved = RatingStep.objects.filter(match__in={row.match_id for row in part.results})
    ids = {*there.values_list("id", "player_id"), *moved.values_list("id", "player_id")}
    RatingStep.objects.filter(id__in=[id for id, _ in ids]).delete()
    return {player for _, player in ids}


def _steps(state: RatingState, part: _Part) -> Iterator[tuple[Results, dict[UUID, Skill]]]:
    """Yield each match with the rating of everyone in it afterwards."""
    players = {row.player_id for row in part.results}
    before = newest_steps(_steps_of(state).filter(played_at__lt=state.dirty_from), players)
    skills = {row.player_id: Skill(row.mu, row.sigma, row.matches) for row in before}
    since = _since(part.matches)
    for rows in part.matches:
        sats = [_sat(row, since) for row in rows]
        rated = rate(rated_sides(sats, in_teams=rows[0].in_teams), skills)
        skills |= rated
        yield rows, rated


def that_differ(club: Club) -> Iterator[str]:
    """Return the families (`system win`) whose ratings differ from their matches.

    Those known to lag behind are left out."""
    states = {(state.system, state.win): state for state in RatingState.objects.filter(club=club)}
    played = MatchResult.objects.filter(club=club).order_by().values_list("system", "win")
    for system, win in sorted({*states, *played.distinct()}):
        state, family = states.get((system, win)), {"club": club, "system": system, "win": win}
        if state is None:
            yield f"{system} {win}"
            continue
        if state.dirty_from:
            continue
        rows = MatchResult.objects.filter(**family).order_by(*IN_ORDER, "seat", "seated_id")
        matches = [list(each) for _, each in groupby(rows, key=lambda row: row.match_id)]
        since, skills = _since(matches), dict[UUID, Skill]()
        steps: dict[tuple[UUID, UUID], Skill] = {}
        last_at: dict[UUID, datetime] = {}
        times: dict[tuple[UUID, UUID], tuple[datetime, datetime]] = {}
        for match in matches:
            sats = [_sat(row, since) for row in match]
            rated = rate(rated_sides(sats, in_teams=match[0].in_teams), skills)
            skills |= rated
            for player, skill in rated.items():
                steps[match[0].match_id, player] = skill
                last_at[player] = match[0].played_at
                times[match[0].match_id, player] = match[0].played_at, match[0].opened_at
        there = {(step.match_id, step.player_id): step for step in _steps_of(state)}
        kept = {key: Skill(step.mu, step.sigma, step.matches) for key, step in there.items()}
        now = Rating.objects.filter(**family)
        is_same = _are_same(steps, kept) and _are_same(
            skills, {row.player_id: Skill(row.mu, row.sigma, row.matches) for row in now}
        )
        is_same &= last_at == {row.player_id: row.last_at for row in now}
        if not is_same or times != {
            key: (row.played_at, row.opened_at) for key, row in there.items()
        }:
            yield f"{state.system} {state.win}"


def _are_same[K](one: Mapping[K, Skill], other: Mapping[K, Skill]) -> bool:
    """Compare ratings; another machine may differ in the last digit."""
    return one.keys() == other.keys() and all(
        skill.matches == other[key].matches
        and isclose(skill.mu, other[key].mu, rel_tol=1e-9)
        and isclose(skill.sigma, other[key].sigma, rel_tol=1e-9)
        for key, skill in one.items()
    )


def _sat(row: MatchResult, since: Since) -> RatedSeat[UUID]:
    sat_down = since.get((row.match_id, row.seat, row.seated_id), 1)
    return RatedSeat(row.player_id, row.seat, row.deals, row.place, sat_down)


def _since(matches: Iterable[Results]) -> Since:
    """Return the deal from which everyone sat for the last time, where seats changed. One query at
    most."""
    split = [rows for rows in matches if len({row.seat for row in rows}) < len(rows)]
    if not split:
        return {}
    seats = Seating.objects.filter(match__in=[rows[0].match_id for rows in split])
    ordered = seats.select_related("match").order_by("match_id", "event__seq", "seat")
    return {
        (match_id, sitting.seat, sitting.player_id): sitting.from_deal
        for match_id, rows in groupby(ordered, key=lambda row: row.match_id)
        for own in [list(rows)]
        for seat in sittings(seats_now(own[0].match, own))
        for sitting in seat
    }


def _write(state: RatingState, steps: Iterable[tuple[Results, dict[UUID, Skill]]]) -> None:
    RatingStep.objects.bulk_create(
        RatingStep(
            club_id=state.club_id,
            player_id=player,
            system=row.system,
            win=row.win,
            match_id=row.match_id,
            played_at=row.played_at,
            opened_at=row.opened_at,
            mu=skill.mu,
            sigma=skill.sigma,
            matches=skill.matches,
        )
        for (row, *_), rated in steps
        for player, skill in rated.items()
    )


def _bring_up(state: RatingState, players: set[UUID]) -> None:
    """Set the ratings of these players to their newest steps. Three queries."""
    family = {"club_id": state.club_id, "system": state.system, "win": state.win}
    newest = newest_steps(_steps_of(state), players)
    gone = players - {step.player_id for step in newest}
    Rating.objects.filter(**family, player__in=gone).delete()
    Rating.objects.bulk_create(
        [
            Rating(
                **family,
                player_id=step.player_id,
                mu=step.mu,
                sigma=step.sigma,
                matches=step.matches,
                last_at=step.played_at,
            )
            for step in newest
        ],
        update_conflicts=True,
        unique_fields=["club", "system", "win", "player"],
        update_fields=["mu", "sigma", "matches", "last_at"],
    )
