"""Files of photos: each comes to its place whole, or not at all.

While a row is being written its picture lies among the drafts as well. A draft that is still there
an hour later tells that somebody pulled the plug: then the file stays only if its row does.
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


class NewFile:
    """Around the transaction that writes the row: on disk before it begins, so that nobody waits
    for the disk while the match is locked; `put` is the last thing in it."""

    def __init__(self, photo: Photo, data: bytes) -> None:
        self.photo, self.data = photo, data
        self.draft = _drafts() / photo.path.name
        self.is_put = False

    def __enter__(self) -> "NewFile":
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
        """Where the commit itself failed nobody knows yet whether the row is there: see `sweep`."""
        if error is None or not self.is_put:
            self.draft.unlink(missing_ok=True)


def put_file(path: Path, data: bytes) -> None:
    """Puts a picture whose row comes from elsewhere in its place, whole or not at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_suffix(".part")
    draft.unlink(missing_ok=True)
    _write(draft, data)
    os.replace(draft, path)
    _sync(path.parent, os.O_RDONLY)


def sweep(now: datetime) -> None:
    """Settles what an hour ago was left half-way. One query for each, and there are hardly any."""
    for draft in _drafts().glob("*.jpg"):
        try:
            if now.timestamp() - draft.stat().st_mtime < DRAFT_FOR.total_seconds():
                continue
        except FileNotFoundError:  # somebody else sweeps
            continue
        photo = Photo(id=UUID(draft.stem))
        if not Photo.objects.filter(id=photo.id).exists():
            photo.path.unlink(missing_ok=True)
        draft.unlink(missing_ok=True)


def _drafts() -> Path:
    return Path(settings.MEDIA_ROOT) / "drafts"


def _write(path: Path, data: bytes) -> None:
    """On disk when it returns."""
    with open(path, "xb", opener=_for_us_only) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _for_us_only(path: str, flags: int) -> int:
    return os.open(path, flags, mode=0o600)


def _sync(path: Path, flags: int) -> None:
    """The name of a new file is on disk once its folder is."""
    handle = os.open(path, flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
