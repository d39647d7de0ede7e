"""Entering deals with a thumb: taps, scrolling, impatience, bad network, second thoughts."""

import time

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from scoring.ledger.services import deals
from scoring.models import Deal, Match, Void
from tests.browser.table import Phone, seen, wait_for_bundle
from tests.factories import evenings, record
from tests.support.tables import evening_of, match_of, url

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = {"width": 360, "height": 640}


@pytest.fixture
def phone(page, live_server):
    return Phone(page, live_server.url)


# ── taps ────────────────────────────────────────────────────────────────


def plain_kingdom():
    """Without doubles; none ends early with nothing left to share out."""
    facts = {
        "king": {"king_taken_by": 2},
        "queens": {"queens_taken_by": {"QS": 0, "QH": 1, "QD": 2, "QC": 3}},
        "diamonds": {"diamonds": [4, 3, 3, 3]},
        "tricks": {"tricks": [3, 3, 3, 4]},
        "trex": {"finish_order": [2, 0, 3, 1]},
    }
    return [
        {"deal_number": number, "contract": contract, "input": given}
        for number, (contract, given) in enumerate(facts.items(), start=1)
    ]


# Twenty deals in at most 92.
def test_kingdom_costs_at_most_23_taps(phone):
    phone.open(url("match", match_of()))
    for deal in plain_kingdom():
        phone.enter(deal)
    assert phone.taps <= 23


TAPS = {
    "king": ({"king_taken_by": 2}, 2),
    "king doubled": ({"king_taken_by": 2, "doubles": [{"card": "KH", "by": 0}]}, 3),
    "king caught by its doubler": ({"king_taken_by": 0, "doubles": [{"card": "KH", "by": 0}]}, 4),
    "queens": ({"queens_taken_by": {"QS": 0, "QH": 1, "QD": 2, "QC": 3}}, 5),
    "diamonds": ({"diamonds": [4, 3, 3, 3]}, 4),
    "tricks": ({"tricks": [4, 3, 3, 3]}, 4),
    "trex": ({"finish_order": [2, 0, 3, 1]}, 4),
}


@pytest.mark.parametrize("name", TAPS)
def test_each_contract_keeps_its_budget(phone, name):
    facts, budget = TAPS[name]
    contract = name.split()[0]
    phone.open(url("match", match_of()))
    phone.open_contract(contract)
    phone.taps = 0
    phone.type({"contract": contract, "input": facts})
    phone.save(1)
    assert phone.taps <= budget


def test_general_costs_at_most_13_taps_and_a_complex_kingdom_17(phone):
    general = {
        "tricks": [3, 2, 2, 1],
        "hearts": [2, 2, 2, 2],
        "queens": [1, 1, 1, 1],
        "king_taken_by": 1,
        "last_trick_by": 3,
    }
    phone.open(url("match", match_of(system="barbu")))
    phone.enter({"deal_number": 1, "contract": "general", "input": general})
    assert phone.taps <= 13

    phone.open(url("match", match_of(options={"combo": "complex"})))
    phone.taps = 0
    phone.open_contract("king+queens+diamonds+tricks")
    phone.choose("king_taken_by", 2)
    for card in ("QS", "QH", "QD", "QC"):
        phone.choose(f"queens_taken_by.{card}", 1)
    phone.counts("diamonds", [4, 3, 3, 3])
    phone.counts("tricks", [4, 3, 3, 3])
    phone.save(1)
    phone.enter({"deal_number": 2, "contract": "trex", "input": {"finish_order": [2, 0, 3, 1]}})
    assert phone.taps <= 17


def test_from_the_front_page_to_the_first_saved_deal_in_8_taps(phone):
    phone.open("/")
    for seat, name in enumerate(("Amal", "Badr", "Carmen", "Dima"), start=1):
        field = phone.page.locator(f'input[name="name{seat - 1}"]')
        if seat == 1:
            expect(field).to_be_focused()
        field.press_sequentially(name)
        phone.page.keyboard.press("Enter")
    phone.page.wait_for_url("**/matches/**")
    for asked, seat in (("Who deals first?", 3), ("Who holds", 0)):
        expect(phone.page.locator("#turn-title")).to_contain_text(asked)
        phone.tap(f'button.seat-choice[data-seat="{seat}"]')
    phone.open_contract("king")
    phone.choose("king_taken_by", 2)
    phone.save(1)
    assert phone.taps <= 8
    assert Deal.objects.count() == 1


