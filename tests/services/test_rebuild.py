from io import StringIO

import pytest
from django.core.management import call_command

from scoring.models import Deal, Kingdom, MatchResult, StandingDeal, UsedContract
from scoring.services import results, standing
from scoring.services.rebuild import rebuild
from tests.factories import correct, evenings, finish, king, make_evening, record, void

pytestmark = pytest.mark.django_db


def derived_rows():
    """Every derived row without its id."""
    rows = []
    for model in (Kingdom, StandingDeal, UsedContract, MatchResult):
        for row in model.objects.values():
            row.pop("id")
            row.pop("kingdom_id", None), row.pop("standing_deal_id", None)
            rows.append((model.__name__, sorted(map(str, row.items()))))
    return sorted(rows)


@pytest.fixture
def history():
    """An evening with corrections and voids in it."""
    match = make_evening("evening-levant")
    correct(match, Deal.objects.get(deal_number=2), king(taken_by=3, chooser=1))
    void(match, Deal.objects.get(deal_number=1), reason="again")
    record(match, evenings()["evening-levant"]["deals"][0])
    return finish(match)


# Who took part is worked out from the seats, never kept apart. C86
def test_rebuilt_rows_equal_the_stored_ones(history):
    before = derived_rows()
    assert rebuild(match_id=history.id) == []
    results.drop(history)
    standing.drop(history)
    differed = rebuild(match_id=history.id)
    assert differed == ["kingdoms", "standing_deals", "used_contracts", "results"]
    assert derived_rows() == before


def test_void_and_enter_again_leaves_the_derived_rows_of_never(history):
    MatchResult.objects.all().delete()
    with_void = derived_rows()
    rebuild(match_id=history.id)
    results.drop(history)
    assert derived_rows() == with_void


# A check for every night names what differs from the log. C49
def test_command_says_what_differed(history):
    out = StringIO()
    MatchResult.objects.filter(seat=2).update(total=7)
    call_command("rebuild_results", stdout=out)
    call_command("rebuild_results", match=history.id, stdout=out)
    assert out.getvalue().splitlines() == [
        f"match {history.id}: results differed",
        "1 matches rebuilt, 1 differed",
        "1 matches rebuilt, 0 differed",
    ]
