"""What follows from the rest fills itself in; what was typed stays as it was."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import Contract, complete, places_settled, points, preset, read_entry, ruleset
from scoring.rules.tally import TALLY_KEYS
from tests.support.strategies import anything, ruled_entries, rulesets

X = None
FILLED = [
    ("levant", "diamonds", {"diamonds": [5, 0, 8, X]}, {"diamonds": [5, 0, 8, 0]}),
    ("levant", "diamonds", {"diamonds": [X, 3, 4, 1]}, {"diamonds": [5, 3, 4, 1]}),
    ("levant", "diamonds", {"diamonds": [3, 4, 1]}, {"diamonds": [3, 4, 1, 5]}),
    ("levant", "tricks", {"tricks": [X, 13, X, X]}, {"tricks": [0, 13, 0, 0]}),
    ("levant", "queens", {"queens": [1, X, 1, 1]}, {"queens": [1, 1, 1, 1]}),
    ("barbu", "hearts", {"hearts": [1, X, 2, 1]}, {"hearts": [1, 4, 2, 1]}),
    ("levant", "trex", {"finish_order": [2, 0, 3]}, {"finish_order": [2, 0, 3, 1]}),
    ("levant", "trex", {"finish_order": [2, X, 3, 1]}, {"finish_order": [2, 0, 3, 1]}),
    ("barbu", "trex", {"finish_order": [2, 3]}, {"finish_order": [2, 3, 0, 1]}),
    ("barbu", "trex", {"finish_order": [2, 3, X, X]}, {"finish_order": [2, 3, 0, 1]}),
    (
        "barbu",
        "general",
        {"tricks": [8, X, X, X]},
        {
            "tricks": [8, 0, 0, 0],
            "hearts": [8, 0, 0, 0],
            "queens": [4, 0, 0, 0],
            "king_taken_by": 0,
            "last_trick_by": 0,
        },
    ),
    (
        "barbu",
        "general",
        {"tricks": [4, 4, 0, 0], "hearts": [8, X, X, X], "queens": [1, X, X, X]},
        {
            "tricks": [4, 4, 0, 0],
            "hearts": [8, 0, 0, 0],
            "queens": [1, 3, 0, 0],
            "king_taken_by": 0,
        },
    ),
    (
        "levant",
        ["queens", "tricks"],
        {"tricks": [13, X, X, X], "queens_taken_by": {"QS": X}},
        {
            "tricks": [13, 0, 0, 0],
            "queens_taken_by": {"QS": 0, "QH": 0, "QD": 0, "QC": 0},
        },
    ),
]  # fmt: skip


@pytest.mark.parametrize(("system", "contract", "given_input", "expected"), FILLED)
def test_value_that_follows_is_filled_in(system, contract, given_input, expected):
    assert complete(Contract.read(contract), preset(system), given_input) == expected


OPEN = [
    ("levant", "diamonds", {"diamonds": [5, X, X, 1]}),
    ("levant", "diamonds", {"diamonds": [9, 9, X, 0]}),
    ("levant", "diamonds", {"diamonds": [9, "4", X, 0]}),
    ("levant", "diamonds", {"diamonds": [5, 0, X, 1], "revoke_by": 2}),
    ("levant", "diamonds", {"diamonds": [5, 0, X, 1], "revoke_by": 0}),
    ("levant", "queens", {"queens_taken_by": {"QS": 0, "QH": 0, "QD": 0}}),
    ("levant", "king", {}),
    ("levant", "trex", {"finish_order": [2, 0]}),
    ("levant", "trex", {"finish_order": [2, 2, 0]}),
    ("levant", "trex", {}),
    ("barbu", "trex", {"finish_order": [3]}),
    ("barbu", "fifty_one", {"plays": ["8S"]}),
    ("barbu", "tricks", {"tricks": [8, X, X, X], "cheat_by": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("system", "contract", "given_input"), OPEN)
def test_what_is_not_certain_stays_open(system, contract, given_input):
    assert complete(Contract.read(contract), preset(system), given_input) == given_input


def test_places_are_settled_once_they_are_worth_the_same_to_everybody():
    barbu = preset("barbu")
    assert places_settled(barbu, [3, 4])
    assert not places_settled(barbu, [2, 3, 4])
    level = {"values.trex": [-100, -50, -50, -50]}
    assert not places_settled(ruleset("barbu", level), [2, 3, 4])
    assert places_settled(ruleset("barbu", level | {"trex_chooser_double": "first"}), [2, 3, 4])
    assert places_settled(ruleset("levant", {"values.trex": [9, 5, 5, 5]}), [2, 3, 4])


@given(ruled_entries(), st.sampled_from(TALLY_KEYS), st.integers(0, 3))
def test_a_blank_is_filled_with_the_truth_or_left(ruled, key, place):
    rules, entry = ruled
    facts = entry.to_json()["input"]
    blank = copy.deepcopy(facts)
    if isinstance(blank.get(key), list) and place < len(blank[key]) and key != "doubles":
        blank[key][place] = None
    filled = complete(entry.contract, rules, blank)
    if filled != blank:
        reading = read_entry(entry.to_json() | {"input": filled}, rules)
        assert points(reading.entry, rules).scores == points(entry, rules).scores


# A given value is never altered. C120
@given(rulesets(), st.data())
def test_given_values_never_change(rules, data):
    contract = Contract.read(data.draw(st.sampled_from(rules.contracts)))
    counts = st.lists(st.none() | st.integers(0, 8), max_size=4)
    given_input = data.draw(
        st.dictionaries(st.sampled_from(TALLY_KEYS), counts | anything, max_size=4)
    )
    before = copy.deepcopy(given_input)
    filled = complete(contract, rules, given_input)
    assert repr(given_input) == repr(before)
    for key, value in before.items():
        assert_kept(value, filled[key])


def assert_kept(value, now):
    if isinstance(value, list) and isinstance(now, list):
        for old, new in zip(value, now, strict=False):
            assert old is None or repr(old) == repr(new)
    elif isinstance(value, dict):
        assert all(now[key] == old for key, old in value.items() if old is not None)
    elif value is not None:
        assert repr(now) == repr(value)
