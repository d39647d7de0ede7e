"""A contract opens out of the kit, without a request, as the server would have drawn it."""

import re

import pytest
from playwright.sync_api import expect

from scoring.models import Deal
from tests.browser.proxy import network
from tests.browser.table import Phone, seen, wait_for, wait_for_bundle
from tests.support.tables import match_of, url

pytestmark = pytest.mark.django_db(transaction=True)

# What differs from page to page.
ONCE = re.compile(
    r'name="(?:entry_key|csrfmiddlewaretoken)" value="[^"]*"| (?:data-tag|data-reader)="[^"]*"'
)


class Table(Phone):
    """Counts what is asked of the server, but not how the match goes on."""

    def at(self, match):
        self.asked = []
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.open(url("match", match, contract=""))
        wait_for_bundle(self.page)

    def open_and_count(self, key):
        self.asked.clear()
        self.tap(f"a.contract-{key.replace('+', r'\+')}")
        expect(self.page.locator(f'#entry [name="contract"][value="{key}"]')).to_be_attached()
        return [each for each in self.asked if not re.search("/live/|/static/", each)]

    def drawn(self):
        """The form and all around it, as text."""
        expect(self.page.locator(".calm")).to_have_count(0)
        parts = self.page.locator("#match > *").evaluate_all(
            "all => all.map((each) => each.outerHTML.replace(/>\\s+</g, '><')).join('')"
        )
        return ONCE.sub("", parts)


@pytest.mark.parametrize(
    ("system", "options", "keys"),
    [
        ("levant", {}, ["king", "trex"]),
        ("levant", {"combo": "complex"}, ["king+queens+diamonds+tricks"]),
        ("barbu", {}, ["queens", "fifty_one"]),
    ],
)
def test_form_of_the_kit_is_the_form_of_the_server(page, live_server, system, options, keys):
    table = Table(page, live_server.url)
    table.at(match_of(system=system, options=options, entries=[]))
    for key in keys:
        assert table.open_and_count(key) == []
        out_of_kit, address = table.drawn(), page.url
        page.reload()
        assert page.url == address
        assert table.drawn() == out_of_kit
        table.tap("a.back")
        expect(page.locator("a.contract").first).to_be_visible()
        wait_for_bundle(page)


def test_contract_opens_while_the_line_hangs_and_saves_once_it_answers(page, live_server):
    match = match_of(entries=[])
    with network(int(live_server.url.rpartition(":")[2])) as line:
        table = Table(page, line.url)
        table.at(match)
        line.set("hang")
        table.open_and_count("king")
        expect(page.locator("#entry")).to_be_visible()
        page.go_back()
        expect(page.locator("#turn-title")).to_be_visible()
        line.set("pass")
        seen(page.locator("a.contract-king")).to_have_count(1)
        wait_for(page, "(await import('/static/js/queue.js')).isUp()")
        assert table.open_and_count("king") == []
        page.go_back()
        expect(page.locator("a.contract-queens")).to_be_visible()
        assert table.open_and_count("queens") == []
        page.go_forward()
        takers = {"QS": 0, "QH": 1, "QC": 2, "QD": 3}
        table.type({"contract": "queens", "input": {"queens_taken_by": takers}})
        expect(page.locator("#preview .purses b").first).to_have_text("−25")
        table.save(1)
    deal = Deal.objects.get(match=match)
    assert (deal.contract, deal.chooser, deal.dealer) == ("queens", 0, 3)
