"""System, options and contract of a record, read alike from text and from JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from scoring.replay.notation.plain_text import plain
from scoring.replay.record import ruleset_of
from scoring.rules import Contract, Problem, ProblemCode, Ruleset, RulesRefused
from scoring.rules.rulesets.options import read_options
from scoring.rules.rulesets.ruleset import to_json
from scoring.rules.schedule import leader_rule

_UNPRINTABLE = re.compile("[\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]")

type Report = Callable[[str, str, str], None]
"""Takes a code, what it is about (`system`, `contract`, `options` or the name of an option), and
the words that are wrong."""

PLAIN_TAGS = ("Club", "Match", "Date", "North", "West", "South", "East")
"""Tags that stay tags, and are none the less known."""
PART_TAGS = (
    *("Id", "System", "Options", "Contract", "Deal", "Dealer", "Chooser", "Leader", "Forced"),
    *("Doubled", "Hands", "Captured", "Result"),
)
"""Tags that become parts of a record."""
_BY_CASE = {name.lower(): name for name in (*PLAIN_TAGS, *PART_TAGS)}

MOST_PLAYS = 5_000
MOST_TAGS = 50
MOST_IN_TAG = 1_000
MOST_IN_LIST = 4_000


class Frame(NamedTuple):
    """System, options and contract as far as they are known; `ruleset` only without errors."""

    system: str
    options: Mapping[str, Any]
    contract: Contract | None
    ruleset: Ruleset | None

    @property
    def clockwise(self) -> bool:
        """Whether seats in play order are N E S W."""
        return self.options.get("direction") == "clockwise"

    @property
    def is_trick_deal(self) -> bool:
        """Whether four cards make a trick, so that a line is a trick."""
        return self.contract is not None and self.contract.special is None

    @property
    def has_passes(self) -> bool:
        """Whether a seat may pass, as in Trex only."""
        return self.contract is not None and self.contract.special == "trex"


def tag_name(name: str) -> str:
    """Return the name of a tag in its usual case if it is known."""
    return _BY_CASE.get(name.lower(), name)


def likely(name: str, known: Iterable[str]) -> str:
    """Return the known name that this one resembles, "" if none does."""
    by_case = {each.lower(): each for each in known}
    found = get_close_matches(name.lower(), by_case, n=1, cutoff=0.7)
    return by_case[found[0]] if found else ""


def _word(value: object) -> object:
    """Return a word as the rules write it, whatever case or width it has."""
    return plain(value).lower() if isinstance(value, str) else value


def read_frame(system: object, options: object, contract: object, report: Report) -> Frame:
    """Read the frame; None is missing, and what is invalid is reported.

    Options come back as the rules write them, without those that are wrong."""
    changes, problems = read_options(options)
    known = {option: to_json(value) for option, value in changes.items()}
    name = _word(system)
    rules = None
    if system is not None:
        try:
            rules = ruleset_of(name if isinstance(name, str) else "", known)
        except RulesRefused as refused:
            problems = [*problems, *refused.problems]
    for problem in problems:
        report(*_told(problem, system))
    is_known = isinstance(name, str) and _is_known(problems)
    return Frame(str(name) if is_known else "", known, _contract(contract, rules, report), rules)


def _is_known(problems: list[Problem]) -> bool:
    return all(problem.code != ProblemCode.UNKNOWN_SYSTEM for problem in problems)


def _told(problem: Problem, system: object) -> tuple[str, str, str]:
    if problem.code == ProblemCode.UNKNOWN_SYSTEM:
        return problem.code, problem.field, _said(system)
    code = "bad_option_value" if problem.code == ProblemCode.IMPOSSIBLE_OPTIONS else problem.code
    return code, problem.field, problem.field


def _contract(value: object, rules: Ruleset | None, report: Report) -> Contract | None:
    if value is None:
        return None
    try:
        parts = value if isinstance(value, list) else [value]
        contract = Contract.read([_word(part) for part in parts])
    except RulesRefused:
        contract = None
    if contract is None or (rules and not set(contract.parts) <= set(rules.contracts)):
        report("unknown_contract", "contract", _said(value))
        return None
    return contract


def _said(value: object) -> str:
    names = value if isinstance(value, list) else [value]
    return "+".join(name for name in names if isinstance(name, str))


def is_plain(text: str, most: int | None = None) -> bool:
    """Return whether a text fits in a tag: one line, printable as UTF-8, not too long."""
    return len(text) <= (most or MOST_IN_TAG) and _UNPRINTABLE.search(text) is None


def missing_tags(frame: Frame, given: Collection[str], has_plays: bool) -> Iterator[str]:
    """Yield tags that are needed and were not given.

    `given`: `system`, `contract`, `dealer`, `chooser`, `leader` as far as they are there, readable
    or not."""
    needed = ["system", "contract"]
    if frame.ruleset and frame.contract:
        if has_plays and "leader" not in given:
            rule = leader_rule(frame.contract, frame.ruleset)
            needed.append("chooser" if rule == "chooser" else "dealer")
        if _points_need_chooser(frame.contract, frame.ruleset):
            needed.append("chooser")
    yield from (name.capitalize() for name in dict.fromkeys(needed) if name not in given)


def _points_need_chooser(contract: Contract, ruleset: Ruleset) -> bool:
    if contract.special == "trex" and ruleset.trex_doubled_places == 0:
        return False
    return ruleset.chooser_factor != 1
