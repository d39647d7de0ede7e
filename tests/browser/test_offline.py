"""The back room: deals are entered without a network, and arrive in order, once each."""

from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Error, expect

from scoring.common import shared_cache
from scoring.common.actor import Actor
from scoring.matches.services.matches import break_off
from scoring.matches.views import offline_bundle, unsent
from scoring.models import Deal
from scoring.rules import Contract, Entry, Tally
from tests.browser.proxy import network
from tests.browser.table import Phone, cookies_of, seen
from tests.factories import NAMES, diamonds, evenings, make_cast, make_match, record, write
from tests.server.processes import environment, manage, prepare, serving
from tests.support.tables import PHONE, evening_of, match_of, url

pytestmark = pytest.mark.django_db(transaction=True)
DEALS = evenings()["evening-levant"]["deals"]
SOON = 15_000  # milliseconds: the first pauses between two attempts
TAKEN_ALONG = """async () => {
    const { store } = await import(document.querySelector('script[src*="/js/store."]').src);
    const kept = async () => {
        const { kit } = document.getElementById("match").dataset;
        if (!(await store.kit(kit))) return false;
        if (!isSecureContext) return true;
        return (await caches.open("pages")).match(location.pathname);
    };
    while (!(await kept())) await new Promise((again) => setTimeout(again, 50));
}"""


@pytest.fixture
def browser_context_args(browser_context_args):
    return browser_context_args | {"service_workers": "allow"}


class BackRoom(Phone):
    """A phone whose network comes and goes."""

    def at_table(self, match) -> None:
        """The page is open, with everything that it needs later."""
        self.open(url("match", match))
        self.page.evaluate(TAKEN_ALONG)

    def enter_offline(self, deal: dict, waiting: int) -> None:
        """The first contract is still tapped on the page of the server."""
        key = deal["contract"]
        self.tap(f'[data-open="{key}"], a.contract-{key}')
        expect(self.page.locator("#entry")).to_be_visible()
        self.type(deal)
        self.tap("button.save")
        self.waits(waiting)

    def waits(self, count: int) -> None:
        seen(self.page.locator(".waiting-list > .waiting")).to_have_count(count)

    def says(self, code: str, number: int) -> None:
        """What became of a deal that waits."""
        item = self.page.locator(".waiting-list > .waiting", has_text=f"Deal {number} ")
        expect(item.locator(f'.waiting-state[data-code="{code}"]')).to_be_attached(timeout=SOON)

    def all_arrived(self, number: int) -> None:
        expect(self.page.locator("#line")).to_have_count(0, timeout=SOON)
        expect(self.page.locator(f'.news[data-saved="{number}"]')).to_be_visible()

    def new_tab(self, path: str) -> None:
        context = self.page.context
        self.page.close()
        self.page = context.new_page()
        self.open(path)


@pytest.fixture
def line(live_server):
    with network(int(live_server.url.rpartition(":")[2])) as proxy:
        yield proxy


@pytest.fixture
def phone(page, line):
    return BackRoom(page, line.url)


@pytest.fixture
def cast(transactional_db):
    return make_cast()


def build_anew(monkeypatch, name):
    """As after an upgrade of the server."""
    for module in (offline_bundle, unsent, shared_cache):
        monkeypatch.setattr(module, "build", lambda: name)


def played(match) -> list[tuple[int, str, str]]:
    """Every row of the ledger: one that came twice would be seen."""
    deals = Deal.objects.filter(match=match).order_by("event__seq")
    return [(deal.deal_number, deal.contract, deal.chooser) for deal in deals]


def as_played(first, last):
    rows = DEALS[first - 1 : last]
    return [(deal["deal_number"], deal["contract"], deal["chooser"]) for deal in rows]


# ── it arrives ──────────────────────────────────────────────────────────


def test_deals_of_the_back_room_arrive_once_each(phone, line):
    match = evening_of("evening-levant", 3)
    phone.at_table(match)
    line.set("cut")
    for count, deal in enumerate(DEALS[3:7], start=1):
        phone.enter_offline(deal, count)
    phone.new_tab(url("match", match))
    phone.waits(4)
    assert phone.totals() == [0, -135, -120, -145]  # as they were; points follow
    assert played(match) == as_played(1, 3)
    line.set("pass")
    phone.all_arrived(7)
    assert played(match) == as_played(1, 7)


KEPT = """async () => {
    while (!(await (await caches.open("pages")).match(location.pathname)))
        await new Promise((again) => setTimeout(again, 50));
}"""


