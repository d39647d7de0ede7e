"""Long work: one at a time, its progress, broken off, taken up, given up, done by a worker."""

import os
import subprocess
from datetime import timedelta
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test import override_settings
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from scoring.common import jobs
from scoring.common.actor import Actor
from scoring.common.steps import Step
from scoring.management.commands import work as work_command
from scoring.models import Job, JobKind, JobState
from tests.factories import ClubFactory, UserFactory

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]


def counting(job):
    """Counts to a hundred."""
    for number in range(job.done + 1, 101):
        yield Step(number, 100, str(number), {"seen": [*job.found.get("seen", []), number][-3:]})


def failing(job):
    yield Step(1, 2, "1", {})
    raise ValueError("on purpose")


@pytest.fixture
def club(db):
    return ClubFactory()


@pytest.fixture
def work(monkeypatch):
    """Says what the work of a kind is; every step is noted."""
    monkeypatch.setattr(jobs, "WRITTEN_EVERY", 0)
    monkeypatch.setattr(jobs, "leaving", type(jobs.leaving)())

    def is_done_by(function):
        monkeypatch.setattr(jobs, "work_of", lambda kind: function)

    is_done_by(counting)
    return is_done_by


def begin(club, now=None):
    now = now or timezone.now()
    return jobs.start(club=club, kind=JobKind.AUDIT, actor=Actor(UserFactory()), now=now)


def doing(job, at, act):
    """The work of `counting`, with this done when it has come so far."""

    def work(found):
        for step in counting(found):
            if step.done == at:
                act(Job.objects.get(pk=job.pk))
            yield step

    return work


def test_every_kind_of_work_is_found():
    assert all(callable(jobs.work_of(kind)) for kind in jobs.WORKS)


def test_it_is_done_to_its_end(club, work):
    job = begin(club)
    assert (job.state, job.opened_by.username[:4]) == (JobState.WAITING, "user")
    jobs.run(job.id)
    job.refresh_from_db()
    assert (job.state, job.done, job.total, job.cursor) == (JobState.DONE, 100, 100, "100")
    jobs.run(job.id)  # a message that comes twice
    assert Job.objects.get().updated_at == job.updated_at


def test_there_is_one_at_a_time_of_a_kind_and_club(club, work):
    first = begin(club)
    assert begin(club) == first
    assert begin(ClubFactory()) != first
    jobs.run(first.id)
    second = begin(club)
    assert second != first
    assert jobs.newest(club=club, kind=JobKind.AUDIT) == second


def test_there_is_one_at_a_time_without_a_club_too(work):
    first = begin(None)
    assert begin(None) == first
    jobs.run(first.id)
    assert begin(None) != first


def test_it_is_stopped_by_a_tap_and_goes_on_where_it_was(club, work):
    job = begin(club)
    work(doing(job, 40, lambda found: jobs.stop(job=found, now=timezone.now())))
    jobs.run(job.id)
    job.refresh_from_db()
    assert (job.state, job.done, job.cursor) == (JobState.STOPPED, 40, "40")
    work(counting)
    jobs.run(job.id)  # stopped is stopped
    assert Job.objects.get().done == 40
    jobs.resume(job=job, now=timezone.now())
    jobs.run(job.id)
    job.refresh_from_db()
    assert (job.state, job.done, job.found) == (JobState.DONE, 100, {"seen": [40, 100]})


def test_an_error_is_logged_and_can_be_gone_on_behind(club, work, caplog):
    job = begin(club)
    work(failing)
    jobs.run(job.id)
    job.refresh_from_db()
    assert (job.state, job.done) == (JobState.FAILED, 1)
    assert "on purpose" in caplog.text
    work(counting)
    jobs.resume(job=job, now=timezone.now())
    jobs.run(job.id)
    assert Job.objects.get().state == JobState.DONE


