"""Options in words: groups, short names, and which of them matter at a table.

An option that can never matter in a system is not asked about there; one that hangs on another
shows only while that other lets it matter (`GATES`).
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.common.words import Words
from scoring.rules import SYSTEMS, Ruleset
from scoring.rules.rulesets.ruleset import OPTION_GETTERS


class OptionGroup(NamedTuple):
    """Options that belong together, in the order in which they are read."""

    key: str
    label: Words
    options: tuple[str, ...]


GROUPS = (
    OptionGroup(
        "who",
        _("Who deals, chooses and leads"),
        (
            "direction",
            "dealer_rule",
            "chooser_first",
            "chooser_order",
            "kingdom_pass",
            "first_lead",
        ),
    ),
    OptionGroup(
        "contracts",
        _("Contracts and their order"),
        (
            "contract_order",
            "general_last",
            "contracts_scope",
            "combo",
            "forfeit_first_three",
            "early_end",
            "open_hands",
        ),
    ),
    OptionGroup(
        "hearts",
        _("Hearts and tricks"),
        (
            "hearts_lead.mode",
            "hearts_lead.contracts",
            "hearts_lead.forced_lead_breaks",
            "must_dump",
            "rank_order",
        ),
    ),
    OptionGroup(
        "doubling",
        _("Doubling"),
        (
            "doubling.king",
            "doubling.queens",
            "doubling.owner_bonus",
            "doubling.self_capture",
            "doubling.partner_capture",
            "doubling.queens_unit",
            "doubling.in_combo",
        ),
    ),
    OptionGroup(
        "values",
        _("What things cost"),
        (
            "values.king",
            "values.queen",
            "values.diamond",
            "values.heart",
            "values.trick",
            "values.last_trick",
            "values.fifty_one",
            "signs",
        ),
    ),
    OptionGroup("factors", _("What counts more than once"), ("chooser_factor", "forced_factor")),
    OptionGroup(
        "kabbout",
        pgettext_lazy("group of rules", "Kabbout"),
        ("kabbout.contracts", "kabbout.amount", "kabbout.multiplied"),
    ),
    OptionGroup(
        "trex",
        pgettext_lazy("contract", "Trex"),
        (
            "values.trex",
            "trex_start",
            "trex_direction",
            "trex_layout",
            "layout_rank_order",
            "pile.stuck",
            "pile.wrap",
            "ace_replay",
            "ace_replay_chain",
            "trex_needs_jack",
            "trex.expose_twos",
            "trex_chooser_double",
            "forced_applies_to_trex",
        ),
    ),
    OptionGroup(
        "fifty_one",
        pgettext_lazy("contract", "Fifty-one"),
        ("fifty_one.target", "fifty_one.values"),
    ),
    OptionGroup(
        "redeals",
        _("New deals"),
        (
            "redeal.weak_hearts",
            "redeal.twos",
            "redeal.keeps_contract",
            "redeal.queens_draw",
        ),
    ),
    OptionGroup(
        "penalties",
        _("Revokes and cheating"),
        ("revoke", "cheat.amount", "cheat.multiplied", "cheat.replay"),
    ),
    OptionGroup(
        "winning", _("Teams, winners and ties"), ("teams", "win", "positive_wins", "tie_break")
    ),
)

_KABBOUT = ("kabbout.contracts", "kabbout.amount", "kabbout.multiplied")
_CARDS = (
    "teams",
    "doubling.king",
    "doubling.queens",
    "doubling.owner_bonus",
    "doubling.self_capture",
    "doubling.partner_capture",
    "combo",
    "contract_order",
    *_KABBOUT,
    "revoke",
)
CONTESTED: Mapping[str, tuple[str, ...]] = {
    "levant": _CARDS,
    "kleshchi": (*_CARDS[:-1], "forfeit_first_three", "trex_layout"),
    "barbu": (
        "teams",
        "contract_order",
        "general_last",
        "chooser_factor",
        "forced_factor",
        *_KABBOUT,
        "ace_replay",
    ),
}
"""What tables of each system argue about; the rest is one tap further away. C-L5 and C-L10 are the
two that nobody has settled."""

LABELS: Mapping[str, Words] = {
    "direction": _("Direction"),
    "dealer_rule": _("Who deals"),
    "chooser_first": _("Who chooses first"),
    "chooser_order": _("Who chooses next"),
    "kingdom_pass": _("Whose the next kingdom is"),
    "first_lead": _("Who leads"),
    "contract_order": _("Order of the contracts"),
    "general_last": _("General at the end"),
    "contracts_scope": _("How often a contract is played"),
    "combo": _("Several contracts in one deal"),
    "forfeit_first_three": _("A contract that cannot be chosen"),
    "early_end": _("End of a deal"),
    "open_hands": _("Open cards"),
    "hearts_lead.mode": _("Leading hearts"),
    "hearts_lead.contracts": _("Where that holds"),
    "hearts_lead.forced_lead_breaks": _("A heart led for want of others"),
    "must_dump": _("Who cannot follow suit"),
    "rank_order": _("Ranks in tricks"),
    "doubling.king": _("Doubling the king of hearts"),
    "doubling.queens": _("Doubling queens"),
    "doubling.owner_bonus": _("A doubled card taken by another"),
    "doubling.self_capture": _("Taking one’s own doubled card"),
    "doubling.partner_capture": _("Partner takes the doubled card"),
    "doubling.queens_unit": _("One queen or all"),
    "doubling.in_combo": _("Doubling in combined deals"),
    "values.king": _("King of hearts"),
    "values.queen": pgettext_lazy("what costs points", "A queen"),
    "values.diamond": pgettext_lazy("what costs points", "A diamond"),
    "values.heart": pgettext_lazy("what costs points", "A heart"),
    "values.trick": pgettext_lazy("what costs points", "A trick"),
    "values.last_trick": pgettext_lazy("what costs points", "The last trick"),
    "values.fifty_one": _("The loser of fifty-one"),
    "values.trex": _("The four places"),
    "signs": _("Plus and minus"),
    "chooser_factor": _("The chooser’s points"),
    "forced_factor": _("A forced contract"),
    "kabbout.contracts": _("Contracts with kabbout"),
    "kabbout.amount": _("What the others take"),
    "kabbout.multiplied": _("Factors on a kabbout"),
    "trex_start": _("Who begins"),
    "trex_direction": _("Which way round"),
    "trex_layout": _("Rows or a pile"),
    "layout_rank_order": _("Ranks in Trex"),
    "pile.stuck": _("When nobody can play"),
    "pile.wrap": _("Both ends of the ranks"),
    "ace_replay": _("After an ace"),
    "ace_replay_chain": _("Ace after ace"),
    "trex_needs_jack": _("Choosing without a jack"),
    "trex.expose_twos": _("Open twos"),
    "trex_chooser_double": _("The chooser in Trex"),
    "forced_applies_to_trex": _("A forced Trex"),
    "fifty_one.target": _("The sum that loses"),
    "fifty_one.values": _("What cards add"),
    "redeal.weak_hearts": _("Weak hearts"),
    "redeal.twos": pgettext_lazy("reason for a new deal", "Twos"),
    "redeal.keeps_contract": _("After twos"),
    "redeal.queens_draw": _("Two queens to each team"),
    "revoke": pgettext_lazy("rule", "Revoke"),
    "cheat.amount": pgettext_lazy("rule", "Cheating"),
    "cheat.multiplied": _("Factors on cheating"),
    "cheat.replay": _("The contract after cheating"),
    "teams": pgettext_lazy("rule", "Teams"),
    "win": _("Who wins"),
    "positive_wins": _("Other winners"),
    "tie_break": pgettext_lazy("rule", "Ties"),
}

# ── what matters where ──────────────────────────────────────────────────

GATES: Mapping[str, Callable[[Ruleset], bool]] = {
    "kingdoms": lambda rules: rules.chooser_order == "kingdom",
    "turns": lambda rules: rules.chooser_order == "rotate",
    "ordered": lambda rules: rules.contract_order != "free",
    "fixed": lambda rules: rules.contract_order in ("fixed", "fixed_reversed"),
    "hearts-bound": lambda rules: rules.hearts_lead.mode != "free",
    "hearts-broken": lambda rules: rules.hearts_lead.mode == "until_broken",
    "doubling": lambda rules: rules.doubling.king or rules.doubling.queens,
    "queens-doubled": lambda rules: rules.doubling.queens,
    "teams": lambda rules: rules.has_teams,
    "combined": lambda rules: rules.combo != "off",
    "rows": lambda rules: rules.trex_layout == "suit_rows",
    "pile": lambda rules: rules.trex_layout == "single_pile",
    "aces": lambda rules: rules.ace_replay != "off",
    "twos": lambda rules: rules.redeal.twos == "on_trex",
    "cheating": lambda rules: rules.cheat.amount is not None,
    "kabbout": lambda rules: bool(set(rules.kabbout.contracts) & set(rules.contracts)),
    "chooser": lambda rules: rules.chooser_factor != 1,
    "forced": lambda rules: rules.forced_factor != 1,
    "factors": lambda rules: rules.chooser_factor != 1 or rules.forced_factor != 1,
}
"""What must be so at a table for other options to matter. The same names stand in rules.css."""

NEEDS: Mapping[str, tuple[str, ...]] = {
    "kingdom_pass": ("kingdoms",),
    "general_last": ("ordered",),
    "contracts_scope": ("turns",),
    "forfeit_first_three": ("fixed",),
    "hearts_lead.contracts": ("hearts-bound",),
    "hearts_lead.forced_lead_breaks": ("hearts-broken",),
    "doubling.owner_bonus": ("doubling",),
    "doubling.self_capture": ("doubling",),
    "doubling.partner_capture": ("doubling", "teams"),
    "doubling.queens_unit": ("queens-doubled",),
    "doubling.in_combo": ("doubling", "combined"),
    "kabbout.amount": ("kabbout",),
    "kabbout.multiplied": ("kabbout", "factors"),
    "pile.stuck": ("pile",),
    "pile.wrap": ("pile",),
    "ace_replay": ("rows",),
    "ace_replay_chain": ("rows", "aces"),
    "trex_chooser_double": ("chooser",),
    "forced_applies_to_trex": ("forced",),
    "redeal.keeps_contract": ("twos",),
    "redeal.queens_draw": ("teams",),
    "cheat.multiplied": ("cheating", "factors"),
    "cheat.replay": ("cheating",),
}


def _no_hearts_rule(rules: Ruleset) -> bool:
    return not set(rules.hearts_lead.contracts) & set(rules.contracts)


def _only_queens_at_once(rules: Ruleset) -> bool:
    return not rules.doubling.king and rules.doubling.queens_unit == "whole_contract"


IDLE: Mapping[str, Callable[[Ruleset], bool]] = {
    # Drawn lots are single contracts.
    "combo": lambda rules: rules.contract_order == "drawn",
    # In one order for all nobody chooses Trex.
    "trex_needs_jack": lambda rules: GATES["fixed"](rules),
    "hearts_lead.mode": _no_hearts_rule,
    "hearts_lead.forced_lead_breaks": _no_hearts_rule,
    # Who doubles all four queens at once always pays their own once.
    "doubling.self_capture": _only_queens_at_once,
}
"""Where an option says nothing for a reason of its own, though it is asked about."""

_CONTRACTS: Mapping[str, tuple[str, ...]] = {
    "general_last": ("general",),
    "values.diamond": ("diamonds",),
    "values.heart": ("hearts", "general"),
    "values.last_trick": ("last_trick", "general"),
    "values.fifty_one": ("fifty_one",),
    "fifty_one.values": ("fifty_one",),
    "fifty_one.target": ("fifty_one",),
    "forfeit_first_three": ("king", "diamonds", "queens"),
}
_TWOS = ("redeal.twos", "redeal.keeps_contract", "trex.expose_twos")


@cache
def possible(name: str, system: str) -> bool:
    """Whether the option can matter at all in a system: its contract is played, its card dealt."""
    rules = SYSTEMS[system]
    if name in _TWOS:
        return "2H" in rules.deck
    wanted = _CONTRACTS.get(name)
    return wanted is None or any(each in rules.contracts for each in wanted)


def matters(name: str, rules: Ruleset) -> bool:
    """Whether the option changes anything at this table."""
    gates = NEEDS.get(name, ())
    idle = IDLE.get(name)
    return (
        possible(name, rules.system)
        and all(GATES[gate](rules) for gate in gates)
        and not (idle and idle(rules))
    )


def differing(rules: Ruleset, other: Ruleset) -> Iterator[str]:
    """The options that matter here and are not as in the other rules, in reading order."""
    for group in GROUPS:
        for name in group.options:
            get = OPTION_GETTERS[name]
            if get(rules) != get(other) and matters(name, rules):
                yield name
