"""The rules of a table as sentences: what is not as usual first, then costs, then the rest."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from scoring.common import words
from scoring.house_rules.presenters.option_sentences import figure, sentence
from scoring.house_rules.presenters.options import GROUPS, differing, matters
from scoring.house_rules.presenters.presets import PRESET_WORDS
from scoring.house_rules.presenters.sums import SumSentences, sums
from scoring.rules import SYSTEMS, Contract, Item, Ruleset, base_total, preset
from scoring.rules.schedule import turn


@dataclass(frozen=True)
class Cost:
    """A contract, how its points come together, and all of them."""

    contract: str
    how: SafeString
    total: int


@dataclass(frozen=True)
class Section:
    label: words.Words
    sentences: tuple[SafeString, ...]


@dataclass(frozen=True)
class RulesCard:
    """`system`: what the system is called. `special`: what this table plays otherwise than it."""

    system: words.Words
    special: tuple[SafeString, ...]
    costs: tuple[Cost, ...]
    sections: tuple[Section, ...]
    sums: SumSentences


def rules_card(rules: Ruleset) -> RulesCard:
    special = list(differing(rules, SYSTEMS[rules.system]))
    return RulesCard(
        PRESET_WORDS[rules.system].label,
        tuple(sentence(name, rules) for name in special),
        tuple(costs(rules)),
        (_game(rules), *_sections(rules, special)),
        sums(rules),
    )


def changes(rules: Ruleset, name: str) -> tuple[words.Words, list[SafeString]]:
    """What a preset is called, and what these rules have otherwise."""
    return PRESET_WORDS[name].label, [
        sentence(each, rules) for each in differing(rules, preset(name))
    ]


def _game(rules: Ruleset) -> Section:
    deals = turn(rules, None, None, ()).deals_total
    text = gettext("A match has {deals} deals.")
    if rules.combo == "free" and matters("combo", rules):
        text = gettext("A match has {deals} deals, fewer where contracts are combined.")
    cards = gettext("Four players, {cards} cards, {each} for each.")
    return Section(
        gettext("The game"),
        (
            format_html(cards, cards=figure(len(rules.deck)), each=figure(rules.cards_per_hand)),
            format_html(text, deals=figure(deals)),
            format_html(
                "{}",
                gettext("Who can follow suit must. The highest card of the suit led takes it."),
            ),
        ),
    )


def _sections(rules: Ruleset, told: list[str]) -> Iterator[Section]:
    for group in GROUPS:
        sentences = tuple(
            sentence(name, rules)
            for name in group.options
            if name not in told and not _is_cost(name) and matters(name, rules)
        )
        if sentences:
            yield Section(group.label, sentences)


def _is_cost(name: str) -> bool:
    """Whether the list of costs says it already."""
    return name.startswith("values.") and name != "values.trex"


# ── what everything costs ───────────────────────────────────────────────


def costs(rules: Ruleset) -> Iterator[Cost]:
    for name in rules.contracts:
        contract = Contract.read(name)
        yield Cost(words.contract(name), _how(contract, rules), base_total(contract, rules))


def _how(contract: Contract, rules: Ruleset) -> SafeString:
    """4 × −25, or the four places; nothing where the total says it all."""
    if contract.special == "trex":
        places = " ".join(map(words.signed, rules.trex_values))
        return format_html('<bdi class="num" dir="ltr">{}</bdi>', places)
    if contract.special == "fifty_one":
        return format_html("{}", gettext("for the loser"))
    if len(contract.items) > 1:
        return format_html("{}", gettext("all of it at once"))
    return _times(contract.items[0], rules)


def _times(item: Item, rules: Ruleset) -> SafeString:
    count, value = rules.how_many(item), rules.item_values[item]
    if count == 1:
        return format_html("{}", gettext("for the taker"))
    return format_html('<bdi class="num" dir="ltr">{} × {}</bdi>', count, words.signed(value))
