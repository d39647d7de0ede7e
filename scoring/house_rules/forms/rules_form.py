"""The form that changes a set of rules.

Each option is in one of five shapes, with a sentence for each value and the reason next to what was
refused.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from scoring.common import words
from scoring.common.form_fields import NameField
from scoring.house_rules.forms.rules_data import (
    LONGEST,
    PLACES,
    Raw,
    Shape,
    number,
    raw_of,
    read,
    shape_of,
)
from scoring.house_rules.presenters.option_sentences import plain_value, sentence
from scoring.house_rules.presenters.options import (
    CONTESTED,
    GROUPS,
    LABELS,
    NEEDS,
    differing,
    possible,
)
from scoring.rules import OPTIONS, SYSTEMS, Problem, ProblemCode, Ruleset
from scoring.rules.rulesets.options import changed, read_options
from scoring.rules.rulesets.ruleset import OPTION_GETTERS


class RulesNameForm(forms.Form):
    """What a set of rules is called. Its options are drawn and read below."""

    name = NameField(label=_("Name of these rules"))


# ── what the page draws ─────────────────────────────────────────────────


@dataclass(frozen=True)
class OptionChoice:
    """A radio button or a box to tick. `usual`: what the system plays of itself."""

    value: str
    text: words.Words
    chosen: bool
    usual: bool = False


@dataclass(frozen=True)
class SignedPart:
    """A number with its sign: a place of Trex, a rank of fifty-one."""

    name: str
    label: words.Words
    value: str
    minus: bool


@dataclass(frozen=True)
class DrawnOption:
    """One option. `needs`: what must be so for it to matter; see rules.css."""

    name: str
    shape: Shape
    choices: tuple[OptionChoice, ...]
    parts: tuple[SignedPart, ...]
    value: str
    special: bool
    problems: tuple[tuple[str, SafeString], ...]

    @property
    def label(self) -> words.Words:
        return LABELS[self.name]

    @property
    def id(self) -> str:
        return self.name.replace(".", "-")

    @property
    def needs(self) -> str:
        return " ".join(NEEDS.get(self.name, ()))

    @property
    def optional(self) -> bool:
        return self.name == "cheat.amount"


@dataclass(frozen=True)
class DrawnGroup:
    label: words.Words
    options: tuple[DrawnOption, ...]

    @property
    def special(self) -> int:
        """How many are not as in the rules that this set was started from."""
        return sum(each.special for each in self.options)

    @property
    def wrong(self) -> bool:
        return any(each.problems for each in self.options)


@dataclass(frozen=True)
class RulesForm:
    """The options of a set: `raw` as sent, `base` as they were; it was started from `start`."""

    raw: Raw
    base: Ruleset
    start: Ruleset
    problems: tuple[Problem, ...] = ()

    @cached_property
    def sent(self) -> Raw:
        return {**raw_of(self.base), **self.raw}

    @cached_property
    def options(self) -> dict[str, Any]:
        return read(self.raw, self.base)

    @cached_property
    def rules(self) -> Ruleset:
        """The rules as far as they can be read; what cannot is as in the system."""
        good, _bad = read_options(self.options)
        return changed(SYSTEMS[self.base.system], good)

    @cached_property
    def special(self) -> list[str]:
        return list(differing(self.rules, self.start))

    @property
    def special_sentences(self) -> list[SafeString]:
        return [sentence(name, self.rules) for name in self.special]

    @cached_property
    def first(self) -> tuple[DrawnOption, ...]:
        return tuple(self._drawn(name) for name in CONTESTED[self.base.system])

    @cached_property
    def groups(self) -> tuple[DrawnGroup, ...]:
        told = CONTESTED[self.base.system]
        groups = (
            DrawnGroup(
                group.label,
                tuple(
                    self._drawn(name)
                    for name in group.options
                    if name not in told and possible(name, self.base.system)
                ),
            )
            for group in GROUPS
        )
        return tuple(group for group in groups if group.options)

    @property
    def wrong(self) -> list[DrawnOption]:
        """The options that were refused, in the order of the page."""
        drawn = (*self.first, *(each for group in self.groups for each in group.options))
        return [each for each in drawn if each.problems]

    def _drawn(self, name: str) -> DrawnOption:
        shape = shape_of(name)
        texts = self.sent.get(name) or [""]
        return DrawnOption(
            name,
            shape,
            tuple(self._choices(name, shape)),
            tuple(self._parts(name)) if shape == "signed" else (),
            texts[-1][:LONGEST],
            name in self.special,
            tuple((each.code, refusal(each)) for each in self.problems if each.field == name),
        )

    def _choices(self, name: str, shape: Shape) -> Iterable[OptionChoice]:
        if shape == "words":
            return self._words(name)
        if shape == "factor":
            sent = str(number(self.sent[name][-1]))
            numbers = range(OPTIONS[name].least, OPTIONS[name].most + 1)
            return [OptionChoice(str(n), f"× {n}", sent == str(n)) for n in numbers]
        if shape == "contracts":
            allowed = [each for each in self.base.contracts if each in OPTIONS[name].values]
            chosen = self.sent[name]
            return [OptionChoice(each, words.contract(each), each in chosen) for each in allowed]
        return ()

    def _words(self, name: str) -> Iterable[OptionChoice]:
        sent = self.sent[name][-1] if self.sent[name] else ""
        usual = OPTION_GETTERS[name](SYSTEMS[self.base.system])
        if name == "win":
            text = gettext("Whoever has fewest penalty points wins.")
            yield OptionChoice("", text, sent == "", usual=True)
        values = (True, False) if OPTIONS[name].kind == "bool" else OPTIONS[name].values
        for value in values:
            text = sentence(name, changed(self.rules, {name: value}))
            plain = plain_value(value)
            is_usual = value == usual and name != "win"
            yield OptionChoice(plain, text, sent == plain, is_usual)

    def _parts(self, name: str) -> Iterable[SignedPart]:
        table = OPTIONS[name].kind == "table"
        for key in self.base.fifty_one.values if table else PLACES:
            part = f"{name}.{key}"
            label = str(key).replace("T", "10") if table else words.PLACES[int(key)]
            minus = self.sent[f"{part}.sign"][-1] == "-"
            yield SignedPart(part, label, self.sent[part][-1][:LONGEST], minus)


# ── why something was refused ───────────────────────────────────────────

CLASHES: Mapping[tuple[str, str], words.Words] = {
    ("forfeit_first_three", "contract_order"): _("This needs a fixed order of the contracts."),
    ("redeal.queens_draw", "teams"): _("This needs teams."),
    ("doubling.partner_capture", "teams"): _("Without teams nobody has a partner."),
    ("combo", "contract_order"): _(
        "With all penalties in one deal there is no order: contracts must be chosen freely."
    ),
    ("ace_replay", "trex_layout"): _("On a single pile an ace gives no second turn."),
    ("contracts_scope", "chooser_order"): _(
        "In kingdoms every player plays each contract: that does not go with once in the match."
    ),
}


def refusal(problem: Problem) -> SafeString:
    """Why an option was refused, in words."""
    numbers = problem.numbers
    if problem.code == ProblemCode.IMPOSSIBLE_OPTIONS:
        other = str(numbers.get("with", ""))
        if clash := CLASHES.get((problem.field, other)):
            return format_html("{}", clash)
        text = gettext("This does not go with “{other}”.")
        return format_html(text, other=LABELS.get(other, other))
    if "least" in numbers:
        text = gettext("A whole number from {least} to {most}.")
        return format_html(text, least=_figure(numbers["least"]), most=_figure(numbers["most"]))
    return format_html("{}", pgettext("refused value of a rule", "Choose one of these."))


def _figure(value: object) -> SafeString:
    return format_html('<bdi class="num" dir="ltr">{}</bdi>', str(value).replace("-", "−"))
