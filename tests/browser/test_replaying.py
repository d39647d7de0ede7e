"""A deal tapped in card by card, and seen again: taps, keys, swipes, a revoke found."""

import io
import re
from itertools import combinations

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import expect

from scoring.ledger.queries.match_view import match_view
from scoring.records.queries.records import audit_of, record_of
from scoring.rules import Double
from tests.browser.table import Phone, seen
from tests.factories import evenings
from tests.records.test_pad_pages import tokens
from tests.records.test_replay_pages import with_record
from tests.support.tables import evening_of, match_of, url

pytestmark = pytest.mark.django_db(transaction=True)

LEVANT = "evening-levant"


@pytest.fixture
def phone(page, live_server):
    page.set_viewport_size({"width": 390, "height": 740})
    return Phone(page, live_server.url)


def first_of(contract):
    return next(deal for deal in evenings()[LEVANT]["deals"] if deal["contract"] == contract)


def tap_in(phone, cards):
    """Every card at once, without waiting for an answer."""
    for card in cards:
        phone.page.locator(f'#keys [name="card"][value="{card}"]').tap()
        phone.taps += 1


def keep(phone):
    phone.tap(".pad-save button")
    phone.page.wait_for_url("**/replay/**")


@pytest.mark.parametrize("contract", ["tricks", "trex"])
def test_deal_costs_a_tap_a_card_and_four_more(phone, contract):
    deal = first_of(contract)
    number, cards = deal["deal_number"], tokens(deal)
    match = evening_of(LEVANT, number)
    phone.open(url("record", match, number))
    phone.tap('a[href*="/pad/"]')
    tap_in(phone, cards)
    expect(phone.page.locator('.pad-save [name="cards"]')).to_have_value(".".join(cards))
    keep(phone)
    assert phone.taps <= len(cards) + 4
    assert audit_of(match_view(match), number).report.agrees


def type_in(phone, cards, follows):
    """Rank and suit, or Enter for the suit that was led, which is not asked for again."""
    keyboard, sofar = phone.page.keyboard, phone.page.locator("#keys [name=cards]")
    for place, card in enumerate(cards):
        keyboard.press(card[0])
        if card != "-":
            if follows(place):
                led = cards[place - place % 4][1]
                expect(phone.page.locator(f'#keys[data-led="{led}"]')).to_have_count(1)
            keyboard.press("Enter" if follows(place) else card[1])
        expect(sofar).to_have_value(".".join(cards[: place + 1]))


def keep_by_key(phone):
    phone.page.wait_for_load_state("networkidle")
    phone.page.locator(".pad-save button").focus()
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_url("**/replay/**")


@pytest.mark.parametrize("contract", ["tricks", "trex"])
def test_deal_is_typed_with_the_keyboard_alone(phone, contract):
    deal = first_of(contract)
    number, cards = deal["deal_number"], tokens(deal)
    match = evening_of(LEVANT, number)
    phone.open(url("pad", match, number))

    def follows(place):
        return contract == "tricks" and place % 4 and cards[place][1] == cards[place - place % 4][1]

    type_in(phone, cards[:3], follows)
    phone.page.keyboard.press("Backspace")
    expect(phone.page.locator("#keys [name=cards]")).to_have_value(".".join(cards[:2]))
    phone.page.keyboard.press("Backspace")
    phone.page.keyboard.press("Backspace")
    expect(phone.page.locator("#keys")).to_have_attribute("data-led", "")
    type_in(phone, cards, follows)
    keep_by_key(phone)
    assert audit_of(match_view(match), number).report.agrees


def test_deal_that_is_due_is_tapped_in_with_its_double_from_the_table(phone):
    match = match_of(entries=[])
    phone.page.set_viewport_size({"width": 320, "height": 640})
    phone.open(url("match", match))
    phone.page.locator("details.more:has(.more-links) > summary").tap()
    phone.tap('a[href$="/deals/1/record/"]')
    phone.tap('a[href*="/pad/"]')
    phone.tap('a.contract[href*="contract=queens"]')
    phone.page.locator(".pad-leader summary").tap()
    phone.choose("doubles.QS", 2)
    expect(phone.page.locator('#keys [name="doubles.QS"]')).to_have_value("2")
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 320
    assert Axe().run(phone.page).response["violations"] == []
    tap_in(phone, ["QS", "3S", "4S", "5S"])
    keep(phone)
    assert record_of(match, 1).doubles == (Double("QS", 2),)


