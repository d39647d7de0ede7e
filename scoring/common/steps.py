"""Progress of long work."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from scoring.models import Job


class Step(NamedTuple):
    """A point at which work can stop and resume.

    Yielding the same step again is a heartbeat."""

    done: int
    total: int
    cursor: str
    found: dict[str, Any]


type Work = Callable[[Job], Iterator[Step]]
"""Goes on behind `job.cursor`, adds to `job.found`, and holds no lock while it yields."""
