"""Contracts: a set of penalty items, or one of the two special games (trex, fifty_one)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, cast, final

from scoring.rules.items import Item
from scoring.rules.problems import Problem, ProblemCode, RulesRefused

type Special = Literal["trex", "fifty_one"]

GENERAL_ITEMS = (Item.KING, Item.QUEENS, Item.HEARTS, Item.TRICKS, Item.LAST_TRICK)
SPECIAL_GAMES = ("trex", "fifty_one")
COMBINABLE = tuple(str(item) for item in Item)
"""Contracts that may be parts of a combined one, in the order of its key."""
CONTRACT_NAMES = (*COMBINABLE, "general", "trex", "fifty_one")


@final
@dataclass(frozen=True)
class Contract:
    """A contract of one deal; make it with `read`, which orders its parts.

    `parts` is one name, or several trick contracts in the order of `COMBINABLE`."""

    parts: tuple[str, ...]

    @staticmethod
    def read(value: object) -> Contract:
        """Read a contract from `"king"` or `["king", "queens"]`.

        Raises `RulesRefused` with `unknown_contract` or `not_combinable`. Whether a system has the
        contract is a question for its ruleset."""
        if isinstance(value, str) and value in _SINGLE:
            return _SINGLE[value]
        names = [value] if isinstance(value, str) else value
        problems = _problems(names)
        if problems:
            raise RulesRefused(problems)
        return Contract(tuple(sorted(cast("list[str]", names), key=CONTRACT_NAMES.index)))

    @staticmethod
    def from_key(key: str) -> Contract:
        """Return the contract with this `key`: `"king+queens"`."""
        return Contract.read(key.split("+", len(CONTRACT_NAMES)))

    @cached_property
    def key(self) -> str:
        """One string for a column, a URL or a CSS class: `"king+queens"`."""
        return "+".join(self.parts)

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The items that cost points; empty for the two special games."""
        if self.parts == ("general",):
            return GENERAL_ITEMS
        return () if self.special else tuple(Item(part) for part in self.parts)

    @property
    def special(self) -> Special | None:
        """`"trex"` or `"fifty_one"`, None for a trick contract."""
        return cast("Special", self.parts[0]) if self.parts[0] in SPECIAL_GAMES else None

    @property
    def is_combined(self) -> bool:
        """Whether several contracts are played in one deal; `general` is one contract."""
        return len(self.parts) > 1

    def to_json(self) -> str | list[str]:
        """A name, or the list of names of a combined contract."""
        return list(self.parts) if self.is_combined else self.parts[0]

    def __str__(self) -> str:
        return self.key


_SINGLE = {name: Contract((name,)) for name in CONTRACT_NAMES}


def _problems(names: object) -> list[Problem]:
    if not isinstance(names, list | tuple) or not names:
        return [Problem(ProblemCode.UNKNOWN_CONTRACT, "contract")]
    # Among so many at least one is unknown or there twice.
    names = names[: len(CONTRACT_NAMES) + 1]
    problems = [
        Problem(
            ProblemCode.UNKNOWN_CONTRACT,
            "contract",
            {"name": name[:40] if isinstance(name, str) else None},
        )
        for name in names
        if not isinstance(name, str) or name not in CONTRACT_NAMES
    ]
    if len(names) > 1:
        problems += [
            Problem(ProblemCode.NOT_COMBINABLE, "contract", {"name": name})
            for place, name in enumerate(names)
            if name in CONTRACT_NAMES and (name not in COMBINABLE or name in names[:place])
        ]
    return problems
