"""Every option of the rules book is a field with its values and defaults; every preset exists."""

import pytest

from scoring.rules import OPTIONS, PRESETS, SYSTEMS, RulesRefused, preset, rules_key, ruleset
from scoring.rules.contracts import CONTRACT_NAMES
from scoring.rules.rulesets.presets import NOT_OFFERED
from scoring.rules.rulesets.ruleset import OPTION_GETTERS, to_json
from tests.support.worked import load

BOOK = {option["name"]: option for option in load("options")}
SWITCHES_ITSELF_ON = {"cheat.amount"}


SETS = {"hearts_lead.contracts", "kabbout.contracts"}


def value(rules, name):
    return to_json(OPTION_GETTERS[name](rules))


def problems_of(system, options):
    with pytest.raises(RulesRefused) as refused:
        ruleset(system, options)
    return [(problem.code, problem.field) for problem in refused.value.problems]


def test_there_are_exactly_the_options_of_the_book():
    assert set(OPTIONS) == set(BOOK)


@pytest.mark.parametrize("name", BOOK)
def test_option_takes_the_values_of_the_book(name):
    assert OPTIONS[name].kind == BOOK[name]["type"]
    if BOOK[name]["values"]:
        assert list(OPTIONS[name].values) == BOOK[name]["values"]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("name", BOOK)
def test_system_has_the_default_of_the_book(system, name):
    column = BOOK[name]["default"]
    assert (name in NOT_OFFERED[system]) == (column[system] is None)
    first = next((each for each in column.values() if each is not None), None)
    offered = column[system] if column[system] is not None else first
    expected = None if name in SWITCHES_ITSELF_ON and column[system] is None else offered
    if name in SETS:
        expected = sorted(expected, key=CONTRACT_NAMES.index)
    assert value(SYSTEMS[system], name) == expected


@pytest.mark.parametrize("name", BOOK)
def test_default_value_may_be_said(name):
    for system, default in BOOK[name]["default"].items():
        if default is not None:
            assert ruleset(system, {name: default}) == ruleset(system)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("name", sorted(SETS))
def test_contracts_of_an_option_are_a_set(system, name):
    listed = BOOK[name]["default"][system] or ["tricks", "queens"]
    one, other = (ruleset(system, {name: order}) for order in (listed, listed[::-1]))
    assert one == other
    assert one.options() == other.options()
    assert rules_key(one) == rules_key(other)
    assert (one == SYSTEMS[system]) == bool(BOOK[name]["default"][system])


PRESET_NAMES = {
    *("levant", "kleshchi", "barbu", "levant-complex", "levant-partners", "levant-inverted"),
    *("kleshchi-fifteens", "kleshchi-swapped", "kleshchi-jordan", "kleshchi-pairs"),
    *("barbu-fixed", "barbu-drawn"),
}


def test_there_are_the_presets_of_the_book():
    assert set(PRESETS) == PRESET_NAMES
    assert preset("kleshchi-swapped").win == "low"
    assert preset("levant-inverted").values.trex == (100, 50, 0, -50)
    assert preset("barbu-fixed").fixed_order[-1] == "general"


@pytest.mark.parametrize("name", PRESETS)
def test_preset_is_its_system_and_what_it_changes(name):
    chosen = PRESETS[name]
    assert preset(name).options() == dict(chosen.options)
    assert ruleset(chosen.system, chosen.options) == preset(name)
    assert hash(ruleset(chosen.system, chosen.options)) == hash(preset(name))


def test_swapped_signs_turn_the_winner_round_unless_it_is_given():
    assert ruleset("levant", {"signs": "swapped"}).win == "low"
    assert ruleset("barbu", {"signs": "swapped"}).win == "high"
    kept = ruleset("levant", {"signs": "swapped", "win": "high"})
    assert kept.win == "high"
    assert ruleset("levant", kept.options()) == kept


def test_saying_how_cheating_is_punished_switches_it_on():
    assert ruleset("levant").cheat.amount is None
    assert ruleset("levant", {"cheat.replay": True}).cheat.amount == 400
    assert ruleset("levant", {"cheat.multiplied": False}).cheat.amount is None


def test_reversed_order_is_each_choosers_own():
    jordan = ("trex", "tricks", "queens", "diamonds", "king")
    assert preset("kleshchi-jordan").fixed_order == jordan
    turned = ruleset("barbu", {"contract_order": "fixed_reversed", "general_last": True})
    assert turned.fixed_order[0] == "fifty_one"
    assert turned.fixed_order[-1] == "general"


@pytest.mark.parametrize("system", ["lebanon", "levant-complex", "", None, 3, ["levant"]])
def test_unknown_system_is_refused(system):
    assert problems_of(system, {}) == [("unknown_system", "system")]


