"""Exports of clubs on disk: in the data folder, the newest of each club, for some days."""

from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from django.conf import settings

from scoring.models import Club, Job

KEPT_FOR = timedelta(days=7)


def folder_of(club: Club) -> Path:
    """Return the private folder of a club, made if needed."""
    folder = Path(settings.DATA_DIR) / "exports" / str(club.id)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def export_file_of(job: Job) -> Path | None:
    """Return the file of a finished job while it is kept. One query.

    It is deleted once a player is hidden whose name may be in it.
    """
    assert job.club is not None
    path = finished_path(job.club, job.id)
    if job.club.players.filter(hidden_at__gte=job.created_at).exists():
        path.unlink(missing_ok=True)
    return path if job.is_done and path.is_file() else None


def finished_path(club: Club, job_id: UUID) -> Path:
    return folder_of(club) / f"{job_id}.zip"


def draft_path(club: Club, job_id: UUID, name: str) -> Path:
    """Return the path of an unfinished part, which begins with the id of the job."""
    return folder_of(club) / f"{job_id}.{name}.part"


def delete_others(club: Club, job_id: UUID) -> None:
    """Delete everything but the file of this job."""
    tables_of_club = finished_path(club, job_id)
    for path in folder_of(club).iterdir():
        if path != tables_of_club:
            path.unlink(missing_ok=True)


def delete_old(now: datetime) -> None:
    """Delete the outdated files of every club."""
    oldest = (now - KEPT_FOR).timestamp()
    for path in (Path(settings.DATA_DIR) / "exports").glob("*/*"):
        try:
            if path.stat().st_mtime < oldest:
                path.unlink()
        except FileNotFoundError:  # another process deleted it
            continue
