"""Changing the rules of a club in a real browser: what hangs on what shows by itself."""

from playwright.sync_api import expect

from scoring.house_rules.services import house_rules
from scoring.models import HouseRules
from tests.browser.table import seen
from tests.browser.test_setup import sit
from tests.factories import make_cast

__all__ = ["sit"]


# No sign is ever typed, and Arabic digits are digits. C13, C14
def test_owner_makes_rules_and_sees_what_they_do(page, live_server, sit):
    cast = make_cast()
    house_rules.create(club=cast.club, name="Friday", preset="levant", options={})
    sit(cast.owner)
    page.goto(f"{live_server.url}/clubs/cafe-younes/rules/")
    page.get_by_role("link", name="Friday").click()
    partner = page.get_by_role("group", name="Partner takes the doubled card")
    expect(partner).to_be_hidden()
    page.get_by_label("Those who sit opposite are a team").check()
    partner.get_by_label("pays it twice, and nobody gains").check()
    seen(page.locator("#effect")).to_contain_text("costs 75 more than anyone gains")
    page.get_by_text("What things cost", exact=True).click()
    price = page.get_by_role("textbox", name="King of hearts")
    price.fill("١٠٠")
    price.blur()
    seen(page.locator("#effect")).to_contain_text("costs 100 more than anyone gains")
    page.get_by_text("Trex", exact=True).click()
    last = page.get_by_role("group", name="4th")
    last.get_by_label("minus").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert HouseRules.objects.get().options == {
        "doubling.partner_capture": "no_bonus",
        "teams": "opposite",
        "values.king": 100,
        "values.trex": [200, 150, 100, -50],
    }


def test_rules_open_beside_the_entry_which_keeps_every_tap(page, context, live_server):
    page.goto(live_server.url)
    for seat, name in enumerate(("Amal", "Badr", "Carmen", "Dima"), start=1):
        page.get_by_label(f"Player {seat}").fill(name)
    page.get_by_role("button", name="Change these rules").click()
    page.get_by_label("Queens are never doubled.").check()
    page.get_by_role("button", name="Play by these rules").click()
    expect(page.get_by_label("Player 3")).to_have_value("Carmen")
    page.get_by_role("button", name="Start the match").click()
    page.wait_for_url("**/matches/**")
    with context.expect_page() as opened:
        page.get_by_role("link", name="Rules", exact=True).click()
    seen(opened.value.locator(".special")).to_have_text("Queens are never doubled.")


# Whoever needs letters twice as big does not have to push the page sideways.
def test_form_fits_the_narrowest_phone_in_big_letters(page, live_server):
    page.set_viewport_size({"width": 320, "height": 640})
    for system in ("levant", "barbu"):
        page.goto(f"{live_server.url}/start/rules/?from={system}")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        page.evaluate(
            "document.querySelectorAll('main details').forEach((one) => (one.open = true))"
        )
        assert page.evaluate("document.documentElement.scrollWidth") == 320


# Arabic words are longer than "3rd", and no letter may stand alone on the next line.
def test_places_of_trex_stay_whole_words_in_arabic(page, live_server):
    page.set_viewport_size({"width": 320, "height": 640})
    page.context.add_cookies([{"name": "django_language", "value": "ar", "url": live_server.url}])
    page.goto(f"{live_server.url}/start/rules/?from=levant")
    page.evaluate("document.querySelectorAll('main details').forEach((one) => (one.open = true))")
    labels = page.locator(".signed-number > label:first-child")
    heights = labels.evaluate_all("(all) => all.map((one) => one.getClientRects()[0].height)")
    assert len(set(heights)) == 1
    assert len(heights) == 4
