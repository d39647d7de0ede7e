"""People of one name in a club are told apart by a number, everywhere their name stands."""

import pytest

from scoring.models.namesakes import numbers


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ([], []),
        (["Ahmad", "Badr"], [0, 0]),
        (["Ahmad", "Badr", "Ahmad", "Ahmad"], [1, 0, 2, 3]),
        (["Ahmad", "AHMAD", "A\u200dhmad"], [1, 2, 3]),  # the same to a reader
        (["Ahmad", "Ahmad (2)", "Ahmad"], [1, 0, 3]),  # one chose a name with a number
        (["Ahmad (2)", "Ahmad (2)"], [1, 2]),
        (["Ahmad", "Ahmed"], [0, 0]),
    ],
)
def test_people_of_one_name_are_numbered_in_order_of_joining(names, found):
    assert list(numbers(names)) == found
