"""One evening in WebKit, which half of the phones have: from the front page to the winner."""

import pytest

from tests.factories import evenings
from tests.support.tables import taps
from tests.webkit.driver import window

EVENING = evenings()["evening-levant"]
KINGDOMS = [EVENING["deals"][begun : begun + 5] for begun in range(0, 20, 5)]

pytestmark = pytest.mark.django_db(transaction=True)


class Phone:
    """Knows the pages by what can be tapped on them, and no word."""

    def __init__(self, window) -> None:
        self.window = window

    def tap(self, selector: str) -> None:
        """A page that has just moved takes no tap."""
        self.window.wait_for("body:not(:has(.calm))")
        self.window.click(selector)

    def choose(self, name: str, value: str) -> None:
        """Nothing where it has filled itself in; where its part is closed, that is opened."""
        choice = f'input[name="{name}"][value="{value}"]'
        if self.window.has(f"{choice}:checked"):
            return
        for opener in (
            f'label.tab:has(input:not(:checked)[value="{name.partition(".")[0]}"])',
            f'.slot-head:has(input:not(:checked)[value="{name}"])',
        ):
            if self.window.has(opener) and not self.is_seen(choice):
                self.tap(opener)
        self.tap(f"label:has(> {choice})")
        if not self.window.has(f"{choice}:checked"):  # it moved under the finger
            self.tap(f"label:has(> {choice})")
        self.window.wait_for(f"{choice}:checked")

    def is_seen(self, choice: str) -> bool:
        return self.window.run(
            "return document.querySelector(arguments[0]).parentElement.checkVisibility()", choice
        )

    def enter(self, deal: dict) -> None:
        form = f'#entry:has([name="contract"][value="{deal["contract"]}"])'
        if not self.window.has(form):
            self.tap(f'a.contract[href*="contract={deal["contract"]}"]')
        self.window.wait_for(form)
        for name, value in taps(deal["input"]).items():
            self.choose(name, value)
        self.tap("button.save")
        self.window.wait_for(f'.news[data-saved="{deal["deal_number"]}"]')

    def totals(self) -> list[int]:
        script = (
            "return [...document.querySelectorAll('#match [data-total]')].map(e => e.dataset.total)"
        )
        return [int(total) for total in self.window.run(script)]

    def speak(self, language: str) -> None:
        self.tap(".menu summary")
        self.tap(f'[name="language"][value="{language}"]')
        self.window.wait_for(f'html[lang="{language}"]')


@pytest.fixture
def phone():
    with window() as opened:
        yield Phone(opened)


def test_an_evening_in_webkit(phone, live_server):
    webkit = phone.window
    webkit.open(live_server.url)
    for seat, name in enumerate(EVENING["players"]):
        webkit.type(f'[name="name{seat}"]', name)
    phone.tap('form:has([name="name0"]) .primary')
    for act, seat in (
        ("deals", EVENING["deals"][0]["dealer"]),
        ("first", EVENING["first_chooser"]),
    ):
        phone.tap(f'form:has([name="action"][value="{act}"]) .seat[name="seat"][value="{seat}"]')
    for kingdom in KINGDOMS:
        if kingdom is KINGDOMS[-1]:
            phone.speak("ar")
            assert webkit.has('html[dir="rtl"]')
        for deal in kingdom:
            phone.enter(deal)
            assert phone.totals() == deal["totals"], deal
    phone.tap('form:has([name="action"][value="finish"]) button')
    webkit.wait_for(".end-name")
    assert webkit.attributes(".end-name bdi", "textContent") == ["Amal Haddad"]
    phone.tap('a[href$="/sheet/"]')
    webkit.wait_for("tr[data-deal]")
    assert len(webkit.attributes("tr[data-deal]", "tagName")) == 20
