"""How an argument ends: from a tap of doubt at the table to a ruling that anybody can look up."""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from playwright.sync_api import expect

from scoring.common.actor import Actor
from scoring.ledger.queries.match_view import match_view
from scoring.matches.services import matches
from scoring.models import Club, MatchResult, Ruling
from scoring.replay.notation import trex_text
from scoring.rules import Contract, Entry, Tally
from tests.browser.table import seen
from tests.browser.test_setup import FAULTS, LONG
from tests.factories import (
    attach,
    correct,
    even_entries,
    finish,
    make_cast,
    make_match,
    write,
)
from tests.support.tables import url

pytestmark = pytest.mark.django_db(transaction=True)

REVOKED = Path(__file__).parents[1] / "card_records" / "revoke.trex"
NUMBER = 18
"""The diamonds of the fourth kingdom: in these cards Amal does not follow in the first trick."""
UNDER_LABELS = ".choice > input, .pick > input, .chip > input, .slot-head > input, .tab > input"
OWN_FAULTS = FAULTS.replace(".choice > input", UNDER_LABELS)


@pytest.fixture
def cast(transactional_db):
    cast = make_cast(is_public=True)
    cast.club.players.filter(name="Badr").update(name=LONG[0][:40])
    return cast


@pytest.fixture
def match(cast):
    """A finished evening, with the cards of one deal, in which somebody revoked."""
    entries = list(even_entries())
    entries[NUMBER - 1] = Entry(Contract.read("diamonds"), 3, False, Tally(diamonds=(5, 0, 4, 4)))
    players = cast.club.players.order_by("created_at")
    match = make_match(
        club=cast.club, players=players, entries=entries, first_chooser=0, actor=Actor(cast.amal)
    )
    record = next(iter(trex_text.read(REVOKED.read_text())))
    attach(match, NUMBER, record, actor=Actor(cast.amal))
    return finish(match)


@pytest.fixture
def phone_of(browser, live_server):
    """The phone of an account, or of nobody."""

    opened_here = []

    def opened(user=None, width=390, scripts=True):
        phone = {"viewport": {"width": width, "height": 800}, "has_touch": True, "is_mobile": True}
        context = browser.new_context(java_script_enabled=scripts, **phone)
        opened_here.append(context)
        cookies = {"django_language": "en"}
        if user:
            client = Client()
            client.force_login(user)
            cookies["sessionid"] = client.cookies["sessionid"].value
        for name, text in cookies.items():
            context.add_cookies([{"name": name, "value": text, "url": live_server.url}])
        return Hand(context.new_page(), live_server.url)

    yield opened
    for context in opened_here:
        context.close()


class Hand:
    """Counts what it taps and types."""

    def __init__(self, page, server):
        self.page, self.server, self.steps = page, server, 0

    def open(self, path):
        self.page.goto(self.server + path)

    def tap(self, selector):
        self.page.locator(selector).first.tap()
        self.steps += 1

    def write(self, selector, text):
        self.page.locator(selector).fill(text)
        self.steps += 1


def corrected_meanwhile(match):
    """The table gives way before anybody has ruled on it."""
    write(matches.reopen, match)
    deal = match.current_deals.get(deal_number=NUMBER).deal
    correct(match, deal, Entry(Contract.read("diamonds"), 3, False, Tally(diamonds=(6, 0, 3, 4))))
    finish(match)


def totals(view):
    return [str(total) for total in view.sheet.totals]


def shown_totals(hand, match):
    """The last row of the scoresheet."""
    hand.open(url("sheet", match))
    cells = hand.page.locator("tfoot tr").first.locator("td bdi.num").all_inner_texts()
    return [cell.replace("−", "-").replace("+", "") for cell in cells]


def standings(hand, club):
    hand.open(f"/clubs/{club.slug}/")
    rows = hand.page.locator("table.scores tbody tr").all_inner_texts()
    return sorted(re.sub(r"\s+", " ", row) for row in rows)


