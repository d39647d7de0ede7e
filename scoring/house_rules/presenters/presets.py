"""What people call each preset: a name and one sentence. Order is the order of the choices."""

from collections.abc import Sequence
from typing import NamedTuple

from django import forms
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.common import words
from scoring.house_rules.presenters.options import LABELS, differing
from scoring.models import HouseRules, Season
from scoring.rules import preset


class PresetWords(NamedTuple):
    label: Promise
    sentence: Promise


# So many changes are named in a line about a set.
LISTED = 4

# The three systems stand on the front page; the others are one tap away.
SYSTEMS = ("levant", "kleshchi", "barbu")

PRESET_WORDS: dict[str, PresetWords] = {
    "levant": PresetWords(
        _("Trex with kingdoms"),
        _("Four kingdoms of five deals. The highest total wins."),
    ),
    "kleshchi": PresetWords(
        _("Kleshchi"),
        _("Twenty deals, everyone chooses in turn. The highest total wins."),
    ),
    "barbu": PresetWords(
        _("Barbu"),
        _("32 cards, eight contracts each. The lowest total wins."),
    ),
    "levant-complex": PresetWords(
        _("Trex Complex"),
        _("A kingdom is two deals: all the penalties at once, then Trex."),
    ),
    "levant-partners": PresetWords(
        _("Trex with kingdoms, in pairs"),
        _("People who sit opposite play together."),
    ),
    "levant-inverted": PresetWords(
        _("Trex with kingdoms, last one pays"),
        _("In Trex the first out gains less and the last one loses points."),
    ),
    "kleshchi-fifteens": PresetWords(
        _("Kleshchi, dear diamonds"),
        _("A diamond costs more than a trick."),
    ),
    "kleshchi-swapped": PresetWords(
        _("Kleshchi, swapped signs"),
        _("Penalties count as plus. The lowest total wins."),
    ),
    "kleshchi-jordan": PresetWords(
        _("Kleshchi, fixed order"),
        _("Everyone begins with Trex and ends with the king of hearts."),
    ),
    "kleshchi-pairs": PresetWords(
        _("Kleshchi, in pairs"),
        _("People who sit opposite play together."),
    ),
    "barbu-fixed": PresetWords(
        _("Barbu, fixed order"),
        _("The contracts come in a fixed order, General last."),
    ),
    "barbu-drawn": PresetWords(
        _("Barbu, drawn by lot"),
        _("The contract is drawn from what the chooser has left, General last."),
    ),
}


def preset_choices() -> list[tuple[str, Promise]]:
    """Every preset with its label, for a form field."""
    return [(name, said.label) for name, said in PRESET_WORDS.items()]


def rules_label(name: str, system: str) -> Promise:
    """What people call a preset; the system where it was none."""
    return (PRESET_WORDS.get(name) or PRESET_WORDS[system]).label


def season_rules(season: Season) -> Promise | str:
    """What the rules of a season are called: by the reader's language where they are a preset."""
    return season.rules_name or rules_label(season.preset, season.system)


class PresetCard(NamedTuple):
    """One choice. `by_dealer`: the first dealer decides who chooses first, not the 7 of hearts."""

    name: str
    label: Promise | str
    sentence: Promise | str
    chosen: bool
    by_dealer: bool


class PresetCards(NamedTuple):
    """Rules as choices of a form: those usually played, and the others one tap away."""

    first: list[PresetCard]
    more: list[PresetCard]

    @property
    def more_chosen(self) -> bool:
        return any(card.chosen for card in self.more)


def preset_cards(chosen: object) -> PresetCards:
    """All presets, the systems apart from their variants."""
    cards = [
        PresetCard(
            name,
            said.label,
            said.sentence,
            chosen=name == chosen,
            by_dealer=preset(name).chooser_first != "seven_of_hearts",
        )
        for name, said in PRESET_WORDS.items()
    ]
    systems = [card for card in cards if card.name in SYSTEMS]
    return PresetCards(systems, [card for card in cards if card.name not in SYSTEMS])


def rules_cards(sets: Sequence[HouseRules], chosen: object) -> PresetCards:
    """A club's own sets, then every preset."""
    presets = preset_cards(chosen)
    if not sets:
        return presets
    return PresetCards([_set_card(each, chosen) for each in sets], presets.first + presets.more)


def rules_cards_of_clubs(sets: Sequence[HouseRules], chosen: object) -> PresetCards:
    """The systems, the sets of several clubs, each with its club, then the variants."""
    presets = preset_cards(chosen)
    own = [_set_card(each, chosen)._replace(sentence=_with_club(each)) for each in sets]
    return PresetCards(presets.first + own, presets.more)


def _with_club(rules: HouseRules) -> SafeString:
    return format_html("<bdi>{}</bdi> · {}", rules.club.name, set_sentence(rules))


def rules_choices(sets: Sequence[HouseRules]) -> list[tuple[str, Promise | str]]:
    """The same for a form field."""
    return [*((str(each.id), each.name) for each in sets), *preset_choices()]


def set_sentence(rules: HouseRules) -> str:
    """What a set is, in one line: its preset, and what it plays otherwise."""
    start = rules_label(rules.preset, rules.system)
    named = [LABELS[name] for name in differing(rules.ruleset, preset(rules.preset))]
    if not named:
        return str(start)
    more = ["…"] if len(named) > LISTED else []
    text = gettext("{preset}, changed: {names}")
    return text.format(preset=start, names=words.listed([*named[:LISTED], *more]))


def _set_card(rules: HouseRules, chosen: object) -> PresetCard:
    return PresetCard(
        str(rules.id),
        rules.name,
        set_sentence(rules),
        chosen=str(rules.id) == chosen,
        by_dealer=rules.ruleset.chooser_first != "seven_of_hearts",
    )


def preset_field() -> forms.ChoiceField:
    wrong = _("Choose the rules.")
    return forms.ChoiceField(
        label=_("Rules"),
        choices=preset_choices,
        initial=next(iter(PRESET_WORDS)),
        widget=forms.RadioSelect,
        error_messages={"required": wrong, "invalid_choice": wrong},
    )
