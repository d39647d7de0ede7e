"""Hypothesis: any rules, any valid entry under them, and any JSON at all.

Facts come from cards: the deck is dealt into tricks, each trick has a taker, and every count is
counted from that, so that entries are what a table could have produced."""

from random import Random

from hypothesis import strategies as st

from scoring.rules import (
    OPTIONS,
    SYSTEMS,
    Contract,
    Double,
    Entry,
    RulesRefused,
    Tally,
    doublable,
    fact_keys,
    ruleset,
)
from scoring.rules.cards import QUEENS
from scoring.rules.contracts import COMBINABLE
from scoring.rules.deal.fifty_one import loser_of
from scoring.rules.rulesets.options import FIFTY_ONE_RANKS
from scoring.rules.seats import SEATS

seats = st.sampled_from(SEATS)
NONE_TAKEN = (0, 0, 0, 0)

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 15)
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["KH", "QS", "2C", "king", "queens", "trex", "fifty_one", "general"]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


def option_values(name):
    """Any value that an option can take, as JSON."""
    option = OPTIONS[name]
    numbers = st.integers(option.least, min(option.most, 300))
    match option.kind:
        case "enum":
            return st.sampled_from(option.values)
        case "bool":
            return st.booleans()
        case "int":
            return numbers
        case "table":
            return st.fixed_dictionaries(dict.fromkeys(FIFTY_ONE_RANKS, st.integers(-10, 20)))
    if option.values:
        return st.lists(st.sampled_from(option.values), unique=True)
    return st.lists(st.integers(-300, 300), min_size=4, max_size=4)


@st.composite
def option_sets(draw, names=tuple(OPTIONS), most=8):
    """A system and some options that do not exclude each other."""
    system = draw(st.sampled_from(sorted(SYSTEMS)))
    chosen = draw(st.lists(st.sampled_from(names), unique=True, max_size=most))
    options = {name: draw(option_values(name)) for name in chosen}
    while True:
        try:
            ruleset(system, options)
        except RulesRefused as refused:
            for problem in refused.problems:
                options |= NEEDED[problem.field]
        else:
            return system, options


NEEDED = {
    "forfeit_first_three": {"contract_order": "fixed"},
    "redeal.queens_draw": {"teams": "opposite"},
    "doubling.partner_capture": {"teams": "opposite"},
    "combo": {"combo": "free"},
    "ace_replay": {"ace_replay": "off"},
    "contracts_scope": {"contracts_scope": "player"},
    "general_last": {"contract_order": "fixed"},
}
"""What makes an option possible that its neighbours forbid."""

POINT_GROUPS = ("values.", "doubling.", "kabbout.", "cheat.", "fifty_one.")
POINT_OPTIONS = (
    *(name for name in OPTIONS if name.startswith(POINT_GROUPS)),
    *("signs", "teams", "revoke", "chooser_factor", "forced_factor"),
    *("trex_chooser_double", "forced_applies_to_trex", "forfeit_first_three"),
)


def rulesets(names=POINT_OPTIONS):
    """Any rules: by default any that touch points."""
    return option_sets(names).map(lambda pair: ruleset(*pair))


@st.composite
def contracts(draw, rules):
    """Any contract of the system, combined ones too."""
    parts = [name for name in rules.contracts if name in COMBINABLE]
    combined = st.lists(st.sampled_from(parts), min_size=2, unique=True)
    return Contract.read(draw(st.sampled_from(rules.contracts) | combined))


@st.composite
def entries(draw, rules, contract=None, chooser=seats):
    """Any entry without problems."""
    contract = contract or draw(contracts(rules))
    chooser = draw(chooser)
    tally = draw(tallies(rules, contract, chooser))
    return Entry(contract, chooser, draw(st.booleans()), tally)


@st.composite
def ruled_entries(draw, names=POINT_OPTIONS):
    """Rules and an entry under them."""
    rules = draw(rulesets(names))
    return rules, draw(entries(rules))


@st.composite
def tallies(draw, rules, contract, chooser):
    """Any facts of a contract: played out, revoked, stopped by cheating, forfeited."""
    forfeitable = set(contract.parts) <= {"king", "queens", "diamonds"}
    if rules.forfeit_first_three and forfeitable and draw(st.booleans()):
        return Tally(forfeited=True)
    if rules.cheat.amount is not None and draw(st.integers(0, 9)) == 0:
        return Tally(cheat_by=draw(seats))
    if contract.special == "trex":
        return Tally(finish_order=tuple(draw(st.permutations(SEATS))))
    if contract.special == "fifty_one":
        return draw(fifty_ones(rules, chooser))
    return draw(trick_tallies(rules, contract))


@st.composite
def fifty_ones(draw, rules, chooser):
    """Who lost fifty_one, with or without the cards that show it."""
    plays = list(rules.deck)
    Random(draw(st.integers(0, 999))).shuffle(plays)
    loser = loser_of(plays, chooser, rules)
    return Tally(loser=loser, plays=tuple(plays) if draw(st.booleans()) else None)


@st.composite
def trick_tallies(draw, rules, contract):
    """Facts of a trick contract, with doubles, and with a revoke that stopped it anywhere."""
    revoke_by = draw(seats) if rules.revoke != "off" and draw(st.booleans()) else None
    hand = rules.cards_per_hand
    played = hand if revoke_by is None else draw(st.integers(0, hand))
    lone = draw(st.sampled_from([None, None, None, *SEATS]))
    takers = draw(st.lists(seats, min_size=hand, max_size=hand)) if lone is None else [lone] * hand
    cards = list(rules.deck)
    Random(draw(st.integers(0, 9999))).shuffle(cards)
    taken = {card: takers[place // 4] for place, card in enumerate(cards[: 4 * played])}
    doubles = draw(some_doubles(rules, contract))
    facts = counted(taken, takers[:played], played == hand)
    if doubles or draw(st.booleans()):
        del facts["queens"]
    else:
        facts["queens_taken_by"] = None
    leaders = dict.fromkeys((*QUEENS, "KH"), draw(seats)) if doubles else None
    keys = fact_keys(contract)
    return Tally(
        **{key: value for key, value in facts.items() if key in keys},
        doubles=doubles,
        revoke_by=revoke_by,
        trick_leader=leaders,
    )


def counted(taken, takers, is_over):
    """The tally of these cards: a card to the seat that took it, and a seat for each trick."""

    def count(cards):
        where = [taken[card] for card in cards if card in taken]
        return tuple(where.count(seat) for seat in SEATS)

    return {
        "king_taken_by": taken.get("KH"),
        "queens_taken_by": {card: taken[card] for card in QUEENS if card in taken},
        "queens": count(QUEENS),
        "diamonds": count([rank + "D" for rank in "23456789TJQKA"]),
        "hearts": count([rank + "H" for rank in "23456789TJQKA"]),
        "tricks": tuple(takers.count(seat) for seat in SEATS),
        "last_trick_by": takers[-1] if is_over else None,
    }


@st.composite
def some_doubles(draw, rules, contract):
    """Doubles that these rules allow."""
    cards = doublable(contract, rules)
    if rules.doubling.queens_unit == "whole_contract":
        cards = [card for card in cards if card in ("KH", "QS")]
    if not cards:
        return ()
    chosen = draw(st.lists(st.sampled_from(cards), unique=True))
    return tuple(Double(card, draw(seats)) for card in chosen)
