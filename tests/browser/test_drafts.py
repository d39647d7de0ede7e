"""What was tapped and not saved yet outlives the page, and comes only where it belongs."""

import pytest
from playwright.sync_api import expect

from scoring.common.actor import Actor
from scoring.models import Deal
from tests.browser.table import Phone, seen, wait_for
from tests.factories import make_cast, make_match, record
from tests.support.tables import evening_of, match_of, url

pytestmark = pytest.mark.django_db(transaction=True)

DRAFTS = "() => Object.keys(localStorage).filter((key) => key.startsWith('draft:'))"


@pytest.fixture
def phone(page, live_server):
    return Phone(page, live_server.url)


def tap_half(phone, match):
    """Two seats of diamonds."""
    phone.open(url("match", match, contract="diamonds"))
    phone.choose("diamonds.0", 3)
    phone.choose("diamonds.1", 5)


def chosen(phone, name, value):
    expect(phone.page.locator(f'[name="{name}"][value="{value}"]')).to_be_checked()


def stands_half(phone):
    chosen(phone, "diamonds.0", 3)
    chosen(phone, "diamonds.1", 5)
    expect(phone.page.locator('[name="diamonds.2"]:checked')).to_have_count(0)


def is_blank(phone):
    expect(phone.page.locator(".answer .pad")).not_to_have_count(0)
    expect(phone.page.locator(".answer .pad :checked")).to_have_count(0)


# ── it comes back ───────────────────────────────────────────────────────


# Reload, rotation and another language lose no tap. C28
def test_half_a_deal_is_there_again_and_goes_on(phone):
    tap_half(phone, match_of())
    phone.page.reload()
    stands_half(phone)
    seen(phone.page.locator(".save-what")).to_contain_text("Carmen · Dima")
    phone.page.set_viewport_size({"width": 844, "height": 390})
    stands_half(phone)
    phone.page.set_viewport_size({"width": 390, "height": 844})
    phone.tap("details.menu summary")
    phone.tap('.menu-languages button[value="fr"]')
    expect(phone.page.locator('html[lang="fr"] #entry')).to_be_visible()
    stands_half(phone)
    phone.choose("diamonds.2", 4)
    chosen(phone, "diamonds.3", 1)
    phone.page.reload()
    seen(phone.page.locator(".save-what")).to_have_text("Amal 3 · Badr 5 · Carmen 4 · Dima 1")
    expect(phone.page.locator(".preview .why")).to_be_visible()
    phone.tap('.slot-head:has([value="diamonds.2"])')
    phone.choose("diamonds.2", 2)
    chosen(phone, "diamonds.3", 3)  # it filled itself, so it follows
    phone.save(1)
    assert phone.totals() == [-30, -50, -20, -30]


# Whoever is signed out meanwhile finds the same taps after signing in, and saves them. C37
def test_signing_in_again_finds_the_same_taps(phone):
    cast, page = make_cast(), phone.page
    cast.amal.set_password("a long password")
    cast.amal.save()
    match = make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal))

    def sign_in():
        page.locator('a[href*="login"].button').tap()
        page.locator("#id_login").fill("amal")
        page.locator("#id_password").fill("a long password")
        phone.tap("main .button.primary")
        expect(page.locator("form.entry")).to_be_visible()

    phone.open(url("match", match, contract="diamonds"))
    sign_in()
    phone.choose("diamonds.0", 3)
    phone.choose("diamonds.1", 5)
    phone.tap("details.menu summary")
    phone.tap('.menu form[action*="logout"] button')
    expect(page.locator("form.entry")).to_have_count(0)
    phone.open(url("match", match, contract="diamonds"))
    sign_in()
    stands_half(phone)
    phone.choose("diamonds.2", 5)
    phone.save(1)


