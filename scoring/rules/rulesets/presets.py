"""The three systems as literals, and named presets that change a few of their options.

Nothing else in the product asks which system a ruleset belongs to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from scoring.rules.cards import DECK_32, DECK_52
from scoring.rules.problems import Problem, ProblemCode, RulesRefused
from scoring.rules.rulesets.options import changed, read_options
from scoring.rules.rulesets.ruleset import (
    OPTION_GETTERS,
    CheatOptions,
    DoublingOptions,
    FiftyOneOptions,
    HeartsLeadOptions,
    KabboutOptions,
    PileOptions,
    RedealOptions,
    Ruleset,
    TrexOptions,
    ValueOptions,
)

GERMAN_FIFTY_ONE = {"A": 1, "K": 4, "Q": 3, "J": 2, "T": -1, "9": 0, "8": 8, "7": 7}

LEVANT = Ruleset(
    system="levant",
    contracts=("king", "queens", "diamonds", "tricks", "trex"),
    deck=DECK_52,
    penalty_sign=-1,
    order_when_fixed=("king", "queens", "diamonds", "tricks", "trex"),
    direction="anticlockwise",
    trex_direction="same",
    dealer_rule="rotate",
    chooser_order="kingdom",
    kingdom_pass="right",
    chooser_first="seven_of_hearts",
    first_lead="dealer_right",
    trex_start="chooser",
    contract_order="free",
    general_last=False,
    contracts_scope="player",
    hearts_lead=HeartsLeadOptions(
        mode="until_broken", contracts=frozenset(["king"]), forced_lead_breaks=False
    ),
    doubling=DoublingOptions(
        king=True,
        queens=True,
        owner_bonus=True,
        self_capture="single",
        queens_unit="per_queen",
        partner_capture="as_opponent",
        in_combo=True,
    ),
    values=ValueOptions(
        king=75,
        queen=25,
        diamond=10,
        trick=15,
        heart=10,
        last_trick=80,
        fifty_one=80,
        trex=(200, 150, 100, 50),
    ),
    signs="normal",
    win="high",
    combo="off",
    teams="none",
    trex_layout="suit_rows",
    trex=TrexOptions(expose_twos=False),
    pile=PileOptions(stuck="last_player_any", wrap=False),
    ace_replay="off",
    ace_replay_chain=True,
    redeal=RedealOptions(weak_hearts="on", twos="on_trex", keeps_contract=False, queens_draw=False),
    revoke="remaining",
    cheat=CheatOptions(amount=None, multiplied=False, replay=False),
    kabbout=KabboutOptions(contracts=frozenset(), amount=400, multiplied=True),
    chooser_factor=1,
    forced_factor=1,
    trex_chooser_double="both",
    forced_applies_to_trex=True,
    trex_needs_jack=False,
    fifty_one=FiftyOneOptions(values=GERMAN_FIFTY_ONE, target=51),
    rank_order="natural",
    layout_rank_order="natural",
    forfeit_first_three=False,
    tie_break="trex_firsts",
    positive_wins=True,
    early_end="allowed",
    open_hands=False,
    must_dump="off",
)

KLESHCHI = replace(
    LEVANT,
    system="kleshchi",
    contracts=("king", "diamonds", "queens", "tricks", "trex"),
    order_when_fixed=("king", "diamonds", "queens", "tricks", "trex"),
    trex_direction="reverse",
    chooser_order="rotate",
    first_lead="chooser",
    trex_start="dealer",
    hearts_lead=HeartsLeadOptions(
        mode="only_if_no_other",
        contracts=frozenset(["king", "diamonds", "queens", "tricks"]),
        forced_lead_breaks=False,
    ),
    doubling=replace(LEVANT.doubling, owner_bonus=False),
    trex_layout="single_pile",
    redeal=replace(LEVANT.redeal, weak_hearts="off"),
    revoke="off",
    tie_break="shared",
    positive_wins=False,
)

BARBU = replace(
    LEVANT,
    system="barbu",
    contracts=(
        "tricks",
        "last_trick",
        "hearts",
        "queens",
        "king",
        "trex",
        "fifty_one",
        "general",
    ),
    deck=DECK_32,
    penalty_sign=1,
    order_when_fixed=(
        "tricks",
        "last_trick",
        "hearts",
        "queens",
        "king",
        "trex",
        "fifty_one",
        "general",
    ),
    chooser_order="rotate",
    chooser_first="dealer_right",
    first_lead="chooser",
    hearts_lead=HeartsLeadOptions(
        mode="until_broken",
        contracts=frozenset(["hearts", "king", "general"]),
        forced_lead_breaks=False,
    ),
    doubling=replace(LEVANT.doubling, king=False, queens=False),
    values=replace(LEVANT.values, king=80, queen=20, trick=10, trex=(-100, -50, 0, 0)),
    win="low",
    ace_replay="may",
    redeal=replace(LEVANT.redeal, weak_hearts="off", twos="off"),
    revoke="off",
    cheat=CheatOptions(amount=400, multiplied=False, replay=False),
    kabbout=KabboutOptions(
        contracts=frozenset(["hearts", "tricks", "general"]), amount=400, multiplied=True
    ),
    chooser_factor=2,
    forced_factor=2,
    tie_break="shared",
    positive_wins=False,
)

SYSTEMS: Mapping[str, Ruleset] = {rules.system: rules for rules in (LEVANT, KLESHCHI, BARBU)}

NOT_OFFERED: Mapping[str, frozenset[str]] = {
    "levant": frozenset(
        [
            "general_last",
            "values.heart",
            "values.last_trick",
            "values.fifty_one",
            "pile.stuck",
            "pile.wrap",
            "ace_replay_chain",
            "cheat.amount",
            "cheat.multiplied",
            "cheat.replay",
            "kabbout.amount",
            "kabbout.multiplied",
            "trex_chooser_double",
            "forced_applies_to_trex",
            "trex_needs_jack",
            "fifty_one.values",
            "fifty_one.target",
            "forfeit_first_three",
        ]
    ),
    "kleshchi": frozenset(
        [
            "kingdom_pass",
            "general_last",
            "hearts_lead.forced_lead_breaks",
            "doubling.in_combo",
            "values.heart",
            "values.last_trick",
            "values.fifty_one",
            "ace_replay_chain",
            "cheat.amount",
            "cheat.multiplied",
            "cheat.replay",
            "kabbout.amount",
            "kabbout.multiplied",
            "trex_chooser_double",
            "forced_applies_to_trex",
            "trex_needs_jack",
            "fifty_one.values",
            "fifty_one.target",
        ]
    ),
    "barbu": frozenset(
        [
            "kingdom_pass",
            "doubling.owner_bonus",
            "doubling.self_capture",
            "doubling.queens_unit",
            "doubling.partner_capture",
            "doubling.in_combo",
            "values.diamond",
            "combo",
            "pile.stuck",
            "pile.wrap",
            "redeal.keeps_contract",
            "forfeit_first_three",
            "open_hands",
            "trex.expose_twos",
        ]
    ),
}
"""Options that a system does not offer of itself ("-" in rules.md 2.5). They may be set; until
then they hold the value of the first other system that has one, which matters once the option
that needs them is switched on. `cheat.amount` alone stays None: it is what switches cheating on."""


@dataclass(frozen=True)
class Preset:
    """A named set of options of one system."""

    name: str
    system: str
    options: Mapping[str, object] = field(default_factory=dict, hash=False)

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset of this preset."""
        return ruleset(self.system, self.options)


