"""Whole evenings typed in on a phone 390 px wide, every running total held against the file."""

import pytest
from playwright.sync_api import expect

from tests.browser.table import Phone
from tests.factories import evenings
from tests.web.tables import match_of, url

pytestmark = pytest.mark.django_db(transaction=True)


def play(phone, name):
    evening = evenings()[name]
    match = match_of(
        system=evening["system"],
        players=evening["players"],
        first_chooser=evening["first_chooser"],
    )
    phone.open(url("match", match))
    for deal in evening["deals"]:
        phone.enter(deal)
        assert phone.totals() == deal["totals"], deal
    return match


# The pages are held to the same worked evenings as the rules. C88
@pytest.mark.parametrize("name", ["evening-levant", "evening-kleshchi", "evening-barbu"])
def test_an_evening_typed_in_gives_the_totals_of_the_file(page, live_server, name):
    phone = Phone(page, live_server.url)
    match = play(phone, name)
    phone.tap('button:near(.places, 400):has-text("Finish")')
    expect(page.locator(".end-name")).to_be_visible()
    phone.open(url("sheet", match))
    assert page.locator("tr[data-deal]").count() == len(evenings()[name]["deals"])


def test_an_evening_in_arabic(page, live_server):
    phone = Phone(page, live_server.url, language="ar")
    play(phone, "evening-levant")
    assert page.locator("html").get_attribute("dir") == "rtl"


def test_an_evening_without_a_script(new_context, live_server):
    phone = Phone(new_context(java_script_enabled=False).new_page(), live_server.url)
    play(phone, "evening-levant")
