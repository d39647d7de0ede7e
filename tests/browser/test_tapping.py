"""A deal tapped in with fast fingers on a slow line, with other keyboards, from key to key."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.table import Phone, seen
from tests.factories import evenings
from tests.support.tables import evening_of, match_of, url

pytestmark = pytest.mark.django_db(transaction=True)

LEVANT = "evening-levant"


@pytest.fixture
def phone(page, live_server):
    """The pad of the first deal of tricks, without a card."""
    page.set_viewport_size({"width": 390, "height": 740})
    phone = Phone(page, live_server.url)
    deals = evenings()[LEVANT]["deals"]
    number = next(deal["deal_number"] for deal in deals if deal["contract"] == "tricks")
    phone.open(url("pad", evening_of(LEVANT, number), number))
    return phone


@pytest.fixture
def slow(phone):
    """The same on a line with two seconds of latency."""
    line = phone.page.context.new_cdp_session(phone.page)
    line.send("Network.enable")
    line.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 2000, "downloadThroughput": -1, "uploadThroughput": -1},
    )
    return phone


def tap_in(phone, cards):
    for card in cards:
        phone.page.locator(f'#keys [name="card"][value="{card}"]').tap()


def tapped(phone, cards):
    expect(phone.page.locator('.pad-save [name="cards"]')).to_have_value(".".join(cards))


def test_card_is_taken_back_and_tapped_again_before_any_answer(slow):
    tap_in(slow, ["AS", "KS"])
    slow.tap("#keys [name=back]")
    slow.tap("#keys [name=back]")
    tap_in(slow, ["AS", "QS"])
    tapped(slow, ["AS", "QS"])
    seen(slow.page.locator(".pad-count")).to_have_text("2")
    tapped(slow, ["AS", "QS"])


def test_reload_keeps_cards_that_are_still_on_their_way(slow):
    tap_in(slow, ["AS", "KS", "QS"])
    slow.page.reload()
    tapped(slow, ["AS", "KS", "QS"])


def test_keys_follow_the_suit_that_was_led_before_any_answer(slow):
    for key in ("7", "H", "9", "Enter", "2", "Enter", "0", "Enter", "k", "Enter", "S"):
        slow.page.keyboard.press(key)
    tapped(slow, ["7H", "9H", "2H", "TH", "KS"])


def test_keys_are_found_on_a_keyboard_with_other_letters(phone):
    phone.page.evaluate(
        """for (const [key, code] of [["٣", "Digit3"], ["س", "KeyS"]])
          document.dispatchEvent(new KeyboardEvent("keydown", {key, code, bubbles: true}))"""
    )
    tapped(phone, ["3S"])


def test_who_goes_from_key_to_key_stays_there_and_hears_whose_turn_it_is(phone):
    phone.page.locator('#keys [value="AS"]').focus()
    for before, after in (("AS", "KS"), ("KS", "QS")):
        expect(phone.page.locator(f'#keys [value="{before}"]')).to_be_focused()
        phone.page.keyboard.press("Enter")
        expect(phone.page.locator(f'#keys [value="{after}"]')).to_be_focused()
    said = phone.page.locator(".pad-turn").text_content()
    seen(phone.page.locator("#pad-said")).to_have_text(said)


def test_who_leads_is_kept_when_a_card_follows_before_the_answer(slow):
    slow.page.locator('.pad-leader label:has([name="leader"][value="3"])').tap()
    tap_in(slow, ["AS"])
    seen(slow.page.locator(".pad-count")).to_have_text("1")
    expect(slow.page.locator('.pad-save [name="leader"]')).to_have_value("3")


def test_no_key_is_lost_while_the_page_is_drawn(phone):
    cards = [rank + suit for suit in "SHCD" for rank in "AKQJ98765432"]
    for card in cards:
        phone.page.keyboard.press(card[0])
        phone.page.keyboard.press(card[1])
    tapped(phone, cards)
    seen(phone.page.locator(".pad-count")).to_have_text(str(len(cards)))
    tapped(phone, cards)


def test_pad_is_sound_with_cards_on_the_table(phone):
    tap_in(phone, ["7H", "9H"])
    seen(phone.page.locator(".pad-count")).to_have_text("2")
    found = Axe().run(phone.page).response["violations"]
    assert [each["id"] for each in found] == []


def top_of_keys(page):
    return page.locator("#keys").bounding_box()["y"]


def test_keys_stay_under_the_thumb_when_the_answer_comes(slow):
    tap_in(slow, ["AS"])
    there = top_of_keys(slow.page)
    seen(slow.page.locator(".pad-count")).to_have_text("1")
    assert top_of_keys(slow.page) == there


@pytest.mark.parametrize("language", ["en", "ar"])
def test_keys_stay_under_the_thumb_whoever_is_on_turn(page, live_server, language):
    names = ["Maximiliana Wolfeschlegelsteinhausenberg", "Bo", "W" * 40, "Al"]
    page.set_viewport_size({"width": 320, "height": 640})
    match = match_of(players=names, entries=[])
    tops = set()
    for cards in ("AS", "AS.KS", "AS.KS.QS", "AS.KS.QS.JS"):
        Phone(page, live_server.url, language).open(
            url("pad", match, 1, contract="king", cards=cards)
        )
        tops.add(top_of_keys(page))
    for cards in ("JH", "JH.3S"):  # the second fits nowhere
        Phone(page, live_server.url, language).open(
            url("pad", match, 1, contract="trex", cards=cards)
        )
        tops.add(top_of_keys(page))
    assert len(tops) == 1


def test_second_tap_at_the_same_place_is_no_other_card(phone):
    there = phone.page.locator('#keys button[value="AS"]').bounding_box()
    at = there["x"] + there["width"] / 2, there["y"] + there["height"] / 2
    phone.page.touchscreen.tap(*at)
    phone.page.touchscreen.tap(*at)
    seen(phone.page.locator(".pad-count")).to_have_text("1")
    phone.page.touchscreen.tap(*at)
    tapped(phone, ["AS"])
    key = phone.page.locator('#keys button[value="AS"]')
    key.wait_for()
    assert key.bounding_box() == there


@pytest.mark.parametrize("language", ["en", "ar"])
def test_every_key_is_as_wide_as_a_thumb_on_the_smallest_phone(page, live_server, language):
    page.set_viewport_size({"width": 320, "height": 568})
    match = match_of(entries=[])
    Phone(page, live_server.url, language).open(url("pad", match, 1, contract="king"))
    keys = [key.bounding_box() for key in page.locator("#keys button").all()]
    assert len(keys) == 53
    assert min(min(key["width"], key["height"]) for key in keys) >= 44
    assert max(key["y"] + key["height"] for key in keys) <= 568
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_wrong_card_is_mended_where_it_is(phone):
    tap_in(phone, ["AS", "KS", "QS"])
    seen(phone.page.locator(".pad-count")).to_have_text("3")
    phone.tap(".pad-steps summary")
    phone.tap('.pad-steps [name="mend"][value="1"]')
    expect(phone.page.locator('#keys [name="at"]')).to_have_count(1)
    tap_in(phone, ["JS"])
    seen(phone.page.locator(".pad-count")).to_have_text("3")
    tap_in(phone, ["2S"])
    tapped(phone, ["AS", "JS", "QS", "2S"])


def test_forgotten_card_is_inserted_with_a_finger_and_with_keys(phone):
    count = phone.page.locator(".pad-count")
    tap_in(phone, ["AS", "QS", "2S"])
    seen(count).to_have_text("3")
    phone.tap(".pad-steps summary")
    phone.tap('.pad-steps [name="mend"][value="1"]')
    phone.tap('#keys button[name="insert"]')
    expect(phone.page.locator('#keys [name="insert"][type="hidden"]')).to_have_count(1)
    tap_in(phone, ["KS"])
    tapped(phone, ["AS", "KS", "QS", "2S"])
    for selector in (".pad-steps summary", '[name="mend"][value="0"]', 'button[name="insert"]'):
        phone.page.locator(f"#keys {selector}").press("Enter")
    expect(phone.page.locator('#keys [name="insert"][type="hidden"]')).to_have_count(1)
    for key in ("J", "S"):
        phone.page.keyboard.press(key)
    tapped(phone, ["JS", "AS", "KS", "QS", "2S"])