def test_every_wrong_option_is_named():
    options = {
        "values.trik": 10,
        "doubling.self_capture": "thrice",
        "values.king": True,
        "values.queen": 10001,
        "values.trex": [1, 2, 3],
        "chooser_factor": 11,
        "fifty_one.target": 97,
        "fifty_one.values": {"A": 1},
        "hearts_lead.contracts": ["trex"],
        "kabbout.contracts": "hearts",
        "general_last": 1,
    }
    assert problems_of("barbu", options) == [
        ("unknown_option", "values.trik"),
        *(("bad_option_value", name) for name in list(options)[1:]),
    ]


@pytest.mark.parametrize("options", [[], "signs", 7, True])
def test_options_that_are_no_object_are_refused(options):
    assert problems_of("levant", options) == [("bad_option_value", "options")]


FIXED = ["fixed", "fixed_reversed"]
PARTNERS = ("teams", ["opposite"])

EXCLUSIVE = [
    ("kleshchi", {"forfeit_first_three": True}, "contract_order", FIXED),
    ("kleshchi", {"forfeit_first_three": True, "contract_order": "drawn"}, "contract_order", FIXED),
    ("levant", {"redeal.queens_draw": True}, *PARTNERS),
    ("levant", {"doubling.partner_capture": "no_bonus"}, *PARTNERS),
    ("levant", {"doubling.partner_capture": "normal_value"}, *PARTNERS),
    ("kleshchi", {"doubling.partner_capture": "opponents_gain"}, *PARTNERS),
    ("levant", {"combo": "complex", "contract_order": "fixed"}, "contract_order", ["free"]),
    ("barbu", {"combo": "complex", "contract_order": "drawn"}, "contract_order", ["free"]),
    ("kleshchi", {"ace_replay": "may"}, "trex_layout", ["suit_rows"]),
    ("barbu", {"ace_replay": "must", "trex_layout": "single_pile"}, "trex_layout", ["suit_rows"]),
    ("levant", {"contracts_scope": "game"}, "chooser_order", ["rotate"]),
    ("barbu", {"general_last": True}, "contract_order", [*FIXED, "drawn"]),
]


@pytest.mark.parametrize(("system", "options", "other", "needs"), EXCLUSIVE)
def test_options_that_exclude_each_other_are_refused(system, options, other, needs):
    """At the option that asks for too much, with what it would need."""
    with pytest.raises(RulesRefused) as refused:
        ruleset(system, options)
    (problem,) = refused.value.problems
    assert (problem.code, problem.field) == ("impossible_options", next(iter(options)))
    assert problem.to_json() | {"needs": list(problem.numbers["needs"])} == {
        "code": "impossible_options",
        "field": problem.field,
        "with": other,
        "needs": needs,
    }


@pytest.mark.parametrize(("system", "options", "other", "needs"), EXCLUSIVE)
def test_exclusive_option_is_possible_beside_every_value_it_needs(system, options, other, needs):
    for value in needs:
        assert ruleset(system, options | {other: value})


def test_option_of_the_column_is_named_where_it_is_what_clashes():
    assert problems_of("barbu", {"trex_layout": "single_pile"}) == [
        ("impossible_options", "ace_replay")
    ]


def test_every_clash_is_named_at_once():
    options = {"redeal.queens_draw": True, "contracts_scope": "game", "combo": "complex"}
    assert problems_of("levant", options | {"contract_order": "drawn"}) == [
        ("impossible_options", "redeal.queens_draw"),
        ("impossible_options", "combo"),
        ("impossible_options", "contracts_scope"),
    ]


POSSIBLE = [
    ("kleshchi", {"forfeit_first_three": True, "contract_order": "fixed_reversed"}),
    ("levant", {"doubling.partner_capture": "as_opponent"}),
    ("barbu", {"trex_layout": "single_pile", "ace_replay": "off"}),
    ("levant", {"contracts_scope": "game", "chooser_order": "rotate"}),
    ("barbu", {"kingdom_pass": "seven_each_kingdom", "pile.wrap": True}),
]


@pytest.mark.parametrize(("system", "options"), POSSIBLE)
def test_options_that_agree_are_kept(system, options):
    rules = ruleset(system, options)
    for name, given in options.items():
        assert value(rules, name) == given


@pytest.mark.parametrize("system", ["levant", "kleshchi"])
def test_contracts_are_listed_as_the_text_has_them(system):
    orders = {
        "levant": ("king", "queens", "diamonds", "tricks", "trex"),
        "kleshchi": ("king", "diamonds", "queens", "tricks", "trex"),
    }
    assert ruleset(system).contracts == orders[system]
