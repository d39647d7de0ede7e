"""Every row of the worked cases that concerns a single deal."""

import pytest

from scoring.rules import legal_leads, redeal_questions, ruleset, score_case
from tests.support.worked import ids, load

SCORING = {case["id"]: case for case in load("scoring")}
EVENINGS = {evening["external_id"]: evening for evening in load("evenings")}
TALLIES = [
    row for row in load("records") if row["expected"].get("tally") and row["expected"]["scores"]
]


# One engine, held to the worked deals that the pages are held to. C88
@pytest.mark.parametrize("case", SCORING.values(), ids=ids)
def test_worked_deal_has_its_points(case):
    answer = score_case(case)
    assert answer["problems"] == []
    assert answer["scores"] == case["scores"]
    assert answer.get("team_scores") == case.get("team_scores")


@pytest.mark.parametrize("chain", load("sequences"), ids=ids)
def test_chain_of_deals_has_its_totals(chain):
    scores = [score_case(SCORING[deal])["scores"] for deal in chain["deals"]]
    assert [sum(column) for column in zip(*scores, strict=True)] == chain["totals"]


@pytest.mark.parametrize("case", load("refused"), ids=ids)
def test_impossible_entry_is_refused_with_its_code(case):
    answer = score_case(case)
    assert answer["scores"] is None
    assert case["code"] in [problem["code"] for problem in answer["problems"]]


@pytest.mark.parametrize("evening", EVENINGS.values(), ids=EVENINGS)
def test_every_deal_of_the_evening_has_its_points(evening):
    totals = [0, 0, 0, 0]
    for deal in evening["deals"]:
        case = deal | {"system": evening["system"], "options": evening["options"]}
        assert score_case(case)["scores"] == deal["scores"], deal["deal_number"]
        totals = [total + own for total, own in zip(totals, deal["scores"], strict=True)]
        assert totals == deal["totals"]
    assert totals == evening["totals"]


@pytest.mark.parametrize("row", TALLIES, ids=ids)
def test_tally_of_a_replay_has_its_points(row):
    """Such a tally holds every item; only those of the contract count."""
    expected = row["expected"]
    order = expected.get("finish_order")
    facts = expected["tally"] | ({"finish_order": order} if order else {})
    assert score_case(row["record"] | {"input": facts})["scores"] == expected["scores"]


def rows_asking(*questions):
    return [row for row in load("legal") if row["question"] in questions]


@pytest.mark.parametrize("row", rows_asking("lead"), ids=ids)
def test_legal_leads_of_the_hand(row):
    rules = ruleset(
        row["system"],
        {"hearts_lead.mode": row["hearts_lead_mode"], "hearts_lead.contracts": row["contracts"]},
    )
    leads = legal_leads(row["hand"], row["hearts_broken"], row["contracts"][:1], rules)
    assert leads == row["legal"]


@pytest.mark.parametrize("row", rows_asking("redeal.weak_hearts", "redeal.twos"), ids=ids)
def test_hand_may_ask_for_a_redeal(row):
    questions = redeal_questions(row["hand"], ruleset(row["system"]))
    reasons = [question.reason for question in questions]
    assert (row["question"].removeprefix("redeal.") in reasons) == row["eligible"]
