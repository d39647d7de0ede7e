"""The oldest phones that must do: a kingdom is entered with what their styles know."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.browser.table import Phone
from tests.browser.test_entering import plain_kingdom
from tests.support.baseline import stripped
from tests.support.tables import match_of, url

pytestmark = pytest.mark.django_db(transaction=True)

SHEETS = Path(__file__).parents[2] / "static/css"


def old(route):
    name = Path(urlsplit(route.request.url).path).name
    route.fulfill(body=stripped((SHEETS / name).read_text()), content_type="text/css")


def test_kingdom_is_entered_on_a_phone_of_the_baseline(page, live_server):
    phone = Phone(page, live_server.url)
    page.route("**/*.css", old)
    phone.open(url("match", match_of()))
    for deal in plain_kingdom():
        phone.enter(deal)
    assert phone.totals() == [40, -50, 25, -15]