def test_cards_are_tapped_in_without_a_network_and_outlive_a_reload(phone, line):
    match = evening_of("evening-levant", 3)
    phone.at_table(match)
    phone.open(url("pad", match, 3))
    phone.page.evaluate(KEPT)
    turn = phone.page.locator(".pad-turn")
    line.set("cut")
    for card in ("7H", "9H"):
        phone.page.locator(f'#keys button[value="{card}"]').tap()
    seen(phone.page.locator(".pad-count")).to_have_text("2")
    seen(turn).to_have_text("Waiting for the network")
    phone.page.reload()
    seen(phone.page.locator(".pad-count")).to_have_text("2")
    expect(phone.page.locator('#keys button[value="9H"]')).to_be_disabled()
    phone.page.locator('#keys button[value="2S"]').tap()
    seen(phone.page.locator(".pad-count")).to_have_text("3")
    line.set("pass")
    seen(turn).to_contain_text("plays", timeout=SOON)
    expect(phone.page.locator('.pad-save [name="cards"]')).to_have_value("7H.9H.2S")


def test_lost_answer_and_a_server_started_anew_lose_and_double_nothing(page, tmp_path):
    told = environment(tmp_path)
    prepare(told)
    with serving(told) as server, network(server.port) as line:
        phone = BackRoom(page, line.url)
        phone.open("/start/")
        for seat, name in enumerate(NAMES):
            page.locator(f'[name="name{seat}"]').fill(name)
        page.locator("main .primary").tap()
        for asked, seat in (("Who deals first?", DEALS[0]["dealer"]), ("Who holds", 1)):
            expect(page.locator("#turn-title")).to_contain_text(asked)
            page.locator(f'button.seat[name="seat"][value="{seat}"]').tap()
        expect(page.locator("a.contract").first).to_be_visible()
        page.evaluate(TAKEN_ALONG)
        phone.open_contract(DEALS[0]["contract"])
        phone.type(DEALS[0])
        line.set("lose")
        phone.tap("button.save")
        phone.waits(1)
        assert line.lost == 1
        for count, deal in enumerate(DEALS[1:4], start=2):
            phone.enter_offline(deal, count)
        line.set("cut")
        phone.new_tab(urlsplit(page.url).path)
        page = phone.page
        phone.waits(4)
        server.end()
        with serving(told) as again:
            line.target = again.port
            line.set("pass")
            phone.all_arrived(4)
            phone.open(urlsplit(page.url).path + "sheet/")
            rows = page.locator("tr[data-deal]")
            seen(rows).to_have_count(4)
            numbers = [rows.nth(row).get_attribute("data-deal") for row in range(4)]
            assert numbers == ["1", "2", "3", "4"]
            assert "0 faults" in manage(told, "verify_ledger")


# ── it is refused, and kept ─────────────────────────────────────────────


# Each has a state, a retry and a place on a page of its own. C32
def test_match_that_was_closed_meanwhile_leaves_the_entry_in_hand(phone, line):
    match = evening_of("evening-levant", 3)
    phone.at_table(match)
    line.set("cut")
    for count, deal in enumerate(DEALS[3:7], start=1):
        phone.enter_offline(deal, count)
    phone.new_tab(url("match", match))
    phone.waits(4)
    write(break_off, match, actor=PHONE)
    line.set("pass")
    phone.says("match_closed", 4)
    phone.says("behind", 5)
    phone.tap("details.menu summary")
    phone.tap(".menu-unsent a")
    phone.says("match_closed", 4)
    first = phone.page.locator(".waiting").first
    first.locator(".discard").tap()
    first.locator(".keep").tap()
    phone.waits(4)
    first.locator(".discard").tap()
    first.locator(".discard-now").tap()
    phone.waits(3)
    phone.says("match_closed", 5)  # it was before the closing too
    assert played(match) == as_played(1, 3)


# What others entered meanwhile is never written over. C35
def test_both_are_shown_where_another_phone_was_quicker(phone, line):
    match = match_of()
    phone.at_table(match)
    line.set("cut")
    phone.enter_offline({"contract": "king", "input": {"king_taken_by": 2}}, 1)
    phone.enter_offline({"contract": "diamonds", "input": {"diamonds": [3, 4, 5, 1]}}, 2)
    record(match, diamonds(), actor=PHONE)
    line.set("pass")
    phone.says("stale", 1)
    phone.says("behind", 2)
    phone.tap(".line-list .inline-link")
    phone.page.locator(".waiting .look").first.tap()
    expect(phone.page.locator("#conflict-title")).to_be_visible()
    expect(phone.page.locator("#line")).to_have_count(0)
    phone.tap("#match button.danger")
    phone.all_arrived(2)  # what waited behind it went on from there
    standing = Deal.objects.standing().filter(match=match).order_by("deal_number")
    assert [deal.contract for deal in standing] == ["king", "diamonds"]


