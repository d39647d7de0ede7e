"""Whatever is recorded, corrected and voided, dealt again, penalised and closed, in any order."""

import json

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.corrections.services.adjustments import void_adjustment
from scoring.corrections.services.redeals import void_redeal
from scoring.integrity.queries.integrity import findings
from scoring.integrity.services.rebuild import rebuild
from scoring.ledger.queries.snapshots import snapshot_of
from scoring.matches.services import matches
from scoring.models import CardRecord, Deal
from scoring.records.queries.records import same_record
from scoring.records.services.records import void_record
from scoring.replay.notation.json_records import read_json
from tests.factories import (
    adjust,
    attach,
    correct,
    entry_of,
    evenings,
    make_evening,
    record,
    redeal,
    void,
    write,
)

pytestmark = pytest.mark.django_db

# Of each evening: in levant one kingdom whole and one begun.
DEALS = 7
BESIDE = {
    "redeal": lambda match, pick: redeal(match, dealer=pick % 4),
    "take redeal back": lambda match, pick: _take_back(match, void_redeal, "redeal", pick),
    "adjust": lambda match, pick: adjust(match, (pick - 50, 0, 0, 1), after_deal=0),
    "take adjustment back": lambda match, pick: _take_back(
        match, void_adjustment, "adjustment", pick
    ),
}
CLOSING = {
    "break off": lambda match: write(matches.break_off, match),
    "void the match": lambda match: write(matches.void_match, match, reason="a step"),
    "reopen": lambda match: write(matches.reopen, match),
}
ANY_TIME = {
    "attach": lambda match, pick, deals: _attach(match, pick, deals),
    "take record back": lambda match, pick, deals: _take_record_back(match, pick),
}
KINDS = ["record", "correct", "void", *BESIDE, *CLOSING, *ANY_TIME]
STEPS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 99)), max_size=10)
BRIEF = settings(
    max_examples=8,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def take(match, step, pick, deals):
    """One step of a history, where it is possible."""
    match.refresh_from_db()
    if step in CLOSING:
        if match.is_running or step != "break off":
            CLOSING[step](match)
    elif step in ANY_TIME:
        ANY_TIME[step](match, pick, deals)
    elif match.is_running:
        take_open(match, step, pick, deals)


def take_open(match, step, pick, deals):
    table = snapshot_of(match)
    if step in BESIDE:
        BESIDE[step](match, pick)
    elif step == "record" and table.turn.deal_number <= len(deals):
        record(match, deals[table.turn.deal_number - 1])
    elif table.deals:
        deal = table.deals[pick % len(table.deals)]
        if step == "void":
            void(match, deal, reason="a step")
        elif step == "correct":
            correct(match, deal, entry_of(deals[deal.deal_number - 1]), dealer=pick % 4)


def _attach(match, pick, deals):
    """The cards of one deal, more often than not laid beside another; once beside each."""
    table = snapshot_of(match)
    number = 1 + pick % table.turn.deal_number
    record = next(read_json(json.dumps(deals[pick // 7 % len(deals)]["record"])))
    if not same_record(match, number, record):
        attach(match, number, record)


def _take_record_back(match, pick):
    rows = CardRecord.objects.standing().filter(match=match)
    if rows:
        row = rows[pick % len(rows)]
        write(void_record, match, record_id=row.id, reason="a step")


def _take_back(match, service, name, pick):
    rows = getattr(snapshot_of(match), f"{name}s")
    if rows:
        row = rows[pick % len(rows)]
        write(service, match, **{f"{name}_id": row.id}, reason="a step")


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
        write(matches.reopen, match)
        for deal in Deal.objects.standing().filter(match=match):
            void(match, deal, reason="all of them")
        for row in snapshot_of(match).adjustments:
            write(void_adjustment, match, adjustment_id=row.id)
        for deal in deals:
            record(match, deal)
        rows = snapshot_of(match).sheet.rows
        assert [list(row.totals) for row in rows] == [deal["totals"] for deal in deals]
        assert not list(findings())
        transaction.set_rollback(True)
