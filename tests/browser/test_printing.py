"""What is printed fits on its paper, A4 or Letter: the sheet of a match, and an empty one."""

import re

import pytest

from scoring.models import HouseRules
from tests.browser.table import seen
from tests.factories import finish, make_cast, make_evening
from tests.support.judging import by
from tests.support.tables import url

pytestmark = pytest.mark.django_db(transaction=True)

MUCH = {
    "teams": "opposite",
    "combo": "free",
    "kabbout.contracts": ["tricks", "diamonds"],
    "chooser_factor": 2,
    "forced_factor": 2,
}


def pages(page, paper) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper, print_background=True)))


def test_every_sheet_is_one_page(page, live_server):
    cast = make_cast(is_public=True)
    much = HouseRules.objects.create(
        club=cast.club, name="W" * 40, preset="levant", system="levant", options=MUCH
    )
    match = finish(make_evening("evening-barbu", club=cast.club, actor=by(cast.amal)))
    empty = f"/clubs/{cast.club.slug}/paper/?rules="
    asked = [empty + rules for rules in ("levant", "kleshchi", "barbu", str(much.id))]
    for address in (url("sheet", match), *asked):
        page.goto(live_server.url + address)
        assert {pages(page, paper) for paper in ("A4", "Letter")} == {1}, address


def test_lists_are_printed_with_their_club_and_nothing_to_tap(page, live_server):
    cast = make_cast(is_public=True)
    finish(make_evening("evening-barbu", club=cast.club, actor=by(cast.amal)))
    page.goto(f"{live_server.url}/clubs/{cast.club.slug}/standings/")
    seen(page.locator("form.field, main .inline-link")).not_to_have_count(0)
    page.emulate_media(media="print")
    seen(page.locator(".print-only")).to_contain_text(cast.club.name)
    seen(page.locator("main :is(form, .inline-link, input)")).to_have_count(0)
