"""A person at the table with a phone: knows the pages by what can be tapped on them, counts taps.

Words are never looked for, so that the same hands play in every language.
"""

from urllib.parse import quote

from django.test import Client
from playwright.sync_api import Locator, LocatorAssertions, Page, expect

from scoring.common.device import COOKIE, signer
from scoring.rules import Contract
from scoring.rules.cards import QUEENS
from tests.support.tables import SECRET

TAKERS = {"king": "king_taken_by", "last_trick": "last_trick_by"}


def counted(item: str, facts: dict) -> list[int]:
    """How many each took; of queens perhaps only who took which is told."""
    if item in facts:
        return facts[item]
    takers = list(facts[f"{item}_taken_by"].values())
    return [takers.count(seat) for seat in range(4)]


def cookies_of(user, server: str) -> list[dict]:
    """What a phone keeps on which this account has signed in."""
    client = Client()
    client.force_login(user)
    return [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": server}]


def seen(locator: Locator) -> LocatorAssertions:
    """Expectations of what a reader sees of it: what is hidden is not there."""
    return expect(locator.filter(visible=True))


def wait_for(page: Page, condition: str) -> None:
    """Until it is true on the page. Playwright's own would need eval for its second look, which
    the page forbids."""
    page.evaluate(
        """async () => {
            for (let tries = 0; !(CONDITION); tries += 1) {
                if (tries === 200) throw new Error("it did not come true");
                await new Promise((again) => setTimeout(again, 50));
            }
        }""".replace("CONDITION", condition)
    )


def wait_for_bundle(page: Page) -> None:
    """Until the forms for when there is no network are on the phone."""
    wait_for(page, "await (await import('/static/js/offline.js')).ready()")


class Phone:
    """One phone. `taps` counts every touch since it was last set to 0."""

    def __init__(self, page: Page, server: str, language: str = "en"):
        self.page, self.server, self.taps = page, server, 0
        cookies = {COOKIE: signer().sign(SECRET), "django_language": language}
        page.context.add_cookies(
            [{"name": name, "value": value, "url": server} for name, value in cookies.items()]
        )

    def open(self, path: str) -> None:
        self.page.goto(self.server + path)

    def tap(self, selector: str) -> None:
        expect(self.page.locator(".calm")).to_have_count(0)
        self.page.locator(selector).tap()
        self.taps += 1

    def choose(self, name: str, value: object) -> None:
        """Taps one choice: the label is what a finger meets."""
        self.tap(f'label:has(> input[name="{name}"][value="{value}"])')

    # ── a deal, in as few taps as the page allows ───────────────────────

    def enter(self, deal: dict) -> None:
        """Types a deal as it stands in the cases and saves it."""
        self.open_contract(Contract.read(deal["contract"]).key)
        self.type(deal)
        self.save(deal["deal_number"])

    def open_contract(self, key: str) -> None:
        """No tap where it is open already, the only one that is left. Where contracts go by lot,
        the page draws."""
        form = self.page.locator(f'#entry:has([name="contract"][value="{key}"])')
        button = f'a.contract[href*="contract={quote(key)}"]'
        expect(form.or_(self.page.locator(button))).to_be_visible()
        if not form.is_visible():
            self.tap(".draw" if self.page.locator(".draw").count() else button)
            expect(form).to_be_visible()

    def type(self, deal: dict) -> None:
        facts, contract = deal["input"], Contract.read(deal["contract"])
        self.trouble(facts)
        if "cheat_by" in facts:
            return
        if contract.special == "trex":
            self.order(facts["finish_order"])
        elif contract.special == "fifty_one":
            self.choose("loser", facts["loser"])
        elif contract.key == "king":
            self.double(facts)
            self.item("king", facts)
        else:
            for item in contract.items:
                self.item(item, facts)
            self.double(facts)

    def trouble(self, facts: dict) -> None:
        """What went wrong is told first: then nothing fills itself."""
        for key in ("revoke_by", "cheat_by"):
            if key in facts:
                self.tap(".trouble summary")
                self.choose(key, facts[key])

    def item(self, item: str, facts: dict) -> None:
        """Part after part: the next opens by itself once one is whole, else it is tapped open."""
        tab = self.page.locator(f'label.tab:has(input[value="{item}"])')
        if tab.count() and not tab.locator("input").is_checked():
            tab.tap()
            self.taps += 1
        if item in TAKERS:
            taker = facts.get(TAKERS[item])
            if taker is not None:
                self.choose(TAKERS[item], taker)
        elif item == "queens" and self.page.locator('[name^="queens_taken_by"]').count():
            self.queens(facts["queens_taken_by"])
        else:
            self.counts(item, counted(item, facts), "revoke_by" in facts)

    def queens(self, takers: dict) -> None:
        """The first that nobody has is open; where one is left out, the next is tapped open."""
        skipped = False
        for card in QUEENS:
            if card in takers:
                if skipped:
                    self.tap(f'.slot-head:has([value="queens_taken_by.{card}"])')
                self.choose(f"queens_taken_by.{card}", takers[card])
            skipped = skipped or card not in takers

    def counts(self, key: str, numbers: list[int], broken_off: bool = False) -> None:
        """The last number, and those that can only be 0, fill themselves, but not in a deal that
        was broken off."""
        for seat in range(4 if broken_off else 3):
            self.choose(f"{key}.{seat}", numbers[seat])
            if sum(numbers[: seat + 1]) == sum(numbers) and not broken_off:
                break

    def order(self, seats: list[int]) -> None:
        """The last to go out fills itself; in barbu also the third, since it costs neither."""
        needed = int(self.page.locator(".answer.order").get_attribute("data-needed"))
        for place in range(needed):
            self.choose(f"finish_order.{place}", seats[place])

    def double(self, facts: dict) -> None:
        rows = facts.get("doubles", [])
        tab = self.page.locator('label.tab:has(input[value="doubles"])')
        if rows and tab.is_visible():
            tab.tap()
            self.taps += 1
        for row in rows:
            self.choose(f"doubles.{row['card']}", row["by"])

    def save(self, number: int) -> None:
        self.tap("button.save")
        expect(self.page.locator(f'.news[data-saved="{number}"]')).to_be_visible()

    # ── what stands on the page ─────────────────────────────────────────

    def totals(self) -> list[int]:
        found = self.page.locator("#match [data-total]")
        return found.evaluate_all("all => all.slice(0, 4).map((each) => +each.dataset.total)")

    def scrolled(self) -> float:
        return self.page.evaluate("scrollY")

    def in_sight(self, selector: str) -> bool:
        """Whether all of it is seen without scrolling: nothing lies over its top or bottom."""
        return self.page.locator(selector).evaluate(
            """element => {
                const box = element.getBoundingClientRect();
                const met = (y) =>
                    element.contains(document.elementFromPoint(box.x + box.width / 2, y));
                return box.top >= 0 && box.bottom <= innerHeight
                    && met(box.top + 3) && met(box.bottom - 3);
            }"""
        )
