"""A file of old matches, from a phone: sent, looked at, imported; with and without scripts."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import expect

from scoring.models import Match
from tests.browser.table import seen
from tests.browser.test_setup import FAULTS, LONG, WIDE
from tests.factories import make_cast
from tests.importing.files import as_json, as_xlsx, evening

PAGE = "/clubs/cafe-younes/import/"


@pytest.fixture
def owner(transactional_db):
    client = Client()
    client.force_login(make_cast().owner)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def faults(page, scripts=True):
    """What sticks out, is too small for a thumb, or hidden from who cannot see."""
    found = page.evaluate(FAULTS)
    violations = Axe().run(page).response["violations"] if scripts else []
    return found + [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in violations]


def files():
    """A good evening of people with long names, a short one, and a bad one."""
    people = [LONG[0], LONG[1][:40], "Carmen", "amál"]
    bad = evening("evening-barbu")
    bad["deals"][3]["input"] = {}
    short = evening(deals=7, players=["Amal", "Badr", "سلمى", "Dima"]) | {"external_id": "short"}
    return as_json(evening(players=people), short, bad, indent=1)


@pytest.mark.parametrize(("language", "scheme"), [("en", "dark"), ("ar", "light")])
def test_pages_of_an_import_are_whole_on_the_narrowest_phone(
    live_server, owner, new_context, language, scheme
):
    context = new_context(color_scheme=scheme)
    cookies = {settings.SESSION_COOKIE_NAME: owner, settings.LANGUAGE_COOKIE_NAME: language}
    for name, value in cookies.items():
        context.add_cookies([{"name": name, "value": value, "url": live_server.url}])
    page = context.new_page()
    page.set_viewport_size(WIDE)
    page.goto(live_server.url + "/import/")
    assert faults(page) == []
    page.goto(live_server.url + PAGE)
    assert faults(page) == []
    page.set_input_files("#id_file", {"name": "a.csv", "mimeType": "text/csv", "buffer": b"a;b"})
    page.tap("button.primary")
    expect(page.locator("#problems li")).to_have_attribute("data-code", "missing_column")
    assert faults(page) == []
    page.set_input_files("#id_file", {"name": "a.json", "mimeType": "", "buffer": files()})
    page.tap("button.primary")
    seen(page.locator("[data-status]")).to_have_count(3)
    assert faults(page) == []
    page.tap("label.choice")
    page.tap("button.primary")
    seen(page.locator('[data-status="here"]')).to_have_count(2)
    assert faults(page) == []
    assert Match.objects.count() == 2


def test_matches_come_in_without_scripts(live_server, owner, new_context):
    context = new_context(java_script_enabled=False)
    name = settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": owner, "url": live_server.url}])
    page = context.new_page()
    page.goto(live_server.url + "/clubs/cafe-younes/")
    page.click(f'a[href="{PAGE}"]')
    file = {
        "name": "a.xlsx",
        "mimeType": "",
        "buffer": as_xlsx(evening(), evening("evening-barbu")),
    }
    page.set_input_files("#id_file", file)
    page.tap("button.primary")
    seen(page.locator('[data-status="new"]')).to_have_count(2)
    page.tap("button.primary")
    seen(page.locator('[data-status="here"]')).to_have_count(2)
    page.click('[data-status="here"] a >> nth=0')
    expect(page.locator("h1")).to_be_visible()
    assert Match.objects.filter(state="finished").count() == 2
