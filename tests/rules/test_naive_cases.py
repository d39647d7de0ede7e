"""The second scorer is itself proved against every worked deal before it may disagree."""

import ast
import sys
from pathlib import Path
from random import Random

import pytest

from tests import naive, naive_play, naive_schedule
from tests.naive import naive_random_case, naive_scores, naive_team_scores
from tests.support.worked import load

SCORING = {case["id"]: case for case in load("scoring")}
EVENINGS = load("evenings")


@pytest.mark.parametrize("module", [naive, naive_play, naive_schedule])
def test_naive_code_imports_nothing_but_the_standard_library(module):
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    modules = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add("." * node.level + (node.module or "").split(".")[0])
    assert modules <= sys.stdlib_module_names


@pytest.mark.parametrize("case", SCORING.values(), ids=SCORING)
def test_naive_scores_the_worked_deal(case):
    assert naive_scores(case) == case["scores"]
    assert naive_team_scores(case) == case.get("team_scores")


@pytest.mark.parametrize("chain", load("sequences"), ids=lambda chain: chain["id"])
def test_naive_adds_up_the_sequence(chain):
    scores = [naive_scores(SCORING[deal]) for deal in chain["deals"]]
    assert [sum(column) for column in zip(*scores, strict=True)] == chain["totals"]


@pytest.mark.parametrize("evening", EVENINGS, ids=lambda evening: evening["external_id"])
def test_naive_scores_every_deal_of_the_evening(evening):
    totals = [0, 0, 0, 0]
    for deal in evening["deals"]:
        case = {"system": evening["system"], "options": evening["options"], **deal}
        scores = naive_scores(case)
        assert scores == deal["scores"], deal["deal_number"]
        totals = [total + score for total, score in zip(totals, scores, strict=True)]
        assert totals == deal["totals"]
    assert totals == evening["totals"]


def test_random_cases_reach_every_contract_and_every_odd_thing():
    rng = Random(1)
    cases = [naive_random_case(rng) for _ in range(3000)]
    contracts = {case["contract"] for case in cases if isinstance(case["contract"], str)}
    assert contracts == {
        *("king", "queens", "diamonds", "tricks", "trex"),
        *("hearts", "last_trick", "general", "fifty_one"),
    }
    keys = {key for case in cases for key in case["input"]}
    assert {"doubles", "trick_leader", "revoke_by", "cheat_by", "forfeited", "plays"} <= keys
    assert {len(case["contract"]) for case in cases if isinstance(case["contract"], list)} == {
        2,
        3,
        4,
    }


def test_random_case_is_the_same_for_the_same_seed():
    assert naive_random_case(Random(7)) == naive_random_case(Random(7))
