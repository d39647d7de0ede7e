"""The HTTP API: scores and replays for programs. No test here may touch the database."""

import json
import re
from pathlib import Path

import pytest
from django.test import Client

from scoring.api import bodies, calls, limits
from scoring.common import limits as common_limits
from scoring.rules.contracts import CONTRACT_NAMES
from tests.replay.notation.test_trex_text import HEARTS

CASES = Path(__file__).parents[1] / "cases"
KING = {"id": "k", "system": "levant", "contract": "king", "input": {"king_taken_by": 2}}
RECORD = {
    "id": "r",
    "system": "levant",
    "contract": "king",
    "dealer": 0,
    "plays": [{"seat": seat, "card": card} for seat, card in [(1, "KH"), (2, "2H")]],
}


@pytest.fixture
def program():
    """Without cookies, and of another site for all the server knows."""
    return Client(enforce_csrf_checks=True)


def post(program, call, body, **headers):
    text = body if isinstance(body, str | bytes) else json.dumps(body)
    return program.post(f"/api/{call}", text, content_type="application/json", headers=headers)


def load(name):
    return json.loads((CASES / name).read_text())


# -- scores


def test_one_case_gets_one_answer(program):
    response = post(program, "score", KING)
    assert response.status_code == 200
    assert response.json() == {"id": "k", "scores": [0, 0, -75, 0], "problems": []}


# Programs are answered by the one engine, with the same worked deals. C88
def test_every_worked_deal(program):
    cases = load("scoring.json")
    answers = post(program, "score", cases).json()
    assert [answer["scores"] for answer in answers] == [case["scores"] for case in cases]


def test_every_refused_entry_with_its_code(program):
    cases = load("refused.json")
    answers = post(program, "score", cases).json()
    for case, answer in zip(cases, answers, strict=True):
        assert answer["scores"] is None
        assert case["code"] in {problem["code"] for problem in answer["problems"]}


def test_a_single_refused_case_is_422_with_all_its_problems(program):
    response = post(program, "score", KING | {"chooser": 7, "input": {"king_taken_by": 9}})
    assert response.status_code == 422
    assert [problem["field"] for problem in response.json()["problems"]] == [
        "chooser",
        "king_taken_by",
    ]


# -- replays


def test_one_record_gets_one_report(program):
    response = post(program, "replay", RECORD)
    assert response.status_code == 200
    report = response.json()
    assert (report["id"], report["scores"]) == ("r", None)
    assert [breach["code"] for breach in report["breaches"]] == ["unfinished"]
    assert report["bounds"]["king"]


# A replay has no database here, so it touches no score. C116
def test_every_record_of_the_cases(program):
    rows = load("records.json")
    reports = post(program, "replay", [row["record"] for row in rows]).json()
    assert [report["scores"] for report in reports] == [row["expected"]["scores"] for row in rows]


def test_bounds_are_left_out_when_they_would_take_too_long(program, monkeypatch):
    monkeypatch.setattr(calls, "SECONDS_OF_BOUNDS", 0.0)
    assert "bounds" not in post(program, "replay", RECORD).json()


def test_a_text_gets_a_list(program):
    response = post(program, "replay", HEARTS + "\n" + HEARTS.replace("TH", "1H"))
    assert response.status_code == 200
    first, second = response.json()
    assert [breach["code"] for breach in first["breaches"]] == ["heart_lead", "unfinished"]
    assert second["errors"] == [{"code": "bad_card", "line": 25, "column": 8, "text": "1H"}]


@pytest.mark.parametrize("body", ["nonsense", '{"id": ', '{"system": "chess"}', '[Id "a"]'])
def test_a_single_record_that_cannot_be_read_is_422(program, body):
    response = post(program, "replay", body)
    assert response.status_code == 422
    report = response.json()
    assert (report[0] if isinstance(report, list) else report)["errors"]


# -- refusals of the whole request


def refusal(response, status):
    assert response.status_code == status
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["status"] == status
    (problem,) = response.json()["problems"]
    return problem


@pytest.mark.parametrize("call", ["score", "replay"])
@pytest.mark.parametrize("body", ["", " \n"])
def test_nothing_sent(program, call, body):
    assert refusal(post(program, call, body), 400) == {"code": "missing", "field": "body"}


