"""Players who lay any card that is legal: deals of every system, contract, layout and option.

They sit at the same tables as the engine; what is legal there is proved elsewhere. Chance comes
from the `Random` they are given, so that a seed is a deal."""

from random import Random

from scoring.replay.play.layout import Trex
from scoring.replay.play.table import new_table
from scoring.replay.record import Pass, Play, Record, in_order
from scoring.rules import Contract, Double, Ruleset, RulesRefused, doublable, ruleset
from scoring.rules.contracts import COMBINABLE
from scoring.rules.schedule import first_leader
from scoring.rules.seats import SEATS
from tests.support.worked import load

OPTIONS = {option["name"]: option for option in load("options")}
GROUPS = ("hearts", "trex", "doubling")
"""The groups of options that say what may be played and who doubles."""

LISTS = {"hearts_lead.contracts": COMBINABLE}


def options_of(*groups: str) -> list[str]:
    """The names of the options of these groups."""
    return [name for name, option in OPTIONS.items() if option["group"] in groups]


def values_of(name: str, rng: Random) -> object:
    """Any value of an enum, a switch or a list of contracts."""
    option = OPTIONS[name]
    if option["type"] == "bool":
        return rng.random() < 0.5
    if option["type"] == "enum":
        return rng.choice(option["values"])
    return rng.sample(LISTS[name], rng.randrange(len(LISTS[name]) + 1))


def some_options(rng: Random, system: str, names: list[str], share: float = 0.5) -> dict:
    """Options of these names, each with this chance, that do not exclude each other."""
    while True:
        options = {name: values_of(name, rng) for name in names if rng.random() < share}
        if options.get("doubling.partner_capture", "as_opponent") != "as_opponent":
            options["teams"] = "opposite"
        try:
            ruleset(system, options)
        except RulesRefused:
            continue
        return options


def some_contract(rng: Random, rules: Ruleset) -> Contract:
    """One of the system's contracts, every fourth time several of them."""
    parts = [name for name in rules.contracts if name in COMBINABLE]
    if rng.random() < 0.25:
        return Contract.read(rng.sample(parts, rng.randrange(2, len(parts) + 1)))
    return Contract.read(rng.choice(rules.contracts))


def dealt(rng: Random, rules: Ruleset) -> tuple:
    """Four hands of a shuffled deck."""
    deck = rng.sample(rules.deck, len(rules.deck))
    return tuple(in_order(deck[seat::4]) for seat in SEATS)


def doubled(rng: Random, contract: Contract, rules: Ruleset, hands: tuple) -> tuple[Double, ...]:
    """Some cards doubled by those who hold them; one announcement where it doubles all queens."""
    holder = {card: seat for seat in SEATS for card in hands[seat]}
    cards = [card for card in doublable(contract, rules) if rng.random() < 0.4]
    if rules.doubling.queens_unit == "whole_contract":
        queens = [card for card in cards if card[0] == "Q"]
        cards = [card for card in cards if card not in queens[1:]]
    return tuple(Double(card, holder[card]) for card in cards)


def played_out(rng: Random, table: object) -> list:
    """Legal plays until the deal is over. The right to lay again after an ace is sometimes
    declined without a word."""
    plays = []
    while not table.over:
        seat, move = table.turn, rng.choice(table.moves())
        if move is not None:
            plays.append(Play(seat, move))
        elif not (isinstance(table, Trex) and table.again and rng.random() < 0.5):
            plays.append(Pass(seat))
        table.lay(move)
    return plays


def legal_deal(
    rng: Random, system: str, options: dict | None = None, contract: Contract | None = None, **given
) -> Record:
    """A deal played to the end without a breach. `given` are fields of the record."""
    rules = ruleset(system, options or {})
    contract = contract or some_contract(rng, rules)
    dealer, chooser = rng.choice(SEATS), rng.choice(SEATS)
    given = {
        "id": "legal",
        "dealer": dealer,
        "chooser": chooser,
        "hands": dealt(rng, rules),
    } | given
    leader = first_leader(contract, rules, given["dealer"], given["chooser"])
    table = new_table(contract, rules, given["hands"], leader)
    given.setdefault("doubles", doubled(rng, contract, rules, given["hands"]))
    return Record(
        system=system,
        options=options or {},
        contract=contract,
        plays=tuple(played_out(rng, table)),
        **given,
    )


def any_legal_deal(rng: Random, groups: tuple[str, ...] = GROUPS, **given) -> Record:
    """A deal of any system and contract under any options of these groups."""
    system = rng.choice(["levant", "kleshchi", "barbu"])
    options = some_options(rng, system, options_of(*groups), share=rng.choice([0.2, 0.6]))
    return legal_deal(rng, system, options, forced=rng.random() < 0.2, **given)
