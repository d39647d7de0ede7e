"""The four shapes: what a field draws, reads and refuses. No database."""

import pytest

from scoring.common.numbers import whole
from scoring.entry.forms.fields import Field

QUEENS = Field("queens_taken_by", "seats", ("QS", "QH", "QD", "QC"))
DIAMONDS = Field("diamonds", "counts", total=13, price=lambda n: -10 * n)


# Digits of any script are numbers wherever one is typed. C14
@pytest.mark.parametrize("text", ["3", " 3 ", "٣", "۳", "03"])
def test_a_number_may_be_typed_in_any_digits(text):
    assert whole(text) == 3


@pytest.mark.parametrize("text", ["3 diamonds", "-3", "3.5", "1_0", "²", "x" * 10_000, "9" * 5_000])
def test_other_text_goes_on_as_it_is_but_short(text):
    assert whole(text) == text[:40]


def test_nothing_typed_is_nothing():
    assert whole("  ") is None


def test_a_count_offers_every_number_with_its_points():
    slots = DIAMONDS.slots({"diamonds.1": "٣"})

    assert [slot.name for slot in slots] == [f"diamonds.{seat}" for seat in range(4)]
    assert [choice.points for choice in slots[0].choices][:3] == [0, -10, -20]
    assert len(slots[0].choices) == 14
    assert [choice.value for choice in slots[1].choices if choice.chosen] == ["3"]
    assert [slot.filled for slot in slots] == [False, True, False, False]


def test_open_counts_are_none():
    assert DIAMONDS.read({"diamonds.0": "5", "diamonds.2": "8"}) == [5, None, 8, None]
    assert DIAMONDS.read({}) is None


def test_cards_go_to_seats():
    assert QUEENS.read({"queens_taken_by.QS": "2", "queens_taken_by.QC": "0"}) == {"QS": 2, "QC": 0}
    assert QUEENS.read({}) is None


def test_places_are_taken_in_order():
    order = Field("finish_order", "order", needed=3)
    raw = {"finish_order.0": "2", "finish_order.1": "0"}
    assert order.read(raw) == [2, 0, None, None]
    assert [slot.place for slot in order.slots(raw)] == [0, 1, 2, 3]


def test_rows_have_nobody_first_and_chosen():
    doubles = Field("doubles", "rows", ("KH",))
    (slot,) = doubles.slots({})
    assert [(choice.value, choice.chosen) for choice in slot.choices][:2] == [
        ("", True),
        ("0", False),
    ]
    (slot,) = doubles.slots({"doubles.KH": "3"})
    assert [choice.value for choice in slot.choices if choice.chosen] == ["3"]


def test_yes_is_said_or_not():
    forfeited = Field("forfeited", "yes")
    assert forfeited.read({"forfeited": "1"}) is True
    assert forfeited.read({}) is None


def test_what_no_tap_can_send_is_quoted_back():
    raw = {"diamonds.0": "many", "diamonds.1": "99", "diamonds.2": "5", "diamonds.3": ""}
    assert DIAMONDS.refused(raw) == ["many", "99"]
    assert QUEENS.refused({"queens_taken_by.QS": "7"}) == ["7"]
