"""Ratings worked out from the first match that changed: what comes out is what working out all of
them from nothing gives, and what having been right from the start would have given."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from scoring.common import jobs
from scoring.corrections.services import seats
from scoring.matches.services import matches
from scoring.models import (
    ClubFigures,
    Job,
    JobKind,
    JobState,
    Match,
    MatchResult,
    MatchState,
    Rating,
    RatingState,
    RatingStep,
)
from scoring.rules.statistics.rating import START, RatedSide, Skill, rate
from scoring.standings.services import ratings
from tests.factories import (
    NAMES,
    NOW,
    ClubFactory,
    PlayerFactory,
    evenings,
    finish,
    make_cast,
    make_evening,
    make_match,
    write,
)

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
FACTS = ("player_id", "system", "win", "mu", "sigma", "matches")


def people(club, names=NAMES):
    return [PlayerFactory(club=club, name=name) for name in names]


def play(seats, places=(1, 2, 3, 4), day=0, *, deals=(20, 20, 20, 20), mark=True, **facts):
    """A finished match with its results; `seats` as people sit, one more of a seat behind them."""
    club, played_at = seats[0].club, NOW + day * DAY
    facts = {"system": "levant", "win": "high", "in_teams": False, **facts}
    match = Match.objects.create(
        club=club,
        system=facts["system"],
        state=MatchState.FINISHED,
        opened_at=played_at,
        played_at=played_at,
        version=1,
    )
    MatchResult.objects.bulk_create(
        MatchResult(
            match=match,
            club=club,
            player=player,
            seated=player,
            seat=number % 4,
            deals=sat,
            points=0,
            total=0,
            place=places[number % 4],
            played_at=played_at,
            opened_at=played_at,
            **facts,
        )
        for number, (player, sat) in enumerate(zip(seats, deals, strict=True))
    )
    if mark:
        marked(match)
    return match


def marked(match, win="high"):
    ratings.mark(club=match.club, system=match.system, win=win, played_at=match.played_at)


def work(club):
    return list(ratings.work_out(club=club))


def all_of(club):
    """Every step and every rating, without the ids of the rows."""
    steps = RatingStep.objects.filter(club=club).values_list(*FACTS, "match_id", "played_at")
    return set(steps), set(Rating.objects.filter(club=club).values_list(*FACTS, "last_at"))


def same_from_nothing(club):
    before = all_of(club)
    ratings.rebuild(club=club)
    return all_of(club) == before


def skills(club):
    return {
        row.player.name: Skill(row.mu, row.sigma, row.matches)
        for row in Rating.objects.filter(club=club, system="levant", win="high")
    }


def test_each_match_moves_its_people_in_order_of_play():
    club = ClubFactory()
    amal, badr, carmen, dima, esam = people(club, (*NAMES, "Esam"))
    late = play((esam, amal, badr, carmen), (1, 2, 2, 4), day=2)
    early = play((amal, badr, carmen, dima), (4, 3, 2, 1), day=1)
    assert work(club) == [2]
    wanted = rate([RatedSide(4 - place, (name,)) for place, name in enumerate(NAMES)], {})
    sides = zip((1, 2, 2, 4), ("Esam", "Amal", "Badr", "Carmen"), strict=True)
    wanted |= rate([RatedSide(place, (name,)) for place, name in sides], wanted)
    assert skills(club) == wanted
    steps = RatingStep.objects.filter(player=amal).order_by("played_at")
    assert [(step.match_id, step.matches) for step in steps] == [(early.id, 1), (late.id, 2)]
    assert not RatingState.objects.exclude(dirty_from=None).exists()
    assert work(club) == []


def test_families_and_clubs_do_not_mix():
    club, other = ClubFactory(), ClubFactory()
    four, guests = people(club), people(other)
    play(four)
    play(four, (4, 3, 2, 1), system="barbu", win="low", mark=False)
    play(guests)
    ratings.mark(club=club, system="barbu", win="low", played_at=NOW)
    assert work(club) == [1, 1]
    assert Rating.objects.filter(player=four[0]).count() == 2
    assert skills(club)["Amal"].matches == 1
    assert not Rating.objects.filter(club=other).exists()


def test_pairs_are_rated_by_the_place_of_their_team():
    club = ClubFactory()
    play(people(club), (2, 1, 2, 1), in_teams=True, win="high")
    work(club)
    found = skills(club)
    assert found["Amal"] == found["Carmen"]
    assert found["Badr"].mu == found["Dima"].mu > START.mu > found["Amal"].mu


# C75
def test_substitute_is_rated_only_where_he_sat_most():
    club = ClubFactory()
    *four, esam = people(club, (*NAMES, "Esam"))
    play((*four, esam), deals=(12, 20, 20, 20, 8))
    play((*four, esam), day=1, deals=(8, 20, 20, 20, 12))
    work(club)
    found = skills(club)
    assert (found["Amal"].matches, found["Esam"].matches, found["Badr"].matches) == (1, 1, 2)


# C80
@pytest.mark.parametrize("day", [0, 3, 9])
def test_correction_of_an_old_match_is_as_if_it_had_always_been_right(day):
    wrong, right = ClubFactory(), ClubFactory()
    orders = [(1, 2, 3, 4), (2, 2, 1, 4), (4, 3, 2, 1), (1, 1, 3, 3), (3, 1, 2, 4)] * 2
    for club in (wrong, right):
        four = people(club)
        for number, places in enumerate(orders):
            fixed = (1, 4, 2, 2) if club == right and number == day else places
            play(four, fixed, day=number)
        work(club)
    assert skills(wrong) != skills(right)
    for player, place in zip(NAMES, (1, 4, 2, 2), strict=True):
        rows = MatchResult.objects.filter(club=wrong, played_at=NOW + day * DAY)
        rows.filter(player__name=player).update(place=place)
    ratings.mark(club=wrong, system="levant", win="high", played_at=NOW + day * DAY)
    assert work(wrong) == [10 - day]
    assert skills(wrong) == skills(right)
    assert same_from_nothing(wrong)


def test_match_that_counts_no_more_leaves_nothing_behind():
    club = ClubFactory()
    *four, esam = people(club, (*NAMES, "Esam"))
    play(four)
    work(club)
    before = all_of(club)
    gone = play((esam, *four[1:]), day=1)
    work(club)
    assert all_of(club) != before
    MatchResult.objects.filter(match=gone).delete()
    marked(gone)
    assert work(club) == [0]
    assert all_of(club) == before


def test_match_that_is_moved_in_time_is_counted_once():
    club = ClubFactory()
    four = people(club)
    for day in (1, 2, 3):
        moved = play(four, (day, 4 - day, 4, 1), day=day)
    work(club)
    for rows in (Match.objects.filter(id=moved.id), moved.results):
        rows.update(played_at=NOW)
    ratings.mark(club=club, system="levant", win="high", played_at=NOW)
    work(club)
    assert same_from_nothing(club)
    assert RatingStep.objects.filter(match=moved).count() == 4


def test_merged_people_have_the_matches_of_both():
    club = ClubFactory()
    *four, esam = people(club, (*NAMES, "Esam"))
    play(four)
    play((esam, *four[1:]), (2, 1, 3, 4), day=1)
    play(four, day=2)
    work(club)
    before = all_of(club)
    MatchResult.objects.filter(seated=esam).update(player=four[0])
    ratings.mark(club=club, system="levant", win="high", played_at=NOW + DAY)
    work(club)
    assert skills(club)["Amal"].matches == 3
    assert "Esam" not in skills(club)
    MatchResult.objects.filter(seated=esam).update(player=esam)
    ratings.mark(club=club, system="levant", win="high", played_at=NOW + DAY)
    work(club)
    assert all_of(club) == before


def test_some_at_a_time_is_the_same_as_all_at_once(monkeypatch):
    club = ClubFactory()
    four = people(club)
    for day in (0, 1, 1, 1, 2, 3, 4, 4):  # three and two at one moment
        play(four, (day % 4 + 1, 2, 3, 4), day=day)
    work(club)
    before = all_of(club)
    monkeypatch.setattr(ratings, "AT_ONCE", 8)
    ratings.forget(club=club)
    assert all_of(club) == (set(), set())
    steps = ratings.work_out(club=club)
    assert next(steps) == 1
    steps.close()  # broken off
    assert RatingState.objects.get(club=club).dirty_from == NOW + DAY
    assert sum(work(club)) == 7
    assert all_of(club) == before


def test_queries_do_not_grow_with_what_was_played():
    def counted(before):
        club = ClubFactory()
        four = people(club)
        for day in range(before):
            play(four, day=day)
        work(club)
        play(four, day=before)
        with CaptureQueriesContext(connection) as found:
            work(club)
        return len(found)

    assert counted(1) == counted(12) <= 20


# C75 C80
def test_evenings_that_were_played_are_rated_by_what_counts_at_last():
    evening = evenings()["evening-levant"]
    club = ClubFactory()
    *four, esam = people(club, (*NAMES, "Esam"))

    def played(day):
        opening = {"entries": evening["deals"], "first_chooser": evening["first_chooser"]}
        return make_match(club=club, players=four, now=NOW + day * DAY, **opening)

    first, second = finish(played(0)), played(1)
    sitting = [esam, *four[1:]]
    write(seats.reseat, second, players=sitting, from_deal=11, reason="Amal went home")
    finish(second)
    work(club)
    assert {name: one.matches for name, one in skills(club).items()} == {
        **dict.fromkeys(NAMES[1:], 2),
        "Amal": 1,
        "Esam": 1,  # ten deals each: the one who sat last
    }
    write(matches.void_match, first, reason="It was a trial")
    work(club)
    places = {row.player.name: row.place for row in second.results.all()}
    sides = [RatedSide(places[name], (name,)) for name in ("Esam", *NAMES[1:])]
    assert skills(club) == rate(sides, {})
    assert same_from_nothing(club)


# ---- the job


def test_mark_begins_the_work_once_and_costs_one_query(django_capture_on_commit_callbacks):
    club = ClubFactory()
    four = people(club)
    with django_capture_on_commit_callbacks(execute=True):
        first, second = play(four, day=5), play(four, day=3)
    job = Job.objects.get(club=club)
    assert (job.kind, job.state) == (JobKind.RATINGS, JobState.WAITING)
    state = RatingState.objects.get(club=club)
    assert (state.dirty_from, state.marked) == (second.played_at, 2)
    with CaptureQueriesContext(connection) as queries:
        marked(first)
    assert len(queries) == 1
    state.refresh_from_db()
    assert state.dirty_from == second.played_at
    jobs.run(job.id)
    job.refresh_from_db()
    assert (job.state, job.done, job.total) == (JobState.DONE, 2, 2)
    assert skills(club)["Amal"].matches == 2
    with django_capture_on_commit_callbacks(execute=True):
        marked(first)
    assert Job.objects.filter(club=club, state=JobState.WAITING).count() == 1


def test_mark_made_while_somebody_works_is_not_lost(django_capture_on_commit_callbacks):
    club = ClubFactory()
    four = people(club)
    with django_capture_on_commit_callbacks(execute=True):
        play(four, day=1)
    job = Job.objects.get(club=club)
    job.state, job.run = JobState.RUNNING, UUID(int=7)
    job.save()
    steps = ratings.rating_work(job)
    next(steps)
    assert next(steps).done == 1
    with django_capture_on_commit_callbacks(execute=True):
        play(four, day=0)
    assert Job.objects.filter(club=club).count() == 1  # somebody is at it
    assert [step.done for step in steps] == [3]  # the new one, and the one behind it again
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert same_from_nothing(club)


def test_work_whose_worker_died_is_taken_up_by_the_next_mark(django_capture_on_commit_callbacks):
    club = ClubFactory()
    with django_capture_on_commit_callbacks(execute=True):
        match = play(people(club))
    Job.objects.update(state=JobState.RUNNING, run=UUID(int=7), updated_at=NOW - DAY)
    with django_capture_on_commit_callbacks(execute=True):
        marked(match)
    assert Job.objects.get(club=club).state == JobState.WAITING


def test_worker_that_begins_finds_marks_without_work():
    marks = play(people(ClubFactory())), play(people(ClubFactory()))
    assert not Job.objects.exists()  # the process died before
    ratings.begin_all()
    assert set(Job.objects.values_list("club", flat=True)) == {one.club_id for one in marks}


# ---- any history

PLACES = st.sampled_from([(1, 2, 3, 4), (4, 1, 2, 2), (1, 1, 3, 4), (2, 2, 1, 4), (1, 1, 1, 1)])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("play"), st.permutations(range(6)), PLACES, st.integers(0, 8)),
        st.tuples(st.just("correct"), st.integers(0, 20), PLACES),
        st.tuples(st.just("drop"), st.integers(0, 20)),
        st.just(("work",)),
    ),
    max_size=14,
)


class AnyHistory(TestCase):
    @settings(max_examples=15)
    @given(STEPS, st.sampled_from([5, 600]))
    def test_it_ends_as_if_worked_out_from_nothing(self, steps, at_once):
        club = ClubFactory()
        everybody = people(club, (*NAMES, "Esam", "Farah"))
        found = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ratings, "AT_ONCE", at_once)
            for kind, *about in steps:
                if kind == "play":
                    order, places, day = about
                    found.append(play([everybody[one] for one in order[:4]], places, day))
                elif kind == "work":
                    work(club)
                elif found:
                    match = found[about[0] % len(found)]
                    change(match, about[1] if kind == "correct" else None)
            work(club)
            assert same_from_nothing(club)


def change(match, places):
    """Other places, or none."""
    rows = MatchResult.objects.filter(match=match)
    if places is None:
        rows.delete()
    for seat, place in enumerate(places or ()):
        rows.filter(seat=seat).update(place=place)
    marked(match)


def test_figures_that_an_interrupted_run_left_behind_are_worked_out():
    """Killed behind the last rating and before the figures: nothing is marked any more."""
    cast = make_cast()
    match = make_evening("evening-levant", club=cast.club)
    finish(match)
    run = ratings.work_out(club=cast.club)
    next(run)
    while RatingState.objects.filter(dirty_from__isnull=False).exists():
        next(run)
    run.close()
    assert not ClubFigures.objects.exists()
    assert list(ratings.work_out(club=cast.club)) == []
    made = ClubFigures.objects.get()
    assert made.figures["matches"] == 1
    assert list(ratings.work_out(club=cast.club)) == []
    assert ClubFigures.objects.get().as_of == made.as_of
