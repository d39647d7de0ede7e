"""The uploaded file of a club, stored until its import is done, at most a day."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

from django.conf import settings

KEPT_FOR = timedelta(days=1)


def keep(pieces: Iterable[bytes], now: datetime) -> str:
    """Puts a file aside; the token leads back to it."""
    folder = _folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _sweep(now)
    token = uuid4()
    with kept(token).open("xb") as file:
        for piece in pieces:
            file.write(piece)
    return str(token)


def kept(token: UUID) -> Path:
    return _folder() / f"{token}.zip"


def _folder() -> Path:
    return Path(settings.DATA_DIR) / "arrivals"


def _sweep(now: datetime) -> None:
    oldest = (now - KEPT_FOR).timestamp()
    for path in _folder().iterdir():
        try:
            if path.stat().st_mtime < oldest:
                path.unlink()
        except FileNotFoundError:  # somebody else sweeps
            continue
