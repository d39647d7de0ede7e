"""What importing writes: the same as typing, once, all or nothing."""

import io

import pytest

from scoring.importing.limits import PAGE
from scoring.importing.reading import read_file
from scoring.models import Match
from scoring.selectors.imports import Planner, Status
from scoring.selectors.integrity import findings
from scoring.selectors.matches import match_view
from scoring.services.imports import import_match
from scoring.services.rebuild import rebuild
from tests.factories import NOW, PHONE, ClubFactory, evenings
from tests.importing.files import as_csv, as_json, as_lines, as_xlsx, evening

pytestmark = pytest.mark.django_db
THREE = ("evening-levant", "evening-kleshchi", "evening-barbu")


@pytest.fixture
def club():
    return ClubFactory(slug="cafe-younes")


def plan(club, data):
    planner = Planner(club)
    return [planner.plan(found) for found in read_file(io.BytesIO(data), PAGE)], planner


def bring_in(club, data):
    planned, _ = plan(club, data)
    kept = [each for each in planned if each.status != Status.REFUSED]
    return [import_match(planned=each, club=club, who=PHONE, now=NOW) for each in kept]


FORMS = {
    "json": as_json,
    "lines": as_lines,
    "csv": as_csv,
    "xlsx": as_xlsx,
}


@pytest.mark.parametrize("form", FORMS)
def test_three_evenings_come_to_the_totals_of_their_files(club, form):
    bring_in(club, FORMS[form](*(evening(name) for name in THREE)))
    for name in THREE:
        match = Match.objects.get(external_id=name)
        view = match_view(match)
        assert list(view.sheet.totals) == evenings()[name]["totals"]
        running = [list(row.totals) for row in view.sheet.rows]
        assert running == [deal["totals"] for deal in evenings()[name]["deals"]]
        assert [seat.name for seat in view.seats] == evenings()[name]["players"]
        assert match.state == "finished"
        assert not rebuild(match_id=match.id)
    assert not list(findings())
