"""What was taken back is brought back, on the smallest phone and in Arabic, each in two taps."""

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from scoring.models import Deal
from tests.browser.table import Phone, seen
from tests.factories import correct
from tests.support.tables import PHONE, evening_of, url

pytestmark = pytest.mark.django_db(transaction=True)


# An undo that names what it takes, and a way back from it. C46, C119
def test_a_deal_is_undone_brought_back_corrected_and_restored(page, live_server):
    page.set_viewport_size({"width": 320, "height": 568})
    phone, match = Phone(page, live_server.url, "ar"), evening_of("evening-levant", 7)
    stood = Deal.objects.standing().get(match=match, deal_number=7)
    phone.open(url("match", match))
    undo = page.locator(".last .undo .button")
    seen(undo).to_contain_text("7")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.taps = 0
    phone.tap(".last .undo .button")
    phone.tap('.news[data-undone="7"] a.button')
    expect(page.locator("#entry[data-filled]")).to_be_visible()
    phone.save(7)
    assert phone.taps == 3
    again = Deal.objects.standing().get(match=match, deal_number=7)
    assert (again.id != stood.id, again.payload) == (True, stood.payload)
    # Each version in the history too: one tap and a save.
    entry = again.entry
    counts = entry.tally.tricks[::-1]
    correct(match, again, replace(entry, tally=replace(entry.tally, tricks=counts)), actor=PHONE)
    phone.open(url("deal", match, 7))
    page.locator('.history a.button[href*="restore="]').last.tap()
    expect(page.locator("#reason")).not_to_have_value("")
    phone.tap(".save")
    seen(page.locator(".history > li")).to_have_count(5)
    assert Deal.objects.standing().get(match=match, deal_number=7).payload == stood.payload