def with_a_revoke(cards):
    """Four tricks, then a lead of the longest suit left and another suit from the next seat; then
    all of the suit that was led, so that this seat shows it too."""
    before, rest = list(cards[:16]), list(cards[16:])
    led = max("SHDC", key=lambda suit: sum(card[1] == suit for card in rest))
    following = [card for card in rest if card[1] == led]
    others = [card for card in rest if card[1] != led]
    return [*before, following[0], others[0], *following[1:], *others[1:]]


def test_revoke_in_trick_five_is_found_linked_and_shown(phone):
    deal = first_of("tricks")
    number = deal["deal_number"]
    match = evening_of(LEVANT, number)
    phone.open(url("pad", match, number))
    tap_in(phone, with_a_revoke(tokens(deal)))
    keep(phone)
    link = phone.page.locator('#steps a[data-to="18"]:has([data-code="revoke"])')
    phone.page.locator("#steps summary").tap()
    seen(link).to_have_count(1)
    link.tap()
    expect(phone.page.locator('#said [data-code="revoke"]')).to_be_visible()
    assert "play=18" in phone.page.url
    expect(phone.page.locator(".marks rect")).not_to_have_count(0)


def test_revoke_is_entered_and_found_with_the_keyboard_alone(phone):
    deal = first_of("tricks")
    number, cards = deal["deal_number"], with_a_revoke(tokens(deal))
    match = evening_of(LEVANT, number)
    phone.open(url("pad", match, number, cards=".".join(cards[:15])))
    for card in cards[15:]:
        phone.page.keyboard.press(card[0])
        phone.page.keyboard.press(card[1])
    expect(phone.page.locator("#keys [name=cards]")).to_have_value(".".join(cards))
    keep_by_key(phone)
    link = phone.page.locator('.audit [data-code="revoke"] a')
    link.first.focus()
    phone.page.keyboard.press("Enter")
    expect(phone.page.locator('#said [data-code="revoke"]')).to_be_visible()
    assert "play=18" in phone.page.url
    phone.page.keyboard.press("ArrowLeft")
    expect(phone.page.locator('#said [data-code="revoke"]')).to_have_count(0)
    assert "play=17" in phone.page.url


