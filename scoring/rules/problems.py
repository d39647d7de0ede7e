"""What a refused entry or option set says: a code, a place, and the numbers that explain it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence

type Detail = int | str | Sequence[int] | Sequence[str] | None


@dataclasses.dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. `code` is one of rules.md 4, `field` the key of the input, of the
    entry (`contract`, `chooser`, `forced`) or the name of the option it belongs to. The words are
    the reader's: `numbers` holds what they need (`expected`, `found`, `seat`, `card`, …)."""

    code: str
    field: str
    numbers: Mapping[str, Detail] = dataclasses.field(default_factory=dict, hash=False)

    def to_json(self) -> dict[str, Detail]:
        """As one flat object: `{"code": "wrong_total", "field": "diamonds", "expected": 13, …}`."""
        return {"code": self.code, "field": self.field, **self.numbers}


class RulesRefused(ValueError):
    """A contract, system or option set that the rules do not know; carries every problem."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(", ".join(f"{p.code} ({p.field})" for p in self.problems))
