"""The back room: deals are entered without a network, and arrive in order, once each."""

import pytest
from playwright.sync_api import expect

from scoring.models import Deal
from tests.browser.proxy import network
from tests.browser.table import Phone
from tests.factories import evenings
from tests.web.tables import evening_of, url

pytestmark = pytest.mark.django_db(transaction=True)
DEALS = evenings()["evening-levant"]["deals"]


@pytest.fixture
def browser_context_args(browser_context_args):
    return browser_context_args | {"service_workers": "allow"}


@pytest.fixture
def line(live_server):
    with network(int(live_server.url.rpartition(":")[2])) as proxy:
        yield proxy


class OfflinePhone(Phone):
    def taken_along(self) -> None:
        """Everything is there that is needed without a network: forms, files, the page."""
        self.page.evaluate(
            """async () => {
                const kept = async () => {
                    const { kit } = document.getElementById("match").dataset;
                    if (!(await store.kit(kit))) return false;
                    if (!navigator.serviceWorker) return true;
                    return (await caches.open("pages")).match(location.pathname);
                };
                while (!(await kept())) await new Promise((again) => setTimeout(again, 50));
            }"""
        )

    def enter_offline(self, deal: dict, waiting: int) -> None:
        self.tap(f'[data-open="{deal["contract"]}"]')
        expect(self.page.locator("#entry[data-offline]")).to_be_visible()
        self.type(deal)
        self.tap("button.save")
        self.waits(waiting)

    def waits(self, count: int, code: str = "") -> None:
        expect(self.page.locator(".waiting-list > .waiting")).to_have_count(count)


@pytest.fixture
def phone(page, line):
    return OfflinePhone(page, line.url)


def played(match) -> list[tuple[int, str]]:
    deals = Deal.objects.filter(match=match).order_by("event__seq")
    return [(deal.deal_number, deal.contract) for deal in deals]


def as_played(first, last):
    return [(deal["deal_number"], deal["contract"]) for deal in DEALS[first - 1 : last]]


def test_four_deals_of_the_back_room_arrive_once_each(phone, line):
    match = evening_of("evening-levant", 3)
    phone.open(url("match", match))
    phone.taken_along()
    line.set("cut")
    first = DEALS[3]
    phone.tap(f'a.contract[href*="{first["contract"]}"]')
    expect(phone.page.locator("#entry[data-offline]")).to_be_visible()
    phone.type(first)
    phone.tap("button.save")
    phone.waits(1)
    for count, deal in enumerate(DEALS[4:7], start=2):
        phone.enter_offline(deal, count)
    context = phone.page.context
    phone.page.close()
    phone.page = context.new_page()
    phone.open(url("match", match))
    phone.waits(4)
    assert played(match) == as_played(1, 3)
    line.set("pass")
    expect(phone.page.locator("#line")).to_have_count(0, timeout=15_000)
    assert played(match) == as_played(1, 7)
    expect(phone.page.locator('.news[data-saved="7"]')).to_be_visible()