# ── no scrolling ────────────────────────────────────────────────────────

FIRST = {
    "king": "king_taken_by",
    "queens": "queens_taken_by.QS",
    "trex": "finish_order.0",
}
FACTS = {
    "king": {"king_taken_by": 2, "doubles": [{"card": "KH", "by": 0}]},
    "queens": {
        "queens_taken_by": {"QS": 0, "QH": 1, "QD": 2, "QC": 3},
        "doubles": [{"card": "QC", "by": 0}, {"card": "QS", "by": 3}],
    },
    "trex": {"finish_order": [2, 0, 3, 1]},
    "last_trick": {"last_trick_by": 2},
    "fifty_one": {"loser": 2},
    "general": {
        "tricks": [3, 2, 2, 1],
        "hearts": [2, 2, 2, 2],
        "queens": [1, 1, 1, 1],
        "king_taken_by": 1,
        "last_trick_by": 3,
    },
}


def facts_of(system, contract):
    if contract not in FACTS:
        cards = 8 if system == "barbu" else 13
        return {contract: [cards - 6, 2, 3, 1]}
    facts = FACTS[contract]
    return {key: facts[key] for key in facts if system != "barbu" or key != "doubles"}


class Still(Phone):
    """A phone whose owner never scrolls."""

    def tap(self, selector):
        expect(self.page.locator(".calm")).to_have_count(0)
        expect(self.page.locator(selector)).to_be_visible()
        assert self.in_sight(selector), selector
        super().tap(selector)
        assert self.scrolled() == 0, selector


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("system", ["levant", "kleshchi", "barbu"])
def test_nothing_is_scrolled_between_the_first_tap_and_save(page, live_server, system, language):
    page.set_viewport_size(SMALL)
    phone = Still(page, live_server.url, language)
    match = match_of(system=system, table_name="Café Younes · table 2")
    contracts = [each["contract"] for each in evenings()[f"evening-{system}"]["deals"]]
    for contract in dict.fromkeys(contracts):
        phone.open(url("match", match, contract=contract))
        phone.type({"contract": contract, "input": facts_of(system, contract)})
        expect(page.locator(".preview .why")).to_be_visible()
        assert phone.in_sight("button.save"), contract
        assert phone.scrolled() == 0


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("last", ["king", "queens", "tricks"])
def test_news_of_a_save_pushes_nothing_under_save(page, live_server, language, last):
    """The last contract of a kingdom opens by itself, with the news and the undo still there."""
    page.set_viewport_size(SMALL)
    phone = Still(page, live_server.url, language)
    names = ("Amal Haddad", "Badr", "Carmen الخوري", "Dima")
    match = match_of(first_chooser=1, players=names)
    kingdom = [each for each in ("king", "queens", "diamonds", "tricks") if each != last]
    for number, contract in enumerate(kingdom, start=1):
        place = {"deal_number": number, "dealer": number - 1, "chooser": 1, "forced": False}
        record(match, {**place, "contract": contract, "input": facts_of("levant", contract)})
    phone.open(url("match", match))
    phone.enter({"deal_number": 4, "contract": "trex", "input": FACTS["trex"]})
    phone.type({"contract": last, "input": facts_of("levant", last)})
    assert phone.in_sight("button.save")
    expect(page.locator(".news")).to_be_visible()


@pytest.mark.parametrize(
    ("contract", "language"),
    [(contract, language) for contract in ("king", "queens", "trex") for language in ("en", "ar")],
)
def test_every_seat_is_clear_of_save_on_the_smallest_phone(page, live_server, contract, language):
    page.set_viewport_size({"width": 320, "height": 568})
    phone = Still(page, live_server.url, language)
    names = [f"{name} {LONG[0]}"[:40] for name in ("Amal", "Badr", "Carmen", "Dima")]
    phone.open(url("match", match_of(players=names), contract=contract))
    phone.choose(FIRST[contract], 0)
    page.wait_for_load_state("networkidle")
    seats = page.locator(".seat.chip[data-seat='2'] >> visible=true")
    assert seats.last.evaluate("one => one.getBoundingClientRect().bottom") <= page.locator(
        ".savebar"
    ).evaluate("one => one.getBoundingClientRect().top")


