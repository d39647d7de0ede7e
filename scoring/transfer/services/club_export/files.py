"""Where exports lie: in the data folder, the newest of each club, for some days."""

from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from django.conf import settings

from scoring.models import Club, Job

KEPT_FOR = timedelta(days=7)


def folder_of(club: Club) -> Path:
    """For our eyes only, and made when it is needed."""
    folder = Path(settings.DATA_DIR) / "exports" / str(club.id)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def made_by(job: Job) -> Path | None:
    """The file of a job that is done, while it is kept; no longer than until somebody is hidden
    whose name may be in it. One query."""
    assert job.club is not None
    path = finished(job.club, job.id)
    if job.club.players.filter(hidden_at__gte=job.created_at).exists():
        path.unlink(missing_ok=True)
    return path if job.is_done and path.is_file() else None


def finished(club: Club, job_id: UUID) -> Path:
    return folder_of(club) / f"{job_id}.zip"


def draft(club: Club, job_id: UUID, name: str) -> Path:
    """A part that is not finished; its name begins with that of the job."""
    return folder_of(club) / f"{job_id}.{name}.part"


def forget_others(club: Club, job_id: UUID) -> None:
    """Only what this job has made stays."""
    kept = finished(club, job_id)
    for path in folder_of(club).iterdir():
        if path != kept:
            path.unlink(missing_ok=True)


def sweep(now: datetime) -> None:
    """What is too old goes, of every club."""
    oldest = (now - KEPT_FOR).timestamp()
    for path in (Path(settings.DATA_DIR) / "exports").glob("*/*"):
        try:
            if path.stat().st_mtime < oldest:
                path.unlink()
        except FileNotFoundError:  # somebody else sweeps
            continue
