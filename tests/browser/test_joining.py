"""Another phone comes to the table by the code that the first one shows, and is out at its end."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from scoring.models import SeatPhone
from tests.browser.table import Phone, seen
from tests.support.tables import match_of, url

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def match():
    return match_of(now=timezone.now())


@pytest.fixture
def holder(page, live_server, monkeypatch):
    """What it shows leads here, though it knows the site as localhost."""
    monkeypatch.setenv("TREXSCORE_URL", live_server.url)
    return Phone(page, live_server.url)


def shown_link(holder, match, kind="table"):
    """The address behind the picture to scan."""
    holder.open(url("match", match))
    holder.tap(f'a[href="{url("phones", match)}"].wide')
    holder.tap(f'[data-kind="{kind}"] button[value="make"]')
    expect(holder.page.locator(f'[data-kind="{kind}"] .qr svg')).to_be_visible()
    code = holder.page.locator(f'[data-kind="{kind}"] b.code').inner_text()
    link = holder.page.locator(f"#link-{kind}").input_value()
    assert link.endswith(f"/t/#{code}")
    return link


def test_phone_joins_by_the_scanned_link_and_is_out_when_it_is_revoked(
    holder, new_context, match, live_server
):
    link = shown_link(holder, match)
    guest, sent = new_context().new_page(), []
    guest.on("request", lambda each: sent.append((each.url, each.headers.get("referer", ""))))
    guest.goto(link)
    guest.wait_for_url(f"{live_server.url}{url('seat', match)}")
    guest.locator('[data-seat="2"]').tap()
    guest.wait_for_url(f"**{url('match', match)}*")
    expect(guest.locator("#match")).to_be_visible()
    assert SeatPhone.objects.get().seat == 2
    code = link.partition("#")[2]
    assert code not in str(sent)
    guest.goto(live_server.url + "/")
    expect(guest.locator("#match")).to_be_visible()

    holder.page.reload()
    seen(holder.page.locator('[data-kind="table"] .lines')).to_contain_text("Carmen")
    holder.tap('[data-kind="table"] button[value="revoke"]')
    expect(holder.page.locator('[data-kind="table"] button[value="make"]')).to_be_visible()
    gone = guest.goto(live_server.url + url("match", match))
    assert gone.status == 404
    seen(guest.locator("h1")).to_have_text("The link to this table has ended")


# A code that is scanned while the tab lies open is taken all the same. C39
def test_code_scanned_into_an_open_tab_is_taken(holder, new_context, match, live_server):
    link = shown_link(holder, match, "view")
    guest = new_context().new_page()
    guest.goto(live_server.url + "/t/#AAAAA-AAAAA")
    expect(guest.locator('[data-code="no_such_link"]')).to_be_visible()
    assert "#" not in guest.url
    guest.evaluate("link => { location.href = link }", link)
    guest.wait_for_url(f"**{url('match', match)}")
    expect(guest.locator("#match")).to_be_visible()
    expect(guest.locator("button.contract, a.contract")).to_have_count(0)
