"""Whatever is recorded, corrected and voided, in whatever order."""

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.models import Deal
from scoring.selectors.integrity import findings
from scoring.selectors.tables import table_of
from scoring.services.rebuild import rebuild
from tests.factories import correct, entry_of, evenings, make_evening, record, void

pytestmark = pytest.mark.django_db

# Of each evening: in levant one kingdom whole and one begun.
DEALS = 7
STEPS = st.lists(
    st.tuples(st.sampled_from(["record", "correct", "void"]), st.integers(0, 99)), max_size=8
)
BRIEF = settings(
    max_examples=8,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def take(match, step, pick, deals):
    """One step of a history, where it is possible."""
    table = table_of(match)
    if step == "record" and table.turn.deal_number <= len(deals):
        record(match, deals[table.turn.deal_number - 1])
    elif table.deals:
        deal = table.deals[pick % len(table.deals)]
        if step == "void":
            void(match, deal, reason="a step")
        elif step == "correct":
            correct(match, deal, entry_of(deals[deal.deal_number - 1]), dealer=pick % 4)


# Whatever happened, rebuilding from the log changes nothing. C49, C73
@pytest.mark.parametrize("name", ["evening-levant", "evening-kleshchi", "evening-barbu"])
@BRIEF
@given(steps=STEPS, first=st.integers(0, DEALS))
def test_history_is_sound_and_entering_all_again_equals_never(name, steps, first):
    deals = evenings()[name]["deals"][:DEALS]
    with transaction.atomic():
        match = make_evening(name, deals=first)
        for step, pick in steps:
            take(match, step, pick, deals)
        assert not list(findings())
        assert rebuild(match_id=match.id) == []
        for deal in Deal.objects.standing().filter(match=match):
            void(match, deal, reason="all of them")
        for deal in deals:
            record(match, deal)
        rows = table_of(match).sheet.rows
        assert [list(row.totals) for row in rows] == [deal["totals"] for deal in deals]
        assert not list(findings())
        transaction.set_rollback(True)