def test_tap_on_a_cut_name_shows_all_of_it(page, live_server):
    page.set_viewport_size({"width": 320, "height": 568})
    names = (LONG[0][:40], "Badr", "Carmen", "Dima")
    Still(page, live_server.url, "ar").open(url("match", match_of(players=names)))
    name = page.locator(".seat-head > .seat-name").first
    cut = name.evaluate("one => one.clientHeight")
    lines = name.evaluate("one => one.scrollHeight / parseFloat(getComputedStyle(one).lineHeight)")
    assert lines > 3  # of which two are shown
    name.tap()
    page.wait_for_function(
        "([one, cut]) => one.clientHeight > 1.5 * cut", arg=[name.element_handle(), cut]
    )


def test_the_contracts_are_in_sight_on_a_small_phone(page, live_server):
    page.set_viewport_size(SMALL)
    phone = Still(page, live_server.url)
    for system in ("levant", "kleshchi", "barbu"):
        phone.open(url("match", match_of(system=system)))
        for link in page.locator("a.contract").all():
            assert link.bounding_box()["y"] + link.bounding_box()["height"] <= SMALL["height"]


# ── helping, never mending ──────────────────────────────────────────────


# What was tapped is never lowered; the page says what is left of it. C120
def test_a_tapped_value_is_never_changed(phone):
    phone.open(url("match", match_of(), contract="diamonds"))
    phone.choose("diamonds.0", 3)
    phone.choose("diamonds.1", 9)
    page = phone.page
    faint = page.locator('.chip.unlikely:has(> [name="diamonds.2"][value="2"])')
    expect(faint).to_be_visible()
    left = page.locator('.slot-head:has([value="diamonds.2"]) .slot-left')
    seen(left).to_have_text("1 left")
    phone.choose("diamonds.2", 9)  # a finger may insist
    expect(page.locator('[name="diamonds.2"][value="9"]')).to_be_checked()
    expect(page.locator('[name="diamonds.3"]:checked')).to_have_count(0)
    phone.tap('.slot-head:has([value="diamonds.1"])')
    phone.choose("diamonds.1", 1)
    expect(page.locator('[name="diamonds.0"][value="3"]')).to_be_checked()
    expect(page.locator('[name="diamonds.2"][value="9"]')).to_be_checked()
    expect(page.locator('[name="diamonds.3"][value="0"]')).to_be_checked()


# The last seat fills itself from the fixed total. C12
def test_the_value_that_fills_itself_follows_a_change(phone):
    phone.open(url("match", match_of(), contract="diamonds"))
    for seat, count in enumerate((3, 5, 5)):
        phone.choose(f"diamonds.{seat}", count)
    expect(phone.page.locator('[name="diamonds.3"][value="0"]')).to_be_checked()
    phone.tap('.slot-head:has([value="diamonds.2"])')
    phone.choose("diamonds.2", 1)
    expect(phone.page.locator('[name="diamonds.3"][value="4"]')).to_be_checked()


# A blank deal is refused and what is missing is named. C08
def test_save_says_what_is_still_open(phone):
    phone.open(url("match", match_of(), contract="queens"))
    phone.choose("queens_taken_by.QS", 1)
    seen(phone.page.locator(".save-what")).to_contain_text("Q♥ · Q♦ · Q♣")
    phone.tap("button.save")
    expect(phone.page.locator('[data-code="missing"]')).to_be_visible()
    expect(phone.page.locator('[name="queens_taken_by.QS"][value="1"]')).to_be_checked()
    assert Deal.objects.count() == 0


# The names stand again on Save before it is tapped. C15
def test_save_repeats_what_was_tapped(phone):
    phone.open(url("match", match_of(), contract="diamonds"))
    for seat, count in enumerate((3, 5, 5)):
        phone.choose(f"diamonds.{seat}", count)
    seen(phone.page.locator(".save-what")).to_have_text("Amal 3 · Badr 5 · Carmen 5 · Dima 0")


