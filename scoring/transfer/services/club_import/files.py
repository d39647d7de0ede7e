"""The uploaded file of a club, stored until its import is done, at most a day."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

from django.conf import settings

KEPT_FOR = timedelta(days=1)


def store(pieces: Iterable[bytes], now: datetime) -> str:
    """Store a file; return its token."""
    folder = _folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _delete_old(now)
    token = uuid4()
    with path_of(token).open("xb") as file:
        for piece in pieces:
            file.write(piece)
    return str(token)


def path_of(token: UUID) -> Path:
    return _folder() / f"{token}.zip"


def _folder() -> Path:
    return Path(settings.DATA_DIR) / "arrivals"


def _delete_old(now: datetime) -> None:
    oldest = (now - KEPT_FOR).timestamp()
    for path in _folder().iterdir():
        try:
            if path.stat().st_mtime < oldest:
                path.unlink()
        except FileNotFoundError:  # another process deleted it
            continue
