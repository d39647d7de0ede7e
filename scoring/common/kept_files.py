"""Uploaded files kept for a day between preview and import, for the account that sent them.

They lie in the data folder, never in the database, and the oldest go when new ones come.
"""

from datetime import datetime, timedelta
from pathlib import Path
from secrets import token_hex
from tempfile import NamedTemporaryFile

from django.conf import settings

from scoring.models import Club, User

KEPT_FOR = timedelta(days=1)
MOST = 10  # of one account in one club
TOKEN_LENGTH = 32


def keep(*, club: Club, user: User, data: bytes, now: datetime) -> str:
    """Store a file completely or not at all, and return its token."""
    token = token_hex(TOKEN_LENGTH // 2)
    path = _path(club, user, token)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=_folder(), delete=False) as draft:
        draft.write(data)
    Path(draft.name).rename(path)
    _clean(path.parent, now)
    return token


def kept(*, club: Club, user: User, token: str) -> bytes | None:
    """Return the file, or None where it is missing, too old, or somebody else's."""
    if len(token) != TOKEN_LENGTH or not token.isalnum() or not token.isascii():
        return None
    try:
        return _path(club, user, token).read_bytes()
    except FileNotFoundError:
        return None


def _folder() -> Path:
    return Path(settings.DATA_DIR) / "imports"


def _path(club: Club, user: User, token: str) -> Path:
    return _folder() / f"{club.id}-{user.id}" / token


def _clean(own: Path, now: datetime) -> None:
    """Delete everything too old, and of one's own files all but the newest."""
    oldest = (now - KEPT_FOR).timestamp()
    for path in _folder().rglob("*"):
        if not path.is_dir() and _sent_at(path) < oldest:
            path.unlink(missing_ok=True)
    for path in sorted(own.iterdir(), key=_sent_at, reverse=True)[MOST:]:
        path.unlink(missing_ok=True)


def _sent_at(path: Path) -> float:
    """Return when a file was stored; long ago where it was just deleted."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