def test_a_revoke_leaves_open_what_was_not_tapped(phone):
    phone.open(url("match", match_of(), contract="diamonds"))
    for seat, count in enumerate((3, 5, 1)):
        phone.choose(f"diamonds.{seat}", count)
    phone.tap(".trouble summary")
    phone.choose("revoke_by", 1)
    expect(phone.page.locator('[name="diamonds.3"]:checked')).to_have_count(0)
    phone.save(1)
    assert phone.totals() == [-30, -90, -10, 0]


def test_the_keyboard_alone_enters_a_deal(phone):
    phone.open(url("match", match_of(), contract="king"))
    page = phone.page
    page.locator('[name="king_taken_by"][value="0"]').focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator('[name="king_taken_by"][value="2"]')).to_be_checked()
    seen(page.locator(".preview .why")).to_contain_text("75")
    page.keyboard.press("Enter")
    expect(page.locator('.news[data-saved="1"]')).to_be_visible()


# Back, Forward and Reload never post again. C03
def test_back_after_a_save_shows_no_blank_deal(phone):
    match = match_of()
    phone.open(url("match", match))
    phone.enter({"deal_number": 1, "contract": "king", "input": {"king_taken_by": 2}})
    phone.page.go_back()
    expect(phone.page.locator("a.contract").first).to_be_visible()
    expect(phone.page.locator("form.entry")).to_have_count(0)
    phone.page.go_forward()
    expect(phone.page.locator(".table")).to_be_visible()
    phone.page.reload()
    expect(phone.page.locator(".table")).to_be_visible()
    assert Deal.objects.count() == 1


# ── impatience and bad network ──────────────────────────────────────────


# Ten impatient taps are one row. C02
def test_ten_rapid_taps_on_save_are_one_deal(phone):
    phone.open(url("match", match_of(), contract="king"))
    phone.choose("king_taken_by", 2)
    phone.page.evaluate(
        "() => { for (let n = 0; n < 10; n += 1) document.querySelector('.save')?.click(); }"
    )
    expect(phone.page.locator('.news[data-saved="1"]')).to_be_visible()
    assert Deal.objects.count() == 1


def test_the_second_of_two_taps_on_save_hits_nothing_else(phone):
    phone.page.set_viewport_size(SMALL)
    phone.open(url("match", match_of(), contract="king"))
    phone.choose("king_taken_by", 2)
    box = phone.page.locator("button.save").bounding_box()
    spot = (box["x"] + box["width"] - 30, box["y"] + box["height"] / 2)
    phone.page.touchscreen.tap(*spot)
    phone.page.wait_for_selector(".news")
    phone.page.touchscreen.tap(*spot)
    expect(phone.page.locator(".calm")).to_have_count(0)
    assert Deal.objects.count() == 1
    assert Void.objects.count() == 0


def test_save_does_not_wait_for_a_slow_preview(phone):
    match = match_of()
    waiting = []

    def hold_preview(route):
        if "action=preview" in (route.request.post_data or ""):
            waiting.append(route)
        else:
            route.continue_()

    phone.page.route("**/matches/**", hold_preview)
    phone.open(url("match", match, contract="king"))
    phone.choose("king_taken_by", 2)
    phone.save(1)
    assert Deal.objects.count() == 1
    assert waiting
    for route in waiting:
        route.abort()
    assert phone.totals() == [0, 0, -75, 0]


def test_a_preview_that_fails_does_no_harm(phone):
    def fail_preview(route):
        if "action=preview" in (route.request.post_data or ""):
            route.fulfill(status=500, body="<h1>boom</h1>", content_type="text/html")
        else:
            route.continue_()

    phone.page.route("**/matches/**", fail_preview)
    phone.open(url("match", match_of(), contract="king"))
    phone.choose("king_taken_by", 2)
    expect(phone.page.locator("h1", has_text="boom")).to_have_count(0)
    phone.save(1)
    assert Deal.objects.count() == 1