PRESETS: Mapping[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset("levant", "levant"),
        Preset("kleshchi", "kleshchi"),
        Preset("barbu", "barbu"),
        Preset("levant-complex", "levant", {"combo": "complex"}),
        Preset("levant-partners", "levant", {"teams": "opposite"}),
        Preset("levant-inverted", "levant", {"values.trex": [100, 50, 0, -50]}),
        Preset("kleshchi-fifteens", "kleshchi", {"values.diamond": 15, "values.trick": 10}),
        Preset("kleshchi-swapped", "kleshchi", {"signs": "swapped", "win": "low"}),
        Preset("kleshchi-jordan", "kleshchi", {"contract_order": "fixed_reversed"}),
        Preset("kleshchi-pairs", "kleshchi", {"teams": "opposite"}),
        Preset("barbu-fixed", "barbu", {"contract_order": "fixed", "general_last": True}),
        Preset("barbu-drawn", "barbu", {"contract_order": "drawn", "general_last": True}),
    )
}
"""All presets of rules.md 2.6 but `tunisian`, whose options have no names yet."""


def preset(name: str) -> Ruleset:
    """Return the ruleset of a preset; raises KeyError for an unknown name."""
    return PRESETS[name].ruleset


def ruleset(system: object, options: object = None) -> Ruleset:
    """Return the rules of a system with some options changed, both untrusted.

    Raises `RulesRefused` with every `unknown_system`, `unknown_option`, `bad_option_value` and
    `impossible_options`."""
    column = SYSTEMS.get(system) if isinstance(system, str) else None
    if column is None:
        raise RulesRefused([Problem(ProblemCode.UNKNOWN_SYSTEM, "system")])
    changes, problems = read_options(options)
    if not changes and not problems:
        return column
    rules = changed(column, _implied(column, changes) | changes)
    problems = [*problems, *impossible(rules)]
    if problems:
        raise RulesRefused(problems)
    return rules


def _implied(column: Ruleset, changes: Mapping[str, object]) -> dict[str, object]:
    """Return values that follow from others unless they are given.

    Swapped signs turn the winner round (C-K6), and a table that says how cheating is punished has
    the penalty."""
    implied: dict[str, object] = {}
    if changes.get("signs") == "swapped":
        implied["win"] = "low" if column.win == "high" else "high"
    if changes.get("cheat.multiplied") or changes.get("cheat.replay"):
        implied["cheat.amount"] = column.cheat.amount or BARBU.cheat.amount
    return implied


class Need(NamedTuple):
    """An option whose value needs another option to have one of these values.

    Values in `unless` need nothing (rules.md 4, `impossible_options`)."""

    option: str
    unless: tuple[object, ...]
    other: str
    needs: tuple[str, ...]


NEEDS = (
    Need("forfeit_first_three", (False,), "contract_order", ("fixed", "fixed_reversed")),
    Need("redeal.queens_draw", (False,), "teams", ("opposite",)),
    Need("doubling.partner_capture", ("as_opponent",), "teams", ("opposite",)),
    Need("combo", ("off", "free"), "contract_order", ("free",)),
    Need("ace_replay", ("off",), "trex_layout", ("suit_rows",)),
    Need("contracts_scope", ("player",), "chooser_order", ("rotate",)),
    Need("general_last", (False,), "contract_order", ("fixed", "fixed_reversed", "drawn")),
)


def impossible(rules: Ruleset) -> list[Problem]:
    """Return a problem for each option that excludes another one.

    At the option that needs too much, with the one it clashes with and the values of that one that
    would fit."""
    return [
        Problem(
            ProblemCode.IMPOSSIBLE_OPTIONS, need.option, {"with": need.other, "needs": need.needs}
        )
        for need in NEEDS
        if OPTION_GETTERS[need.option](rules) not in need.unless
        and OPTION_GETTERS[need.other](rules) not in need.needs
    ]
