"""Evenings of legal play under every preset, imported in every form, agree with the naive scorer at
every deal; so do evenings under rules that no preset has."""

from random import Random

import pytest

from scoring.integrity.queries.integrity import findings
from scoring.integrity.services.rebuild import rebuild
from scoring.ledger.queries.match_view import match_view
from scoring.models import Deal, Match
from tests.importing.bringing import bring_in, look
from tests.importing.files import as_csv, as_json, as_xlsx
from tests.naive import naive_scores
from tests.naive_schedule import naive_totals
from tests.support.evenings import TABLES, played_evening

pytestmark = pytest.mark.django_db
FORMS = (as_json, as_csv, as_xlsx)


def told(evening, name):
    """The evening as a file tells it, with the points of the naive scorer."""
    cases = evening.cases()
    scores = [naive_scores(case) for case in cases]
    totals = naive_totals(scores)
    deals = [
        {
            **{key: case[key] for key in ("dealer", "chooser", "forced", "contract", "input")},
            "deal_number": number,
            "scores": scores[number - 1],
            "totals": totals[number - 1],
        }
        for number, case in enumerate(cases, start=1)
    ]
    return {
        "external_id": name,
        "played_at": "2026-11-12T20:15:00+02:00",
        "players": ["Amal", "Badr", "Carmen", "Dima"],
        "system": evening.system,
        "options": evening.options,
        "first_chooser": evening.first_chooser,
        "first_dealer": evening.first_dealer,
        "deals": deals,
        "totals": totals[-1],
    }


@pytest.mark.parametrize(("seed", "form"), list(enumerate(FORMS)))
def test_evenings_agree_with_the_naive_scorer_at_every_deal(club, form, seed):
    evenings = {
        f"{number} {system}": told(played_evening(Random(seed), system, options), str(number))
        for number, (system, options) in enumerate(TABLES)
    }
    data = form(*evenings.values())
    assert [
        f"{fault.code} {fault.place}" for m in look(club, data).matches for fault in m.faults
    ] == []
    bring_in(club, data)
    assert Match.objects.count() == len(TABLES)
    for evening in evenings.values():
        match = Match.objects.get(external_id=evening["external_id"])
        rows = match_view(match).sheet.rows
        assert [list(row.points) for row in rows] == [deal["scores"] for deal in evening["deals"]]
        assert [list(row.totals) for row in rows] == [deal["totals"] for deal in evening["deals"]]
        seats = Deal.objects.filter(match=match).order_by("deal_number")
        given = [(deal["dealer"], deal["chooser"], deal["forced"]) for deal in evening["deals"]]
        assert list(seats.values_list("dealer", "chooser", "forced")) == given
        assert match.state == "finished"
        assert not rebuild(match_id=match.id)
    assert not list(findings())


@pytest.mark.parametrize(("system", "options"), TABLES, ids=str)
def test_table_that_did_otherwise_than_proposed_is_taken_as_it_was(club, system, options):
    evening = told(played_evening(Random(5), system, options, strays=0.2), "strayed")
    (found,) = look(club, as_json(evening)).matches
    assert [fault.code for fault in found.faults] == []
    assert found.found.totals == tuple(evening["totals"])