def test_an_answer_that_is_no_part_of_the_page_is_told_and_nothing_is_lost(phone, context):
    phone.open(url("match", match_of(), contract="king"))
    phone.choose("king_taken_by", 2)
    expect(phone.page.locator(".preview .why")).to_be_visible()
    context.clear_cookies()  # this phone is nobody's any more
    phone.tap("button.save")
    told = phone.page.locator("body").get_attribute("data-text-refused")
    seen(phone.page.locator(".toast.error")).to_have_text(told)
    expect(phone.page.locator('[name="king_taken_by"][value="2"]')).to_be_checked()
    assert Deal.objects.count() == 0


def test_without_network_nothing_is_lost_and_it_is_saved_later(phone, context):
    phone.open(url("match", match_of(), contract="king"))
    phone.choose("king_taken_by", 2)
    context.set_offline(True)
    phone.tap("button.save")
    seen(phone.page.locator(".waiting-label")).to_contain_text("Carmen")
    context.set_offline(False)
    expect(phone.page.locator('.news[data-saved="1"]')).to_be_visible()
    expect(phone.page.locator(".toast")).to_have_count(0)
    assert Deal.objects.count() == 1


def test_another_language_stays_at_the_contract_that_is_open(phone):
    phone.open(url("match", match_of()))
    phone.open_contract("diamonds")
    phone.tap("details.menu summary")
    phone.tap('.menu-languages button[value="ar"]')
    expect(phone.page.locator('html[dir="rtl"] #entry')).to_be_visible()


def test_the_answer_to_a_save_may_be_lost(phone):
    """The first post arrives, its answer does not; asked once more, the deal is found saved."""
    lost = []

    def lose_answer(route):
        if "action=save" in (route.request.post_data or "") and not lost:
            headers = route.request.all_headers()
            lost.append(route.fetch(max_redirects=0, headers=headers).status)
            route.abort()
        else:
            route.continue_()

    phone.page.route("**/matches/**", lose_answer)
    phone.open(url("match", match_of(), contract="king"))
    phone.choose("king_taken_by", 2)
    phone.tap("button.save")
    expect(phone.page.locator('.news[data-saved="1"]')).to_be_visible()
    assert lost == [200]
    assert Deal.objects.count() == 1


# The answer takes five seconds and the thumb does not wait for it. What is being saved is what
# stood on Save: nothing is chosen meanwhile that nobody would keep. C02, C04
def test_taps_on_save_while_the_server_takes_five_seconds(phone, monkeypatch):
    match = match_of()
    record_deal = deals.record_deal

    def slowly(*args, **given):
        time.sleep(5)
        return record_deal(*args, **given)

    monkeypatch.setattr(deals, "record_deal", slowly)
    phone.open(url("match", match, contract="king"))
    phone.choose("king_taken_by", 2)
    for _ in range(4):
        phone.tap("button.save")
        phone.page.wait_for_timeout(500)
    other = phone.page.locator('label:has(> [name="king_taken_by"][value="1"])').bounding_box()
    phone.page.touchscreen.tap(other["x"] + 12, other["y"] + 12)
    expect(phone.page.locator('[name="king_taken_by"][value="2"]')).to_be_checked()
    assert Deal.objects.count() == 0
    expect(phone.page.locator('.news[data-saved="1"]')).to_be_visible(timeout=30_000)
    assert phone.totals() == [0, 0, -75, 0]
    assert Deal.objects.count() == 1


# Between the answer and what it changes on the page a tap on Save does no harm. C06
def test_a_tap_between_the_answer_and_the_swap_is_harmless(phone):
    phone.open(url("match", match_of(), contract="king"))
    phone.choose("king_taken_by", 2)
    expect(phone.page.locator(".preview .why")).to_be_visible()
    phone.page.evaluate(
        """() => {
          window.taps = [];
          for (const name of ["after:request", "before:swap", "after:swap", "after:settle"]) {
            document.addEventListener(`htmx:${name}`, () => {
              const save = document.querySelector("button.save");
              if (save && taps.length < 9) { taps.push(name); save.click(); }
            });
          }
        }"""
    )
    phone.tap("button.save")
    expect(phone.page.locator('.news[data-saved="1"]')).to_be_visible()
    assert "before:swap" in phone.page.evaluate("taps")
    phone.page.wait_for_timeout(300)
    assert Deal.objects.count() == 1