def test_doubles_what_went_wrong_and_who_dealt_come_back(phone):
    match = match_of()
    phone.open(url("match", match, contract="queens"))
    phone.choose("queens_taken_by.QS", 1)
    phone.tap('label.tab:has(input[value="doubles"])')
    phone.choose("doubles.QH", 2)
    phone.tap(".trouble summary")
    phone.choose("revoke_by", 3)
    phone.tap("#roles summary")
    phone.choose("dealer", 2)
    expect(phone.page.locator('#roles [name="dealer"][value="2"][checked]')).to_be_checked()
    phone.page.reload()
    for name, value in (("queens_taken_by.QS", 1), ("doubles.QH", 2), ("revoke_by", 3)):
        chosen(phone, name, value)
    expect(phone.page.locator('#roles [name="dealer"][value="2"][checked]')).to_be_checked()
    expect(phone.page.locator("details.trouble")).to_have_attribute("open", "")


def test_cards_of_fifty_one_come_back(phone):
    match = match_of(system="barbu")
    phone.open(url("match", match, contract="fifty_one"))
    phone.tap("details.cards summary")
    first = phone.page.locator("[data-card]").first.get_attribute("data-card")
    phone.tap(f'[data-card="{first}"]')
    phone.page.reload()
    expect(phone.page.locator("#plays")).to_have_value(first)
    expect(phone.page.locator(f'[data-card="{first}"].unlikely')).to_be_visible()


# ── and only where it belongs ───────────────────────────────────────────


def test_saved_deal_leaves_no_draft_for_the_next(phone):
    match = match_of()
    tap_half(phone, match)
    phone.choose("diamonds.2", 5)
    assert len(phone.page.evaluate(DRAFTS)) == 1
    phone.save(1)
    expect(phone.page.locator(".calm")).to_have_count(0)
    assert phone.page.evaluate(DRAFTS) == []
    phone.tap(".news .undo button")
    expect(phone.page.locator(".news:not([data-saved])")).to_be_visible()
    phone.open(url("match", match, contract="diamonds"))
    is_blank(phone)


def test_a_deal_that_another_phone_saved_takes_the_draft_along(phone):
    match = match_of()
    tap_half(phone, match)
    place = {"deal_number": 1, "dealer": 0, "chooser": 0, "forced": False}
    record(match, {**place, "contract": "king", "input": {"king_taken_by": 2}})
    phone.open(url("match", match, contract="diamonds"))
    is_blank(phone)
    assert phone.page.evaluate(DRAFTS) == []


def test_the_page_of_a_refusal_wins(phone):
    match = match_of()
    phone.open(url("match", match, contract="diamonds"))
    for seat, count in enumerate((3, 9, 9)):
        phone.choose(f"diamonds.{seat}", count)
    phone.page.evaluate(
        """() => {
          const [key] = Object.keys(localStorage).filter((key) => key.startsWith("draft:"));
          const other = { at: Date.now(), kept: [["diamonds.0", "7"]] };
          localStorage.setItem(key, JSON.stringify(other));
        }"""
    )
    phone.tap("button.save")
    expect(phone.page.locator(".field-error").first).to_be_visible()
    chosen(phone, "diamonds.0", 3)
    chosen(phone, "diamonds.1", 9)
    phone.tap('.slot-head:has([value="diamonds.2"])')
    phone.choose("diamonds.2", 1)
    phone.page.reload()
    chosen(phone, "diamonds.0", 3)
    chosen(phone, "diamonds.2", 1)


def test_half_a_correction_is_there_again_until_it_is_saved(phone):
    """What was changed comes back, the rest stands: Amal took the king, and had doubled it."""
    match, page = evening_of("evening-levant", 10), phone.page
    phone.open(url("deal", match, 10, correct=1))
    chosen(phone, "doubles.KH", 0)
    phone.choose("doubles.KH", "")
    page.locator("#reason").fill("Nobody doubled")
    page.reload()
    chosen(phone, "doubles.KH", "")
    chosen(phone, "king_taken_by", 0)
    expect(page.locator("#reason")).to_have_value("Nobody doubled")
    phone.open(url("deal", match, 10, correct=1, contract="trex"))
    expect(page.locator("#reason")).to_have_value("")
    page.locator("#reason").fill("Other contract")
    page.reload()
    expect(page.locator("#reason")).to_have_value("Other contract")
    phone.open(url("deal", match, 10, correct=1))
    phone.tap(".save")
    expect(page.locator(".history")).to_be_visible()
    assert (
        "doubles" not in Deal.objects.standing().get(match=match, deal_number=10).payload["input"]
    )
    phone.open(url("deal", match, 10, correct=1))
    expect(page.locator("#reason")).to_have_value("")
    assert page.evaluate(DRAFTS) == []


