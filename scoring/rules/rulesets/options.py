"""Options by name, the values each can take, and rulesets with some of them changed.

What an option can be is read from the fields of `Ruleset`, so that there is one list of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from scoring.rules.contracts import CONTRACT_NAMES, SPECIAL_GAMES
from scoring.rules.problems import Detail, Problem, ProblemCode
from scoring.rules.rulesets.ruleset import OPTION_GETTERS, Ruleset

MOST = 10_000
TRICK_CONTRACTS = tuple(name for name in CONTRACT_NAMES if name not in SPECIAL_GAMES)
MOST_NAMED = 50
"""Contracts that a list may name, repeated ones too."""
FIFTY_ONE_RANKS = "AKQJT987"


@dataclass(frozen=True)
class Option:
    """The values that one option can take.

    `values`: the words of an enum, or the contracts a list may name; `least` and `most`: the limits
    of its numbers."""

    name: str
    kind: Literal["enum", "bool", "int", "list", "table"]
    values: tuple[str, ...] = ()
    least: int = 0
    most: int = MOST

    def read(self, value: object) -> object:
        """Return the value as a ruleset keeps it.

        Raises ValueError if the option cannot take it."""
        return _READERS[self.kind](self, value)

    def limits(self) -> dict[str, Detail]:
        """Return the allowed words, or the least and the most, as numbers of a problem."""
        if self.values:
            return {"allowed": list(self.values)}
        return {} if self.kind == "bool" else {"least": self.least, "most": self.most}


def read_options(options: object) -> tuple[dict[str, Any], list[Problem]]:
    """Return the valid ones of untrusted options, and a problem for each other one."""
    if options is None:
        return {}, []
    if not isinstance(options, Mapping):
        return {}, [Problem(ProblemCode.BAD_OPTION_VALUE, "options")]
    changes: dict[str, Any] = {}
    problems: list[Problem] = []
    # Among one more than there are at least one is unknown.
    for name, value in islice(options.items(), len(OPTIONS) + 1):
        option = OPTIONS.get(name) if isinstance(name, str) else None
        if option is None:
            problems.append(Problem(ProblemCode.UNKNOWN_OPTION, str(name)[:60] or "options"))
            continue
        try:
            changes[option.name] = option.read(value)
        except ValueError:
            problems.append(Problem(ProblemCode.BAD_OPTION_VALUE, option.name, option.limits()))
    return changes, problems


def changed(rules: Ruleset, changes: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset with these options, as `Option.read` returns them, replaced."""
    own: dict[str, Any] = {}
    groups: dict[str, dict[str, Any]] = {}
    for name, value in changes.items():
        group, dot, member = name.partition(".")
        if dot:
            groups.setdefault(group, {})[member] = value
        else:
            own[name] = value
    for group, members in groups.items():
        own[group] = replace(getattr(rules, group), **members)
    return replace(rules, **own, column=rules.column or rules)


def _word(option: Option, value: object) -> str:
    if isinstance(value, str) and value in option.values:
        return value
    raise ValueError(option.name)


def _yes_or_no(option: Option, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise ValueError(option.name)


def _number(option: Option, value: object) -> int:
    if type(value) is int and option.least <= value <= option.most:
        return value
    raise ValueError(option.name)


def _several(option: Option, value: object) -> Collection[object]:
    if not isinstance(value, list | tuple) or len(value) > MOST_NAMED:
        raise ValueError(option.name)
    if option.values:
        return frozenset(_word(option, each) for each in value)
    if len(value) != 4:
        raise ValueError(option.name)
    return tuple(_number(option, each) for each in value)


def _table(option: Option, value: object) -> dict[str, int]:
    if not isinstance(value, Mapping) or set(value) != set(FIFTY_ONE_RANKS):
        raise ValueError(option.name)
    return {rank: _number(option, value[rank]) for rank in FIFTY_ONE_RANKS}


_READERS = {
    "enum": _word,
    "bool": _yes_or_no,
    "int": _number,
    "list": _several,
    "table": _table,
}

# What the type of a field does not say (rules.md 4, last lines).
_LIMITS: dict[str, dict[str, Any]] = {
    "chooser_factor": {"least": 1, "most": 10},
    "forced_factor": {"least": 1, "most": 10},
    "fifty_one.target": {"least": 1, "most": 96},
    "fifty_one.values": {"least": -MOST},
    "values.trex": {"least": -MOST},
    "hearts_lead.contracts": {"values": TRICK_CONTRACTS},
    # Who takes the one king or the last trick takes "all" of it in every deal: no kabbout there.
    "kabbout.contracts": {"values": ("queens", "diamonds", "hearts", "tricks", "general")},
}


def _option(name: str, hint: Any) -> Option:
    if get_origin(hint) is Literal:
        return Option(name, "enum", get_args(hint))
    if isinstance(hint, UnionType):
        (hint,) = (part for part in get_args(hint) if part is not NoneType)
    kinds: dict[Any, Any] = {
        bool: "bool",
        int: "int",
        tuple: "list",
        frozenset: "list",
        Mapping: "table",
    }
    return Option(name, kinds[get_origin(hint) or hint], **_LIMITS.get(name, {}))


def _hint(name: str) -> Any:
    group, dot, member = name.partition(".")
    hint = get_type_hints(Ruleset)[group]
    return get_type_hints(hint)[member] if dot else hint


OPTIONS: Mapping[str, Option] = {name: _option(name, _hint(name)) for name in OPTION_GETTERS}
"""Every option of options.json by name."""