# Nothing is ever sent by a clock. C26
def test_a_deal_left_lying_for_an_hour_is_not_saved(phone):
    phone.page.clock.install()
    phone.open(url("match", match_of(), contract="king"))
    phone.choose("king_taken_by", 2)
    phone.page.clock.run_for("01:00:00")
    phone.page.wait_for_load_state("networkidle")
    expect(phone.page.locator('[name="king_taken_by"][value="2"]')).to_be_checked()
    assert Deal.objects.count() == 0


# Turning the phone loses nothing. C28
def test_turning_the_phone_keeps_the_draft(phone):
    phone.open(url("match", match_of(), contract="diamonds"))
    for seat, count in enumerate((3, 5, 5)):
        phone.choose(f"diamonds.{seat}", count)
    for width, height in ((844, 390), (360, 640), (390, 844)):
        phone.page.set_viewport_size({"width": width, "height": height})
        for seat, count in enumerate((3, 5, 5, 0)):
            chosen = phone.page.locator(f'[name="diamonds.{seat}"][value="{count}"]')
            expect(chosen).to_be_checked()
    phone.save(1)
    assert phone.totals() == [-30, -50, -50, 0]


# Who deals, chooses and plays first can be read, but not off totals that were drawn long ago.
def test_roles_are_seen_until_the_network_is_gone(phone, context):
    match = match_of(first_dealer=0)
    phone.open(url("match", match))
    roles = phone.page.locator(".table .seat-role:not(:empty)")
    seen(roles).to_have_text(["deals · chooses", "plays first"])
    wait_for_bundle(phone.page)
    context.set_offline(True)
    phone.tap("a.contract-king")
    phone.tap("[data-back]")
    expect(phone.page.locator("#match[data-offline=table] .seat-total").first).to_be_visible()
    seen(roles).to_have_count(0)
    context.set_offline(False)


# ── second thoughts ─────────────────────────────────────────────────────


# Correcting is on the pages and really corrects. C45, C118
@pytest.mark.parametrize("scripts", [True, False])
def test_a_past_deal_is_really_corrected_and_taken_back(new_context, live_server, scripts):
    page = new_context(java_script_enabled=scripts).new_page()
    phone = Phone(page, live_server.url)
    match = evening_of("evening-levant", 7)
    phone.open(url("sheet", match))
    phone.tap('tr[data-deal="2"] a')
    phone.tap('a[href*="correct=1"]')
    phone.choose("king_taken_by", 3)
    page.locator("#reason").fill("It was Dima")
    phone.tap("button.save")
    seen(page.locator(".history li")).to_have_count(2)
    seen(page.locator(".history")).to_contain_text("It was Dima")
    phone.open(url("match", match, contract=""))
    assert phone.totals() == [240, 10, 120, -65]

    phone.open(url("deal", match, 7))
    phone.tap('a[href*="void=1"]')
    phone.tap("form#void button")
    expect(page.locator(".news")).to_be_visible()
    assert phone.totals() == [300, 40, 180, -20]
    assert Deal.objects.standing().filter(match=match).count() == 6


def test_undo_is_one_tap(phone):
    phone.open(url("match", match_of()))
    phone.enter({"deal_number": 1, "contract": "king", "input": {"king_taken_by": 2}})
    phone.tap(".news .undo button")
    expect(phone.page.locator(".news:not([data-saved])")).to_be_visible()
    assert phone.totals() == [0, 0, 0, 0]
    assert Void.objects.count() == 1


