"""What a table does otherwise than usual, tapped in: another chooser, cards one by one."""

import pytest
from playwright.sync_api import expect

from scoring.models import Deal
from tests.browser.table import Phone, seen
from tests.factories import king
from tests.support.tables import match_of, url

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def phone(page, live_server):
    return Phone(page, live_server.url)


# A seat is changed in a tap; what was tapped before stays, and what hangs on it follows. C28
def test_another_chooser_is_a_tap_and_nothing_is_lost(phone):
    phone.open(url("match", match_of(system="barbu"), contract="hearts"))
    phone.choose("hearts.0", 3)
    phone.choose("hearts.1", 5)
    phone.tap(".roles summary")
    phone.choose("chooser", 1)
    page = phone.page
    expect(page.locator('[name="leader"][value="1"]')).to_be_checked()
    expect(page.locator(".roles[open]")).to_be_visible()
    seen(page.locator(".preview .why")).to_contain_text("100")
    expect(page.locator('[name="hearts.0"][value="3"]')).to_be_checked()
    phone.tap(".roles summary")
    phone.save(1)
    deal = Deal.objects.get()
    assert (deal.chooser, deal.dealer, deal.leader) == (1, 3, 1)


# The pad writes the cards, one can be taken back, and the page finds who lost. C29
def test_the_cards_of_fifty_one_are_tapped(phone):
    phone.open(url("match", match_of(system="barbu"), contract="fifty_one"))
    page = phone.page
    phone.tap("details.cards summary")
    for card in ("8H", "7S", "8S", "7H", "8C", "7C", "KS", "AS"):
        phone.tap(f'[data-card="{card}"]')
    seen(page.locator("#preview")).to_contain_text("50")
    phone.tap(".card-back")
    expect(page.locator("#plays")).to_have_value("8H 7S 8S 7H 8C 7C KS")
    seen(page.locator("#preview")).to_contain_text("49")
    phone.tap('[data-card="QS"]')
    seen(page.locator(".preview .why")).to_contain_text("80")
    phone.save(1)
    assert Deal.objects.get().payload["input"]["loser"] == 3


def test_the_page_draws_the_contract(phone):
    options = {"contract_order": "drawn", "general_last": True}
    phone.open(url("match", match_of(system="barbu", options=options)))
    phone.tap(".draw")
    expect(phone.page.locator("form.entry")).to_be_visible()
    drawn = phone.page.locator('[name="contract"]').input_value()
    phone.page.reload()
    assert phone.page.locator('[name="contract"]').input_value() == drawn


def test_what_was_taken_back_is_told_once(phone):
    match = match_of()
    phone.open(url("match", match, contract="king"))
    phone.choose("king_taken_by", 2)
    phone.save(1)
    phone.tap(".news .undo button")
    news = phone.page.locator(".news")
    seen(news).to_contain_text("taken back")
    phone.page.wait_for_url(lambda address: "undone" not in address)
    phone.page.reload()
    expect(phone.page.locator("a.contract").first).to_be_visible()
    expect(news).to_have_count(0)


# Whoever needs letters twice as big does not have to push the page sideways.
@pytest.mark.parametrize("name", ["adjust", "match_close", "subtotal", "seats", "repair"])
def test_headings_fit_the_narrowest_phone_in_big_letters(phone, name):
    match = match_of(entries=[king(2)])
    phone.page.set_viewport_size({"width": 320, "height": 640})
    phone.open(url(name, match))
    phone.page.evaluate("document.documentElement.style.fontSize = '200%'")
    box = phone.page.locator("h1").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 320
