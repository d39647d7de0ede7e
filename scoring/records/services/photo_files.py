"""Store the files of photos atomically: a file appears complete or not at all.

While its row is being written a picture lies in the folder of drafts as well. A draft that is still
there after an hour is left from a crash; its file is kept only if the row exists.
"""

import os
import shutil
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from uuid import UUID

from django.conf import settings

from scoring.common.errors import RefusalCode, ServiceError
from scoring.models import Photo

DRAFT_FOR = timedelta(hours=1)
# The ledger lies on the same disk, and comes first.
FREE_BYTES = 200_000_000


class PhotoFile:
    """Context manager around the transaction that writes the row of a photo.

    The data is on disk before the transaction begins, so that the match is not locked meanwhile;
    call `put` last in the transaction. Raises NO_ROOM when the disk is full.
    """

    def __init__(self, photo: Photo, data: bytes) -> None:
        self.photo, self.data = photo, data
        self.draft = _drafts() / photo.path.name
        self.is_put = False

    def __enter__(self) -> "PhotoFile":
        try:
            self.draft.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if shutil.disk_usage(self.draft.parent).free < FREE_BYTES:
                raise ServiceError(RefusalCode.NO_ROOM, "pictures")
            _write(self.draft, self.data)
        except OSError:
            self.draft.unlink(missing_ok=True)
            raise ServiceError(RefusalCode.NO_ROOM, "pictures") from None
        return self

    def put(self) -> None:
        path = self.photo.path
        path.parent.mkdir(mode=0o700, exist_ok=True)
        os.link(self.draft, path)
        self.is_put = True
        for folder in (path.parent, path.parent.parent):
            _sync(folder, os.O_RDONLY)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove the draft, unless the commit failed: then `sweep` decides later."""
        if error is None or not self.is_put:
            self.draft.unlink(missing_ok=True)


def put_file(path: Path, data: bytes) -> None:
    """Write the picture of an imported row atomically."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_suffix(".part")
    draft.unlink(missing_ok=True)
    _write(draft, data)
    os.replace(draft, path)
    _sync(path.parent, os.O_RDONLY)


def sweep(now: datetime) -> None:
    """Clean up drafts that a crash left more than an hour ago. One query for each."""
    for draft in _drafts().glob("*.jpg"):
        try:
            if now.timestamp() - draft.stat().st_mtime < DRAFT_FOR.total_seconds():
                continue
        except FileNotFoundError:  # another process cleaned up first
            continue
        photo = Photo(id=UUID(draft.stem))
        if not Photo.objects.filter(id=photo.id).exists():
            photo.path.unlink(missing_ok=True)
        draft.unlink(missing_ok=True)


def _drafts() -> Path:
    return Path(settings.MEDIA_ROOT) / "drafts"


def _write(path: Path, data: bytes) -> None:
    """Write a new file and flush it to disk."""
    with open(path, "xb", opener=_open_private) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, mode=0o600)


def _sync(path: Path, flags: int) -> None:
    """Flush a folder to disk, and with it the names of its files."""
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