# The second phone sees both and chooses; nothing is merged. C34, C54
def test_two_phones_save_the_same_deal(new_context, live_server):
    match = match_of()
    one, two = (Phone(new_context().new_page(), live_server.url) for _ in range(2))
    for phone, contract in ((one, "king"), (two, "diamonds")):
        phone.open(url("match", match, contract=contract))
    one.choose("king_taken_by", 2)
    two.counts("diamonds", [13, 0, 0, 0])
    one.save(1)
    two.tap("button.save")
    seen(two.page.locator('[data-side="theirs"]')).to_contain_text("−75")
    seen(two.page.locator('[data-side="mine"]')).to_contain_text("−130")
    assert Deal.objects.count() == 1
    two.tap('button[value="replace"]')
    expect(two.page.locator('.news[data-saved="1"]')).to_be_visible()
    assert two.totals() == [-130, 0, 0, 0]


# A number reads from its sign on, also where the page runs from right to left. C106
@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_sign_stands_before_its_number(page, live_server, language):
    phone = Phone(page, live_server.url, language)
    match = evening_of("evening-levant", 9)
    for address in (url("match", match, contract=""), url("sheet", match), url("deal", match, 9)):
        phone.open(address)
        signs = page.evaluate(
            """() => [...document.querySelectorAll("bdi.num")]
              .filter((each) => each.checkVisibility() && /^[−+]\\d/.test(each.textContent))
              .map((each) => [0, 1].map((place) => {
                const range = document.createRange();
                range.setStart(each.firstChild, place);
                range.setEnd(each.firstChild, place + 1);
                return range.getBoundingClientRect().left;
              }))"""
        )
        assert len(signs) >= 4
        assert all(sign < digit for sign, digit in signs)


# Beside the place, where a reader of Arabic looks for it.
def test_names_stand_by_their_places_in_arabic(page, live_server):
    phone = Phone(page, live_server.url, "ar")
    phone.open(url("match", evening_of("evening-levant", 20)))
    gaps = page.locator(".places li").evaluate_all(
        """all => all.map((one) => one.querySelector(".place").getBoundingClientRect().left
          - one.querySelector("bdi").getBoundingClientRect().right)"""
    )
    assert len(gaps) == 4
    assert all(0 <= gap < 24 for gap in gaps)


def test_a_double_on_the_sheet_stays_with_its_number(page, live_server):
    page.set_viewport_size({"width": 320, "height": 640})
    phone = Phone(page, live_server.url)
    phone.open(url("sheet", evening_of("evening-levant", 20)))
    lines = page.locator("td > [dir]:has(.doubled)").evaluate_all(
        "all => all.map((one) => one.getClientRects().length)"
    )
    assert set(lines) == {1}


# ── the look ────────────────────────────────────────────────────────────

LONG = (
    "عبد الرحمن بن عبد العزيز الشامي الطرابلس",
    "Jean-Christophe de la Rochefoucauld-Beiru",
    "Li",
    "و",
)


# What sticks out of the page, what is cut off, and what is too small for a thumb.
FAULTS = """() => {
  const wide = document.documentElement.scrollWidth > innerWidth ? ["scrolls sideways"] : [];
  const shown = (selector) =>
    [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
  const touched = "a, button, summary, label.chip, label.slot-head, label.tab";
  const small = shown(touched).filter((each) => {
    const box = each.getBoundingClientRect();
    const choice = each.matches(".chip") && getComputedStyle(each).pointerEvents === "none";
    return !choice && !each.matches(".skip, .row-link") && (box.width < 47.5 || box.height < 47.5);
  });
  const clipped = ".hidden-text, input, .savebar-where *, .save-what *";
  const out = shown(`main *:not(${clipped})`).filter((each) => {
    const box = each.getBoundingClientRect();
    return !each.closest(".hidden-text") && (box.left < -1 || box.right > innerWidth + 1);
  });
  return [...wide, ...[...out, ...small].map((each) => each.outerHTML.slice(0, 160))];
}"""


