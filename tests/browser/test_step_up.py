"""The arbiter on the table's phone, as it looks there: the bar, its end by itself, and a tap."""

import pytest
from playwright.sync_api import expect

from scoring.common.actor import Actor
from tests.browser.table import Phone, seen
from tests.factories import king, make_cast, make_match
from tests.support.tables import PHONE, url

pytestmark = pytest.mark.django_db(transaction=True)


# The device drops back by itself, and says so. C70
def test_the_bar_is_there_for_ten_minutes_and_a_form_stays(page, live_server):
    cast = make_cast(is_public=True)
    cast.esam.set_password("a long password")
    cast.esam.save()
    actor = Actor(cast.amal, PHONE.device)
    match = make_match(club=cast.club, players=cast.players, entries=[king()], actor=actor)
    phone = Phone(page, live_server.url)
    page.clock.install()
    phone.open(url("step_up", match, deal=1))
    page.locator("#id_name").fill("esam")
    page.locator("#id_password").fill("a long password")
    phone.tap("main .button.primary")
    seen(page.locator(".lent p")).to_contain_text("Arbiter on this phone until")
    phone.open(url("deal", match, 1, correct=1))
    page.locator("#reason").fill("Seen by me")
    page.clock.fast_forward("10:01")
    expect(page.locator(".lent")).to_have_attribute("data-ended", "1")
    expect(page.locator(".lent .button")).to_have_count(0)
    expect(page.locator("#reason")).to_have_value("Seen by me")
    page.reload()
    phone.tap(".lent .button")
    expect(page.locator(".lent")).to_have_count(0)
