"""The result leaves the page in one tap."""

import pytest
from playwright.sync_api import expect

from tests.browser.table import Phone, seen, wait_for
from tests.factories import finish
from tests.support.tables import evening_of, url

pytestmark = pytest.mark.django_db(transaction=True)

BUTTON = "button[data-share]"
# Like a browser on an address without https.
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"
NO_COPYING = "document.execCommand = () => false"
SHARES = "navigator.share = async (given) => { window.given = given.text }"
SENDS = """
    navigator.canShare = (given) => given.files.every((file) => file.type === 'image/png');
    window.sent = new Promise((sent) => {
      navigator.share = async ({ files }) => sent([files[0].name, files[0].size]);
    });
"""
CLOSED = """
    navigator.share = async () => {
      window.asked = true;
      throw new DOMException('', 'AbortError');
    };
    navigator.clipboard.writeText = async () => { window.written = true };
"""
NO_SHARING = "Object.defineProperty(navigator, 'share', {value: undefined, writable: true})"


@pytest.fixture
def phone(page, context, live_server):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.add_init_script(NO_SHARING)
    return Phone(page, live_server.url)


def said(phone):
    return phone.page.locator("#toasts")


def test_tap_puts_the_text_on_the_clipboard(phone):
    match = finish(evening_of("evening-levant"))
    phone.open(url("match", match))
    text = phone.page.locator("#as-text").input_value()
    phone.tap(BUTTON)
    seen(said(phone)).to_have_text("Copied")
    assert "Won by" in text
    assert phone.page.evaluate("navigator.clipboard.readText()") == text


def test_tap_shares_where_the_phone_can(phone):
    phone.page.add_init_script(SHARES)
    phone.open(url("sheet", evening_of("evening-levant", 3)))
    phone.tap(BUTTON)
    wait_for(phone.page, "window.given")
    assert "After deal 3 of 20" in phone.page.evaluate("window.given")
    expect(said(phone)).to_be_empty()


def test_whoever_shares_with_nobody_is_told_nothing(phone):
    phone.page.add_init_script(CLOSED)
    phone.open(url("sheet", evening_of("evening-levant", 3)))
    phone.tap(BUTTON)
    wait_for(phone.page, "window.asked")
    expect(said(phone)).to_be_empty()
    assert not phone.page.evaluate("window.written")


@pytest.mark.parametrize(
    ("also", "told"), [("", "Copied"), (NO_COPYING, "The text is selected and can be copied.")]
)
def test_text_is_selected_where_there_is_no_clipboard(phone, also, told):
    phone.page.add_init_script(f"{NO_CLIPBOARD};{also}")
    phone.open(url("sheet", evening_of("evening-levant", 3)))
    phone.tap(BUTTON)
    seen(said(phone)).to_have_text(told)
    field = phone.page.locator("#as-text")
    expect(field).to_be_visible()
    assert field.evaluate("one => one.selectionEnd - one.selectionStart === one.value.length")


# The end comes without a new page: its button is there all the same.
def test_button_shows_at_the_end_that_was_just_tapped(phone):
    phone.open(url("match", evening_of("evening-levant")))
    phone.tap('button:has-text("Finish the match")')
    expect(phone.page.locator(BUTTON)).to_be_visible()


# The picture goes as a file in one tap; elsewhere the link saves it.
def test_picture_is_sent_as_a_file_or_saved(phone):
    match = finish(evening_of("evening-levant"))
    phone.open(url("match", match))
    with phone.page.expect_download() as saved:
        phone.tap("a[data-picture]")
    assert saved.value.suggested_filename == "trexscore.png"
    phone.page.evaluate(f"() => {{{SENDS}}}")
    phone.tap("a[data-picture]")
    name, size = phone.page.evaluate("window.sent")
    assert name == "trexscore.png"
    assert size > 10_000
    expect(said(phone)).to_be_empty()
