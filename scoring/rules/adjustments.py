"""Checks of points that an arbiter gives or takes outside the deals."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from scoring.rules.problems import Problem, ProblemCode
from scoring.rules.seats import SEATS

PENALTY, CORRECTION, RULING = "penalty", "correction", "ruling"
CODES = (PENALTY, CORRECTION)
"""A penalty is for what somebody did; a correction mends what was counted wrong."""
KNOWN = (*CODES, RULING)
"""Everything a row may say: also what a ruling gave or took, which only a ruling does."""
MOST = 10_000


def check_adjustment(
    code: str, points: object, after_deal: int, deals: int, codes: Container[str] = CODES
) -> list[Problem]:
    """Find what is wrong with an adjustment.

    `deals` is the highest number of a current deal, `codes` are those that the caller may use."""
    return [*_about(code, after_deal, deals, codes), *_points(points)]


def _about(code: str, after_deal: int, deals: int, codes: Container[str]) -> Iterator[Problem]:
    if code not in codes:
        yield Problem(ProblemCode.MISSING, "code")
    if not 0 <= after_deal <= deals:
        yield Problem(ProblemCode.WRONG_NUMBER, "after_deal", {"expected": deals})


def _points(points: object) -> Iterator[Problem]:
    given = points if isinstance(points, Sequence) else ()
    numbers = [each for each in given if type(each) is int]
    if len(numbers) != len(SEATS) or len(given) != len(SEATS):
        yield Problem(ProblemCode.BAD_COUNTS, "points")
    elif any(abs(each) > MOST for each in numbers):
        yield Problem(ProblemCode.TOO_MANY, "points", {"limit": MOST})
    elif not any(numbers):
        yield Problem(ProblemCode.MISSING, "points")