# From a flag to a published ruling, with the cards; the public page is frozen until then; the match
# and the standings before, during and after. C55 C69
def test_argument_ends_with_a_ruling_that_anybody_can_look_up(cast, match, phone_of):
    visitor, player, arbiter = phone_of(), phone_of(cast.badr), phone_of(cast.esam)
    before, stood = shown_totals(visitor, match), standings(visitor, cast.club)
    assert before == totals(match_view(match))

    player.open(url("deal", match, NUMBER))
    player.tap(f'a[href="{url("flag", match, NUMBER)}"]')
    player.tap('button[value="revoke"]')
    expect(player.page.locator('[data-dispute="open"]')).to_be_visible()

    corrected_meanwhile(match)
    visitor.open(url("deal", match, NUMBER))
    expect(visitor.page.locator('[data-code="under_review"]')).to_be_visible()
    expect(visitor.page.locator(".audit, [data-flag], [data-verdict]")).to_have_count(0)
    assert shown_totals(visitor, match) == before != shown_totals(player, match)
    marked = standings(visitor, cast.club)
    assert [re.sub(" (⏸|under review)", "", row) for row in marked] == stood != marked

    arbiter.open(f"/clubs/{cast.club.slug}/disputes/")
    arbiter.tap('button[value="claim"]')
    expect(arbiter.page.locator('[data-case="claimed"]')).to_be_visible()
    arbiter.tap('[data-case="claimed"] a.line-link')
    case = arbiter.page
    expect(case.locator('[data-dispute="claimed"]')).to_be_visible()
    expect(case.locator('.audit [data-code="revoke"]')).to_be_visible()
    looked_over(case)
    arbiter.tap('a[href="#ruling"]')
    arbiter.tap('[data-outcome="revoke"]')
    expect(case.locator('[name="revoke_by"][value="0"]')).to_be_checked()
    arbiter.write("#reason", "The cards show it.")
    case.locator("#rule").select_option("C-L6")
    arbiter.steps += 2
    seen(case.locator("#precedents p").first).to_contain_text("before")
    looked_over(case)
    arbiter.tap('button[value="look"]')
    expect(case.locator('[data-effects="standings"]')).to_be_visible()
    foretold = case.locator('[data-effects="match"] tbody tr').all_inner_texts()
    assert not Ruling.objects.exists()
    looked_over(case)
    arbiter.tap('button[value="publish"]')
    expect(case.locator('[data-ruling="revoke"]')).to_be_in_viewport()
    assert player.steps + arbiter.steps <= 14

    after = shown_totals(visitor, match)
    assert after == totals(match_view(match)) != before
    for row, total in zip(foretold, after, strict=True):
        assert total.replace("-", "−") in row
    assert standings(visitor, cast.club) != stood
    assert set(MatchResult.objects.values_list("match__state", flat=True)) == {"finished"}
    visitor.open(url("deal", match, NUMBER))
    seen(visitor.page.locator('[data-ruling="revoke"]')).to_contain_text("The cards show it.")
    seen(visitor.page.locator('[data-ruling="revoke"]')).to_contain_text("C-L6")

    for language, size in (("en", "A4"), ("ar", "Letter")):
        printed(visitor, match, language, size)


def printed(hand, match, language, size):
    """A report of two pages or three, on either paper, in either direction."""
    cookie = {"name": "django_language", "value": language, "url": hand.server}
    hand.page.context.add_cookies([cookie])
    hand.open(url("ruling_report", match, NUMBER))
    pdf = hand.page.pdf(format=size)
    pages = len(re.findall(rb"/Type\s*/Page\b", pdf))
    assert pdf.startswith(b"%PDF")
    assert 1 <= pages <= 3, pages
    hand.page.emulate_media(media="print")
    expect(hand.page.locator(".bar, .no-print").first).to_be_hidden()
    seen(hand.page.locator(".report")).to_contain_text(match.events.latest("seq").hash)
    hand.page.emulate_media(media="null")


def looked_over(page):
    """Nothing is too small for a thumb, too wide, or unreadable to a reader of screens."""
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate(OWN_FAULTS) == []
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa"]})
    assert found.violations_count == 0, found.generate_report()


# Every step is there without a script as well, on a small phone, right to left.
def test_ruling_without_a_script(cast, match, phone_of):
    arbiter = phone_of(cast.esam, width=320, scripts=False)
    case = arbiter.page
    arbiter.open(url("dispute", match, NUMBER))
    arbiter.tap('[data-outcome="adjusted"]')
    case.locator('label:has(> [name="sign.3"][value="minus"])').click()
    arbiter.write('[name="sum.3"]', "25")
    arbiter.tap('button[value="look"]')
    expect(case.locator('[data-code="missing"]')).to_be_visible()
    arbiter.write("#reason", "Looked at a hand")
    arbiter.tap('button[value="look"]')
    expect(case.locator('[data-effects="match"]')).to_be_visible()
    arbiter.tap('button[value="change"]')
    expect(case.locator('[name="sum.3"]')).to_have_value("25")
    arbiter.tap('button[value="look"]')
    arbiter.tap('button[value="publish"]')
    expect(case.locator('[data-ruling="adjusted"]')).to_be_visible()
    assert Ruling.objects.get().after == [-50, 0, -40, -65]
    assert Club.objects.count() == 2
