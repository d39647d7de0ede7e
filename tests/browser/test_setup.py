"""Sitting down, in a real browser: at 320 px and more, with and without scripts."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import expect

from scoring.clubs.services.invitations import invite_first_owner
from scoring.models import Match, Seating
from tests.browser.table import seen
from tests.factories import PlayerFactory, make_cast, make_match
from tests.support.links import came

NAMES = ("Amal", "Badr", "كارمن الخوري", "Dima")
LONG = (
    "عبد الرحمن بن عبد العزيز الشامي الطرابلسي"[:40],
    "Jean-Christophe de la Rochefoucauld-Beiru",
)
WIDE = {"width": 320, "height": 640}
# What sticks out of the page, and what is too small for a thumb.
FAULTS = """() => {
  const wide = document.documentElement.scrollWidth > innerWidth ? ["scrolls sideways"] : [];
  const touched = "a, button, summary, select, label.choice, input:not([type=hidden])";
  const small = [...document.querySelectorAll(touched)].filter((each) => {
    if (!each.checkVisibility()) return false;
    if (each.matches(".skip, .choice > input, [aria-hidden]")) return false;
    const box = each.getBoundingClientRect();
    return box.width < 47.5 || box.height < 47.5 || box.left < -1 || box.right > innerWidth + 1;
  });
  const out = [...document.querySelectorAll("main *:not(.hidden-text)")].filter((each) => {
    const box = each.getBoundingClientRect();
    return each.checkVisibility() && (box.left < -1 || box.right > innerWidth + 1);
  });
  return [...wide, ...[...out, ...small].map((each) => each.outerHTML.slice(0, 120))];
}"""


@pytest.fixture
def sit(live_server, context, transactional_db):
    """Signs the browser in."""

    def signed_in(user):
        from django.test import Client

        client = Client()
        client.force_login(user)
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        name = settings.SESSION_COOKIE_NAME
        context.add_cookies([{"name": name, "value": cookie, "url": live_server.url}])

    return signed_in


def type_names(page):
    for name in NAMES:
        page.keyboard.type(name)
        page.keyboard.press("Enter")


def sitting():
    rows = Seating.objects.order_by("seat").select_related("player")
    return [row.player.name for row in rows]


def test_names_are_typed_without_a_tap_between_them(page, live_server, transactional_db):
    page.goto(live_server.url)
    expect(page.get_by_label("Player 1")).to_be_focused()
    type_names(page)
    page.wait_for_url("**/matches/**")
    assert tuple(sitting()) == NAMES


def test_impatient_taps_open_one_match(page, live_server, transactional_db):
    page.goto(live_server.url)
    for seat, name in enumerate(NAMES, start=1):
        page.get_by_label(f"Player {seat}").fill(name)
    page.evaluate(
        """() => {
          const button = [...document.querySelectorAll("button.primary")].at(-1);
          for (let tap = 0; tap < 10; tap += 1) button.click();
        }"""
    )
    page.wait_for_url("**/matches/**")
    assert Match.objects.count() == 1


def test_without_a_network_what_was_typed_stays(page, live_server, transactional_db):
    page.goto(live_server.url)
    page.context.set_offline(True)
    type_names(page)
    expect(page.locator(".toast.error")).to_be_visible()
    page.context.set_offline(False)
    page.keyboard.press("Enter")
    page.wait_for_url("**/matches/**")
    assert tuple(sitting()) == NAMES


def test_sitting_down_without_scripts(browser, live_server, transactional_db):
    page = browser.new_page(java_script_enabled=False, viewport=WIDE)
    page.goto(live_server.url)
    for seat, name in enumerate((*NAMES[:3], "amal"), start=1):
        page.get_by_label(f"Player {seat}").fill(name)
    page.get_by_role("radio", name="Barbu 32 cards").check()
    page.get_by_role("button", name="Start the match").click()
    seen(page.locator(".field-error")).to_have_text("amal sits here already.")
    expect(page.get_by_role("radio", name="Barbu 32 cards")).to_be_checked()
    page.get_by_label("Player 4").fill("Dima")
    page.get_by_role("button", name="Start the match").click()
    page.wait_for_url("**/matches/**")
    assert Match.objects.get().system == "barbu"


# People are picked by name, nobody types a number. C20
@pytest.mark.parametrize("scripts", [True, False])
def test_people_of_a_club_are_seated_by_taps(browser, live_server, transactional_db, scripts):
    from django.test import Client

    cast = make_cast()
    client = Client()
    client.force_login(cast.badr)
    context = browser.new_context(java_script_enabled=scripts, viewport=WIDE)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    name = settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": cookie, "url": live_server.url}])
    page = context.new_page()
    page.goto(f"{live_server.url}/clubs/cafe-younes/matches/new/")
    for name in ("Dima", "Carmen", "Badr"):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator(".seat-name", has_text=name)).to_be_visible()
    page.locator(".seat-choice", has_text="Carmen").click()
    expect(page.locator(".seat-name", has_text="Carmen")).to_have_count(0)
    page.get_by_label("A guest").fill("Ziad")
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator(".seat-name", has_text="Ziad")).to_be_visible()
    page.get_by_role("button", name="Amal", exact=True).click()
    page.get_by_role("button", name="Start the match").click()
    page.wait_for_url(re.compile(r"/matches/[0-9a-f-]{36}/"))
    assert sitting() == ["Dima", "Badr", "Ziad", "Amal"]
    context.close()


# If something blocks a change, it is said at the field, and the page shows that field. C66
def test_a_refused_form_shows_where_its_first_error_is(page, live_server, sit):
    sit(make_cast().owner)
    page.set_viewport_size({"width": 320, "height": 480})
    page.goto(f"{live_server.url}/clubs/cafe-younes/settings/")
    field = page.locator('[name="acceptance_hours"]')
    field.fill("soon")
    page.locator(".dock button").click()
    expect(page.locator(".field-error")).to_be_in_viewport()
    expect(field).to_be_focused()


def violations(page):
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in found]


@pytest.mark.parametrize(("language", "dark"), [("en", False), ("ar", True), ("fr", True)])
def test_pages_fit_a_small_phone_and_everybody(page, live_server, sit, language, dark):
    cast = make_cast()
    cast.owner.is_superuser = True
    cast.owner.save()
    long = [PlayerFactory(club=cast.club, name=name[:40]) for name in LONG]
    people = [*long, *cast.players[:2]]
    match = make_match(
        club=cast.club, players=people, table_name="By the window of the old house, upstairs"
    )
    phone = came(match, now=timezone.now())
    match.seat_phones.create(seat=0, device=phone.device, bound_at=phone.joined_at)
    sit(cast.owner)
    page.context.add_cookies(
        [{"name": "django_language", "value": language, "url": live_server.url}]
    )
    page.set_viewport_size(WIDE)
    page.emulate_media(color_scheme="dark" if dark else "light")
    club = "/clubs/cafe-younes/"
    seats = "&".join(f"seat={player.id}" for player in people)
    addresses = ["/start/", club, f"{club}players/", f"{club}players/{people[2].id}/edit/"]
    addresses += [f"{club}matches/new/", f"{club}matches/new/?{seats}", f"{club}invite/"]
    addresses += [f"{club}settings/", "/clubs/new/", "/accounts/password/change/", "/nothing/"]
    addresses += [f"{club}rules/", f"{club}rules/new/?from=barbu", "/start/rules/?from=kleshchi"]
    addresses += [f"/matches/{match.id}/rules/", "/api/docs", "/t/"]
    addresses += [f"/matches/{match.id}/phones/", f"/matches/{match.id}/seat/"]
    faults = {}
    for address in addresses:
        page.goto(live_server.url + address)
        page.evaluate(
            "document.querySelectorAll('details').forEach((each) => { each.open = true })"
        )
        found = page.evaluate(FAULTS)
        found += violations(page) if language != "fr" else []  # which only has longer words
        if found:
            faults[address] = found
    assert faults == {}


@pytest.mark.parametrize(
    ("zone", "proposed"), [("Africa/Tunis", "Africa/Tunis"), ("Etc/GMT+5", "Asia/Beirut")]
)
def test_a_new_club_is_offered_the_time_zone_of_the_browser(
    browser, live_server, transactional_db, zone, proposed
):
    """A zone that the list does not hold leaves the usual one."""
    secret = invite_first_owner(now=timezone.now())
    with browser.new_context(timezone_id=zone) as context:
        page = context.new_page()
        page.goto(f"{live_server.url}/join/{secret}/")
        field = page.get_by_label("Time zone")
        expect(field).to_be_visible()
        expect(field).to_have_value(proposed)
