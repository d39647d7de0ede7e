"""The scorer against a second one that shares no code with it."""

from random import Random

import pytest
from hypothesis import given

from scoring.rules import points, score_case
from tests.naive import naive_random_case, naive_scores, naive_team_scores
from tests.support.strategies import ruled_entries
from tests.support.worked import load

CASES = 20_000


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_the_naive_scorer_on_random_entries(seed):
    rng = Random(seed)
    for _ in range(CASES // 4):
        case = naive_random_case(rng)
        answer = score_case(case)
        assert answer["problems"] == [], case
        assert answer["scores"] == naive_scores(case), case
        assert answer.get("team_scores") == naive_team_scores(case), case


def test_random_entries_vary_every_option_that_touches_points():
    rng = Random(0)
    cases = [naive_random_case(rng) for _ in range(CASES // 4)]
    for option in load("options"):
        if option["effect"] == "points":
            given_values = [
                str(case["options"][option["name"]])
                for case in cases
                if option["name"] in case["options"]
            ]
            least = 1 if option["name"] in ("signs", "teams") else 2
            assert len(set(given_values)) >= least, option["name"]


@given(ruled_entries())
def test_agrees_with_the_naive_scorer_on_any_entry(ruled):
    rules, entry = ruled
    case = entry.to_json() | {"system": rules.system, "options": rules.options()}
    result = points(entry, rules)
    assert list(result.scores) == naive_scores(case)
    assert (result.team_scores and list(result.team_scores)) == naive_team_scores(case)
