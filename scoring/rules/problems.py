"""Problems of an entry or an option set: their codes, fields and the numbers that explain them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

type Detail = int | str | Sequence[int] | Sequence[str] | None


class Code(StrEnum):
    """Base class of the enums of codes: of entries, of files, of services.

    The values are written to JSON and shown by the API, so they never change."""


class ProblemCode(Code):
    """What the rules can find wrong with an entry or an option set (rules.md 4)."""

    # numbers and seats
    MISSING = "missing"
    BAD_SEAT = "bad_seat"
    BAD_COUNTS = "bad_counts"
    TOO_MANY = "too_many"
    WRONG_NUMBER = "wrong_number"
    WRONG_TOTAL = "wrong_total"
    NOT_A_PERMUTATION = "not_a_permutation"
    # cards, doubles and forfeits
    UNKNOWN_CARD = "unknown_card"
    DOUBLED_TWICE = "doubled_twice"
    NOT_DOUBLABLE = "not_doublable"
    TRICK_LEADER_MISSING = "trick_leader_missing"
    WRONG_LOSER = "wrong_loser"
    OPTION_OFF = "option_off"
    IMPOSSIBLE = "impossible"
    # contracts and the schedule
    UNKNOWN_CONTRACT = "unknown_contract"
    NOT_COMBINABLE = "not_combinable"
    CHOOSER_MISSING = "chooser_missing"
    CONTRACT_USED = "contract_used"
    NOT_THIS_CONTRACT = "not_this_contract"
    MATCH_OVER = "match_over"
    NO_REDEAL = "no_redeal"
    # totals of several deals
    WRONG_SUM = "wrong_sum"
    OUT_OF_REACH = "out_of_reach"
    # systems and options
    UNKNOWN_SYSTEM = "unknown_system"
    UNKNOWN_OPTION = "unknown_option"
    BAD_OPTION_VALUE = "bad_option_value"
    IMPOSSIBLE_OPTIONS = "impossible_options"


@dataclasses.dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, without a sentence.

    `field` is the key of the input, of the entry (`contract`, `chooser`, `forced`) or the name of
    the option; `numbers` holds what a sentence needs (`expected`, `found`, `seat`, `card`, …)."""

    code: Code
    field: str
    numbers: Mapping[str, Detail] = dataclasses.field(default_factory=dict, hash=False)

    def to_json(self) -> dict[str, Detail]:
        """Return one flat object, such as `{"code": "wrong_total", "field": "diamonds", …}`."""
        return {"code": self.code, "field": self.field, **self.numbers}


class RulesRefused(ValueError):
    """Raised for a contract, system or option set that the rules do not know; has all problems."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(", ".join(f"{p.code} ({p.field})" for p in self.problems))
