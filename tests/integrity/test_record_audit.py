"""Every record of a club held against its deal again, as long work."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.common import jobs
from scoring.common.actor import Actor
from scoring.integrity.queries.integrity import findings
from scoring.integrity.services import record_audit
from scoring.integrity.services.rebuild import rebuild
from scoring.models import Job, JobKind, JobState, Match, Verdict
from scoring.models import triggers as guards
from tests.factories import NAMES, attach, evening_record, evenings, make_cast, make_match

pytestmark = pytest.mark.django_db
LEVANT = "evening-levant"


def evening(cast, club=None, deals=3):
    entries = evenings()[LEVANT]["deals"][:deals]
    match = make_match(
        entries=entries,
        first_chooser=1,
        club=club or cast.club,
        players=NAMES if club else cast.players,
        actor=Actor(cast.amal),
    )
    for number in range(1, deals + 1):
        attach(match, number, evening_record(LEVANT, number), actor=Actor(cast.amal))
    return match


@pytest.fixture
def cast():
    return make_cast()


@pytest.fixture(autouse=True)
def noted_at_once(monkeypatch):
    monkeypatch.setattr(jobs, "WRITTEN_EVERY", 0)
    monkeypatch.setattr(jobs, "leaving", type(jobs.leaving)())


def audited(cast) -> Job:
    job = jobs.start(club=cast.club, kind=JobKind.AUDIT, actor=Actor(cast.esam), now=timezone.now())
    jobs.run(job.id)
    job.refresh_from_db()
    return job


def told(job):
    return [(each["match"], each["deal"]) for each in job.found["told"]]


def test_where_all_is_as_stored_it_says_so_and_writes_nothing(cast):
    matches = [evening(cast), evening(cast)]
    before = list(Verdict.objects.order_by("id").values())
    job = audited(cast)
    assert (job.state, job.done, job.total) == (JobState.DONE, 6, 6)
    assert job.found == {"differ": 0, "told": [], "unreadable": []}
    assert list(Verdict.objects.order_by("id").values()) == before
    assert not any(rebuild(match_id=match.id) for match in matches)


def test_a_club_without_records_is_done_at_once(cast):
    job = audited(cast)
    assert (job.state, job.done, job.total) == (JobState.DONE, 0, 0)


def test_what_differs_is_named_and_put_right(cast):
    one, two, _sound = (evening(cast) for _ in range(3))
    Verdict.objects.filter(match=one, deal_number=2).update(agrees=False, codes=" taker_differs ")
    Verdict.objects.filter(match=two, deal_number=1).update(complete=False)
    Verdict.objects.filter(match=two, deal_number=3).delete()
    verified = {found.match_id for found in findings() if found.table == "verdicts"}
    job = audited(cast)
    assert {str(match) for match in verified} == {match for match, _ in told(job)}
    assert sorted(told(job)) == sorted([(str(one.id), 2), (str(two.id), 1), (str(two.id), 3)])
    assert (job.found["differ"], job.done) == (3, 9)
    said = next(each for each in job.found["told"] if each["match"] == str(one.id))
    assert (said["was"]["agrees"], said["is"]["agrees"]) == (False, True)
    assert not list(findings())
    assert audited(cast).found["differ"] == 0
    out = StringIO()
    call_command("rebuild_results", stdout=out)
    assert out.getvalue() == "3 matches rebuilt, 0 differed\n"


def test_another_club_is_left_alone(cast):
    evening(cast)
    other = evening(cast, club=cast.other_club)
    Verdict.objects.filter(match=other).update(agrees=False)
    assert audited(cast).found["differ"] == 0
    assert Verdict.objects.filter(match=other, agrees=False).count() == 3


def test_a_match_that_cannot_be_read_holds_up_nobody(cast):
    broken, other = evening(cast), evening(cast)
    with guards.without_triggers(connection):
        Match.objects.filter(id=broken.id).update(options={"nonsense": 1})
    Verdict.objects.filter(match=other, deal_number=1).update(agrees=False)
    job = audited(cast)
    assert (job.state, job.found["unreadable"]) == (JobState.DONE, [str(broken.id)])
    assert told(job) == [(str(other.id), 1)]


def test_broken_off_it_goes_on_behind_the_last_match(cast, monkeypatch):
    matches = sorted(evening(cast).id for _ in range(3))
    Verdict.objects.filter(deal_number=1).update(agrees=False)
    looked_at = []

    def rebuilt(match_id):
        looked_at.append(match_id)
        if len(looked_at) == 2:
            jobs.stop(job=Job.objects.get(), now=timezone.now())
        return rebuild(match_id=match_id)

    monkeypatch.setattr(record_audit, "rebuild", rebuilt)
    job = audited(cast)
    assert (job.state, job.done, job.cursor) == (JobState.STOPPED, 6, str(matches[1]))
    jobs.resume(job=job, now=timezone.now())
    jobs.run(job.id)
    job.refresh_from_db()
    assert (job.state, job.done) == (JobState.DONE, 9)
    assert told(job) == [(str(match), 1) for match in matches]


def test_queries_of_a_match_do_not_grow_with_its_records(cast):
    counts = []
    for deals in (1, 4):
        evening(cast, deals=deals)
        with CaptureQueriesContext(
            connection,
        ) as asked:
            audited(cast)
        writes = [each for each in asked if each["sql"].startswith("UPDATE")]
        counts.append(len(asked) - len(writes))
    assert counts[1] - counts[0] < 25
