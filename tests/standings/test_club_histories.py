"""Whatever happened in a club, everything derived of it can be dropped and worked out again."""

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from tests import chance
from tests.factories import PlayerFactory, make_cast
from tests.support.histories import PEOPLE, History

pytestmark = pytest.mark.django_db

EXAMPLES = 10 * chance.TIMES


# Totals are derived, never edited: dropped and rebuilt they are the same. C49, C73
def test_what_is_derived_can_be_dropped_and_rebuilt():
    cast = make_cast()
    for number in range(len(cast.players), PEOPLE):
        PlayerFactory(club=cast.club, name=f"Player {number}")
    steps = settings(max_examples=EXAMPLES, stateful_step_count=10)
    run_state_machine_as_test(lambda: History(cast), settings=steps)
