"""Untrusted data never breaks the reader, and what it lets through can be scored."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import OPTIONS, Entry, points, preset, read_entry, ruleset, score_case
from scoring.rules.tally import TALLY_KEYS
from tests.support.strategies import anything, option_sets, ruled_entries, rulesets
from tests.support.worked import ids, load

KNOWN_CODES = {
    *("bad_seat", "bad_counts", "wrong_total", "missing", "not_a_permutation", "unknown_card"),
    *("doubled_twice", "not_doublable", "option_off", "impossible", "chooser_missing"),
    *("trick_leader_missing", "wrong_loser", "unknown_system", "unknown_contract"),
    *("not_combinable", "unknown_option", "bad_option_value", "impossible_options"),
}
CASES = load("scoring") + load("refused")


def leaves(value):
    """Every value inside a JSON value that is neither list nor object, keys too."""
    if isinstance(value, dict):
        return [*value, *(leaf for each in value.values() for leaf in leaves(each))]
    return [leaf for each in value for leaf in leaves(each)] if isinstance(value, list) else [value]


def assert_sound(entry, rules):
    """An entry that was let through can be scored, stored and read again, and holds no rubbish."""
    points(entry, rules)
    payload = entry.to_json()
    assert {type(leaf) for leaf in leaves(payload["input"])} <= {str, int, bool}
    assert read_entry(json.loads(json.dumps(payload)), rules).entry.to_json() == payload
    assert Entry.from_json(json.loads(json.dumps(payload))).to_json() == payload


def names_of(mapping):
    return st.dictionaries(st.sampled_from(sorted(mapping)), anything, max_size=4)


broken_cases = anything | st.fixed_dictionaries(
    {},
    optional={
        "id": anything,
        "system": st.sampled_from(["levant", "kleshchi", "barbu"]) | anything,
        "options": names_of(OPTIONS) | anything,
        "contract": anything,
        "chooser": anything,
        "forced": anything,
        "input": names_of(TALLY_KEYS) | anything,
    },
)


@st.composite
def spoiled_cases(draw):
    """A worked case in which one value, at any depth, is replaced by anything."""
    case = copy.deepcopy(draw(st.sampled_from(CASES)))
    place = case
    while True:
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        key = draw(st.sampled_from(keys))
        if isinstance(place[key], dict | list) and place[key] and draw(st.booleans()):
            place = place[key]
        else:
            place[key] = draw(anything)
            return case


def answered(case):
    """The answer, proved to be one: JSON, known codes, either scores or problems."""
    answer = json.loads(json.dumps(score_case(case)))
    assert {problem["code"] for problem in answer["problems"]} <= KNOWN_CODES
    assert all(problem["field"] for problem in answer["problems"])
    assert (answer["scores"] is None) == bool(answer["problems"])
    return answer


@given(broken_cases)
def test_any_json_gets_an_answer(case):
    answered(case)


@given(spoiled_cases())
def test_case_with_one_value_spoiled_gets_an_answer(case):
    answered(case)


@given(rulesets(), names_of(TALLY_KEYS), st.data())
def test_any_input_of_a_real_contract_is_read_or_refused(rules, facts, data):
    contract = data.draw(st.sampled_from(rules.contracts))
    reading = read_entry({"contract": contract, "chooser": 0, "input": facts}, rules)
    assert (reading.entry is None) == bool(reading.problems)
    if reading.entry:
        assert_sound(reading.entry, rules)


@given(ruled_entries(), st.sampled_from(TALLY_KEYS), anything)
def test_entry_with_one_fact_spoiled_is_read_or_refused(ruled, key, value):
    rules, entry = ruled
    payload = entry.to_json()
    reading = read_entry(payload | {"input": payload["input"] | {key: value}}, rules)
    if reading.entry:
        assert_sound(reading.entry, rules)


@given(option_sets())
def test_options_of_any_rules_make_them_again(pair):
    rules = ruleset(*pair)
    stored = json.loads(json.dumps(rules.options()))
    assert ruleset(rules.system, stored) == rules
    assert ruleset(rules.system, stored).options() == stored


RUBBISH = [
    *(0, 4, -1, 10**30, 1.0, float("nan"), True, False, "", "1", "KH", [], [None], [[]], [{}]),
    *([0, 0, 0, 0], [1, 1, 1], [True, 0, 0, 12], [0, 1, 2, 3], ["KH", "QS"]),
    *({}, {"": None}, {"KH": 1}, {"QS": "0"}, {"card": "KH", "by": 0}),
    *([{"card": "KH", "by": 0}], [{"card": "KH"}], [{"card": ["KH"], "by": {}}]),
]


@pytest.mark.parametrize("case", load("scoring"), ids=ids)
def test_worked_deal_with_one_fact_spoiled_is_read_or_refused(case):
    rules = ruleset(case["system"], case["options"])
    for key in TALLY_KEYS:
        for value in RUBBISH:
            reading = read_entry(case | {"input": case["input"] | {key: value}}, rules)
            if reading.entry:
                assert_sound(reading.entry, rules)


def codes(contract, facts, *, rules=None, chooser=0, forced=False):
    data = {"contract": contract, "chooser": chooser, "forced": forced, "input": facts}
    reading = read_entry(data, rules or preset("levant"))
    return [(problem.code, problem.field) for problem in reading.problems]


def test_all_problems_are_reported_each_at_its_field():
    facts = {
        "king_taken_by": 4,
        "queens_taken_by": {"QS": 0, "QH": None, "QX": 1, "QD": "2"},
        "diamonds": [13, 1, 0, 0],
        "tricks": [1, 2, 3],
        "doubles": [{"card": "KH", "by": 9}, {"card": "2D", "by": 1}, {"card": "??", "by": 1}],
        "cheat_by": None,
        "revoke_by": None,
    }
    contract = ["tricks", "king", "queens", "diamonds"]
    assert codes(contract, facts, chooser="me", forced="yes") == [
        ("bad_seat", "chooser"),
        ("bad_option_value", "forced"),
        ("bad_seat", "doubles"),
        ("not_doublable", "doubles"),
        ("unknown_card", "doubles"),
        ("bad_seat", "king_taken_by"),
        ("unknown_card", "queens_taken_by.QX"),
        ("bad_seat", "queens_taken_by.QD"),
        ("missing", "queens_taken_by.QH"),
        ("missing", "queens_taken_by.QC"),
        ("wrong_total", "diamonds"),
        ("bad_counts", "tricks"),
    ]


def test_what_is_no_entry_at_all_is_refused():
    for data in (None, [], "king", {"input": []}, {"contract": ["king", 3]}, {"contract": []}):
        assert "unknown_contract" in [p.code for p in read_entry(data, preset("levant")).problems]
    assert codes("king", [1]) == [("missing", "input")]
    assert codes("king", {"king_taken_by": 1, "doubles": "KH"}) == [("unknown_card", "doubles")]


def test_problem_carries_the_numbers_its_words_need():
    reading = read_entry(
        {"contract": "diamonds", "input": {"diamonds": [3, 4, 3, 2]}}, preset("levant")
    )
    (problem,) = reading.problems
    assert problem.to_json() == {
        "code": "wrong_total",
        "field": "diamonds",
        "expected": 13,
        "found": 12,
    }


def test_absurdly_large_counts_can_still_be_told():
    huge = int("9" * 4300)
    case = {"system": "levant", "contract": "tricks", "input": {"tricks": [huge] * 4}}
    assert json.dumps(score_case(case | {"id": 1}))