@pytest.mark.parametrize("body", ["nonsense", "{", "[NaN]", "[" * 100_000, b"\xff", "9" * 5_000])
def test_no_json(program, body):
    assert refusal(post(program, "score", body), 400)["code"] == "bad_json"


def test_the_place_of_what_is_no_json(program):
    problem = refusal(post(program, "score", '[\n{"id" 5}]'), 400)
    assert (problem["line"], problem["column"], problem["text"]) == (2, 6, "5}]")


@pytest.mark.parametrize("call", ["score", "replay"])
def test_a_body_of_no_known_length(program, call):
    response = post(program, call, KING, **{"Transfer-Encoding": "chunked"})
    assert refusal(response, 411) == {"code": "missing", "field": "content_length"}


@pytest.mark.parametrize("call", ["score", "replay"])
def test_a_body_that_is_too_long(program, call):
    problem = refusal(post(program, call, " " * (bodies.MAX_BYTES + 1)), 413)
    assert problem == {"code": "too_long", "field": "body", "most": bodies.MAX_BYTES}


@pytest.mark.parametrize(("call", "one"), [("score", KING), ("replay", RECORD)])
def test_too_many_at_once(program, call, one):
    assert len(post(program, call, [one] * 200).json()) == 200
    assert refusal(post(program, call, [one] * 201), 413)["most"] == 200


def test_an_address_that_asks_too_often(program, monkeypatch):
    monkeypatch.setattr(limits, "REQUESTS", 3)
    assert [post(program, "score", KING).status_code for _ in range(4)] == [200, 200, 200, 429]
    response = post(program, "replay", RECORD)
    assert refusal(response, 429) == {"code": "too_often", "field": "address", "seconds": 50}
    assert response["Retry-After"] == "50"
    monkeypatch.setattr(common_limits.time, "time", lambda: 6_000_060.0)
    assert post(program, "score", KING).status_code == 200


@pytest.mark.parametrize(("call", "one"), [("score", KING), ("replay", RECORD)])
def test_long_work_counts_for_more(program, monkeypatch, call, one):
    monkeypatch.setattr(limits, "REQUESTS", 2)
    monkeypatch.setattr(limits, "REQUESTS_PER_SECOND", 1_000_000)
    assert [post(program, call, one).status_code for _ in range(2)] == [200, 429]


def test_a_hundred_thousand_names_get_a_short_answer(program):
    response = post(program, "score", KING | {"contract": ["king"] * 100_000})
    assert response.status_code == 422
    assert response.json()["problems"] == [
        {"code": "not_combinable", "field": "contract", "name": "king"}
    ] * len(CONTRACT_NAMES)


def test_a_header_does_not_make_another_address(program, monkeypatch):
    monkeypatch.setattr(limits, "REQUESTS", 1)
    statuses = [
        post(program, "score", KING, **{"X-Forwarded-For": f"10.0.0.{n}"}).status_code
        for n in range(2)
    ]
    assert statuses == [200, 429]


@pytest.mark.parametrize("call", ["score", "replay"])
def test_only_a_post_is_answered(program, call):
    assert program.get(f"/api/{call}").status_code == 405


def test_no_cookie_is_set(program):
    assert post(program, "score", KING).cookies == {}


# -- documents


def test_the_document_names_calls_and_shapes(program):
    document = program.get("/api/openapi.json").json()
    assert {"/api/score", "/api/replay"} < set(document["paths"])
    names = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(document)))
    assert names <= set(document["components"]["schemas"])
    assert set(document["paths"]["/api/score"]["post"]["responses"]) == {
        "200",
        "400",
        "411",
        "413",
        "422",
        "429",
    }


def test_the_examples_of_the_document_work(program):
    document = program.get("/api/openapi.json").json()
    for path in ("/api/score", "/api/replay"):
        for body in document["paths"][path]["post"]["requestBody"]["content"].values():
            if "example" in body:
                assert post(program, path.removeprefix("/api/"), body["example"]).status_code == 200


def test_the_page_needs_no_script_and_no_other_site(program):
    response = program.get("/api/docs")
    assert response.status_code == 200
    assert "/api/replay" in response.text
    assert "default-src 'self'" in response["Content-Security-Policy"]
    assert "<style" not in response.text
    assert not re.findall(r"<script(?![^>]*\bsrc=)", response.text)
    assert not re.findall(r'(?:src|href)="(?!/|#)', response.text)
