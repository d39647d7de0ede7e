"""`manage.py score`: cases in, a line each out, an exit status that says how it went."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.support.worked import CASES, load

ROOT = Path(__file__).parents[2]


def score(file, capsys):
    """The answers and the exit status."""
    try:
        call_command("score", str(file))
        status = 0
    except SystemExit as stop:
        status = stop.code
    except CommandError as error:
        status = error.returncode
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()], status


@pytest.fixture
def write(tmp_path):
    def write_file(content):
        path = tmp_path / "cases"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


def lines(*cases):
    return "".join(json.dumps(case) + "\n" for case in cases)


GOOD = {"id": "a", "system": "levant", "contract": "king", "input": {"king_taken_by": 1}}
BAD = GOOD | {"id": "b", "input": {}}
TEAM = GOOD | {"id": "c", "options": {"teams": "opposite"}}


def test_array_of_cases(capsys):
    answers, status = score(CASES / "scoring.json", capsys)
    assert status == 0
    assert [answer["scores"] for answer in answers] == [row["scores"] for row in load("scoring")]
    assert list(answers[0]) == ["id", "scores", "problems"]


def test_refused_cases_have_null_scores_and_their_problems(capsys):
    answers, status = score(CASES / "refused.json", capsys)
    assert status == 1
    for row, answer in zip(load("refused"), answers, strict=True):
        assert answer["id"] == row["id"]
        assert answer["scores"] is None
        assert row["code"] in [problem["code"] for problem in answer["problems"]]


def test_one_case_per_line_with_blank_lines_and_a_byte_order_mark(capsys, write):
    answers, status = score(write("\ufeff" + lines(GOOD) + "\r\n\n" + lines(TEAM)), capsys)
    assert status == 0
    assert answers == [
        {"id": "a", "scores": [0, -75, 0, 0], "problems": []},
        {"id": "c", "scores": [0, -75, 0, 0], "team_scores": [0, -75], "problems": []},
    ]


def test_one_case_over_several_lines(capsys, write):
    answers, status = score(write(json.dumps(GOOD, indent=2)), capsys)
    assert (len(answers), status) == (1, 0)


def test_unreadable_line_is_named_and_the_others_are_answered(capsys, write):
    path = write(lines(GOOD) + "{oops\n" + lines(BAD))
    with pytest.raises(CommandError, match="line 2") as error:
        call_command("score", str(path))
    assert error.value.returncode == 2
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.parametrize("content", ["[{]", "nonsense", b"\xff\xfe\x00", "[" * 100_000])
def test_unreadable_input(capsys, write, content):
    assert score(write(content), capsys) == ([], 2)


def test_missing_file_and_folder(capsys, tmp_path):
    assert score(tmp_path / "nowhere.json", capsys) == ([], 2)
    assert score(tmp_path, capsys) == ([], 2)


@pytest.mark.parametrize("content", ["", "[]", "\n \n"])
def test_nothing_to_score(capsys, write, content):
    assert score(write(content), capsys) == ([], 0)


def test_what_is_no_case_is_refused_and_answered(capsys, write):
    answers, status = score(write('[7, null, "x", [], {"id": [1]}]'), capsys)
    assert status == 1
    assert {answer["problems"][0]["code"] for answer in answers} == {"unknown_system"}


def test_standard_input(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines(GOOD).encode())))
    assert score("-", capsys)[1] == 0


def test_needs_no_database(tmp_path):
    nowhere = {
        "DATABASE_URL": "postgresql://nobody:nothing@127.0.0.1:1/nowhere",
        "TREXSCORE_DATA": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "manage.py", "score"],
        input=lines(GOOD, BAD),
        cwd=ROOT,
        env=os.environ | nowhere,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stderr
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == ["a", "b"]
