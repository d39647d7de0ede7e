import pytest

from tests.factories import ClubFactory, PlayerFactory


@pytest.fixture
def club(db):
    """A club with four people, two of whom play in the evening of the cases."""
    club = ClubFactory(slug="cafe-younes")
    for name in ("Amal", "Badr", "Carmen", "Dima"):
        PlayerFactory(club=club, name=name)
    return club
