"""Text at 200 %, as somebody reads it who needs it large: no page scrolls sideways."""

import re
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client

from scoring.models import User
from tests.browser.table import Phone
from tests.support.tables import match_of, url

pytestmark = pytest.mark.django_db(transaction=True)

# One of each kind of page, as links of the pages before lead there.
KINDS = """() => [...document.querySelectorAll("main a[href], .menu a[href]")]
  .map((link) => new URL(link.href))
  .filter((link) => link.origin === location.origin)
  .map((link) => link.pathname)"""
NAMED = r"(players/[^/]+/(matches/)?|seasons/[^/]+/|evenings/[^/]+/|figures/contracts/)"
LISTS = "(standings|matches|seasons|evenings|records|rulings|disagreements|figures)/"
WALKED = re.compile(
    rf"/clubs/cafe-demo/({LISTS}|{NAMED})?|/matches/[^/]+/((sheet|rules|figures)/)?"
)
# What sticks out and makes the page scroll, the innermost first.
WIDE = """(width) => {
  document.documentElement.style.fontSize = "200%";
  for (const fold of document.querySelectorAll("main details")) fold.open = true;
  if (document.documentElement.scrollWidth <= width) return [];
  const out = [...document.querySelectorAll("body *")].filter((each) => {
    const box = each.getBoundingClientRect();
    return each.checkVisibility() && (box.right > width + 1 || box.left < -1);
  });
  return out.reverse().slice(0, 3).map((each) => each.outerHTML.slice(0, 120));
}"""


def kind_of(path):
    """The address without what is only a number or a name."""
    return "/".join(
        "-" if any(mark.isdigit() for mark in part) else part for part in path.split("/")
    )


@pytest.fixture
def owner(page, live_server):
    call_command("seed_demo")
    client = Client()
    client.force_login(User.objects.get(username="demo"))
    phone = Phone(page, live_server.url)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}]
    )
    return phone


def walk(phone, start):
    """Yields a path of each kind that links lead to."""
    met, waiting = set(), [start]
    while waiting:
        path = waiting.pop(0)
        if kind_of(path) in met or not WALKED.fullmatch(path):
            continue
        met.add(kind_of(path))
        phone.open(path)
        yield path
        waiting += [urlsplit(each).path for each in phone.page.evaluate(KINDS)]


def test_no_page_of_a_club_scrolls_sideways(owner):
    page, faults, visited = owner.page, {}, 0
    page.set_viewport_size({"width": 320, "height": 640})
    for path in walk(owner, "/clubs/cafe-demo/"):
        visited += 1
        for width in (320, 390):
            page.set_viewport_size({"width": width, "height": 640})
            if found := page.evaluate(WIDE, width):
                faults[f"{width} {path}"] = found
    assert faults == {}
    assert visited >= 16


# Tabs that print over each other, or whose words stick out.
MIXED = """() => {
  document.documentElement.style.fontSize = "200%";
  const found = (of) => [...document.querySelectorAll(of)];
  const boxes = (of) => found(of).map((each) => each.getBoundingClientRect());
  const [tabs, words] = [boxes(".tab"), boxes(".tab-name")];
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const pairs = tabs.flatMap((a, at) => tabs.slice(at + 1).map((b) => over(a, b)));
  return [tabs.length, pairs.filter(Boolean).length,
    words.filter((word) => word.left < 0 || word.right > 320).length,
    document.documentElement.scrollWidth];
}"""


@pytest.mark.parametrize("language", ["en", "ar", "fr"])
def test_tabs_of_many_parts_do_not_touch(page, live_server, language):
    page.set_viewport_size({"width": 320, "height": 640})
    phone = Phone(page, live_server.url, language)
    complex_ = match_of(options={"combo": "complex"})
    phone.open(url("match", complex_, contract="king+queens+diamonds+tricks"))
    assert page.evaluate(MIXED) == [5, 0, 0, 320]
    phone.open(url("match", match_of(system="barbu"), contract="general"))
    assert page.evaluate(MIXED) == [5, 0, 0, 320]


def test_five_tabs_stand_in_one_line_on_the_narrowest_phone(page, live_server):
    page.set_viewport_size({"width": 320, "height": 568})
    phone = Phone(page, live_server.url, "ar")
    phone.open(url("match", match_of(system="barbu"), contract="general"))
    tops = page.locator(".tab").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().top)"
    )
    assert (len(tops), len(set(tops))) == (5, 1)
