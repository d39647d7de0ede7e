"""Enter in a field presses the first button of its form, also with `<noscript>` shown."""

import re

import pytest
from django.urls import reverse

from tests.factories import king, make_match
from tests.support.tables import url

RULES = "/clubs/cafe-younes/rules/new/?from=levant"
SETUP = "/clubs/cafe-younes/matches/new/"


def pressed(page: str, form: str) -> dict[str, str]:
    """The name and value of the button that Enter presses in the form with this mark."""
    start = page.index(form)
    buttons = re.findall(r"<button\b[^>]*>", page[start : page.index("</form>", start)])
    first = next(each for each in buttons if 'type="button"' not in each)
    return dict(re.findall(r' (name|value)="([^"]*)"', first))


@pytest.mark.parametrize(
    ("address", "form", "action"),
    [
        (RULES, 'id="rules-form"', "save"),
        (reverse("start_rules"), 'id="rules-form"', "save"),
        (reverse("paper_check"), 'id="check"', "check"),
    ],
)
def test_enter_presses_the_main_button(cast, phone_of, address, form, action):
    page = phone_of(cast.owner).get(address).text
    assert "<noscript>" in page
    assert pressed(page, form) == {"name": "action", "value": action}


def test_enter_writes_a_penalty_down(cast, phone_of):
    match = make_match(club=cast.club, players=cast.players, entries=[king()])
    page = phone_of(cast.esam).get(url("adjust", match)).text
    assert pressed(page, 'id="adjust"') == {"name": "action", "value": "save"}


# It took the first one off his seat.
def test_enter_in_the_search_for_people_finds_them(cast, phone_of):
    seated = {"seat": [str(player.id) for player in cast.players[:2]]}
    page = phone_of(cast.badr).get(SETUP, seated).text
    assert pressed(page, 'id="seats"') == {}
