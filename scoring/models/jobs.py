"""Background jobs: their progress, who started them, and what they found."""

import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q

from scoring.models.clubs import Club

SILENCE = timedelta(minutes=1)
"""Work that was not heard of for so long is done by nobody any more."""


class JobKind(models.TextChoices):
    """The kinds of jobs; the database accepts others, which later versions add."""

    AUDIT = "audit"  # every record of a club held against its deal again
    INTEGRITY = "integrity"  # every ledger of a club held against what was written
    RATINGS = "ratings"  # worked out again from the first match that changed
    REBUILD = "rebuild"  # everything derived of a club, dropped and worked out again
    EXPORT = "export"  # everything of a club into one file
    IMPORT = "import"  # a file of an exported club
    MATCHES = "matches"  # a file of matches into a club


class JobState(models.TextChoices):
    """The states of a job.

    Stopped: by somebody. Failed: by an error, which is in the log of the server."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


ACTIVE = Q(state__in=(JobState.WAITING, JobState.RUNNING))


class JobQuerySet(models.QuerySet["Job"]):
    def active(self) -> "JobQuerySet":
        return self.filter(ACTIVE)


class Job(models.Model):
    """A background job for a club, or for the installation; one of a kind at a time.

    `cursor` is where it goes on after it was broken off, as the work itself wants it; `found` what
    it has come to until there. `run` names the run that may write here: one that was given up and
    lives on after all finds another name and ends. `updated_at` is when it was last heard of."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, models.CASCADE, null=True, related_name="jobs", db_index=False)
    kind = models.CharField(max_length=20, choices=JobKind)
    state = models.CharField(max_length=20, choices=JobState, default=JobState.WAITING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    cursor = models.CharField(max_length=200, blank=True, default="")
    found = models.JSONField(default=dict, blank=True)
    run = models.UUIDField(null=True)
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="jobs"
    )
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    objects = JobQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "kind"], condition=ACTIVE, name="one_job_per_club_and_kind"
            ),
            models.UniqueConstraint(
                fields=["kind"],
                condition=ACTIVE & Q(club__isnull=True),
                name="one_job_per_kind_without_club",
            ),
        ]
        indexes = [models.Index(fields=["club", "kind", "-created_at"], name="job_of_club")]

    def __str__(self) -> str:
        return f"{self.kind} {self.state} {self.done}/{self.total}"

    @property
    def is_active(self) -> bool:
        return self.state in (JobState.WAITING, JobState.RUNNING)

    @property
    def is_done(self) -> bool:
        return self.state == JobState.DONE

    @property
    def can_go_on(self) -> bool:
        """Whether it stopped before its end."""
        return self.state in (JobState.STOPPED, JobState.FAILED)

    def is_silent(self, now: datetime) -> bool:
        """Return whether it should be running and is not: its worker died, or there is none."""
        return self.is_active and now - self.updated_at > SILENCE
