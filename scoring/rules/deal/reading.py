"""Untrusted data to an entry, for forms, the API, imports and commands alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from scoring.rules.contracts import Contract
from scoring.rules.deal.checks import check, frame_problems
from scoring.rules.deal.doubling import asks_for_leader
from scoring.rules.items import INPUT_KEYS
from scoring.rules.problems import Problem, ProblemCode, RulesRefused
from scoring.rules.rulesets.ruleset import Ruleset
from scoring.rules.tally import PENALTY_KEYS, Double, Entry, Tally

MOST_IN_LIST = 53
"""One more than a deck has cards. A longer list or object cannot be right, and its beginning is
enough to say so; the rest is dropped unread."""
SPECIAL_KEYS = {"trex": ("finish_order",), "fifty_one": ("loser", "plays")}


@dataclass(frozen=True, slots=True)
class Reading:
    """An entry without problems, or None and all its problems."""

    entry: Entry | None
    problems: tuple[Problem, ...]


def read_entry(data: object, ruleset: Ruleset) -> Reading:
    """Read `{"contract", "chooser", "forced", "input"}`, whatever it may contain; never raises.

    Keys that the contract does not use are dropped unread; of a deal that was stopped by cheating
    or never played (`forfeited`) all facts are."""
    given = data if isinstance(data, Mapping) else {}
    facts = {} if given.get("input") is None else given["input"]
    chooser = given.get("chooser")
    forced = False if given.get("forced") is None else given["forced"]
    contract, unread = _contract(given.get("contract"))
    if not isinstance(facts, Mapping):
        unread = (*unread, Problem(ProblemCode.MISSING, "input"))
    if contract is None or unread:
        return Reading(None, (*unread, *frame_problems(chooser, forced)))
    entry = Entry(contract, chooser, forced, _tally(contract, facts, ruleset))
    problems = tuple(check(entry, ruleset))
    return Reading(None if problems else entry, problems)


def fact_keys(contract: Contract) -> tuple[str, ...]:
    """Return the keys of `input` that this contract uses."""
    if contract.special:
        return SPECIAL_KEYS[contract.special]
    return tuple(key for item in contract.items for key in INPUT_KEYS[item])


def _contract(value: object) -> tuple[Contract | None, tuple[Problem, ...]]:
    try:
        return Contract.read(value), ()
    except RulesRefused as refused:
        return None, refused.problems


def _tally(contract: Contract, facts: Mapping[Any, Any], ruleset: Ruleset) -> Tally:
    """Return the facts unchecked: only lists and objects become parts of a tally."""
    keys = ["doubles", *PENALTY_KEYS]
    if facts.get("cheat_by") is None and not facts.get("forfeited"):
        keys += fact_keys(contract)
    found = {key: _shaped(key, facts[key]) for key in keys if facts.get(key) is not None}
    if asks_for_leader(ruleset) and found.get("doubles"):
        found["trick_leader"] = _leaders(facts.get("trick_leader"))
    return Tally(**found)


def _shaped(key: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        return _seats(value)
    if not isinstance(value, list | tuple):
        return value
    rows = value[:MOST_IN_LIST]
    return tuple(map(_double, rows)) if key == "doubles" else tuple(rows)


def _double(row: Any) -> Double:
    if isinstance(row, Mapping):
        given: dict[str, Any] = {"card": row.get("card"), "by": row.get("by")}  # judged by check
        return Double(**given)
    return row if isinstance(row, Double) else Double("", 0)


def _leaders(value: Any) -> Any:
    return _seats(value) if isinstance(value, Mapping) else None


def _seats(value: Mapping[Any, Any]) -> dict[Any, Any]:
    return {card: seat for card, seat in islice(value.items(), MOST_IN_LIST) if seat is not None}
