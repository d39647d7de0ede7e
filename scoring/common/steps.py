"""How long work says how far it is."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from scoring.models import Job


class Step(NamedTuple):
    """A place at which work can be broken off and gone on with. The same step again only says that
    the work lives."""

    done: int
    total: int
    cursor: str
    found: dict[str, Any]


type Work = Callable[[Job], Iterator[Step]]
"""Goes on behind `job.cursor`, adds to `job.found`, and holds no lock while it yields."""
