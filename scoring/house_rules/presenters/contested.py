"""The disputed rules by name, for whoever looks for the one that a ruling rests on."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from scoring.common.words import Words
from scoring.house_rules.presenters.presets import PRESET_WORDS
from scoring.rules.rulesets.contested import DISPUTED

NAMES: Mapping[str, Words] = {
    "C-L1": _("In which direction is played"),
    "C-L2": _("What the doubler of a queen gains"),
    "C-L3": _("What the doubler of the king of hearts gains"),
    "C-L4": _("Whether an own double counts four times"),
    "C-L5": _("A doubled card taken by its own doubler"),
    "C-L6": _("What a revoke costs"),
    "C-L7": _("Who leads first"),
    "C-L8": _("What Trex is worth when all signs are inverted"),
    "C-L9": _("Doubling in a combined deal"),
    "C-L10": _("A doubled card taken by the doubler’s partner"),
    "C-L11": _("Who owns the next kingdom"),
    "C-L12": _("Who deals"),
    "C-L13": _("Leading hearts before they are broken"),
    "C-L13b": _("Whether a forced heart lead breaks hearts"),
    "C-L14": _("Which twos force a redeal"),
    "C-L15": _("When twos are dealt again, and whether the contract stays"),
    "C-L16": _("What decides between equal totals"),
    "C-L17": _("Whether a champion needs a positive total"),
    "C-L18": _("Whether the totals must sum to zero"),
    "C-L19": _("How the points of a team count"),
    "C-L20": _("Laying twos open"),
    "C-L21": _("Whether a deal may stop early"),
    "C-L22": _("What the partner of the kingdom’s owner may decide"),
    "C-K1": _("Which cards fit in Trex on one pile"),
    "C-K2": _("What the doubler of the king of hearts gains"),
    "C-K3": _("Whether queens are doubled singly or together"),
    "C-K4": _("Which heart leads are forbidden"),
    "C-K5": _("A contract that cannot be chosen any more"),
    "C-K6": _("Who wins when the signs are swapped"),
    "C-K7": _("Who chooses next"),
    "C-K8": _("Who leads first"),
    "C-K9": _("In which direction Trex is played"),
    "C-K10": _("Who opens Trex"),
    "C-K11": _("What decides between equal totals"),
    "C-K12": _("What may not be led in the king of hearts"),
    "C-B1": _("Who chooses"),
    "C-B2": _("The order of the ranks"),
    "C-B3": _("What a kabbout costs the others"),
    "C-B4": _("Whether a kabbout is multiplied"),
    "C-B5": _("Whether the chooser’s points in Trex are doubled"),
    "C-B6": _("What the queen of hearts costs in General"),
    "C-B7": _("Fifty-one: what the cards count, and who loses"),
    "C-B8": _("Cheating: what still counts"),
    "C-B9": _("When General may be chosen"),
    "C-B10": _("What the last trick costs"),
    "C-B11": _("Playing again after an ace"),
    "C-B12": _("Hearts before they are broken: leads or discards"),
    "C-B13": _("Which cards are neighbours in Trex"),
    "C-B14": _("Kabbout for queens"),
    "C-B15": _("Each contract once a player, or once a match"),
    "C-B16": _("In which direction is played"),
    "C-B17": _("What decides between equal totals"),
    "C-B18": _("Choosing Trex without a jack"),
    "C-B19": _("What a kabbout in General needs"),
    "C-B20": _("Other decks and other numbers of players"),
    "C-B21": _("Choosing Trex with a run of cards"),
}


def name_of(rule: str) -> Words:
    """The short name of a rule; its id where a later version of the program has written it."""
    return NAMES.get(rule, rule)


def grouped(system: str) -> list[tuple[Words, list[tuple[str, Words]]]]:
    """All of them by system, those of this one first."""
    order: Sequence[str] = sorted(DISPUTED, key=lambda one: one != system)
    return [
        (PRESET_WORDS[one].label, [(rule, NAMES[rule]) for rule in DISPUTED[one]]) for one in order
    ]
