"""The keyboard alone: the focus is never lost, and a kingdom takes few keys."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.table import Phone, cookies_of, seen, wait_for_bundle
from tests.factories import make_cast
from tests.support.evening import people, planned
from tests.support.tables import match_of, url

pytestmark = pytest.mark.django_db(transaction=True)

COMPLEX = "king+queens+diamonds+tricks"


class Keys:
    """Somebody without a pointer; counts the keys."""

    def __init__(self, page, server):
        self.page, self.count = page, 0
        self.phone = Phone(page, server)

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
            self.count += 1

    def seat(self, seat):
        """Arrows choose as they go; the first is chosen where the focus stands."""
        self.press(*["ArrowDown"] * seat or ["Space"])

    def open(self, contract, first):
        """From the heading on; a contract that is the last one left is open already."""
        self.press("Tab", "Enter")
        expect(self.page.locator(f'#entry [name="contract"][value="{contract}"]')).to_be_attached()
        expect(self.page.locator(f'[name="{first}"]').first).to_be_focused()

    def save(self, number):
        self.press("Enter")
        seen(self.page.locator(f'.news[data-saved="{number}"]')).to_have_count(1)
        expect(self.page.locator("#announcer")).to_contain_text(f"Deal {number} is saved")


@pytest.fixture
def keys(page, live_server):
    return Keys(page, live_server.url)


def test_kingdom_takes_at_most_60_keys(keys):
    page = keys.page
    keys.phone.open(url("match", match_of(first_dealer=0)))
    wait_for_bundle(page)
    keys.press("Tab", "Enter")  # to the content
    expect(page.locator("#content")).to_be_focused()
    keys.open("king", "king_taken_by")
    keys.seat(2)
    keys.save(1)
    expect(page.locator("h1")).to_be_focused()
    keys.open("queens", "queens_taken_by.QS")
    for taker in (0, 1, 2, 3):
        keys.seat(taker)
        if taker < 3:
            keys.press("Tab")
    keys.save(2)
    keys.open("diamonds", "diamonds.0")
    keys.press("0", "Tab", "1", "2", "Tab", "1")
    keys.save(3)
    keys.open("tricks", "tricks.0")
    keys.press("3", "Tab", "3", "Tab", "3")
    keys.save(4)
    expect(page.locator('[name="finish_order.0"]').first).to_be_focused()
    for place, seat in enumerate((2, 0, 3)):
        keys.seat(seat)
        if place < 2:
            keys.press("Tab")
    keys.save(5)
    assert keys.phone.totals() == [80, -140, 45, 15]
    assert keys.count <= 60


def test_keys_go_through_the_parts_and_back(keys):
    page = keys.page
    keys.phone.open(url("match", match_of(options={"combo": "complex"}), contract=COMPLEX))
    page.locator('[name="king_taken_by"]').first.focus()
    keys.press("ArrowDown", "ArrowDown")
    expect(page.locator('[name="king_taken_by"][value="2"]')).to_be_focused()
    keys.press("Tab")
    expect(page.locator('[name="queens_taken_by.QS"]').first).to_be_focused()
    keys.press("Shift+Tab")
    expect(page.locator('[name="king_taken_by"][value="2"]')).to_be_focused()


def test_refusal_and_undo_keep_the_focus_and_are_heard(keys):
    page, heard = keys.page, keys.page.locator("#announcer")
    keys.phone.open(url("match", match_of(), contract="queens"))
    page.locator('[name="queens_taken_by.QS"]').first.focus()
    keys.press("Space", "Enter")
    expect(heard).to_contain_text("Q♥")
    expect(page.locator('[name="queens_taken_by.QH"]').first).to_be_focused()
    keys.press("Space", "Tab", "Space", "Tab", "Space", "Enter")
    expect(heard).to_contain_text("Deal 1 is saved")
    page.locator(".news .undo button").focus()
    keys.press("Enter")
    expect(heard).to_contain_text("Deal 1 was taken back")
    expect(page.locator("h1")).to_be_focused()


def test_draw_keeps_the_focus(keys, transactional_db):
    page, cast = keys.page, make_cast()
    evening = planned(cast.club, people(cast.club, 8))
    page.context.add_cookies(cookies_of(cast.owner, keys.phone.server))
    keys.phone.open(reverse("evening_draw", args=[cast.club.slug, evening.id]))
    mark = page.locator('#draw input[name="seen"]').first
    for before in ("", mark):  # drawn, and drawn again
        drawn = before and before.input_value()
        page.locator('#draw button[value="lot"]').focus()
        keys.press("Enter")
        expect(mark).not_to_have_value(drawn)
        seen(page.locator("#draw :focus, h1:focus")).to_have_count(1)


def test_finder_keeps_the_focus(keys):
    page = keys.page
    keys.phone.open(reverse("paper_check"))
    lines = page.locator("#check fieldset")
    before = lines.count()
    page.locator('#check button[value="more"]').focus()
    keys.press("Enter")
    expect(lines).not_to_have_count(before)
    expect(page.locator("#more-lines")).to_be_focused()
    page.locator('#check button.primary[value="check"]').focus()
    keys.press("Enter")
    expect(page.locator("#check").get_by_text("Type at least one number")).to_be_visible()
    seen(page.locator("#check :focus, h1:focus")).to_have_count(1)