def lying(page):
    """Which card lies where."""
    return page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('[data-card]')].map((card) => ["
        "card.dataset.card, card.closest('[data-place], [data-slot]').dataset.place ?? 'row']))"
    )


def as_served(page):
    """The same play as the server draws it, in a page of its own."""
    other = page.context.new_page()
    other.goto(page.url)
    drawn = lying(other)
    other.close()
    return drawn


# Keyboard and swipe work for who may only look. C114
@pytest.mark.parametrize("contract", ["tricks", "trex"])
def test_stepping_by_script_shows_what_the_server_shows(phone, contract):
    number = first_of(contract)["deal_number"]
    match = with_record(evening_of(LEVANT, number), number, LEVANT)
    phone.open(url("replay", match, number))
    for keys in (["ArrowRight"] * 5, ["PageDown", "PageDown"], ["End"], ["ArrowLeft"], ["Home"]):
        for key in keys:
            phone.page.keyboard.press(key)
        assert lying(phone.page) == as_served(phone.page)


def test_it_plays_by_itself_and_is_drawn_along(phone):
    number = first_of("tricks")["deal_number"]
    match = with_record(evening_of(LEVANT, number), number, LEVANT)
    phone.page.clock.install()
    phone.open(url("replay", match, number))
    count, stop = phone.page.locator("b[data-shown]"), "[data-play]"
    phone.tap(stop)
    phone.page.clock.run_for(3500)
    seen(count).to_have_text("3")
    phone.tap(stop)
    phone.page.clock.run_for(3500)
    seen(count).to_have_text("3")
    phone.page.locator("#content").press("Space")
    phone.page.clock.run_for(1500)
    seen(count).to_have_text("4")
    phone.page.locator(".slider").fill("40")
    phone.page.clock.run_for(3500)
    seen(count).to_have_text("40")
    assert lying(phone.page) == as_served(phone.page)


def grey(page, card):
    found = page.locator(f'[data-card="{card}"] .face').screenshot()
    return Image.open(io.BytesIO(found)).convert("L").resize((32, 21))


# Nothing is told by colour alone. C108
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_two_cards_look_alike_without_colour_at_32_px(phone, scheme):
    number = first_of("tricks")["deal_number"]
    match = with_record(evening_of(LEVANT, number), number, LEVANT)
    phone.page.set_viewport_size({"width": 320, "height": 740})
    phone.page.emulate_media(color_scheme=scheme)
    phone.open(url("replay", match, number))
    cards = phone.page.locator(".minis [data-card]").evaluate_all(
        "all => all.map((card) => [card.dataset.card, card.firstElementChild.clientWidth])"
    )
    assert len(cards) == 52
    assert {width for _, width in cards} == {32}
    drawn = {card: grey(phone.page, card) for card, _ in cards}
    differences = {
        (one, two): ImageStat.Stat(ImageChops.difference(drawn[one], drawn[two])).sum[0]
        for one, two in combinations(drawn, 2)
    }
    assert min(differences.values()) > 500, min(differences, key=differences.get)


@pytest.mark.parametrize("contract", ["tricks", "trex"])
@pytest.mark.parametrize("language", ["en", "ar"])
def test_audit_is_printed_on_one_page(page, live_server, contract, language):
    number = first_of(contract)["deal_number"]
    match = with_record(evening_of(LEVANT, number), number, LEVANT)
    hand = Phone(page, live_server.url, language)
    hand.open(url("record", match, number))
    for paper in ("A4", "Letter"):
        printed = page.pdf(format=paper)
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1


def swipe(page, by):
    page.evaluate(
        """(by) => {
          const board = document.querySelector('.board');
          const at = (type, x) => board.dispatchEvent(new PointerEvent(type,
            {bubbles: true, isPrimary: true, clientX: x, clientY: 200, pointerId: 1}));
          at('pointerdown', 150); at('pointerup', 150 + by);
        }""",
        by,
    )


@pytest.mark.parametrize(("language", "on"), [("en", -90), ("ar", 90)])
def test_small_dark_still_page_is_swiped_and_sound(browser, live_server, language, on):
    number = first_of("queens")["deal_number"]
    match = with_record(evening_of(LEVANT, number), number, LEVANT)
    context = browser.new_context(
        viewport={"width": 320, "height": 640},
        color_scheme="dark",
        reduced_motion="reduce",
        has_touch=True,
    )
    phone = Phone(context.new_page(), live_server.url, language)
    phone.open(url("replay", match, number, play=8))
    swipe(phone.page, on)
    assert "play=9" in phone.page.url
    swipe(phone.page, -on)
    assert "play=8" in phone.page.url
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 320
    found = Axe().run(phone.page).response["violations"]
    assert [each["id"] for each in found] == []
    context.close()


def open_all(page):
    page.evaluate("document.querySelectorAll('main details').forEach((one) => (one.open = true))")


def test_end_of_a_deal_with_everything_open_is_sound(phone):
    number = first_of("diamonds")["deal_number"]
    match = with_record(evening_of(LEVANT, number), number, LEVANT)
    phone.open(url("replay", match, number, play=51))
    open_all(phone.page)
    phone.page.keyboard.press("ArrowRight")
    expect(phone.page.locator('#steps [aria-current="step"]')).to_have_attribute("data-to", "52")
    found = Axe().run(phone.page).response["violations"]
    assert [each["id"] for each in found] == []


@pytest.mark.parametrize("contract", ["king", "trex"])
def test_audit_fits_the_narrowest_phone_in_big_letters(
    browser_type, browser_type_launch_args, live_server, contract
):
    number = first_of(contract)["deal_number"]
    match = with_record(evening_of(LEVANT, number), number, LEVANT)
    big = {"args": [*browser_type_launch_args["args"], "--blink-settings=defaultFontSize=32"]}
    browser = browser_type.launch(**browser_type_launch_args | big)
    page = browser.new_page(viewport={"width": 320, "height": 640})
    for name in ("replay", "record"):
        Phone(page, live_server.url, "ar").open(url(name, match, number))
        open_all(page)
        assert page.evaluate("document.documentElement.scrollWidth") == 320
    browser.close()


# Who opens the link to a play sees the table, not the verdict far below. C114
def test_link_to_a_play_shows_the_table_whatever_differs(phone):
    number = first_of("tricks")["deal_number"]
    match = evening_of(LEVANT, number)
    phone.page.set_viewport_size({"width": 390, "height": 480})
    phone.open(url("pad", match, number, cards=".".join(with_a_revoke(tokens(first_of("tricks"))))))
    keep(phone)
    phone.open(url("replay", match, number, play=18))
    seen(phone.page.locator('.audit[data-verdict="differs"]')).to_have_count(1)
    assert phone.page.evaluate("scrollY") == 0
    phone.page.emulate_media(media="print")
    expect(phone.page.locator('.audit [data-code="revoke"]').first).to_be_visible()
    expect(phone.page.locator("#said")).not_to_be_visible()
