"""Which deal what was said of a number belongs to, after deals were inserted and removed."""

import pytest

from scoring.rules.renumbering import Shift, number_now, numbers_then, start_now

INSERTED, REMOVED = Shift(10, 3, 1), Shift(10, 3, -1)
BACK = {INSERTED: Shift(20, 3, -1, 10), REMOVED: Shift(20, 3, 1, 10)}


def now(shifts, seq, by=number_now):
    return [by(shifts, number, seq) for number in (1, 2, 3, 4, 5)]


def test_numbers_follow_their_deals():
    assert now([INSERTED], 9) == [1, 2, 4, 5, 6]
    assert now([REMOVED], 9) == [1, 2, None, 3, 4]
    assert now([INSERTED], 10) == now([REMOVED], 10) == now([], 1) == [1, 2, 3, 4, 5]
    assert now([Shift(5, 1, 1), Shift(10, 3, -1)], 1) == [2, None, 3, 4, 5]


def test_what_holds_from_a_deal_on_holds_from_the_same_deal():
    assert now([INSERTED], 9, start_now) == [1, 2, 4, 5, 6]
    assert now([REMOVED], 9, start_now) == [1, 2, 3, 3, 4]
    assert now([Shift(10, 1, 1)], 9, start_now) == [1, 3, 4, 5, 6]
    assert now([Shift(10, 1, -1)], 9, start_now) == [1, 1, 2, 3, 4]


@pytest.mark.parametrize("shift", [INSERTED, REMOVED])
def test_shift_that_was_taken_back_never_was(shift):
    back, again = BACK[shift], Shift(30, 3, shift.by, 20)
    assert now([shift, back], 9) == [1, 2, 3, 4, 5]
    assert now([shift, back], 15) == now([back], 15)
    assert now([shift, back, again], 9) == now([shift], 9)
    assert now([shift, back, again], 15) == [1, 2, 3, 4, 5]


def test_number_of_today_knows_what_it_was_called():
    shifts = [INSERTED, Shift(20, 1, -1)]
    assert list(numbers_then(shifts, 3)) == [(0, 10, 3), (10, 20, 4), (20, None, 3)]
    assert list(numbers_then(shifts, 2)) == [(10, 20, 3), (20, None, 2)]
    assert list(numbers_then([], 4)) == [(0, None, 4)]
