"""Background jobs: start, stop, resume, and progress.

The row of the job is what counts. The queue only says to a worker that there is one; a message
that comes twice, or for work that was stopped, finds nothing to do.
"""

import logging
from collections.abc import Mapping
from datetime import datetime
from threading import Event
from time import monotonic
from typing import Any
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction
from django.tasks import task
from django.utils import timezone
from django.utils.module_loading import import_string

from scoring.common.actor import Actor
from scoring.common.steps import Step, Work
from scoring.models import Club, Job, JobKind, JobState
from scoring.models.log import acting

WORKS: Mapping[str, str] = {
    JobKind.AUDIT: "scoring.integrity.services.record_audit.audit_records",
    JobKind.INTEGRITY: "scoring.integrity.services.integrity_check.check_ledgers",
    JobKind.EXPORT: "scoring.transfer.services.club_export.export_club",
    JobKind.IMPORT: "scoring.transfer.services.club_import.import_club",
    JobKind.MATCHES: "scoring.transfer.services.import_files.import_file",
    JobKind.REBUILD: "scoring.integrity.services.rebuild.rebuild_everything",
    JobKind.RATINGS: "scoring.standings.services.ratings.rating_work",
}
"""The `Work` of each kind by its name: a service that is part of some work may begin a job too, and
a page that begins one loads nothing of it."""
WRITTEN_EVERY = 1.0
"""Seconds from one note of the progress to the next: each is a write of its own, and short."""

logger = logging.getLogger(__name__)
leaving = Event()
"""Set when this process is to end: what it works at waits for the next one."""


def newest(*, club: Club | None, kind: JobKind) -> Job | None:
    """Return the newest job of a kind, in whatever state. One query."""
    return Job.objects.filter(club=club, kind=kind).order_by("-created_at").first()


def last_done(*, club: Club | None, kind: JobKind) -> Job | None:
    """Return the last finished job of a kind. One query."""
    done = Job.objects.filter(club=club, kind=kind, state=JobState.DONE)
    return done.order_by("-created_at").first()


def start(
    *,
    club: Club | None,
    kind: JobKind,
    actor: Actor,
    now: datetime,
    found: Mapping[str, Any] | None = None,
) -> Job:
    """Start a job, or return the unfinished one of this kind.

    `found` is what the job needs to know."""
    job = Job(club=club, kind=kind, opened_by=actor.user, created_at=now, updated_at=now)
    job.found = dict(found or {})
    try:
        with transaction.atomic():
            job.save(force_insert=True)
            work.enqueue(str(job.id))
    except IntegrityError:
        return Job.objects.active().get(club=club, kind=kind)
    return job


def stop(*, job: Job, now: datetime) -> None:
    """Stop a job that is not finished.

    Its worker notices with the next note of its progress."""
    unended = Job.objects.active().filter(pk=job.pk)
    unended.update(state=JobState.STOPPED, updated_at=now)


def resume(*, job: Job, now: datetime) -> None:
    """Resume a job that was stopped or whose worker died.

    Does nothing while somebody works at it, or while another of its kind is active."""
    if not (job.can_go_on or job.is_silent(now)):
        return
    as_seen = Job.objects.filter(pk=job.pk, state=job.state, updated_at=job.updated_at)
    try:
        with transaction.atomic():
            if as_seen.update(state=JobState.WAITING, run=None, updated_at=now):
                work.enqueue(str(job.id))
    except IntegrityError:
        pass


def requeue_waiting() -> None:
    """Requeue jobs whose message was lost when the previous worker died."""
    for job_id in Job.objects.filter(state=JobState.WAITING).values_list("id", flat=True):
        work.enqueue(str(job_id))


@task()
def work(job_id: str) -> None:
    """Run a job; the queue calls this."""
    run(UUID(job_id))


def run(job_id: UUID) -> None:
    """Run a job to its end, unless it is stopped or this process is to end."""
    mine = uuid4()
    waiting = Job.objects.filter(id=job_id, state=JobState.WAITING)
    if not waiting.update(state=JobState.RUNNING, run=mine, updated_at=timezone.now()):
        return
    job = Job.objects.select_related("club").get(id=job_id)
    notes = _Notes(job, mine)
    try:
        with acting(lambda: job.opened_by_id):
            for step in work_of(job.kind)(job):
                if not notes.take(step):
                    return
        notes.write(JobState.DONE)
    except Exception:
        logger.exception("%s was broken off", job)
        notes.write(JobState.FAILED)


def work_of(kind: str) -> Work:
    found: Work = import_string(WORKS[kind])
    return found


class _Notes:
    """Writer of the progress of one run, as long as that run owns the job."""

    def __init__(self, job: Job, run: UUID) -> None:
        self.own = Job.objects.filter(pk=job.pk, run=run)
        self.step = Step(job.done, job.total, job.cursor, job.found)
        self.written = monotonic()

    def take(self, step: Step) -> bool:
        """Note a step and return whether to go on."""
        self.step = step
        if leaving.is_set():
            self.write(JobState.WAITING)
            return False
        due = monotonic() - self.written >= WRITTEN_EVERY
        return self.write(JobState.RUNNING) if due else True

    def write(self, state: JobState) -> bool:
        """Write the state; return False where another run owns the job.

        What was done before a stop was noticed stays."""
        self.written = monotonic()
        notes, now = self.step._asdict(), timezone.now()
        running = self.own.filter(state=JobState.RUNNING)
        if running.update(**notes, state=state, updated_at=now):
            return True
        self.own.filter(state=JobState.STOPPED).update(**notes)
        return False
