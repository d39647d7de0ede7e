"""`manage.py import_matches`."""

import io
import json
import sys

import pytest
from django.core.management import CommandError, call_command

from scoring.integrity.queries.integrity import findings
from scoring.models import Match
from tests.factories import CASES, ClubFactory
from tests.importing.files import as_csv, as_json, as_lines, as_xlsx, evening

pytestmark = pytest.mark.django_db
EVENINGS = str(CASES / "evenings.json")


def run(*args):
    """What it printed, and its exit status."""
    out, status = io.StringIO(), 0
    try:
        call_command("import_matches", *args, stdout=out, stderr=io.StringIO())
    except SystemExit as end:
        status = end.code
    except CommandError as error:
        out.write(str(error))
        status = error.returncode
    return out.getvalue(), status


@pytest.fixture
def file(tmp_path):
    def made(data, name="matches"):
        path = tmp_path / name
        path.write_bytes(data)
        return str(path)

    return made


def test_file_of_the_cases_comes_in_with_yes(club):
    shown, status = run(EVENINGS, "--yes")
    assert status == 0
    assert "3 matches imported" in shown
    assert Match.objects.filter(club=club, state="finished").count() == 3
    assert not list(findings())


# A look first: matches, deals, new people; nothing is written without a yes. C90
@pytest.mark.parametrize("how", [("--preview",), ()])
def test_nothing_is_written_without_a_yes(club, how):
    shown, status = run(EVENINGS, *how)
    assert status == 0
    assert "3 new matches with 72 deals" in shown
    assert "Amal Haddad 190, Badr -170, Carmen الخوري 175, Dima -195" in shown
    assert "new guests: Amal Haddad" in shown
    assert "Nothing was written" in shown
    assert not Match.objects.exists()


def test_second_time_adds_nothing(club):
    run(EVENINGS, "--yes")
    shown, status = run(EVENINGS, "--yes")
    assert (status, Match.objects.count()) == (0, 3)
    assert "3 here already" in shown


@pytest.mark.parametrize("form", [as_json, as_lines, as_csv, as_xlsx])
def test_every_form_is_read_by_what_it_holds(club, file, form):
    _, status = run(file(form(evening())), "--club", club.slug, "--yes")
    assert (status, Match.objects.count()) == (0, 1)


def test_refused_match_is_named_with_its_place_and_the_others_come_in(club, file):
    bad = evening("evening-barbu")
    bad["deals"][3]["input"] = {}
    name = file(as_json(evening(), bad, indent=1))
    shown, status = run(name, "--yes")
    assert status == 1
    assert f"{name}: line " in shown
    assert "deal 4: Not said: Who took" in shown
    assert "[missing]" in shown
    assert [match.external_id for match in Match.objects.all()] == ["evening-levant"]


@pytest.mark.parametrize("data", [b"", b"a,b\n1,2\n", b"\xff\xfe", b"[{"])
def test_file_that_cannot_be_read_is_status_two(club, file, data):
    shown, status = run(file(data), "--yes")
    assert status == 2
    assert "[" in shown
    assert not Match.objects.exists()


def test_file_whose_end_cannot_be_read_gives_nothing(club, file):
    data = as_csv(evening(), evening("evening-kleshchi")) + b'"'
    shown, status = run(file(data), "--club", club.slug, "--yes")
    assert status == 2
    assert "nothing of this file is taken" in shown
    assert "0 new matches with 0 deals, 0 here already, 1 refused" in shown
    assert not Match.objects.exists()


def test_file_that_is_not_there_is_status_two(club):
    assert run("/nowhere", "--yes") == ("/nowhere: No such file or directory", 2)


def test_club_that_is_not_there_is_status_two(club):
    shown, status = run(EVENINGS, "--club", "nowhere")
    assert status == 2
    assert club.slug in shown


def test_matches_go_to_the_club_that_is_named_first_here_then_in_the_file(club):
    other = ClubFactory(name="Café Ghassan", slug="cafe-ghassan")
    run(EVENINGS, "--club", other.slug, "--yes")
    assert Match.objects.filter(club=other).count() == 3
    run(EVENINGS, "--yes")
    assert Match.objects.filter(club=club).count() == 3


