"""A person at the table with a phone: knows the pages by what can be tapped on them, counts taps.

Words are never looked for, so that the same hands play in every language.
"""

from urllib.parse import quote

from playwright.sync_api import Page, expect

from scoring.views.device import COOKIE, signer
from tests.web.tables import SECRET


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
        self.open_contract(deal["contract"])
        self.type(deal)
        self.save(deal["deal_number"])

    def open_contract(self, key: str) -> None:
        """No tap where it is open already, the only one that is left."""
        form = self.page.locator(f'#entry:has([name="contract"][value="{key}"])')
        button = self.page.locator(f'a.contract[href*="contract={quote(key)}"]')
        expect(form.or_(button)).to_be_visible()
        if not form.is_visible():
            self.tap(f'a.contract[href*="contract={quote(key)}"]')
            expect(form).to_be_visible()

    def type(self, deal: dict) -> None:
        facts = deal["input"]
        if "king_taken_by" in facts and deal["contract"] != "general":
            self.double(facts)
            self.choose("king_taken_by", facts["king_taken_by"])
        elif deal["contract"] == "general":
            self.type_general(facts)
        elif "queens_taken_by" in facts:
            for card in ("QS", "QH", "QD", "QC"):
                self.choose(f"queens_taken_by.{card}", facts["queens_taken_by"][card])
            self.double(facts)
        elif "finish_order" in facts:
            self.order(facts["finish_order"])
        elif "loser" in facts or "last_trick_by" in facts:
            key = "loser" if "loser" in facts else "last_trick_by"
            self.choose(key, facts[key])
        else:
            self.counts(deal["contract"], facts[deal["contract"]])

    def type_general(self, facts: dict) -> None:
        """Part after part: the next opens by itself, without a script it is tapped open."""
        for part in ("king", "queens", "hearts", "tricks", "last_trick"):
            tab = self.page.locator(f'label.tab:has(input[value="{part}"])')
            if not tab.locator("input").is_checked():
                tab.tap()
                self.taps += 1
            if part in ("king", "last_trick"):
                key = {"king": "king_taken_by", "last_trick": "last_trick_by"}[part]
                self.choose(key, facts[key])
            else:
                self.counts(part, facts[part])

    def counts(self, key: str, numbers: list[int]) -> None:
        """The last number, and those that can only be 0, fill themselves."""
        for seat in range(3):
            self.choose(f"{key}.{seat}", numbers[seat])
            if sum(numbers[: seat + 1]) == sum(numbers):
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
        numbers = [found.nth(seat).get_attribute("data-total") for seat in range(4)]
        return [int(number) for number in numbers]

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
