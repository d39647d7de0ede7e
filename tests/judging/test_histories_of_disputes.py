"""Deals are flagged, claimed, ruled on and closed between everything else that may happen."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from scoring.common.errors import ServiceError
from scoring.integrity.queries.integrity import findings
from scoring.integrity.services.rebuild import rebuild
from scoring.judging.services import disputes
from scoring.ledger.queries.snapshots import snapshot_of
from scoring.models import Flag
from tests.factories import ClubFactory, MembershipFactory, entry_of, evenings, make_evening
from tests.ledger.test_histories import BRIEF, DEALS, KINDS, take
from tests.support.judging import act, by, flag, rule, withdraw

pytestmark = pytest.mark.django_db

DOUBTS = ["flag", "withdraw", "claim", "release", "close", "reopen the dispute", "rule"]
STEPS = st.lists(st.tuples(st.sampled_from([*DOUBTS * 2, *KINDS]), st.integers(0, 99)), max_size=10)


def doubt(match, step, pick, deals, arbiters):
    """One step of the judging, where it is possible."""
    match.refresh_from_db()
    numbers = sorted({deal.deal_number for deal in match.deals.all()})
    if not numbers:
        return
    number, actor = numbers[pick % len(numbers)], by(arbiters[pick % len(arbiters)])
    acts: dict[str, Callable[[], object]] = {
        "flag": lambda: flag(match, number, "x" * (pick % 2), actor=actor),
        "withdraw": lambda: _withdraw(match, pick, arbiters),
        "claim": lambda: act(disputes.claim, match, number, actor=actor),
        "release": lambda: act(disputes.release, match, number, actor=actor),
        "close": lambda: act(disputes.close, match, number, note="a step", actor=actor),
        "reopen the dispute": lambda: act(
            disputes.reopen, match, number, reason="a step", actor=actor
        ),
        "rule": lambda: _rule(match, number, pick, deals, actor),
    }
    acts[step]()


def _withdraw(match, pick, arbiters):
    rows = list(Flag.objects.filter(match=match).select_related("event__user"))
    if rows:
        row = rows[pick % len(rows)]
        withdraw(match, row, actor=by(row.event.user))


def _rule(match, number, pick, deals, actor):
    entry = entry_of(deals[number - 1]) if pick % 2 else None
    points = (pick - 50, 0, 0, 50 - pick) if pick % 3 == 0 else None
    rule(match, number, entry, points, actor=actor)


@pytest.fixture
def arbiters():
    return [MembershipFactory(role="arbiter").user for _ in range(2)]


# What is stored is what the events say, and what the public sees stands still. C49, C69
@pytest.mark.parametrize("name", ["evening-levant", "evening-kleshchi", "evening-barbu"])
@BRIEF
@given(steps=STEPS, first=st.integers(1, DEALS))
def test_disputes_follow_from_the_events(name, arbiters, steps, first):
    deals = evenings()[name]["deals"][:DEALS]
    with transaction.atomic():
        match = make_evening(name, deals=first, club=ClubFactory())
        for step, pick in steps:
            seen = frozen_now(match)
            with suppress(ServiceError), transaction.atomic():
                if step in DOUBTS:
                    doubt(match, step, pick, deals, arbiters)
                else:
                    take(match, step, pick, deals)
            holds_still(match, seen)
        assert not list(findings())
        assert rebuild(match_id=match.id) == []
        transaction.set_rollback(True)


def frozen_now(match):
    """By number what the public sees of the deals under review, with the event they wait since."""
    table = snapshot_of(match)
    return {
        number: (review.opened_seq, public_rows(table.public, number))
        for number, review in table.reviews.items()
    }


def holds_still(match, seen):
    """Whatever was under review and still is looks as it did; and there is a whole page of it."""
    now = frozen_now(match)
    for number in seen.keys() & now.keys():
        if seen[number][0] == now[number][0]:
            assert seen[number] == now[number]
    assert snapshot_of(match).public.turn.deal_number >= 1


def public_rows(table, number):
    return [row.points for row in table.sheet.rows if row.number == number and not row.paper]
