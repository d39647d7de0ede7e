"""Codes of problems, faults and refusals: each has a sentence, is raised and is tested."""

import re
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from django.utils import translation

from scoring.common.error_sentences import (
    OTHERWISE,
    PROBLEMS,
    REFUSALS,
    problem_sentences,
    sentence,
)
from scoring.common.errors import RefusalCode
from scoring.common.form_errors import field_errors
from scoring.importing.faults import FaultCode
from scoring.rules import Problem, ProblemCode
from scoring.transfer.presenters.import_sentences import SENTENCE_FUNCTIONS, SENTENCES

ROOT = Path(__file__).parents[2]
# Where members are listed rather than raised.
TABLES = {"error_sentences.py", "form_errors.py", "sentences.py", "import_sentences.py"}
# Sent by a forged form, or by one of a version before: the page that sends it has no such field.
WITHOUT_SENTENCE = {
    ProblemCode.UNKNOWN_SYSTEM,
    ProblemCode.UNKNOWN_OPTION,
    ProblemCode.BAD_OPTION_VALUE,
    ProblemCode.IMPOSSIBLE_OPTIONS,  # the form of the rules names both options itself
    RefusalCode.BAD_NUMBER,
    RefusalCode.UNKNOWN_PRESET,
    RefusalCode.UNKNOWN_KIND,
    RefusalCode.UNKNOWN_SCOPE,
}
EVERY = [*ProblemCode, *RefusalCode, *FaultCode]


@cache
def members_raised():
    files = [path for path in (ROOT / "scoring").rglob("*.py") if path.name not in TABLES]
    found = set()
    for path in files:
        found |= set(re.findall(r"\b\w+Code\.[A-Z_]+\b", path.read_text()))
    return found


@cache
def words_of_tests():
    files = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "tests" / "cases").glob("*.json")]
    texts = [path.read_text() for path in files if path != Path(__file__)]
    return set(re.findall(r'"([a-z_]+)"', "\n".join(texts)))


@pytest.mark.parametrize(
    ("table", "codes"),
    [(PROBLEMS, ProblemCode), (REFUSALS, RefusalCode)],
    ids=["rules", "services"],
)
def test_every_code_has_a_sentence(table, codes):
    assert set(table) == set(codes)


def test_every_fault_of_a_file_has_a_sentence():
    assert set(FaultCode) <= {*SENTENCES, *SENTENCE_FUNCTIONS} <= {*FaultCode, *ProblemCode}


def test_only_codes_of_forged_forms_share_the_sentence_for_all_others():
    assert {code for code, text in {**PROBLEMS, **REFUSALS}.items() if text is OTHERWISE} == (
        WITHOUT_SENTENCE
    )


def test_problems_and_refusals_share_no_code():
    for one, other in combinations([ProblemCode, RefusalCode], 2):
        assert {str(code) for code in one}.isdisjoint(str(code) for code in other)


@pytest.mark.parametrize("code", EVERY, ids=str)
def test_code_is_raised(code):
    assert f"{type(code).__name__}.{code.name}" in members_raised()


@pytest.mark.parametrize("code", EVERY, ids=str)
def test_code_is_reached_by_a_test(code):
    assert code in words_of_tests()


@pytest.mark.parametrize("code", EVERY, ids=str)
def test_code_is_named_like_its_value(code):
    assert code.name == code.upper()


def test_points_in_a_sentence_are_isolated():
    problem = Problem(ProblemCode.WRONG_SUM, "points", {"expected": -130, "found": 5})
    with translation.override("en"):
        text = sentence(problem)
    assert '<bdi class="num" dir="ltr">−130</bdi>' in text
    assert '<bdi class="num" dir="ltr">+5</bdi>' in text


def test_missing_reason_is_asked_for_by_name():
    with translation.override("en"):
        assert problem_sentences([Problem(ProblemCode.MISSING, "reason")]) == [
            ("missing", "Please say why.")
        ]


def test_fields_that_a_form_does_not_know_go_above_it():
    problems = [Problem(ProblemCode.MISSING, "players"), Problem(ProblemCode.MISSING, "seat")]
    with translation.override("en"):
        errors = field_errors(problems, {"players": "person"})
    assert errors == {"person": [("missing", "Who?")], "all": [("missing", "Please choose.")]}