# Two deals that both happened: neither is lost, and what waited behind follows on.
def test_a_deal_that_was_played_after_the_other_is_saved_as_the_next(phone, line):
    match = match_of()
    phone.at_table(match)
    line.set("cut")
    phone.enter_offline({"contract": "king", "input": {"king_taken_by": 2}}, 1)
    phone.enter_offline({"contract": "diamonds", "input": {"diamonds": [3, 4, 5, 1]}}, 2)
    tricks = Tally.from_json({"tricks": (13, 0, 0, 0)})
    record(match, Entry(Contract.read("tricks"), 0, False, tricks), actor=PHONE)
    line.set("pass")
    phone.says("stale", 1)
    phone.tap(".line-list .inline-link")
    phone.page.locator(".waiting .look").first.tap()
    discard = phone.page.locator("[data-drops]")
    expect(discard).to_be_hidden()  # a second tap discards
    phone.tap("#match details:has([data-drops]) > summary")
    expect(discard).to_be_visible()
    phone.tap('#match button[value="after"]')
    phone.all_arrived(3)
    standing = Deal.objects.standing().filter(match=match).order_by("deal_number")
    assert [deal.contract for deal in standing] == ["tricks", "king", "diamonds"]


# ── it outlives everything ──────────────────────────────────────────────


# Draft and queue: reload, rotation, sign-out and in, new files, an expired token, no cookies.
# C28, C32, C36, C37
def test_queue_and_draft_outlive_what_happens_to_a_phone(phone, line, cast, monkeypatch):
    context, page = phone.page.context, phone.page
    match = make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal))
    signed_in = cookies_of(cast.amal, line.url)
    context.add_cookies(signed_in)
    phone.at_table(match)
    line.set("cut")
    phone.enter_offline({"contract": "king", "input": {"king_taken_by": 2}}, 1)
    phone.tap('[data-open="diamonds"]')
    phone.choose("diamonds.0", 3)
    page.set_viewport_size({"width": 844, "height": 390})
    page.reload()
    page.set_viewport_size({"width": 390, "height": 844})
    phone.waits(1)
    phone.tap('[data-open="diamonds"]')
    expect(page.locator('[name="diamonds.0"][value="3"]')).to_be_checked()
    # A new version of everything, and nobody is signed in any more.
    build_anew(monkeypatch, "another")
    context.clear_cookies()
    line.set("pass")
    phone.tap("[data-back]")
    phone.says("not_allowed", 1)
    assert not Deal.objects.exists()
    context.add_cookies(signed_in)
    phone.tap(".waiting .retry")
    phone.all_arrived(1)
    phone.open_contract("diamonds")
    expect(page.locator('[name="diamonds.0"][value="3"]')).to_be_checked()
    # Half of the cookies are gone: the token is one, and another is fetched.
    line.set("cut")
    phone.choose("diamonds.1", 4)
    phone.choose("diamonds.2", 5)
    phone.tap("button.save")
    phone.waits(1)
    context.clear_cookies(name="csrftoken")
    build_anew(monkeypatch, "third")
    expect(page.locator("#update")).to_be_hidden()
    line.set("pass")
    phone.all_arrived(2)
    expect(page.locator("#update")).to_be_visible()
    assert Deal.objects.filter(match=match).count() == 2
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('draft'))") == []


def test_nothing_is_left_on_the_phone_for_the_next_who_holds_it(phone, line, cast):
    match = make_match(club=cast.club, players=cast.players, actor=Actor(cast.amal))
    phone.page.context.add_cookies(cookies_of(cast.amal, line.url))
    phone.at_table(match)
    phone.tap("details.menu summary")
    phone.tap('.menu form[action$="/logout/"] button')
    expect(phone.page.locator('.menu a[href*="login"]')).to_be_attached()
    line.set("cut")
    with suppress(Error):
        phone.open(url("match", match))
    expect(phone.page.locator("body")).not_to_contain_text("Carmen")


# ── plain http, and a line that hangs ───────────────────────────────────


def test_open_page_goes_on_without_a_service_worker(page, line):
    """Where the phone has only an address of the local network: nothing answers, and no browser
    keeps the page."""
    phone = BackRoom(page, line.url.replace("127.0.0.1", "0.0.0.0"))
    match = match_of()
    phone.at_table(match)
    assert not page.evaluate("isSecureContext")
    phone.open_contract("king")
    phone.choose("king_taken_by", 1)
    line.set("hang")
    phone.tap("button.save")
    seen(page.locator(".waiting")).to_have_count(1, timeout=SOON)
    expect(page.locator(".line-plain")).to_be_visible()
    phone.tap('[data-open="queens"]')
    page.go_back()
    expect(page.locator('[data-open="queens"]')).to_be_visible()
    assert not Deal.objects.exists()
    line.set("pass")
    phone.all_arrived(1)
    assert Deal.objects.get(match=match).contract == "king"
