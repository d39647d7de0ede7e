"""Several phones on one match: who watches, who keeps score, who takes over."""

import json
import re
from operator import le

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from scoring.common.actor import Actor, device_id
from scoring.common.device import COOKIE, signer
from scoring.ledger.services.lease import take
from scoring.matches.services.matches import break_off
from scoring.models import Deal, LinkKind, Match, TableLink
from tests.browser.table import Phone, seen, wait_for
from tests.browser.test_drafts import FAKE_LOCK
from tests.factories import diamonds, king, make_evening, record, write
from tests.matches.test_live_pages import joined
from tests.support.tables import PHONE, deals_of, match_of, url

pytestmark = pytest.mark.django_db(transaction=True)

HIDE = """() => {
  Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
SHOW = """() => {
  delete document.visibilityState;
  document.dispatchEvent(new Event("visibilitychange"));
}"""
SECOND = "the second phone of the table"
SECOND_PHONE = Actor(device=device_id(SECOND))


@pytest.fixture
def phone(page, live_server):
    return Phone(page, live_server.url)


@pytest.fixture
def another(new_context, live_server):
    """A phone more, which came by a link."""

    def phone_by(match, kind, secret=SECOND, clock=False):
        joined(match, kind, secret)
        context = new_context()
        phone = Phone(context.new_page(), live_server.url)
        context.add_cookies(
            [{"name": COOKIE, "value": signer().sign(secret), "url": live_server.url}]
        )
        if clock:
            phone.page.clock.install()
        return phone

    return phone_by


def shows(phone, totals):
    for seat, total in enumerate(totals):
        place = phone.page.locator(f'[data-seat="{seat}"] [data-total]')
        expect(place).to_have_attribute("data-total", str(total))


# Spectators follow every save within two seconds; the page says how old it is, and when nothing
# comes any more; a hidden one asks nothing; a link that is revoked ends there and then. A wall
# stays lit and takes the next build of the site by itself. C30 C31 C102
def test_watchers_follow_and_are_told_when_the_line_is_cut(phone, another, monkeypatch):
    match = match_of(table_name="By the window")
    watcher = another(match, LinkKind.VIEW, "a", clock=True)
    page, asked = watcher.page, []
    page.on("request", lambda sent: asked.append(sent.url) if "/live/" in sent.url else None)
    watcher.open(url("match", match))
    wall, sheet = another(match, LinkKind.VIEW, "b"), another(match, LinkKind.VIEW, "c")
    wall.page.add_init_script(FAKE_LOCK)
    wall.open(url("screen", match))
    wait_for(wall.page, "lock.asked === 1")
    sheet.open(url("sheet", match))
    seen(page.locator(".as-of bdi")).to_have_text(re.compile(r"^\d\d:\d\d:\d\d$"))
    expect(page.locator(".button.contract, .undo")).to_have_count(0)

    phone.open(url("match", match, contract="king"))
    phone.choose("king_taken_by", 2)
    phone.save(1)
    before = len(asked)
    page.clock.run_for(1500)
    shows(watcher, [0, 0, -75, 0])
    assert len(asked) <= before + 1  # the clock runs by itself too
    shows(wall, [0, 0, -75, 0])
    expect(sheet.page.locator('[data-deal="1"]')).to_be_visible()

    page.route("**/live/*", lambda route: route.abort())
    for _ in range(6):
        page.clock.run_for(1500)
    seen(page.locator("body.stale .cut")).to_contain_text("No connection since")
    page.unroute("**/live/*")
    page.clock.run_for(1500)
    expect(page.locator("body.stale")).to_have_count(0)

    page.evaluate(HIDE)
    page.clock.run_for(1500)
    before = len(asked)
    page.clock.run_for(60_000)
    assert len(asked) == before
    with page.expect_request("**/live/*"):
        page.evaluate(SHOW)

    with wall.page.expect_navigation():
        monkeypatch.setattr("scoring.common.shared_cache.build", lambda: "next")
    shows(wall, [0, 0, -75, 0])

    TableLink.objects.update(revoked_at=timezone.now())
    page.clock.run_for(1500)
    seen(page.locator("h1")).to_have_text("The link to this table has ended")
    before = len(asked)
    page.clock.run_for(30_000)
    assert len(asked) == before


# The second phone is asked whether it takes over; the first is told, and loses no tap. C33 C52
def test_taking_over_disturbs_no_form_and_one_deal_is_saved_once(phone, another):
    match = match_of()
    second = another(match, LinkKind.TABLE)
    phone.open(url("match", match, contract="diamonds"))
    phone.choose("diamonds.0", 3)
    second.open(url("match", match))
    expect(second.page.locator(".button.contract")).to_have_count(0)
    second.tap("#lease button")
    expect(second.page.locator("a.contract").first).to_be_visible()

    seen(phone.page.locator("#lease")).to_contain_text("has taken over")
    expect(phone.page.locator('[name="diamonds.0"][value="3"]')).to_be_checked()
    phone.choose("diamonds.1", 5)
    phone.tap("#lease button")
    expect(phone.page.locator("#lease")).to_be_hidden()
    expect(phone.page.locator('[name="diamonds.1"][value="5"]')).to_be_checked()
    seen(second.page.locator("#lease")).to_contain_text("keeps score")

    second.open(url("match", match, contract="diamonds"))
    for seat, count in enumerate((4, 4, 4)):
        second.choose(f"diamonds.{seat}", count)
    phone.choose("diamonds.2", 5)
    second.page.locator("button.save").tap(no_wait_after=True)
    phone.page.locator("button.save").tap(no_wait_after=True)
    over = 'h1[data-code="stale"]'
    expect(phone.page.locator(f"{over}, .news")).to_be_visible()
    expect(second.page.locator(f"{over}, .news")).to_be_visible()
    lost = [each for each in (phone, second) if each.page.locator(over).count()]
    assert (len(lost), deals_of(match)) == (1, 1)
    sides = lost[0].page.locator("[data-side]")
    seen(sides).to_have_count(2)
    theirs, mine = (sides.nth(side).inner_text() for side in range(2))
    assert ("−30" in theirs, "−40" in mine) in ((True, True), (False, False))
    lost[0].tap('button[value="replace"]')
    expect(lost[0].page.locator(".news")).to_be_visible()
    assert Deal.objects.standing().get(match=match).replaces is not None


def test_a_form_is_told_that_its_deal_was_saved_elsewhere_and_stays(phone):
    match = match_of()
    phone.open(url("match", match, contract="diamonds"))
    phone.choose("diamonds.0", 3)
    expect(phone.page.locator(".meanwhile")).to_be_hidden()
    record(match, king(), actor=SECOND_PHONE)
    seen(phone.page.locator(".meanwhile")).to_have_text("Deal 1 was saved on another phone.")
    expect(phone.page.locator('[name="diamonds.0"][value="3"]')).to_be_checked()
    phone.page.go_back()
    phone.open(url("match", match))
    summary = phone.page.locator(".more summary").last
    summary.tap()
    take(match_id=match.id, actor=SECOND_PHONE, now=timezone.now())
    expect(phone.page.locator("#lease")).to_be_visible()
    expect(phone.page.locator(".more[open]")).to_have_count(1)
    assert Match.objects.get().lease_device != PHONE.device


# ── an evening long ─────────────────────────────────────────────────────

# Stands in for the line, which takes longer than the answers: nothing new nineteen times, then a
# change, for which a page with parts of its own asks for itself.
LINE = """() => {
  const { tag } = document.querySelector("[data-live]").dataset;
  const [version, ...rest] = tag.split("-");
  const personal = "personal" in document.querySelector("[data-live]").dataset;
  const news = `<div data-settled="" data-by="" data-lease=""></div>`;
  const part = () => (personal ? news : document.querySelector("#live").innerHTML);
  Object.assign(window, { polls: 0, changes: 0, redrawn: 0 });
  const now = () => [Number(version) + changes, ...rest].join("-");
  window.fetch = async (address) => {
    if (!String(address).includes("/live/")) {
      redrawn += 1;
      const page = document.querySelector("#match").cloneNode(true);
      page.dataset.tag = now();
      for (const known of page.querySelectorAll("[data-htmx-powered]"))
        known.removeAttribute("data-htmx-powered");
      return new Response(page.outerHTML);
    }
    polls += 1;
    const changed = polls % 20 === 0;
    changes += changed;
    const headers = { ETag: `"${now()}"` };
    return new Response(changed ? part() : null, { status: changed ? 200 : 304, headers });
  };
}"""


def weigh(page, cdp, times, enough=()):
    """Heap, nodes and listeners after everything that can go has gone: the browser sweeps what it
    has thrown away when it has time for it, so the least of so many times counts. No more often
    than it takes to find as little as is enough."""
    found = weigh_once(page, cdp)
    for _ in range(times - 1):
        if enough and all(map(le, found, enough)):
            break
        found = list(map(min, found, weigh_once(page, cdp)))
    return found


# A condition that is asked again and again would need eval, which the page forbids.
NEXT_POLL = """async before => {
  for (let tries = 0; polls <= before; tries += 1) {
    if (tries === 200) throw new Error("there are no polls any more");
    await new Promise(again => setTimeout(again, 50));
  }
}"""


def poll_until(page, met, step):
    """Lets the clock run, as long as there are polls."""
    while not page.evaluate(met):
        before = page.evaluate("polls")
        page.clock.run_for(step)
        page.evaluate(NEXT_POLL, before)


def weigh_once(page, cdp):
    """Some polls after the next change, when no timer holds what was there before. What the browser
    compiles the oftener it meets it is no part of the page."""
    page.clock.run_for(5 * 1500)
    poll_until(page, "polls % 20 === 15", 1500)
    chunks = []
    cdp.on("HeapProfiler.addHeapSnapshotChunk", lambda told: chunks.append(told["chunk"]))
    cdp.send("HeapProfiler.takeHeapSnapshot")
    taken = json.loads("".join(chunks))
    meta, nodes = taken["snapshot"]["meta"], taken["nodes"]
    fields, kinds = meta["node_fields"], meta["node_types"][0]
    step, kind, size = len(fields), fields.index("type"), fields.index("self_size")
    sizes = zip(nodes[kind::step], nodes[size::step], strict=True)
    return [sum(bytes_ for kind, bytes_ in sizes if kinds[kind] != "code"), *count(cdp)]


def count(cdp):
    """Nodes and listeners."""
    cdp.send("HeapProfiler.collectGarbage")
    found = {one["name"]: one["value"] for one in cdp.send("Performance.getMetrics")["metrics"]}
    return found["Nodes"], found["JSEventListeners"]


@pytest.mark.parametrize("kind", LinkKind)
def test_an_evening_of_polls_leaves_nothing_behind(another, kind):
    match = match_of(entries=[king()])
    watcher = another(match, kind, clock=True)
    page = watcher.page
    watcher.open(url("match", match))
    expect(page.locator(".as-of bdi")).to_be_visible()
    page.evaluate(LINE)
    cdp = page.context.new_cdp_session(page)
    cdp.send("Performance.enable")
    page.clock.run_for(100 * 1500)
    early = weigh(page, cdp, 3)
    enough = [1.1 * each for each in early]
    poll_until(page, "polls >= 10_000", 500 * 1500)
    assert (page.evaluate("redrawn") > 400) == (kind == LinkKind.TABLE)
    late = weigh(page, cdp, 6, enough)
    assert all(map(le, late, enough)), (early, late)


def test_other_phones_find_the_rematch_and_the_television_follows(phone, another):
    match = make_evening("evening-levant", actor=PHONE)
    phone.open(url("match", match))
    seated = another(match, LinkKind.TABLE, clock=True)
    seated.open(url("match", match))
    wall = another(match, LinkKind.VIEW, "the television", clock=True)
    wall.open(url("screen", match))
    phone.tap('button[name="action"][value="finish"], form:has([value="finish"]) button')
    expect(phone.page.locator("#end-title")).to_be_visible()
    seated.page.clock.run_for(1500)
    expect(seated.page.locator("#end-title")).to_be_visible()
    wall.page.clock.run_for(1500)
    phone.tap('button[name="seats"][value="same"]')
    phone.page.wait_for_url(re.compile(f"^(?!.*{match.id})"))
    again = Match.objects.get(rematch_of=match)
    seated.page.clock.run_for(3000)
    seated.tap("[data-rematch]")
    seated.page.wait_for_url(f"**/matches/{again.id}/**")
    wall.page.clock.run_for(3000)
    wall.page.wait_for_url(f"**/matches/{again.id}/screen/")
    expect(wall.page.locator(".screen-turn")).to_be_visible()


def test_an_open_form_and_a_page_of_a_deal_say_what_became_of_the_match(phone, another):
    match = match_of(entries=[king()])
    other = another(match, LinkKind.TABLE, clock=True)
    other.open(url("deal", match, 1))
    told = other.page.locator(".moved-on")
    expect(told).to_be_hidden()
    phone.open(url("match", match, contract="diamonds"))
    closed = phone.page.locator(".closed-meanwhile")
    expect(closed).to_be_hidden()
    write(break_off, match, actor=PHONE)
    expect(closed).to_be_visible()
    other.page.clock.run_for(3000)
    expect(told).to_be_visible()


def test_selected_text_outlives_a_refresh(phone, another):
    match = match_of(entries=[king()])
    sheet = another(match, LinkKind.VIEW, clock=True)
    sheet.open(url("sheet", match))
    sheet.page.evaluate(
        """() => getSelection().selectAllChildren(document.querySelector(".sheet-table tbody"))"""
    )
    chosen = sheet.page.evaluate("() => String(getSelection())")
    record(match, diamonds(), actor=PHONE)
    sheet.page.clock.run_for(3000)
    expect(sheet.page.locator('[data-deal="2"]')).to_have_count(0)
    assert sheet.page.evaluate("() => String(getSelection())") == chosen
    sheet.page.evaluate("() => getSelection().removeAllRanges()")
    sheet.page.clock.run_for(3000)
    expect(sheet.page.locator('[data-deal="2"]')).to_be_visible()
