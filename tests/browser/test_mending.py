"""Seats, repairs and sums from paper on a small phone, with and without scripts."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from scoring.common.device import COOKIE, signer
from scoring.corrections.services import repair, seats, subtotals
from scoring.corrections.services.repair import WrongPlaces
from scoring.corrections.services.subtotals import PaperSums
from scoring.ledger.queries.match_view import match_view
from scoring.ledger.queries.snapshots import snapshot_of
from scoring.rules import Contract
from tests.browser.table import seen
from tests.browser.test_setup import FAULTS, LONG, WIDE
from tests.factories import evenings, make_match, record, write
from tests.support.tables import PHONE, SECRET

LEVANT = evenings()["evening-levant"]["deals"]
PEOPLE = (*(name[:40] for name in LONG), "Carmen", "Dima")

# The radio lies under its label, which is what a thumb meets.
OWN_FAULTS = FAULTS.replace(".choice > input", ".choice > input, .pick > input, .seat > input")


def evening(first=0, last=8):
    match = make_match(players=PEOPLE, first_chooser=1, actor=PHONE)
    for deal in LEVANT[first:last]:
        record(match, deal, actor=PHONE)
    return match


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def page(request, browser, live_server, transactional_db):
    context = browser.new_context(java_script_enabled=request.param, viewport=WIDE)
    cookies = {COOKIE: signer().sign(SECRET), "django_language": "en"}
    context.add_cookies(
        [{"name": name, "value": text, "url": live_server.url} for name, text in cookies.items()]
    )
    yield context.new_page()
    context.close()


def open_(page, live_server, match, path):
    page.goto(f"{live_server.url}/matches/{match.id}/{path}")


def press(page, action):
    page.locator(f'main button[value="{action}"]').first.click()


def choose(page, name, value):
    page.locator(f'label:has(> input[name="{name}"][value="{value}"])').click()


# A substitute sits down at once, and it can be undone. C25
def test_guest_sits_down_and_gets_up_again(page, live_server):
    match = evening()
    open_(page, live_server, match, "seats/")
    choose(page, "seat", 2)
    page.locator('[name="name"]').fill("Elie")
    press(page, "look")
    expect(page.locator(".before-after")).to_be_visible()
    press(page, "change")
    seen(page.locator('[data-seat="2"] .seat-name')).to_have_text("Elie")
    assert match_view(match).names_at(9)[2] == "Elie"
    page.get_by_role("button", name="Undo").click()
    seen(page.locator('[data-seat="2"] .seat-name')).to_have_text("Carmen")


# Wrong seats are mended as one step, with its effect first. C61
def test_wrong_seats_are_mended_and_taken_back(page, live_server):
    match = evening()
    before = snapshot_of(match).sheet.totals
    open_(page, live_server, match, "repair/")
    page.locator('a[href*="what=seats"]').click()
    choose(page, "sat.2", 3)
    choose(page, "sat.3", 2)
    press(page, "look")
    page.locator("#reason").fill("sat the other way")
    press(page, "apply")
    seen(page.locator(".history q")).to_have_text("sat the other way")
    assert snapshot_of(match).sheet.totals == (*before[:2], before[3], before[2])
    press(page, "revert")
    page.locator("#reason").fill("it was right")
    press(page, "revert")
    seen(page.locator(".history li")).to_have_count(2)
    assert snapshot_of(match).sheet.totals == before


# After a crash the sums are enough; later the deals are filled in. C67
def test_kingdom_is_resumed_from_paper_and_a_deal_filled_in(page, live_server):
    match = evening(last=0)
    open_(page, live_server, match, "subtotals/")
    for seat, (sign, digits) in enumerate((("plus", "100"), ("minus", "10"), ("plus", "5"))):
        choose(page, f"sign.{seat}", sign)
        page.locator(f'[name="sum.{seat}"]').fill(digits)
    press(page, "look")
    seen(page.locator(".before-after")).to_contain_text("−95")
    press(page, "enter")
    page.locator('a[href*="deal=2"]').click()
    page.locator('a.contract[href*="contract=king"]').click()
    choose(page, "king_taken_by", 2)
    press(page, "save")
    expect(page.locator('a[href*="deal=1"]')).to_be_visible()
    expect(page.locator('a[href*="deal=2"]')).to_have_count(0)
    assert snapshot_of(match).deal(2).contract == "king"
    assert snapshot_of(match).sheet.totals == (100, -10, 5, -95)


@pytest.fixture
def interrupted():
    """An evening with everything in it: a substitute, a repair, a kingdom on paper."""
    match = evening(last=0)
    contracts = tuple(Contract.read(deal["contract"]) for deal in LEVANT[:5])
    paper = PaperSums(contracts, tuple(LEVANT[4]["totals"]))
    write(subtotals.enter, match, paper=paper, actor=PHONE)
    for deal in LEVANT[5:8]:
        record(match, deal, actor=PHONE)
    four = [*PEOPLE[:2], "ك" * 40, "Dima"]
    write(seats.reseat, match, players=four, from_deal=7, reason="came late", actor=PHONE)
    write(repair.apply, match, repair=WrongPlaces(6, 7), reason="mixed up", actor=PHONE)
    return match


@pytest.mark.parametrize(("language", "dark"), [("en", False), ("ar", True)])
def test_pages_fit_a_small_phone_and_everybody(
    browser, live_server, transactional_db, language, dark, interrupted
):
    context = browser.new_context(viewport=WIDE, color_scheme="dark" if dark else "light")
    cookies = {COOKIE: signer().sign(SECRET), "django_language": language}
    context.add_cookies(
        [{"name": name, "value": text, "url": live_server.url} for name, text in cookies.items()]
    )
    page, match, faults = context.new_page(), interrupted, {}
    kinds = ("seats", "person", "chooser", "places", "contract")
    paths = ["seats/", "subtotals/", "repair/", "?deal=2&contract="]
    for path in (*paths, *(f"repair/?what={kind}" for kind in kinds)):
        open_(page, live_server, match, path)
        faults[path] = page.evaluate(OWN_FAULTS) + violations(page)
    open_(page, live_server, match, "repair/?what=places")
    choose(page, "one", 7)
    choose(page, "other", 8)
    press(page, "look")
    expect(page.locator(".touched")).to_be_visible()
    faults["effect"] = page.evaluate(OWN_FAULTS) + violations(page)
    found = {path: own for path, own in faults.items() if own}
    assert found == {}, "\n".join(f"{path}: {own}" for path, own in found.items())
    context.close()


def violations(page):
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in found]