@pytest.mark.parametrize(("named", "code"), [("Café Nowhere", "unknown_club"), ("", "no_club")])
def test_match_of_no_club_is_refused(club, file, named, code):
    shown, status = run(file(as_json(evening(club=named))), "--yes")
    assert status == 1
    assert f"[{code}]" in shown
    assert not Match.objects.exists()


def test_two_clubs_of_one_name_are_told_apart_by_slug(club, file):
    ClubFactory(name=club.name)
    _, status = run(EVENINGS, "--yes")
    assert (status, Match.objects.count()) == (1, 0)
    run(file(as_json(evening(club=club.slug))), "--yes")
    assert Match.objects.get().club == club


def test_many_problems_are_counted_beyond_fifty(club, file):
    bad = evening("evening-barbu")
    for deal in bad["deals"]:
        deal["contract"] = "x"
    shown, _ = run(file(as_json(bad, bad)), "--yes")
    assert shown.count("[unknown_contract]") == 50
    assert "and 14 more problems" in shown


def test_standard_input_is_read(club, monkeypatch, tmp_path):
    path = tmp_path / "piped"
    path.write_bytes(json.dumps(evening()).encode())
    with path.open("rb") as stream:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
        assert run("-", "--yes")[1] == 0
    assert Match.objects.count() == 1


@pytest.mark.parametrize(("answer", "count"), [("y", 1), ("", 0), ("no", 0)])
def test_terminal_is_asked(club, file, monkeypatch, answer, count):
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: answer)
    _, status = run(file(as_json(evening())))
    assert (status, Match.objects.count()) == (0, count)


def test_more_deals_than_the_page_takes_come_in(club, file):
    many = [evening() | {"external_id": str(number)} for number in range(101)]
    _, status = run(file(as_lines(*many)), "--yes")
    assert (status, Match.objects.count()) == (0, 101)


def test_number_used_again_is_refused_and_says_so_by_its_status(club):
    files = CASES / "files"
    assert run(str(files / "id_march.csv"), "--club", club.slug, "--yes")[1] == 0
    shown, status = run(str(files / "id_april.csv"), "--club", club.slug, "--yes")
    assert (status, Match.objects.count()) == (1, 2)
    assert shown.count("[id_taken]") == 2
    assert "0 new matches with 0 deals, 0 here already, 2 refused" in shown


def test_match_that_differs_is_shown_and_says_so_by_its_status(club, file):
    run(file(as_json(evening())), "--yes")
    other = evening(totals=None)
    other["deals"][0]["input"]["tricks"] = [5, 0, 3, 5]
    for deal in other["deals"]:
        deal |= {"scores": None, "totals": None}
    shown, status = run(file(as_json(other)), "--yes")
    assert status == 1
    assert "differs  2026-11-12 20:15" in shown
    assert "Its deals here are not those of the file; they stay as they are." in shown
    assert "1 here already differ from the file" in shown


def test_match_on_another_day_is_moved_on_demand(club, file):
    run(file(as_json(evening())), "--yes")
    moved = file(as_json(evening(played_at="2026-11-10 21:00")))
    shown, status = run(moved, "--yes")
    assert status == 1
    assert "Same people and deals, but played on 2026-11-12 here." in shown
    assert Match.objects.get().played_at.day == 12
    shown, status = run(moved, "--move", "--yes")
    assert status == 0
    assert "1 matches moved." in shown
    assert Match.objects.get().played_at.day == 10
    assert run(moved, "--yes")[1] == 0


@pytest.mark.parametrize(("order", "month"), [("day", 4), ("month", 3)])
def test_order_of_day_and_month_is_said_with_an_option(club, file, order, month):
    name = file(as_json(evening(played_at="3/4/2026")))
    shown, status = run(name, "--yes")
    assert status == 2
    assert "Give it with --dates day or --dates month." in shown
    assert run(name, "--dates", order, "--yes")[1] == 0
    assert Match.objects.get().played_at.month == month


def test_times_are_those_of_the_club(club, file):
    shown, _ = run(file(as_json(evening(played_at="2026-11-12T23:15:00Z"))), "--preview")
    assert "new      2026-11-13 01:15 (night of 2026-11-12)" in shown
    assert f"Times are those of {club.name} ({club.time_zone})." in shown
