"""The form of a ruling, and a ruling in words. Nobody types a sign (C13)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.common import words
from scoring.common.form_errors import FieldErrors, field_errors
from scoring.corrections.forms.subtotals import PaperForm
from scoring.corrections.queries.effects import Effects
from scoring.entry.presenters import explain
from scoring.house_rules.presenters.contested import name_of
from scoring.judging.queries.rulings import RulingFilter, RulingLine
from scoring.models import Outcome
from scoring.rules import Problem, Ruleset
from scoring.rules.seats import SEATS

FIELDS = {
    "reason": "reason",
    "rule": "rule",
    "points": "points",
    **{f"points.{seat}": f"points.{seat}" for seat in SEATS},
}
OUTCOMES: Mapping[str, tuple[words.Words, words.Words]] = {
    Outcome.STANDS: (_("It stands"), _("The deal counts as it is now.")),
    Outcome.CORRECTED: (
        _("It is corrected"),
        _("It was otherwise: an earlier entry, or a new one."),
    ),
    Outcome.REVOKE: (_("A revoke"), _("The deal is priced by the revoke rule of this match.")),
    Outcome.ADJUSTED: (
        _("Points beside it"),
        _("The deal stays, and points are given or taken beside it."),
    ),
}
"""What may be found, and what that means."""
ANY = pgettext_lazy("rule, contract or outcome of a ruling", "Any")


def outcome_words(outcome: str) -> words.Words:
    return OUTCOMES[outcome][0] if outcome in OUTCOMES else outcome


@dataclass
class RulingForm:
    """What stands in it whatever the outcome: the grounds, the rule, four numbers. `raw` is what
    was sent."""

    raw: Mapping[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def reason(self) -> str:
        return self.raw.get("reason", "")

    @property
    def rule(self) -> str:
        return self.raw.get("rule", "")

    @cached_property
    def sums(self) -> PaperForm:
        return PaperForm((), (), self.raw)

    @property
    def points(self) -> tuple[int, ...]:
        """By seat, signed; who is not named gets nothing. Judges on the way."""
        points = tuple(number or 0 for number in self.sums.typed)
        self.problems += [one for one in self.sums.problems if one not in self.problems]
        return points

    @property
    def kept(self) -> dict[str, str]:
        """The numbers as they were sent, to be sent once more."""
        return {
            name: text for name, text in self.raw.items() if name.split(".")[0] in ("sign", "sum")
        }

    @property
    def rows(self) -> list[tuple[int, str, str, list[tuple[str, SafeString]]]]:
        """Each seat with its sign and digits as they were sent, and what is wrong with them."""
        return self.sums.rows

    @property
    def said(self) -> FieldErrors:
        return field_errors(self.problems, FIELDS)


# ---- in words


def first(effects: Effects, names: Sequence[str], running: bool, rules: Ruleset) -> dict[str, Any]:
    """Who is first before and after, and in words what broke a tie then."""
    before, after = effects.before, effects.after
    broken = after.tie_break
    return {
        "first_before": words.people(explain.together(rules, before.winners, names)),
        "first_after": words.people(explain.together(rules, after.winners, names)),
        "is_other": before.winners != after.winners,
        "tie": explain.tie(broken, after.winners, names, not running, rules) if broken else "",
    }


@dataclass(frozen=True)
class RulingEffect:
    """What a ruling says for each seat: the name, the points before and after, if those differ."""

    cells: tuple[tuple[str, int, int, bool], ...]

    @property
    def changed(self) -> bool:
        return any(differs for *_rest, differs in self.cells)


def told(before: Sequence[int], after: Sequence[int], names: Sequence[str]) -> RulingEffect:
    shorts = words.first_names(names)
    seats = zip(shorts, before, after, strict=True)
    return RulingEffect(tuple((name, old, new, old != new) for name, old, new in seats))


@dataclass(frozen=True)
class RulingBox:
    """A published ruling as everybody reads it."""

    line: RulingLine
    told: RulingEffect

    @property
    def number(self) -> int:
        return self.line.ruling.deal_number

    @property
    def label(self) -> words.Words:
        return outcome_words(self.line.ruling.outcome)

    @property
    def rule_name(self) -> words.Words:
        return name_of(self.line.ruling.rule)


def boxes(lines: Iterable[RulingLine], names_at: Callable[[int], Sequence[str]]) -> list[RulingBox]:
    """`names_at` says what the four were called in a deal."""
    return [
        RulingBox(
            line,
            told(line.ruling.before, line.ruling.after, names_at(line.ruling.deal_number)),
        )
        for line in lines
    ]


# ---- looking for precedents


class RulingFilterForm(forms.Form):
    """A value that does not exist is as good as none."""

    rule = forms.ChoiceField(label=_("Rule"), required=False)
    outcome = forms.ChoiceField(label=_("What was found"), required=False)
    contract = forms.ChoiceField(label=_("Contract"), required=False)

    def __init__(self, *args: Any, rules: Iterable[str], contracts: Iterable[str]) -> None:
        super().__init__(*args)
        named = sorted((words.contract(key), key) for key in contracts)
        self._offer("rule", ((rule, f"{rule}: {name_of(rule)}") for rule in rules))
        self._offer("outcome", ((key, label) for key, (label, _help) in OUTCOMES.items()))
        self._offer("contract", ((key, name) for name, key in named))

    def _offer(self, name: str, choices: Iterable[tuple[str, str | Promise]]) -> None:
        chosen = self.fields[name]
        assert isinstance(chosen, forms.ChoiceField)
        chosen.choices = [("", ANY), *choices]
        chosen.widget.attrs["class"] = "input"

    @property
    def wanted(self) -> RulingFilter:
        self.full_clean()
        found: dict[str, Any] = getattr(self, "cleaned_data", {})
        return RulingFilter(**{name: found.get(name, "") for name in self.fields})