def test_a_worker_that_is_to_end_leaves_it_for_the_next(club, work):
    job = begin(club)
    work(doing(job, 40, lambda found: jobs.leaving.set()))
    jobs.run(job.id)
    job.refresh_from_db()
    assert (job.state, job.done, job.cursor) == (JobState.WAITING, 40, "40")
    jobs.leaving.clear()
    work(counting)
    jobs.run(job.id)
    assert Job.objects.get().state == JobState.DONE


def test_one_whose_worker_died_is_seen_and_taken_up(club, work):
    """And the first run, should it live after all, finds that it is not its work any more."""
    job = begin(club)

    def given_up(found):
        later = timezone.now() + timedelta(seconds=61)
        assert not found.is_silent(timezone.now())
        jobs.resume(job=found, now=timezone.now())  # somebody works at it
        assert Job.objects.get().state == JobState.RUNNING
        assert found.is_silent(later)
        jobs.resume(job=found, now=later)

    work(doing(job, 40, given_up))
    jobs.run(job.id)
    job.refresh_from_db()
    assert (job.state, job.done) == (JobState.WAITING, 39)
    work(counting)
    jobs.run(job.id)
    assert Job.objects.get().state == JobState.DONE


def test_of_two_taps_one_takes_it_up(club, work):
    job = begin(club)
    jobs.stop(job=job, now=timezone.now())
    job.refresh_from_db()
    jobs.resume(job=job, now=timezone.now())
    jobs.run(job.id)
    jobs.resume(job=job, now=timezone.now())
    assert Job.objects.get().state == JobState.DONE


def test_an_old_one_is_not_taken_up_beside_a_new_one(club, work):
    old = begin(club)
    jobs.stop(job=old, now=timezone.now())
    old.refresh_from_db()
    new = begin(club)
    jobs.resume(job=old, now=timezone.now())
    assert list(Job.objects.active()) == [new]


# ── through the queue ───────────────────────────────────────────────────

QUEUE = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}


@pytest.fixture
def run_worker(tmp_path):
    """The worker of bin/serve on the database of this test, until nothing waits."""
    settings = connection.settings_dict
    url = f"sqlite:///{settings['NAME']}"
    if connection.vendor == "postgresql":
        place = (
            f"{settings['HOST']}&port={settings['PORT']}" if settings["PORT"] else settings["HOST"]
        )
        url = f"postgresql://{settings['USER']}@/{settings['NAME']}?host={place}"

    def run():
        return subprocess.run(
            [ROOT / ".venv" / "bin" / "python", "manage.py", "work", "--once"],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "TREXSCORE_DATA": str(tmp_path), "DATABASE_URL": url},
            capture_output=True,
            text=True,
            timeout=60,
        )

    return run


@pytest.mark.django_db(transaction=True)
@override_settings(TASKS=QUEUE)
def test_a_worker_does_what_waits(club, run_worker):
    job = begin(club)
    lost = Job.objects.create(  # its message went with the worker before
        kind=JobKind.AUDIT,
        club=ClubFactory(),
        run=uuid4(),
        created_at=timezone.now(),
        updated_at=timezone.now(),
    )
    done = run_worker()
    assert (done.returncode, done.stderr) == (0, "")
    for each in (job, lost):
        each.refresh_from_db()
        assert each.state == JobState.DONE


@pytest.mark.django_db(transaction=True)
@override_settings(TASKS=QUEUE)
def test_a_worker_outlives_a_database_that_is_locked(club, monkeypatch):
    begin(club)
    outcomes = [OperationalError("database is locked"), None]

    def run(worker):
        if error := outcomes.pop(0):
            raise error
        DBTaskResult.objects.all().delete()

    monkeypatch.setattr(work_command, "PAUSE", 0)
    monkeypatch.setattr(work_command.Worker, "run", run)
    monkeypatch.setattr(work_command.Worker, "configure_signals", lambda worker: None)
    said = StringIO()
    call_command("work", once=True, stderr=said)
    assert outcomes == []
    assert said.getvalue() == "work: database is locked\n"