@pytest.mark.parametrize("age", [25 * 60 * 60 * 1000, "none"])
def test_what_is_old_or_broken_is_thrown_away(phone, age):
    match = match_of()
    tap_half(phone, match)
    phone.page.evaluate(
        """(age) => {
          const [key] = Object.keys(localStorage).filter((key) => key.startsWith("draft:"));
          const { kept } = JSON.parse(localStorage.getItem(key));
          localStorage.setItem(key, JSON.stringify({ at: Date.now() - age, kept }));
        }""",
        age,
    )
    phone.page.reload()
    is_blank(phone)
    assert phone.page.evaluate(DRAFTS) == []


def test_blocked_storage_does_no_harm(phone):
    faults = []
    phone.page.on("pageerror", lambda fault: faults.append(fault))
    phone.page.add_init_script(
        """Object.defineProperty(window, "localStorage", {
          get() { throw new DOMException("denied", "SecurityError"); },
        });"""
    )
    tap_half(phone, match_of())
    phone.choose("diamonds.2", 5)
    seen(phone.page.locator(".save-what")).to_have_text("Amal 3 · Badr 5 · Carmen 5 · Dima 0")
    phone.save(1)
    assert faults == []


# Newer pages are offered where nothing is begun, and never load by themselves. C36
def test_a_newer_page_is_offered_over_no_form_and_no_draft(phone, monkeypatch):
    phone.open(url("match", match_of()))
    offer = phone.page.locator("#update")
    monkeypatch.setattr("scoring.common.shared_cache.build", lambda: "another")
    expect(offer).to_be_visible()
    phone.open_contract("diamonds")
    expect(offer).to_be_hidden()
    phone.choose("diamonds.0", 3)
    phone.tap(".entering-head .back")
    expect(phone.page.locator("a.contract").first).to_be_visible()
    expect(offer).to_be_hidden()
    phone.open_contract("diamonds")
    chosen(phone, "diamonds.0", 3)
    for seat in (1, 2):
        phone.choose(f"diamonds.{seat}", 5)
    phone.save(1)
    phone.tap("#update button")
    expect(offer).to_be_hidden()


# ── the screen ──────────────────────────────────────────────────────────

FAKE_LOCK = """
window.lock = { asked: 0, released: 0 };
Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
  lock.asked += 1;
  if (window.refuseLock) throw new DOMException("no", "NotAllowedError");
  return { release: async () => { lock.released += 1; } };
} } });
window.show = (state) => {
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
};
"""


# Asked for while a deal is entered, again when the page is seen again, given back after. C30
def test_the_screen_stays_on_while_a_deal_is_entered(phone):
    faults = []
    phone.page.on("pageerror", lambda fault: faults.append(fault))
    phone.page.add_init_script(FAKE_LOCK)
    phone.open(url("match", match_of()))
    held = "lock.asked === {} && lock.released === {}"
    wait_for(phone.page, held.format(0, 0))
    phone.open_contract("king")
    wait_for(phone.page, held.format(1, 0))
    phone.page.evaluate("show('hidden')")
    wait_for(phone.page, held.format(1, 1))
    phone.page.evaluate("show('visible')")
    wait_for(phone.page, held.format(2, 1))
    phone.choose("king_taken_by", 2)
    phone.save(1)
    wait_for(phone.page, held.format(2, 2))
    phone.page.evaluate("window.refuseLock = true")
    phone.open_contract("queens")
    wait_for(phone.page, held.format(3, 2))
    phone.page.evaluate("show('hidden')")
    assert faults == []
