"""Why a write was refused: a code and numbers; the words are the page's."""

from collections.abc import Iterable, Mapping

from scoring.models import Deal, MatchEvent
from scoring.rules import Problem
from scoring.rules.problems import Detail


class ServiceError(Exception):
    """Nothing was written. `code`, `field` and `numbers` are those of the first problem."""

    def __init__(
        self, code: str, field: str = "", numbers: Mapping[str, Detail] | None = None
    ) -> None:
        self.problems: tuple[Problem, ...] = (Problem(code, field, numbers or {}),)
        super().__init__(f"{code} ({field})")

    @property
    def code(self) -> str:
        return self.problems[0].code

    @property
    def field(self) -> str:
        return self.problems[0].field

    @property
    def numbers(self) -> Mapping[str, Detail]:
        return self.problems[0].numbers

    def is_only_about(self, field: str) -> bool:
        """Whether there is one problem, and this field has it."""
        return [problem.field for problem in self.problems] == [field]


class Stale(ServiceError):
    """The match has moved on since the form was drawn: `events` and `deals` came in between."""

    def __init__(
        self, current_version: int, events: Iterable[MatchEvent], deals: Iterable[Deal]
    ) -> None:
        super().__init__("stale", "version", {"current_version": current_version})
        self.current_version = current_version
        self.events = tuple(events)
        self.deals = tuple(deals)


def raise_for(problems: Iterable[Problem]) -> None:
    """Raises when there is any problem, with all of them."""
    found = tuple(problems)
    if found:
        refused = ServiceError(found[0].code, found[0].field, found[0].numbers)
        refused.problems = found
        raise refused
