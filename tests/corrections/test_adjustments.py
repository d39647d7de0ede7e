"""Penalties and corrections of points, beside the deals."""

import uuid

import pytest

from scoring.common.errors import ServiceError
from scoring.corrections.services.adjustments import void_adjustment
from scoring.integrity.queries.integrity import findings
from scoring.integrity.services.rebuild import rebuild
from scoring.ledger.queries.match_view import match_view
from scoring.models import Adjustment, MatchEvent, MatchResult
from tests.factories import adjust, finish, king, make_evening, make_match, newest, void, write

pytestmark = pytest.mark.django_db


def refused(call, *args, **kwargs):
    before = MatchEvent.objects.count()
    with pytest.raises(ServiceError) as caught:
        call(*args, **kwargs)
    assert MatchEvent.objects.count() == before
    return [(problem.code, problem.field) for problem in caught.value.problems]


def take_back(match, row, **changes):
    return write(void_adjustment, match, adjustment_id=row.id, **changes)


def test_it_counts_in_the_totals_and_in_no_deal():
    match = make_match(entries=[king(taken_by=2)])
    adjust(match, (0, 0, 0, -40))
    adjust(match, (75, 0, 75, 0), code="correction", after_deal=0)
    sheet = match_view(match).sheet
    assert sheet.totals == (75, 0, 0, -40)
    assert [row.points for row in sheet.rows] == [(75, 0, 75, 0), (0, 0, -75, 0), (0, 0, 0, -40)]
    assert sheet.kingdoms[0].subtotal == (0, 0, -75, 0)
    assert not list(findings())
    assert rebuild(match_id=match.id) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"code": "fine"}, ("missing", "code")),
        ({"points": (0, 0, 0, 0)}, ("missing", "points")),
        ({"points": (1, 2, 3)}, ("bad_counts", "points")),
        ({"points": ("1", 0, 0, 0)}, ("bad_counts", "points")),
        ({"points": (True, 0, 0, 0)}, ("bad_counts", "points")),
        ({"points": (0, 0, 10_001, 0)}, ("too_many", "points")),
        ({"after_deal": 2}, ("wrong_number", "after_deal")),
        ({"after_deal": -1}, ("wrong_number", "after_deal")),
        ({"reason": "  "}, ("missing", "reason")),
        ({"reason": "x" * 501}, ("too_long", "reason")),
        ({"version": 1}, ("stale", "version")),
    ],
)
def test_what_cannot_be_is_refused(changes, expected):
    assert refused(adjust, make_match(entries=[king()]), **changes) == [expected]


def test_same_key_writes_one_and_taking_back_is_a_row_too():
    match, key = make_match(entries=[king()]), uuid.uuid4()
    row = adjust(match, entry_key=key)
    assert adjust(match, entry_key=key, version=2) == row
    key = uuid.uuid4()
    assert take_back(match, row, entry_key=key) == take_back(match, row, entry_key=key) == row
    assert refused(take_back, match, row) == [("not_standing", "adjustment")]
    assert match_view(match).sheet.totals == (0, 0, -75, 0)
    assert Adjustment.objects.get().void
    assert not list(findings())


def test_row_of_another_match_is_not_reached():
    one, other = make_match(entries=[king()]), make_match(entries=[king()])
    assert refused(take_back, other, adjust(one)) == [("not_standing", "adjustment")]


def test_penalty_decides_who_wins_and_stays_when_its_deal_is_taken_back():
    match = make_evening("evening-levant")
    adjust(match, (-500, 0, 0, 0), after_deal=20)
    finish(match)
    assert MatchResult.objects.get(seat=0).total == 190 - 500
    assert MatchResult.objects.get(place=1).seat == 2
    match = make_match(entries=[king()])
    adjust(match)
    void(match, match.deals.get())
    assert match_view(match).sheet.totals == (0, 0, 0, -40)
    assert not list(findings())


def test_closed_match_refuses_it():
    match = finish(make_evening("evening-levant"))
    assert refused(adjust, match) == [("match_closed", "")]
    assert newest(match) == match.version
