from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from scoring.common import jobs
from scoring.integrity.queries.integrity import findings
from scoring.integrity.services.rebuild import begin_missing, rebuild, steps
from scoring.ledger.services import current_deals
from scoring.models import (
    ContractResult,
    ContractTotal,
    CurrentDeal,
    Deal,
    Job,
    JobKind,
    JobState,
    Kingdom,
    Match,
    MatchResult,
    Meeting,
    PlayerTotal,
    Rating,
    UsedContract,
)
from scoring.standings.services import ratings, results
from tests.factories import (
    NOW,
    correct,
    evenings,
    finish,
    king,
    make_cast,
    make_evening,
    make_match,
    record,
    void,
)
from tests.support.histories import SHORT, drop_everything, entries, kept

pytestmark = pytest.mark.django_db


def derived_rows():
    """Every derived row without its id."""
    rows = []
    for model in (Kingdom, CurrentDeal, UsedContract, MatchResult):
        for row in model.objects.values():
            row.pop("id")
            row.pop("kingdom_id", None), row.pop("current_deal_id", None)
            rows.append((model.__name__, sorted(map(str, row.items()))))
    return sorted(rows)


@pytest.fixture
def history():
    """An evening with corrections and voids in it."""
    match = make_evening("evening-levant")
    correct(match, Deal.objects.get(deal_number=2), king(taken_by=3, chooser=1))
    void(match, Deal.objects.get(deal_number=1), reason="again")
    record(match, evenings()["evening-levant"]["deals"][0])
    return finish(match)


# Who took part is worked out from the seats, never kept apart. C86
def test_rebuilt_rows_equal_the_stored_ones(history):
    before = derived_rows()
    assert rebuild(match_id=history.id) == []
    results.drop(history)
    current_deals.drop(history)
    differed = rebuild(match_id=history.id)
    assert differed == ["kingdoms", "current_deals", "used_contracts", "results"]
    assert derived_rows() == before


def test_void_and_enter_again_leaves_the_derived_rows_of_never(history):
    MatchResult.objects.all().delete()
    with_void = derived_rows()
    rebuild(match_id=history.id)
    results.drop(history)
    assert derived_rows() == with_void


# A check for every night names what differs from the log. C49
def test_command_says_what_differed(history):
    out = StringIO()
    MatchResult.objects.filter(seat=2).update(total=7)
    call_command("rebuild_results", stdout=out)
    call_command("rebuild_results", match=history.id, stdout=out)
    assert out.getvalue().splitlines() == [
        f"match {history.id}: results differed",
        "1 matches rebuilt, 1 differed",
        "1 matches rebuilt, 0 differed",
    ]


# ── everything of a club ────────────────────────────────────────────────


@pytest.fixture
def club():
    """Three short matches of four people, rated."""
    cast = make_cast()
    for luck in range(3):
        opening = {"club": cast.club, "players": cast.players, "options": SHORT}
        finish(make_match(entries=entries(luck), **opening))
    ratings.rebuild(club=cast.club)
    return cast.club


def last_of(club, step=None):
    *_, end = steps(club, step)
    return end


def test_everything_dropped_is_worked_out_again_and_told(club):
    before = kept()
    drop_everything()
    end = last_of(club)
    assert kept() == before
    assert (end.done, end.total, end.found["matches"]) == (7, 7, 3)
    assert end.found["of_club"] == ["contract_totals", "meetings", "player_totals"]
    end = last_of(club)
    assert (end.found["matches"], end.found["of_club"]) == (0, [])


def test_sums_and_ratings_that_differ_are_told_and_put_right(club):
    before = kept()
    PlayerTotal.objects.update(total=1)
    Rating.objects.update(mu=1.0)
    assert [one.code for one in findings()] == ["sums_differ"]
    assert last_of(club).found["of_club"] == ["player_totals", "ratings"]
    assert kept() == before


@pytest.mark.parametrize("places", [1, 3, 4, 5, 6])
def test_work_goes_on_wherever_it_was_broken_off(club, places):
    before = kept()
    drop_everything()
    going = steps(club)
    for _ in range(places):
        step = next(going)
    going.close()
    end = last_of(club, step)
    assert kept() == before
    assert (end.done, end.total) == (7, 7)


def test_match_that_cannot_be_read_keeps_nothing_else_back(club):
    match = Match.objects.order_by("id").first()
    Match.objects.filter(id=match.id).update(system="whist")
    PlayerTotal.objects.all().delete()
    end = last_of(club)
    assert end.found["unreadable"] == [str(match.id)]
    assert PlayerTotal.objects.exists()


def test_upgrade_begins_it_where_something_is_missing(history, club):
    assert begin_missing(now=NOW) == []
    ContractResult.objects.all().delete()
    MatchResult.objects.all().delete()
    begun = begin_missing(now=NOW)
    assert {job.club for job in begun} == {club, None}
    assert {job.id for job in begin_missing(now=NOW)} == {job.id for job in begun}
    for job in begun:
        jobs.run(job.id)
    assert set(Job.objects.values_list("kind", "state")) >= {(JobKind.REBUILD, JobState.DONE)}
    assert (begin_missing(now=NOW), MatchResult.objects.count()) == ([], 16)
    PlayerTotal.objects.all().delete()
    out = StringIO()
    call_command("rebuild_results", missing=True, stdout=out)
    assert out.getvalue() == "Results and standings are worked out again (1)\n"


@pytest.mark.parametrize("model", [PlayerTotal, ContractTotal, Meeting, MatchResult])
def test_upgrade_begins_it_where_some_of_it_is_missing(club, model):
    """A rebuild that was broken off leaves a part."""
    for job in begin_missing(now=NOW):
        jobs.run(job.id)
    assert begin_missing(now=NOW) == []
    one = model.objects.filter(club=club).first()
    if model is MatchResult:
        model.objects.filter(match=one.match).delete()
    else:
        model.objects.filter(player=one.player, system=one.system).delete()
    (job,) = begin_missing(now=NOW)
    jobs.run(job.id)
    assert (job.club, begin_missing(now=NOW)) == (club, [])


def test_command_takes_one_club(club):
    PlayerTotal.objects.update(total=1)
    out = StringIO()
    call_command("rebuild_results", club=club.slug, stdout=out)
    assert out.getvalue().splitlines() == [
        f"club {club.slug}: player_totals differed",
        "3 matches rebuilt, 0 differed",
    ]
    with pytest.raises(CommandError, match="no club is called"):
        call_command("rebuild_results", club="nowhere")
