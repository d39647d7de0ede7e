"""What the form of a set of rules sends, and the way from it to options and back.

Nothing is judged here. A text that is no number goes on as it came; the rules refuse it by name,
and the page shows it again beside the reason. No sign is typed: plus and minus are tapped (C13).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from django.http import QueryDict

from scoring.house_rules.presenters.option_sentences import plain_value
from scoring.house_rules.presenters.options import possible
from scoring.rules import OPTIONS, SYSTEMS, Ruleset
from scoring.rules.rulesets.ruleset import OPTION_GETTERS, to_json

type Raw = Mapping[str, Sequence[str]]
type Shape = Literal["words", "factor", "contracts", "number", "signed"]

LONGEST = 12
PLACES = tuple("0123")
ORDERED = tuple(each for each in OPTIONS["contract_order"].values if each != "free")


def raw_of_post(data: QueryDict) -> Raw:
    return {name: [text.strip() for text in texts] for name, texts in data.lists()}


def shape_of(name: str) -> Shape:
    option = OPTIONS[name]
    if option.kind in ("enum", "bool"):
        return "words"
    if option.kind == "list" and option.values:
        return "contracts"
    if option.kind in ("list", "table"):
        return "signed"
    return "factor" if name.endswith("_factor") else "number"


# ── from rules to what a form sends ─────────────────────────────────────


def raw_of(rules: Ruleset) -> Raw:
    """What the form of these rules sends when nothing is touched."""
    raw: dict[str, Sequence[str]] = {}
    for name in OPTIONS:
        if possible(name, rules.system):
            raw |= _raw_of(name, rules)
    return raw


def _raw_of(name: str, rules: Ruleset) -> Raw:
    value: Any = to_json(OPTION_GETTERS[name](rules))
    match shape_of(name):
        case "signed":
            return _raw_of_signed(name, value)
        case "contracts":
            return {name: ["", *map(str, value)]}
    if name == "general_last" and rules.contract_order not in ORDERED:
        # The default for whoever chooses an order; it is not asked about before.
        return {name: ["true"]}
    if name == "win" and rules.win == _win_by_itself(rules):
        return {name: [""]}
    return {name: ["" if value is None else plain_value(value)]}


def _win_by_itself(rules: Ruleset) -> str:
    """Who wins where nobody says it: swapped signs turn it round (C-K6)."""
    win = SYSTEMS[rules.system].win
    return {"high": "low", "low": "high"}[win] if rules.signs == "swapped" else win


def _raw_of_signed(name: str, value: Any) -> Raw:
    raw: dict[str, Sequence[str]] = {}
    pairs = dict(value) if isinstance(value, dict) else dict(zip(PLACES, value, strict=True))
    for key, points in pairs.items():
        raw[f"{name}.{key}"] = [str(abs(points))]
        raw[f"{name}.{key}.sign"] = ["-" if points < 0 else "+"]
    return raw


# ── from what was sent to options ───────────────────────────────────────


def read(raw: Raw, base: Ruleset) -> dict[str, Any]:
    """The options for `rules.ruleset`. What was not sent at all stays as in `base`."""
    kept = base.options()
    options = {name: kept[name] for name in kept if not possible(name, base.system)}
    sent = {**raw_of(base), **raw}
    for name in OPTIONS:
        if possible(name, base.system):
            value = _read(name, sent, base.system)
            if value is not None:
                options[name] = value
    if options["contract_order"] == "free":
        options.pop("general_last", None)
    if "cheat.amount" not in options:
        # How cheating is punished would bring the penalty along.
        options = {name: options[name] for name in options if not name.startswith("cheat.")}
    return options


def _read(name: str, raw: Raw, system: str) -> Any:
    """None: nothing is said of this option."""
    match shape_of(name):
        case "signed":
            return _signed(name, raw)
        case "contracts":
            return [text[:40] for text in raw[name] if text]
    text = raw[name][-1] if raw[name] else ""
    if shape_of(name) == "words":
        said = {"true": True, "false": False} if OPTIONS[name].kind == "bool" else {}
        return said.get(text, text[:40]) if text or name != "win" else None
    if not text and name == "cheat.amount" and SYSTEMS[system].cheat.amount is None:
        return None
    return number(text)


def _signed(name: str, raw: Raw) -> Any:
    if OPTIONS[name].kind == "table":
        keys = [each[len(name) + 1 :] for each in raw if each.startswith(f"{name}.")]
        return {key: _part(f"{name}.{key}", raw) for key in keys if "." not in key}
    return [_part(f"{name}.{place}", raw) for place in PLACES]


def _part(name: str, raw: Raw) -> int | str:
    read = number(raw[name][-1] if raw.get(name) else "")
    minus = raw.get(f"{name}.sign", [""])[-1] == "-"
    return -read if minus and isinstance(read, int) else read


def number(text: str) -> int | str:
    """A whole number in any digits, else the text as it came, cut to be shown (C14)."""
    plain = text.replace("−", "-").strip()
    sign, digits = (-1, plain[1:]) if plain[:1] == "-" else (1, plain)
    return sign * int(digits) if digits.isdecimal() and len(digits) <= 6 else text[:LONGEST]
