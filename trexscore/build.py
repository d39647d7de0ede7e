"""Which build of the site runs: another one as soon as a page could look or act otherwise."""

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.conf import settings

PARTS = ("static", "templates", "scoring")
KINDS = {".html", ".css", ".js", ".svg", ".py", ".po"}


@cache
def build() -> str:
    """By content, so that all workers and all machines say the same. Read once a process."""
    digest = hashlib.sha256()
    for path in _files(settings.BASE_DIR):
        name = path.relative_to(settings.BASE_DIR).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def _files(base: Path) -> Iterator[Path]:
    for part in PARTS:
        yield from sorted(path for path in (base / part).rglob("*") if path.suffix in KINDS)
