"""Scoring cases for other software: untrusted JSON in, scores or problems out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.rules.deal.points import points
from scoring.rules.deal.reading import read_entry
from scoring.rules.problems import RulesRefused
from scoring.rules.rulesets.presets import ruleset


def score_case(case: object) -> dict[str, Any]:
    """Score one case in the format of cases/scoring.json; never raises.

    Returns `{"id", "scores", "team_scores" where teams play, "problems"}`; scores are None when
    there are problems."""
    data = case if isinstance(case, Mapping) else {}
    answer: dict[str, Any] = {"id": _id(data.get("id")), "scores": None}
    try:
        rules = ruleset(data.get("system"), data.get("options"))
    except RulesRefused as refused:
        return answer | {"problems": [problem.to_json() for problem in refused.problems]}
    reading = read_entry(data, rules)
    if rules.has_teams:
        answer["team_scores"] = None
    if reading.entry is not None:
        result = points(reading.entry, rules)
        answer["scores"] = list(result.scores)
        if result.team_scores is not None:
            answer["team_scores"] = list(result.team_scores)
    return answer | {"problems": [problem.to_json() for problem in reading.problems]}


def _id(value: object) -> str | int | None:
    return value if isinstance(value, str | int) else None
