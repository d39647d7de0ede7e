"""Rows of seats, repairs and sums from paper that were changed behind the application's back."""

import pytest
from django.db import connection

from scoring.corrections.services import repair, seats, subtotals
from scoring.corrections.services.repair import WrongPlaces
from scoring.corrections.services.subtotals import PaperSums
from scoring.integrity.queries.integrity import findings
from scoring.models import Deal, Seating, Subtotal
from scoring.models.triggers import without_triggers
from scoring.rules import Contract
from tests.factories import evenings, make_evening, record, write

pytestmark = pytest.mark.django_db

DEALS = evenings()["evening-levant"]["deals"]


@pytest.fixture
def match():
    """A kingdom on paper of which one deal is filled in, a substitute, a repair."""
    match = make_evening("evening-levant", deals=0)
    contracts = tuple(Contract.read(deal["contract"]) for deal in DEALS[:5])
    write(subtotals.enter, match, paper=PaperSums(contracts, tuple(DEALS[4]["totals"])))
    for deal in (*DEALS[5:8], DEALS[1]):
        record(match, deal)
    four = ["Amal Haddad", "Badr", "Elie", "Dima"]
    write(seats.reseat, match, players=four, from_deal=7, reason="late")
    write(repair.apply, match, repair=WrongPlaces(6, 7), reason="mixed up")
    return match


def found():
    return {(finding.code, finding.table) for finding in findings()}


def change(row, **values):
    with without_triggers(connection):
        assert type(row).objects.filter(pk=row.pk).update(**values) == 1


def test_ledger_as_it_was_written_has_no_fault(match):
    assert found() == set()


@pytest.mark.parametrize(
    "values",
    [
        {"points": [0, 0, 0, 0]},
        {"first_deal": 2},
        {"deals": [{"dealer": 9, "chooser": 1, "contract": "king", "forced": False}]},
        {"deals": [{"dealer": 1, "chooser": 1, "contract": "hearts", "forced": False}]},
        {"deals": [{"dealer": 1, "chooser": 1, "contract": "trex", "forced": False}] * 2},
        {"deals": [{"dealer": 1}]},
        {"deals": []},
        {"points": [1, 2]},
    ],
)
def test_changed_sums_are_named(match, values):
    change(Subtotal.objects.get(), **values)
    assert ("row_changed", "subtotal") in found()
    if "deals" in values or len(values.get("points", "four")) < 4:
        assert ("row_refused", "subtotal") in found()


def test_changed_seat_and_changed_repair_are_named(match):
    change(Seating.objects.get(from_deal=7), from_deal=8)
    change(Deal.objects.get(replaces__deal_number=6), dealer=2)
    assert {("row_changed", "seating"), ("row_changed", "deal")} <= found()
