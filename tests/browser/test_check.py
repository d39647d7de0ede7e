"""From a wrong sum to the corrected deal, with a thumb."""

import pytest
from playwright.sync_api import expect

from scoring.models import Deal
from tests.browser.table import Phone
from tests.factories import diamonds, king
from tests.support.tables import match_of, url

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def phone(page, live_server):
    return Phone(page, live_server.url)


# A past deal is really corrected. C118
def test_paper_that_disagrees_leads_to_the_corrected_deal(phone):
    match = match_of(entries=[diamonds(7, 3, 2, 1), king(2)])
    phone.open(url("match_check", match))
    for seat, total in enumerate((60, 40, 95, 10)):
        phone.page.fill(f'[name="match.{seat}"]', str(total))
    phone.tap("button.primary")
    expect(phone.page.locator('[data-found="changes"]')).to_be_visible()
    phone.tap("#found a.button >> nth=0")
    phone.page.fill("#reason", "the paper says otherwise")
    phone.tap("button.save")
    expect(phone.page.locator(".deal-scores")).to_be_visible()
    assert Deal.objects.get(match=match, replaces__isnull=False).payload["input"] == {
        "diamonds": [6, 4, 2, 1]
    }
    phone.open(url("match_check", match))
    for seat, total in enumerate((60, 40, 95, 10)):
        phone.page.fill(f'[name="match.{seat}"]', str(total))
    phone.tap("button.primary")
    expect(phone.page.locator('[data-found="agrees"]')).to_be_visible()


def test_sheet_grows_under_the_thumb_and_sends_once(phone):
    sent = []
    phone.page.on("request", lambda request: request.method == "POST" and sent.append(request))
    phone.open("/check/")
    phone.page.fill('[name="line.1.0"]', "30")
    phone.tap('button[value="more"]')
    expect(phone.page.locator('[name="line.10.0"]')).to_be_visible()
    expect(phone.page.locator('[name="line.1.0"]')).to_have_value("30")
    assert len(sent) == 1


# As after a plain form: the first error is in view, however long the page.
def test_refused_sheet_shows_where_it_is_wrong(phone):
    phone.open("/check/")
    phone.page.fill('[name="line.1.0"]', "30")
    phone.page.fill('[name="line.4.2"]', "many")
    phone.tap(".dock button.primary")
    wrong = phone.page.locator('[name="line.4.2"]')
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(wrong).to_be_in_viewport()
    expect(wrong).to_be_focused()
    phone.page.fill('[name="line.4.2"]', "40")
    phone.page.locator("details.more >> nth=-1").locator("summary").tap()
    phone.page.fill("#id_table", "no numbers")
    phone.tap('button[value="paste"]')
    expect(phone.page.locator('[data-code="unread"]')).to_be_in_viewport()