# Nothing to be touched is smaller than 48 px at 320 px. C16
@pytest.mark.parametrize(("language", "dark"), [("en", False), ("ar", True), ("fr", False)])
def test_pages_fit_a_small_phone_and_everybody(page, live_server, language, dark):
    page.set_viewport_size({"width": 320, "height": 640})
    page.emulate_media(color_scheme="dark" if dark else "light")
    phone = Phone(page, live_server.url, language)
    levant, barbu = evenings()["evening-levant"], evenings()["evening-barbu"]
    names = tuple(name[:40] for name in LONG)
    match = match_of(
        entries=levant["deals"][:7], players=names, first_chooser=1, table_name="x" * 40
    )
    other = match_of(entries=barbu["deals"][:5], system="barbu", players=names, first_chooser=0)
    over = match_of(entries=levant["deals"], players=names, first_chooser=1)
    addresses = [url("match", match, contract=key) for key in ("", "king", "queens", "diamonds")]
    addresses += [url("match", other, contract=key) for key in ("", "general", "trex")]
    addresses += [url("match", match_of(first_chooser=None, players=names)), url("match", over)]
    addresses += [url("sheet", over), url("deal", over, 9), url("deal", over, 9, void=1)]
    addresses += [url("deal", over, 9, correct=1)]
    faults = {}
    for address in addresses:
        phone.open(address)
        found = page.evaluate(FAULTS)
        report = Axe().run(page)
        found += [
            f"{each['id']}: {each['nodes'][0]['html'][:160]}"
            for each in report.response["violations"]
        ]
        if found:
            faults[address] = found
    assert faults == {}
    assert Match.objects.count() == 4


# What lies nearer than 8 px to another target. Tabs only open a part and enter nothing.
CROWDED = """() => {
  const seen = [...document.querySelectorAll("main :is(a, button, label.chip, label.slot-head)")]
    .filter((each) => each.checkVisibility() && !each.matches(".back")
      && getComputedStyle(each).pointerEvents !== "none");
  const near = (one, two) => {
    const [a, b] = [one.getBoundingClientRect(), two.getBoundingClientRect()];
    const beside = Math.max(a.left, b.left) - Math.min(a.right, b.right);
    const below = Math.max(a.top, b.top) - Math.min(a.bottom, b.bottom);
    return Math.max(beside, below) < 7.5;
  };
  return seen.flatMap((one, place) => seen.slice(place + 1)
    .filter((two) => near(one, two))
    .map((two) => `${one.textContent.trim()} | ${two.textContent.trim()}`));
}"""


# Targets stand 8 px apart at 320 px. C16
def test_a_thumb_never_meets_two_targets_at_once(page, live_server):
    page.set_viewport_size({"width": 320, "height": 640})
    phone = Phone(page, live_server.url)
    for system in ("levant", "barbu"):
        match = match_of(system=system)
        contracts = [deal["contract"] for deal in evenings()[f"evening-{system}"]["deals"]]
        for contract in ("", *dict.fromkeys(contracts)):
            phone.open(url("match", match, contract=contract))
            for tab in [None, *page.locator("label.tab").all()]:
                if tab:
                    tab.tap()
                assert page.evaluate(CROWDED) == [], contract


# A pressed seat shrinks under the thumb; a chosen one is ticked and named on Save. C17
def test_a_tap_is_seen_without_its_colour(phone):
    phone.open(url("match", match_of(), contract="king"))
    page = phone.page
    seat = page.locator('label:has(> input[name="king_taken_by"][value="2"])')
    tick = "each => getComputedStyle(each.querySelector('.seat-name'), '::before').content"
    before, plain = seat.bounding_box(), seat.evaluate(tick)
    seat.hover()
    page.mouse.down()
    page.wait_for_timeout(300)
    assert seat.bounding_box()["width"] < before["width"]
    page.mouse.up()
    seen(page.locator(".save-what")).to_contain_text("Carmen")
    assert plain == "none"
    assert seat.evaluate(tick) != "none"


# Each suit has its sign, its name and a colour of its own, by day and by night. C108
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_suits_are_told_apart_by_everybody(phone, scheme):
    phone.page.emulate_media(color_scheme=scheme)
    phone.open(url("match", match_of(), contract="queens"))
    cards = phone.page.evaluate(
        """() => [...document.querySelectorAll(".slot-head .card")].map((each) =>
          [each.textContent, each.title, getComputedStyle(each).color])"""
    )
    signs, titles, colours = zip(*cards, strict=True)
    assert sorted(signs) == sorted(["Q♠", "Q♥", "Q♦", "Q♣"])
    assert len(set(titles)) == len(set(colours)) == 4
    assert all(titles)
