"""What a page asks of the database does not grow with the club. `bin/bench web` shows the same for
500 people, and that no large table is read whole."""

from random import Random

import pytest

from tests.bench import asking, seeder

pytestmark = pytest.mark.django_db


def queries_of(slug, people, matches):
    club = seeder.seed(slug, people, matches, dice=Random(slug))
    return {name: len(queries) for name, (queries, _) in asking.pages(club)}


def test_every_page_asks_the_same_of_a_small_and_of_a_large_club():
    small, large = queries_of("small", 10, 12), queries_of("large", 30, 60)
    assert len(small) > 40
    assert small == large
    assert small["club_standings"] <= 8
    assert small["club_standings_csv"] <= 8
